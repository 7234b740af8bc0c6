//! What happened, and what was found out?

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe, Row};

use super::ledger::{self, EVENT};
use super::row::{json, optional_text, text, time};
use super::{Answer, Catalog, EventFilter, Filter, Finding, Result, StoredEvent};
use crate::Time;

impl Catalog {
    /// Events, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn events(&self, filter: &EventFilter) -> Result<Vec<StoredEvent>> {
        let wanted = Wanted::new(filter);
        let sql = format!(
            "{EVENT}WHERE event.at >= $1 AND event.at < $2 AND event.importance >= $3{} \
             ORDER BY event.at DESC, event.id DESC LIMIT $4",
            wanted.conditions
        );
        let query = sqlx::query(AssertSqlSafe(sql))
            .bind(filter.from.map_or(i64::MIN, Time::microseconds))
            .bind(filter.to.map_or(i64::MAX, Time::microseconds))
            .bind(filter.importance.unwrap_or(0.0))
            .bind(most(filter.limit));
        let query = wanted.texts.into_iter().fold(query, Query::bind);
        self.read("listed events", async |connection| {
            query.fetch_all(connection).await?.iter().map(ledger::event).collect()
        })
    }

    /// Adds a finding and returns its number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_finding(&self, finding: &Finding) -> Result<i64> {
        let sql = "INSERT INTO finding (at, kind, url, recipe, body) VALUES ($1, $2, $3, $4, $5) RETURNING id";
        self.write("noted a finding", async |connection| {
            let query = sqlx::query(sql).bind(finding.at.microseconds()).bind(text(&finding.kind));
            let query = query.bind(text(&finding.url)).bind(i64::from(finding.recipe)).bind(finding.body.to_string());
            query.fetch_one(connection).await?.try_get(0)
        })
    }

    /// Findings with their numbers, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn findings(&self, filter: &Filter) -> Result<Vec<(i64, Finding)>> {
        let sql = "SELECT id, at, kind, url, recipe, body FROM finding \
                   WHERE ($1 IS NULL OR kind = $1) AND ($2 IS NULL OR url = $2) AND at >= $3 AND at < $4 \
                   ORDER BY at DESC, id DESC LIMIT $5";
        self.read("listed findings", async |connection| {
            filtered(sql, filter).fetch_all(connection).await?.iter().map(finding).collect()
        })
    }
}

/// Only the conditions that are asked for, so that an index can be of use, and the texts that they compare with.
struct Wanted {
    conditions: String,
    texts: Vec<String>,
}

impl Wanted {
    /// The first four places are taken.
    fn new(filter: &EventFilter) -> Self {
        let mut wanted = Self { conditions: String::new(), texts: Vec::new() };
        if !filter.all {
            wanted.conditions.push_str(" AND event.held_until IS NULL AND event.folded_into IS NULL");
        }
        wanted.add(filter.url.as_deref(), "event.url = ", "");
        wanted.add(filter.site.as_deref().map(ledger::site).as_deref(), "event.site = ", "");
        wanted.of_watch(filter.watch.as_deref());
        wanted.add(
            filter.tag.as_deref(),
            "event.id IN (SELECT event_tag.event_id FROM event_tag WHERE event_tag.tag = ",
            ")",
        );
        if !filter.kinds.is_empty() {
            let places: Vec<String> = filter.kinds.iter().map(|kind| wanted.place(kind)).collect();
            wanted.conditions += &format!(" AND event.kind IN ({})", places.join(","));
        }
        wanted
    }

    fn add(&mut self, value: Option<&str>, before: &str, after: &str) {
        if let Some(value) = value {
            let place = self.place(value);
            self.conditions += &format!(" AND {before}{place}{after}");
        }
    }

    /// Those of a watch, and those that its own were folded into, which belong to no watch or to another one.
    fn of_watch(&mut self, uuid: Option<&str>) {
        if let Some(uuid) = uuid {
            let watch = format!("(SELECT asked.id FROM watch AS asked WHERE asked.uuid = {})", self.place(uuid));
            self.conditions += &format!(
                " AND (event.watch_id = {watch} OR event.key IN (SELECT own.folded_into FROM event AS own \
                 WHERE own.watch_id = {watch} AND own.folded_into IS NOT NULL))"
            );
        }
    }

    fn place(&mut self, value: &str) -> String {
        self.texts.push(text(value));
        format!("${}", self.texts.len() + 4)
    }
}

fn most(limit: u32) -> i64 {
    if limit == 0 { i64::MAX } else { i64::from(limit) }
}

/// `$1` the kind, `$2` the address, `$3` and `$4` the times, `$5` the limit.
fn filtered<'q>(sql: &'static str, filter: &Filter) -> Query<'q, Any, AnyArguments> {
    sqlx::query(sql)
        .bind(optional_text(filter.kind.as_deref()))
        .bind(optional_text(filter.url.as_deref()))
        .bind(filter.from.map_or(i64::MIN, Time::microseconds))
        .bind(filter.to.map_or(i64::MAX, Time::microseconds))
        .bind(most(filter.limit))
}

fn finding(row: &AnyRow) -> Answer<(i64, Finding)> {
    let finding = Finding {
        at: time(row.try_get(1)?),
        kind: row.try_get(2)?,
        url: row.try_get(3)?,
        recipe: u32::try_from(row.try_get::<i64, _>(4)?).unwrap_or(0),
        body: json(&row.try_get::<String, _>(5)?)?,
    };
    Ok((row.try_get(0)?, finding))
}
