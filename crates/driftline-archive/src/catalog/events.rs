//! What happened, and what was found out?

use sqlx::Any;
use sqlx::Row;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;

use super::row::{json, optional_text, text, time};
use super::{Answer, Catalog, Event, Filter, Finding, Result};
use crate::Time;

impl Catalog {
    /// Adds an event and returns its number.
    ///
    /// # Errors
    /// If its watch or its capture is not there, or if the database fails.
    pub fn put_event(&self, event: &Event) -> Result<i64> {
        let sql = "INSERT INTO event (at, kind, url, watch_id, capture_id, body) VALUES ($1, $2, $3, $4, $5, $6) \
                   RETURNING id";
        let watch = event.watch.as_deref();
        let added = self.write("noted an event", async |connection| {
            let id = match watch {
                None => None,
                Some(uuid) => {
                    let query = sqlx::query("SELECT id FROM watch WHERE uuid = $1").bind(text(uuid));
                    let Some(row) = query.fetch_optional(&mut *connection).await? else { return Ok(None) };
                    Some(row.try_get::<i64, _>(0)?)
                }
            };
            let query = sqlx::query(sql).bind(event.at.microseconds()).bind(text(&event.kind)).bind(text(&event.url));
            let query = query.bind(id).bind(event.capture).bind(event.body.to_string());
            query.fetch_one(connection).await?.try_get(0).map(Some)
        })?;
        added.ok_or_else(|| self.unknown("watch", watch.unwrap_or_default()))
    }

    /// Events with their numbers, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn events(&self, filter: &Filter) -> Result<Vec<(i64, Event)>> {
        let sql = "SELECT event.id, event.at, event.kind, event.url, watch.uuid, event.capture_id, event.body \
                   FROM event LEFT JOIN watch ON watch.id = event.watch_id \
                   WHERE ($1 IS NULL OR event.kind = $1) AND ($2 IS NULL OR event.url = $2) \
                   AND event.at >= $3 AND event.at < $4 AND ($6 IS NULL OR watch.uuid = $6) \
                   ORDER BY event.at DESC, event.id DESC LIMIT $5";
        self.read("listed events", async |connection| {
            let query = filtered(sql, filter).bind(optional_text(filter.watch.as_deref()));
            query.fetch_all(connection).await?.iter().map(event).collect()
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

/// `$1` the kind, `$2` the address, `$3` and `$4` the times, `$5` the limit.
fn filtered<'q>(sql: &'static str, filter: &Filter) -> Query<'q, Any, AnyArguments> {
    let limit = if filter.limit == 0 { i64::MAX } else { i64::from(filter.limit) };
    sqlx::query(sql)
        .bind(optional_text(filter.kind.as_deref()))
        .bind(optional_text(filter.url.as_deref()))
        .bind(filter.from.map_or(i64::MIN, Time::microseconds))
        .bind(filter.to.map_or(i64::MAX, Time::microseconds))
        .bind(limit)
}

fn event(row: &AnyRow) -> Answer<(i64, Event)> {
    let event = Event {
        at: time(row.try_get(1)?),
        kind: row.try_get(2)?,
        url: row.try_get(3)?,
        watch: row.try_get(4)?,
        capture: row.try_get(5)?,
        body: json(&row.try_get::<String, _>(6)?)?,
    };
    Ok((row.try_get(0)?, event))
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
