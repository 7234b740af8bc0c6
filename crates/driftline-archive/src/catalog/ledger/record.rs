//! What does a check leave behind? Where the watch stands, what changed, what happened: all of it, or nothing.
//!
//! Most checks find nothing new, so that is what has to be quick: one look at the rows of 32 watches, one statement
//! that writes where they stand.

use std::collections::{BTreeMap, HashMap};

use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::{NewEvent, Record, members, site, streams};
use crate::Time;
use crate::catalog::add::{chunks, places};
use crate::catalog::row::{optional_text, text};
use crate::catalog::{Answer, Catalog, Change, Result, Watch, changes};

impl Catalog {
    /// Keeps what checks leave behind, of all of them or of none. Of several checks of a watch the last one says
    /// where it stands.
    ///
    /// # Errors
    /// If the database fails.
    pub fn record(&self, records: &[Record]) -> Result<()> {
        // Sorted, so that two processes that record the same watches do not wait for each other in a circle.
        let latest: BTreeMap<&str, &Record> =
            records.iter().map(|record| (record.watch.uuid.as_str(), record)).collect();
        self.write("recorded checks", async |connection| {
            let ids = watch_ids(connection, &latest).await?;
            let id = |uuid: &str| ids.get(uuid).copied().ok_or(sqlx::Error::RowNotFound);
            let states: Vec<_> = latest.iter().map(|(uuid, record)| Ok((id(uuid)?, *record))).collect::<Answer<_>>()?;
            put_states(connection, &states).await?;
            for record in records {
                put_change(connection, record.change.as_ref()).await?;
                for event in &record.events {
                    put_event(connection, event).await?;
                }
                if let Some(stream) = &record.stream {
                    streams::put(connection, stream).await?;
                }
                if let Some(members) = &record.members {
                    members::put(connection, id(&record.watch.uuid)?, members).await?;
                }
            }
            Ok(())
        })
    }
}

/// The numbers of the watches; rows are written only of those that are new or differ.
async fn watch_ids(connection: &mut AnyConnection, records: &BTreeMap<&str, &Record>) -> Answer<HashMap<String, i64>> {
    let uuids: Vec<&str> = records.keys().copied().collect();
    let mut ids = HashMap::with_capacity(uuids.len());
    for uuids in chunks(&uuids) {
        let sql =
            format!("SELECT id, uuid, url, title, tags, settings FROM watch WHERE uuid IN {}", places(1, uuids.len()));
        let query = uuids.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, uuid| query.bind(text(uuid)));
        for row in query.fetch_all(&mut *connection).await? {
            let uuid: String = row.try_get(1)?;
            let there: [String; 4] = [row.try_get(2)?, row.try_get(3)?, row.try_get(4)?, row.try_get(5)?];
            if records.get(uuid.as_str()).is_some_and(|record| columns(&record.watch) == there) {
                ids.insert(uuid, row.try_get(0)?);
            }
        }
    }
    for (uuid, record) in records {
        if !ids.contains_key(*uuid) {
            ids.insert((*uuid).to_owned(), put_watch(connection, &record.watch).await?);
        }
    }
    Ok(ids)
}

/// What of a watch may differ from check to check.
fn columns(watch: &Watch) -> [String; 4] {
    let tags = serde_json::Value::from(watch.tags.clone()).to_string();
    [text(&watch.url), text(&watch.title), tags, watch.settings.to_string()]
}

async fn put_watch(connection: &mut AnyConnection, watch: &Watch) -> Answer<i64> {
    let sql = "INSERT INTO watch (uuid, url, title, tags, settings, created) VALUES ($1, $2, $3, $4, $5, $6) \
               ON CONFLICT (uuid) DO UPDATE SET url = excluded.url, title = excluded.title, tags = excluded.tags, \
               settings = excluded.settings RETURNING id";
    let query = columns(watch).into_iter().fold(sqlx::query(sql).bind(text(&watch.uuid)), sqlx::query::Query::bind);
    query.bind(watch.created.microseconds()).fetch_one(connection).await?.try_get(0)
}

async fn put_states(connection: &mut AnyConnection, states: &[(i64, &Record)]) -> Answer<()> {
    for rows in chunks(states) {
        let sql = format!(
            "INSERT INTO watch_state (watch_id, next, checked, body) VALUES {} ON CONFLICT (watch_id) DO UPDATE SET \
             next = excluded.next, checked = excluded.checked, body = excluded.body",
            places(rows.len(), 4)
        );
        let query = rows.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, (id, record)| {
            let (next, checked) = (record.state.next, record.state.checked);
            let query = query.bind(*id).bind(next.map(Time::microseconds)).bind(checked.map(Time::microseconds));
            query.bind(record.state.body.to_string())
        });
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// A capture that was given up meanwhile takes its change along.
async fn put_change(connection: &mut AnyConnection, change: Option<&Change>) -> Answer<()> {
    let Some(change) = change else { return Ok(()) };
    let there = sqlx::query("SELECT COUNT(*) FROM capture WHERE id IN ($1, $2)").bind(change.older).bind(change.newer);
    if there.fetch_one(&mut *connection).await?.try_get::<i64, _>(0)? == 2 {
        changes::put(connection, change).await?;
    }
    Ok(())
}

/// Adds an event, unless its key is there.
pub(super) async fn put_event(connection: &mut AnyConnection, event: &NewEvent) -> Answer<()> {
    let sql = "INSERT INTO event (key, at, kind, url, site, watch_id, capture_id, importance, held_until, body) \
               VALUES ($1, $2, $3, $4, $5, (SELECT watch.id FROM watch WHERE watch.uuid = $6), \
               (SELECT capture.id FROM capture WHERE capture.id = $7), $8, $9, $10) \
               ON CONFLICT (key) DO NOTHING RETURNING id";
    let query = sqlx::query(sql).bind(text(&event.key)).bind(event.at.microseconds()).bind(text(&event.kind));
    let query = query.bind(text(&event.url)).bind(site(&event.site)).bind(optional_text(event.watch.as_deref()));
    let query = query.bind(event.capture).bind(event.importance).bind(event.release.map(Time::microseconds));
    let Some(row) = query.bind(event.body.to_string()).fetch_optional(&mut *connection).await? else { return Ok(()) };
    let id: i64 = row.try_get(0)?;
    for tag in &event.tags {
        let sql = "INSERT INTO event_tag (tag, event_id) VALUES ($1, $2) ON CONFLICT (tag, event_id) DO NOTHING";
        sqlx::query(sql).bind(text(tag)).bind(id).execute(&mut *connection).await?;
    }
    Ok(())
}
