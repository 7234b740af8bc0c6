//! What does a check leave behind? Where the watch stands, what changed, what happened: all of it, or nothing.
//!
//! States, changes and events of many checks go in by the dozen: each statement is handed to the thread of the database
//! and back, which takes longer than what most of them do there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row};

use super::{NewEvent, Record, Stream, members, site, streams};
use crate::Time;
use crate::add::{chunks, numbered, places};
use crate::row::{optional_text, text};
use crate::{Answer, Catalog, Change, Result, Watch, changes};

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
async fn put_changes(connection: &mut AnyConnection, records: &[Record]) -> Answer<()> {
    // Sorted, as watches are; of two changes of a pair the later one stays.
    let latest: BTreeMap<(i64, i64), &Change> = records
        .iter()
        .filter_map(|record| record.change.as_ref())
        .map(|change| ((change.newer, change.older), change))
        .collect();
    let captures: BTreeSet<i64> = latest.keys().flat_map(|&(newer, older)| [newer, older]).collect();
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
    let changes: Vec<&Change> = latest.into_values().filter(is_there).collect();
    changes::put(connection, &changes).await
}

/// Adds events, unless their keys are there.
pub(super) async fn put_events(connection: &mut AnyConnection, events: &[&NewEvent]) -> Answer<()> {
    let mut ids: HashMap<String, i64> = HashMap::new();
    for events in chunks(events) {
        for row in insert_events(events).fetch_all(&mut *connection).await? {
            ids.insert(row.try_get(1)?, row.try_get(0)?);
        }
    }
    for event in events.iter().filter(|event| !event.tags.is_empty()) {
        let Some(id) = ids.get(&text(&event.key)) else { continue };
        for tag in &event.tags {
            let sql = "INSERT INTO event_tag (tag, event_id) VALUES ($1, $2) ON CONFLICT (tag, event_id) DO NOTHING";
            sqlx::query(sql).bind(text(tag)).bind(*id).execute(&mut *connection).await?;
        }
    }
    Ok(())
}

fn insert_events<'q>(events: &[&NewEvent]) -> Query<'q, Any, AnyArguments> {
    let row = "(?, ?, ?, ?, ?, (SELECT watch.id FROM watch WHERE watch.uuid = ?), \
               (SELECT capture.id FROM capture WHERE capture.id = ?), ?, ?, ?)";
    let rows = numbered(row, events.len());
    let sql = format!(
        "INSERT INTO event (key, at, kind, url, site, watch_id, capture_id, importance, held_until, body) \
         VALUES {rows} ON CONFLICT (key) DO NOTHING RETURNING id, key"
    );
    events.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, event| {
        let query = query.bind(text(&event.key)).bind(event.at.microseconds()).bind(text(&event.kind));
        let query = query.bind(text(&event.url)).bind(site(&event.site)).bind(optional_text(event.watch.as_deref()));
        let query = query.bind(event.capture).bind(event.importance).bind(event.release.map(Time::microseconds));
        query.bind(event.body.to_string())
    })
}
