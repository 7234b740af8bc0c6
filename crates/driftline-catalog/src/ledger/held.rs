//! Which events wait for others like them? And how does a row become an event?

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{StoredEvent, site};
use crate::Time;
use crate::row::{body, text, time};
use crate::{Answer, Catalog, Result};

/// The columns of [`event`].
pub(crate) const COLUMNS: &str = "SELECT event.id, COALESCE(event.key, '') AS key, event.at, event.kind, event.url, \
     event.site, watch.uuid, event.capture_id, event.older_id, \
     COALESCE((SELECT reading.body FROM reading WHERE reading.fingerprint = event.reading), '') AS reading, event.importance, event.held_until, event.folded_into, event.summary, \
     event.read_at, event.kept, event.body FROM ";
/// Events with their watches. What follows may use `event` and `watch`.
pub(crate) const EVENT: &str = "event LEFT JOIN watch ON watch.id = event.watch_id ";

impl Catalog {
    /// The sites with events that need not be held any more at a time, by their names, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn held_sites(&self, until: Time, limit: u32) -> Result<Vec<String>> {
        let sql = "SELECT DISTINCT site FROM event WHERE held_until IS NOT NULL AND held_until <= $1 \
                   ORDER BY site LIMIT $2";
        self.read("listed sites with held events", async |connection| {
            let query = sqlx::query(sql).bind(until.microseconds()).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(|row| row.try_get(0)).collect()
        })
    }

    /// All held events of a site, whether or not their time has come; in the order in which they were found, at most
    /// `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn held_of(&self, of: &str, limit: u32) -> Result<Vec<StoredEvent>> {
        let sql = format!(
            "{COLUMNS}{EVENT} WHERE event.held_until IS NOT NULL AND event.site = $1 ORDER BY event.at, event.id LIMIT $2"
        );
        self.read("listed held events", async |connection| {
            let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(site(of)).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(event).collect()
        })
    }

    /// When the next event is released; `None` if none is held.
    ///
    /// # Errors
    /// If the database fails.
    pub fn next_release(&self) -> Result<Option<Time>> {
        let sql = "SELECT MIN(held_until) FROM event WHERE held_until IS NOT NULL";
        self.read("looked for held events", async |connection| {
            Ok(sqlx::query(sql).fetch_one(connection).await?.try_get::<Option<i64>, _>(0)?.map(time))
        })
    }

    /// Events whose keys begin so, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn events_by_key(&self, prefix: &str, limit: u32) -> Result<Vec<StoredEvent>> {
        let sql = format!("{COLUMNS}{EVENT} WHERE event.key >= $1 AND event.key <= $2 ORDER BY event.key LIMIT $3");
        let last = format!("{}{}", text(prefix), char::MAX);
        self.read("looked for an event", async |connection| {
            let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(text(prefix)).bind(last).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(event).collect()
        })
    }

    /// An event by its key.
    ///
    /// # Errors
    /// If the database fails.
    pub fn event(&self, key: &str) -> Result<Option<StoredEvent>> {
        let sql = format!("{COLUMNS}{EVENT} WHERE event.key = $1");
        self.read("looked for an event", async |connection| {
            let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(text(key));
            query.fetch_optional(connection).await?.as_ref().map(event).transpose()
        })
    }
}

/// Reads a row of [`COLUMNS`].
pub(crate) fn event(row: &AnyRow) -> Answer<StoredEvent> {
    Ok(StoredEvent {
        id: row.try_get("id")?,
        key: row.try_get("key")?,
        at: time(row.try_get("at")?),
        kind: row.try_get("kind")?,
        url: row.try_get("url")?,
        site: row.try_get("site")?,
        watch: row.try_get("uuid")?,
        capture: row.try_get("capture_id")?,
        older: row.try_get("older_id")?,
        reading: row.try_get("reading")?,
        importance: row.try_get("importance")?,
        held_until: row.try_get::<Option<i64>, _>("held_until")?.map(time),
        folded_into: row.try_get("folded_into")?,
        summary: row.try_get("summary")?,
        read_at: row.try_get::<Option<i64>, _>("read_at")?.map(time),
        is_kept: row.try_get::<i64, _>("kept")? != 0,
        body: body(&row.try_get::<String, _>("body")?),
    })
}
