//! Rows of watches: written when watches are loaded, and when a check finds that they differ.

use std::collections::HashMap;

use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::add::{chunks, places};
use super::ledger::site;
use super::row::{optional_text, text};
use super::words::{sort_name, words};
use super::{Answer, Catalog, Result, Time, Watch};

/// This many watches are written in one transaction.
const TOGETHER: usize = 1_000;
/// This many rows are looked through at once for watches that were removed.
const PAGE: i64 = 10_000;

/// Which state a row is listed in: by whether it is paused, and by its last check.
macro_rules! state {
    () => {
        "CASE WHEN paused <> 0 THEN 4 ELSE COALESCE((SELECT CASE WHEN watch_state.failing_since IS NOT NULL THEN 2 \
         WHEN watch_state.absent_since IS NOT NULL THEN 3 WHEN watch_state.checked IS NOT NULL THEN 1 ELSE 0 END \
         FROM watch_state WHERE watch_state.watch_id = watch.id), 0) END"
    };
}
/// Most checks leave it as it is, and then nothing is written.
const STATE: &str = concat!("UPDATE watch SET state = ", state!(), " WHERE state <> ", state!(), " AND id IN ");
/// What lists find a row by.
const UNTAGGED: &str = "DELETE FROM watch_tag WHERE watch_id IN ";
const UNWORDED: &str = "DELETE FROM watch_word WHERE watch_id IN ";

/// Who says how a watch is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The file that it is in. What checks found stays: its settings, and its title if the file names none.
    File,
    /// A check.
    Check,
}

/// What of a row may differ.
#[derive(PartialEq, Eq)]
struct Columns {
    url: String,
    title: String,
    tags: String,
    settings: String,
    kind: String,
    site: String,
    list: Option<String>,
    paused: i64,
}

/// A row that is there.
struct Known {
    id: i64,
    columns: Columns,
    is_removed: bool,
}

/// A row to be written.
struct Altered<'a> {
    uuid: String,
    watch: &'a Watch,
    columns: Columns,
}

impl Catalog {
    /// Makes the rows of the watches those of the files: new ones are added, altered ones are rewritten, and those that are
    /// not among them are marked as removed. An empty title leaves the one that checks found.
    ///
    /// # Errors
    /// If the database fails. What was written until then stays.
    pub fn sync_watches(&self, watches: impl IntoIterator<Item = Watch>, now: Time) -> Result<()> {
        let mut watches = watches.into_iter();
        let mut ids = Vec::new();
        loop {
            let some: Vec<Watch> = watches.by_ref().take(TOGETHER).collect();
            if some.is_empty() {
                break;
            }
            let some: Vec<&Watch> = some.iter().collect();
            let written = self.write("noted watches", async |connection| put(connection, &some, By::File).await)?;
            ids.extend(written.into_values());
        }
        ids.sort_unstable();
        self.remove_others(&ids, now)
    }

    /// Marks the watches whose numbers are not among these, which are sorted, as removed.
    fn remove_others(&self, ids: &[i64], now: Time) -> Result<()> {
        let sql = "SELECT id FROM watch WHERE removed_at IS NULL AND id > $1 ORDER BY id LIMIT $2";
        let mut last = 0;
        loop {
            let page: Vec<i64> = self.read("listed watches", async |connection| {
                let rows = sqlx::query(sql).bind(last).bind(PAGE).fetch_all(connection).await?;
                rows.iter().map(|row| row.try_get(0)).collect()
            })?;
            let Some(newest) = page.last() else { return Ok(()) };
            last = *newest;
            let gone: Vec<i64> = page.into_iter().filter(|id| ids.binary_search(id).is_err()).collect();
            for gone in gone.chunks(TOGETHER) {
                self.write("removed watches", async |connection| {
                    let marked = format!("UPDATE watch SET removed_at = {} WHERE id IN ", now.microseconds());
                    for statement in [marked.as_str(), UNTAGGED, UNWORDED] {
                        each(connection, statement, gone).await?;
                    }
                    Ok(())
                })?;
            }
        }
    }
}

/// Runs a statement that ends with `IN ` for rows of these numbers.
async fn each(connection: &mut AnyConnection, statement: &str, ids: &[i64]) -> Answer<()> {
    for ids in chunks(ids) {
        let sql = AssertSqlSafe(format!("{statement}{}", places(1, ids.len())));
        ids.iter().fold(sqlx::query(sql), |query, id| query.bind(*id)).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Says which states these rows are listed in.
pub(super) async fn put_states(connection: &mut AnyConnection, ids: &[i64]) -> Answer<()> {
    each(connection, STATE, ids).await
}

/// Writes the rows of those watches that are new or differ. The numbers of all of them, by their UUIDs.
pub(super) async fn put(connection: &mut AnyConnection, watches: &[&Watch], by: By) -> Answer<HashMap<String, i64>> {
    let mut ids = HashMap::with_capacity(watches.len());
    for watches in chunks(watches) {
        let known = known(connection, watches).await?;
        let mut altered = Vec::new();
        for watch in watches {
            let uuid = text(&watch.uuid);
            let there = known.get(&uuid);
            let columns = Columns::of(watch, there.map(|there| &there.columns), by);
            match there {
                Some(there) if there.columns == columns && !there.is_removed => _ = ids.insert(uuid, there.id),
                _ => altered.push(Altered { uuid, watch, columns }),
            }
        }
        for altered in chunks(&altered) {
            rewrite(connection, altered, &mut ids).await?;
        }
    }
    Ok(ids)
}

async fn known(connection: &mut AnyConnection, watches: &[&Watch]) -> Answer<HashMap<String, Known>> {
    let sql = format!(
        "SELECT id, uuid, url, title, tags, settings, kind, site, list, paused, removed_at FROM watch WHERE uuid IN {}",
        places(1, watches.len())
    );
    let query = watches.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, watch| query.bind(text(&watch.uuid)));
    let rows = query.fetch_all(connection).await?;
    let known = rows.iter().map(|row| {
        let columns = Columns {
            url: row.try_get("url")?,
            title: row.try_get("title")?,
            tags: row.try_get("tags")?,
            settings: row.try_get("settings")?,
            kind: row.try_get("kind")?,
            site: row.try_get("site")?,
            list: row.try_get("list")?,
            paused: row.try_get("paused")?,
        };
        let is_removed = row.try_get::<Option<i64>, _>("removed_at")?.is_some();
        Ok((row.try_get("uuid")?, Known { id: row.try_get("id")?, columns, is_removed }))
    });
    known.collect()
}

impl Columns {
    fn of(watch: &Watch, there: Option<&Self>, by: By) -> Self {
        let kept = there.filter(|_| by == By::File);
        let url = text(&watch.url);
        // A title that a check found belongs to the page of this address.
        let found = kept.filter(|kept| watch.title.is_empty() && kept.url == url).map(|kept| kept.title.clone());
        let title = if watch.title.is_empty() { &watch.url } else { &watch.title };
        Self {
            title: found.unwrap_or_else(|| text(title)),
            url,
            tags: serde_json::Value::from(watch.tags.clone()).to_string(),
            settings: kept.map_or_else(|| watch.settings.to_string(), |kept| kept.settings.clone()),
            kind: text(&watch.kind),
            site: site(&watch.site),
            list: optional_text(watch.list.as_deref()),
            paused: i64::from(watch.is_paused),
        }
    }
}

/// Writes rows, and what lists find them by.
async fn rewrite(
    connection: &mut AnyConnection,
    altered: &[Altered<'_>],
    ids: &mut HashMap<String, i64>,
) -> Answer<()> {
    let written = upsert(connection, altered).await?;
    let numbers: Vec<i64> = written.values().map(|(id, _)| *id).collect();
    for statement in [UNTAGGED, UNWORDED, STATE] {
        each(connection, statement, &numbers).await?;
    }
    let (mut tags, mut found_by) = (Vec::new(), Vec::new());
    for Altered { uuid, watch, columns } in altered {
        let (id, changed_at) = written.get(uuid).copied().ok_or(sqlx::Error::RowNotFound)?;
        let mut own: Vec<String> = watch.tags.iter().map(|tag| text(tag)).collect();
        own.sort_unstable();
        own.dedup();
        tags.extend(own.into_iter().map(|tag| (tag, id, sort_name(&columns.title), changed_at)));
        let texts = [columns.title.as_str(), columns.url.as_str()];
        let named = words(texts.into_iter().chain(watch.tags.iter().map(String::as_str)));
        found_by.extend(named.into_iter().map(|word| (word, id)));
        ids.insert(uuid.clone(), id);
    }
    for tags in chunks(&tags) {
        let rows = places(tags.len(), 4);
        let sql = format!("INSERT INTO watch_tag (tag, watch_id, sort_name, changed_at) VALUES {rows}");
        let query = tags.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, (tag, id, name, at)| {
            query.bind(tag.clone()).bind(*id).bind(name.clone()).bind(*at)
        });
        query.execute(&mut *connection).await?;
    }
    for words in chunks(&found_by) {
        let sql = format!("INSERT INTO watch_word (word, watch_id) VALUES {}", places(words.len(), 2));
        let query =
            words.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, (word, id)| query.bind(word.clone()).bind(*id));
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// The numbers of the rows and the times of their last changes, by their UUIDs.
async fn upsert(connection: &mut AnyConnection, altered: &[Altered<'_>]) -> Answer<HashMap<String, (i64, i64)>> {
    let sql = format!(
        "INSERT INTO watch (uuid, url, title, tags, settings, created, kind, site, list, paused, sort_name) VALUES {} \
         ON CONFLICT (uuid) DO UPDATE SET url = excluded.url, title = excluded.title, tags = excluded.tags, \
         settings = excluded.settings, kind = excluded.kind, site = excluded.site, list = excluded.list, \
         paused = excluded.paused, sort_name = excluded.sort_name, removed_at = NULL RETURNING id, uuid, changed_at",
        places(altered.len(), 11)
    );
    let query = altered.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, Altered { uuid, watch, columns }| {
        let query = query.bind(uuid.clone()).bind(columns.url.clone()).bind(columns.title.clone());
        let query = query.bind(columns.tags.clone()).bind(columns.settings.clone());
        let query = query.bind(watch.created.microseconds()).bind(columns.kind.clone()).bind(columns.site.clone());
        query.bind(columns.list.clone()).bind(columns.paused).bind(sort_name(&columns.title))
    });
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get("uuid")?, (row.try_get("id")?, row.try_get("changed_at")?)))).collect()
}
