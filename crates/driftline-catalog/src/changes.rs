//! What differs between two captures, and which pairs are still to be measured?

use std::collections::BTreeMap;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::add::{chunks, numbered};
use super::row::json;
use super::{Answer, Catalog, Change, OfUrls, Result, readings, urls};

macro_rules! select_change {
    ($rest:literal) => {
        concat!(
            "SELECT change.older_id, change.newer_id, change.recipe, change.degree, change.importance, change.body, ",
            "COALESCE((SELECT reading.body FROM reading WHERE reading.fingerprint = change.reading), '') AS reading ",
            "FROM change ",
            $rest
        )
    };
}

impl Catalog {
    /// Adds changes, or replaces those of the same pairs.
    ///
    /// # Errors
    /// If a capture is not there, or if the database fails.
    pub fn put_changes(&self, changes: &[Change]) -> Result<()> {
        let latest = latest(changes);
        self.write("noted changes", async |connection| put(connection, &latest).await)
    }

    /// The change between two captures, read as a whole and as they are.
    ///
    /// # Errors
    /// If the database fails.
    pub fn change(&self, older: i64, newer: i64) -> Result<Option<Change>> {
        self.change_read(older, newer, "")
    }

    /// The change between two captures that were read in a way.
    ///
    /// # Errors
    /// If the database fails.
    pub fn change_read(&self, older: i64, newer: i64, reading: &str) -> Result<Option<Change>> {
        let sql = select_change!("WHERE change.newer_id = $1 AND change.older_id = $2 AND change.reading = $3");
        self.read("looked for a change", async |connection| {
            let query = sqlx::query(sql).bind(newer).bind(older).bind(readings::fingerprint(reading));
            query.fetch_optional(connection).await?.as_ref().map(change).transpose()
        })
    }

    /// The changes of an address, read as a whole and as it is, by the time of the newer capture.
    ///
    /// # Errors
    /// If the database fails.
    pub fn changes_of(&self, url: &str) -> Result<Vec<Change>> {
        let sql = select_change!(
            "JOIN capture ON capture.id = change.newer_id WHERE capture.url_id = $1 AND change.reading = '' \
             ORDER BY capture.at, capture.id, change.older_id"
        );
        self.read("listed changes", async |connection| {
            let mut changes = Vec::new();
            for id in urls::spellings(connection, url).await? {
                let rows = sqlx::query(sql).bind(id).fetch_all(&mut *connection).await?;
                changes.append(&mut rows.iter().map(change).collect::<Answer<_>>()?);
            }
            Ok(changes)
        })
    }

    /// All changes of captures that were read as a whole and as they are, by the numbers of their captures: the next ones after a pair (newer, older), at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn changes(&self, after: (i64, i64), limit: u32) -> Result<Vec<Change>> {
        let sql = select_change!(
            "WHERE (change.newer_id, change.older_id) > ($1, $2) AND change.reading = '' ORDER BY change.newer_id, change.older_id LIMIT $3"
        );
        self.read("listed changes", async |connection| {
            let query = sqlx::query(sql).bind(after.0).bind(after.1).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(change).collect()
        })
    }

    /// Versions whose change from the capture right before them (older, newer) is missing or was measured by
    /// another recipe: those of the next `urls` addresses after the number `after`; `None` at the end.
    /// Begin with 0 and go on with [`OfUrls::next`].
    ///
    /// # Errors
    /// If the database fails.
    pub fn unmeasured(&self, recipe: u32, after: i64, urls: u32) -> Result<Option<OfUrls<(i64, i64)>>> {
        let sql = "SELECT version.previous, version.id FROM version WHERE version.url_id > $1 AND version.url_id <= $2 \
                   AND version.previous IS NOT NULL AND NOT EXISTS (SELECT 1 FROM change WHERE \
                   change.newer_id = version.id AND change.older_id = version.previous AND change.recipe = $3 \
                   AND change.reading = '') \
                   ORDER BY version.url_id, version.at, version.id";
        self.read("looked for changes to measure", async |connection| {
            let Some(last) = urls::last_of_next(connection, after, urls).await? else { return Ok(None) };
            let query = sqlx::query(sql).bind(after).bind(last).bind(i64::from(recipe));
            let rows = query.fetch_all(connection).await?;
            let pairs = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Answer<_>>()?;
            Ok(Some(OfUrls { items: pairs, next: last }))
        })
    }
}

/// Of two changes of a pair that were read in one way, the later one. Sorted, so that two processes that write the same
/// do not wait for each other in a circle.
pub(super) fn latest<'a>(changes: impl IntoIterator<Item = &'a Change>) -> Vec<&'a Change> {
    let key = |change: &'a Change| (change.newer, change.older, change.reading.as_str());
    let latest: BTreeMap<_, &Change> = changes.into_iter().map(|change| (key(change), change)).collect();
    latest.into_values().collect()
}

/// Adds changes, each of another pair or reading, or replaces those that are there.
pub(super) async fn put(connection: &mut AnyConnection, changes: &[&Change]) -> Answer<()> {
    readings::put(connection, changes.iter().map(|change| change.reading.as_str())).await?;
    for changes in chunks(changes) {
        // An importance is from 0 to 1. A missing one goes as -1: sqlx 0.9 gives PostgreSQL a NULL of the wrong width.
        let rows = numbered("(?, ?, ?, ?, ?, NULLIF(?, -1), ?)", changes.len());
        let sql = format!(
            "INSERT INTO change (older_id, newer_id, reading, recipe, degree, importance, body) VALUES {rows} \
             ON CONFLICT (newer_id, older_id, reading) DO UPDATE SET recipe = excluded.recipe, degree = excluded.degree, \
             importance = excluded.importance, body = excluded.body"
        );
        let query = changes.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, change| {
            let query = query.bind(change.older).bind(change.newer).bind(readings::fingerprint(&change.reading));
            let query = query.bind(i64::from(change.recipe));
            query.bind(change.degree).bind(change.importance.unwrap_or(-1.0)).bind(change.body.to_string())
        });
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

fn change(row: &AnyRow) -> Answer<Change> {
    Ok(Change {
        older: row.try_get(0)?,
        newer: row.try_get(1)?,
        reading: row.try_get("reading")?,
        recipe: u32::try_from(row.try_get::<i64, _>(2)?).unwrap_or(0),
        degree: row.try_get(3)?,
        importance: row.try_get(4)?,
        body: json(&row.try_get::<String, _>(5)?)?,
    })
}
