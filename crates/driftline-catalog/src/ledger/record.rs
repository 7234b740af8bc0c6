//! What does a check leave behind? Where the watch stands, what changed, what happened: all of it, or nothing.
//!
//! States, changes and events of many checks go in by the dozen: each statement is handed to the thread of the database
//! and back, which takes longer than what most of them do there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row};

use super::{NewEvent, Record, Stream, WatchState, members, site, streams};
use crate::Time;
use crate::add::{chunks, numbered, places};
use crate::row::{optional_text, text};
use crate::watch_rows::{self, By};
use crate::{Answer, Catalog, Change, Result, Watch, changes, readings};

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
            let watches: Vec<&Watch> = latest.values().map(|record| &record.watch).collect();
            let ids = watch_rows::put(connection, &watches, By::Check).await?;
            let id = |uuid: &str| ids.get(uuid).copied().ok_or(sqlx::Error::RowNotFound);
            let states: Vec<_> = latest.iter().map(|(uuid, record)| Ok((id(uuid)?, *record))).collect::<Answer<_>>()?;
            put_states(connection, &states).await?;
            put_changes(connection, records).await?;
            let events: Vec<&NewEvent> = records.iter().flat_map(|record| &record.events).collect();
            put_events(connection, &events).await?;
            // Each knows all that those before it knew.
            let sites: BTreeMap<&str, &Stream> =
                records.iter().filter_map(|record| record.stream.as_ref()).map(|it| (it.site.as_str(), it)).collect();
            for stream in sites.into_values() {
                streams::put(connection, stream).await?;
            }
            for record in records {
                if let Some(members) = &record.members {
                    members::put(connection, id(&record.watch.uuid)?, members).await?;
                }
            }
            Ok(())
        })
    }
}

async fn put_states(connection: &mut AnyConnection, states: &[(i64, &Record)]) -> Answer<()> {
    for rows in chunks(states) {
        let sql = format!(
            "INSERT INTO watch_state (watch_id, next, checked, version_at, failing_since, absent_since, body) VALUES {} \
             ON CONFLICT (watch_id) DO UPDATE SET next = excluded.next, checked = excluded.checked, \
             version_at = excluded.version_at, failing_since = excluded.failing_since, \
             absent_since = excluded.absent_since, body = excluded.body",
            places(rows.len(), 7)
        );
        let query = rows.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, (id, record)| {
            let WatchState { next, checked, version_at, failing_since, absent_since, body } = &record.state;
            let times = [next, checked, version_at, failing_since, absent_since];
            let query = times.into_iter().fold(query.bind(*id), |query, time| query.bind(time.map(Time::microseconds)));
            query.bind(body.to_string())
        });
        query.execute(&mut *connection).await?;
        let ids: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
        watch_rows::put_states(connection, &ids).await?;
    }
    Ok(())
}

/// A capture that was given up meanwhile takes its change along.
async fn put_changes(connection: &mut AnyConnection, records: &[Record]) -> Answer<()> {
    let latest = changes::latest(records.iter().filter_map(|record| record.change.as_ref()));
    let captures: BTreeSet<i64> = latest.iter().flat_map(|change| [change.newer, change.older]).collect();
    let captures: Vec<i64> = captures.into_iter().collect();
    let mut there = HashSet::with_capacity(captures.len());
    for captures in chunks(&captures) {
        let sql = format!("SELECT id FROM capture WHERE id IN {}", places(1, captures.len()));
        let query = captures.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, id| query.bind(*id));
        for row in query.fetch_all(&mut *connection).await? {
            there.insert(row.try_get::<i64, _>(0)?);
        }
    }
    let is_there = |change: &&Change| there.contains(&change.older) && there.contains(&change.newer);
    let changes: Vec<&Change> = latest.into_iter().filter(is_there).collect();
    changes::put(connection, &changes).await
}

/// Adds events, unless their keys are there.
pub(super) async fn put_events(connection: &mut AnyConnection, events: &[&NewEvent]) -> Answer<()> {
    let mut ids: HashMap<String, i64> = HashMap::new();
    readings::put(connection, events.iter().map(|event| event.reading.as_str())).await?;
    for events in chunks(events) {
        for row in insert_events(events).fetch_all(&mut *connection).await? {
            ids.insert(row.try_get(1)?, row.try_get(0)?);
        }
    }
    for event in events {
        // Of two events with one key the first is added.
        let Some(id) = ids.remove(&text(&event.key)) else { continue };
        for tag in &event.tags {
            let sql = "INSERT INTO event_tag (tag, event_id, at) VALUES ($1, $2, $3) \
                       ON CONFLICT (event_id, tag) DO NOTHING";
            let query = sqlx::query(sql).bind(text(tag)).bind(id).bind(event.at.microseconds());
            query.execute(&mut *connection).await?;
        }
        if let Some(watch) = event.watch.as_deref().filter(|_| is_change(&event.kind)) {
            note_change(connection, watch, id, event).await?;
        }
    }
    Ok(())
}

/// Whether events of a kind are changes of their watch: not how its checks and its zone fare.
fn is_change(kind: &str) -> bool {
    !["check-failing", "check-recovered", "zone-lost", "zone-found"].contains(&kind)
}

/// Says in the row of a watch, for lists, that this is its last change.
async fn note_change(connection: &mut AnyConnection, watch: &str, id: i64, event: &NewEvent) -> Answer<()> {
    let sql = "UPDATE watch SET changed_at = $2, changed_event = $3, change_importance = $4, change_summary = $5 \
               WHERE uuid = $1 AND changed_at <= $2 RETURNING id";
    let query = sqlx::query(sql).bind(text(watch)).bind(event.at.microseconds()).bind(id).bind(event.importance);
    let row = query.bind(summary(&event.body)).fetch_optional(&mut *connection).await?;
    if let Some(row) = row {
        let sql = "UPDATE watch_tag SET changed_at = $2 WHERE watch_id = $1";
        let query = sqlx::query(sql).bind(row.try_get::<i64, _>(0)?).bind(event.at.microseconds());
        query.execute(connection).await?;
    }
    Ok(())
}

/// What happened, in one line, as the body of an event says it.
pub(super) fn summary(body: &serde_json::Value) -> String {
    body.get("summary").and_then(serde_json::Value::as_str).map(text).unwrap_or_default()
}

fn insert_events<'q>(events: &[&NewEvent]) -> Query<'q, Any, AnyArguments> {
    let row = "(?, ?, ?, ?, ?, (SELECT watch.id FROM watch WHERE watch.uuid = ?), \
               (SELECT capture.id FROM capture WHERE capture.id = ?), (SELECT capture.id FROM capture WHERE capture.id = ?), \
               ?, ?, ?, ?, ?)";
    let rows = numbered(row, events.len());
    let sql = format!(
        "INSERT INTO event (key, at, kind, url, site, watch_id, capture_id, older_id, reading, importance, \
         held_until, summary, body) \
         VALUES {rows} ON CONFLICT (key) DO NOTHING RETURNING id, key"
    );
    events.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, event| {
        let query = query.bind(text(&event.key)).bind(event.at.microseconds()).bind(text(&event.kind));
        let query = query.bind(text(&event.url)).bind(site(&event.site)).bind(optional_text(event.watch.as_deref()));
        let query = query.bind(event.capture).bind(event.older).bind(readings::fingerprint(&event.reading));
        let query = query.bind(event.importance).bind(event.release.map(Time::microseconds));
        query.bind(summary(&event.body)).bind(event.body.to_string())
    })
}
