//! Which captures are there? By address, by number, by key and time, by segment.

use sqlx::{AnyConnection, Row};

use super::cursor::bounded;
use super::row::{capture, captures, select_capture, signed, split_key, text};
use super::{Answer, Catalog, Cursor, Page, Result, StoredCapture, urls};
use crate::{Time, surt};

const OF_NEXT_KEYS: &str = select_capture!(
    "WHERE url.key >= $1 AND (url.key, url.key_rest) > ($1, $2) ",
    "ORDER BY url.key, url.key_rest, capture.at, capture.id LIMIT $3"
);

impl Catalog {
    /// All captures of an address in time order. Addresses that differ in `http`, `https` or `www` count as one.
    ///
    /// # Errors
    /// If the database fails.
    pub fn captures_of(&self, url: &str) -> Result<Vec<StoredCapture>> {
        let (key, rest) = split_key(&surt::key(url));
        let sql = select_capture!("WHERE url.key = $1 AND url.key_rest = $2 ORDER BY capture.at, capture.id");
        self.read("listed captures", async |connection| {
            captures(&sqlx::query(sql).bind(key).bind(rest).fetch_all(connection).await?)
        })
    }

    /// The captures of an address after a time and until another, in time order: the latest ones, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn captures_between(&self, url: &str, after: Time, until: Time, limit: u32) -> Result<Vec<StoredCapture>> {
        let (key, rest) = split_key(&surt::key(url));
        let sql = select_capture!(
            "WHERE url.key = $1 AND url.key_rest = $2 AND capture.at > $3 AND capture.at <= $4 ",
            "ORDER BY capture.at DESC, capture.id DESC LIMIT $5"
        );
        self.read("listed captures", async |connection| {
            let query = sqlx::query(sql).bind(key).bind(rest).bind(after.microseconds()).bind(until.microseconds());
            let mut found = captures(&query.bind(i64::from(limit)).fetch_all(connection).await?)?;
            found.reverse();
            Ok(found)
        })
    }

    /// The captures of an address, the newest first: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn captures_page(&self, url: &str, after: Option<&Cursor>, limit: u32) -> Result<Page<StoredCapture>> {
        let sql = select_capture!(
            "WHERE capture.url_id = $1 AND (capture.at, capture.id) < ($2, $3) ",
            "ORDER BY capture.at DESC, capture.id DESC LIMIT $4"
        );
        let limit = bounded(limit);
        let (at, id) = after.map_or((i64::MAX, i64::MAX), |after| (after.number, after.id));
        self.read("listed captures", async |connection| {
            let mut found = Vec::new();
            for url in urls::spellings(connection, url).await? {
                let query = sqlx::query(sql).bind(url).bind(at).bind(id).bind(limit + 1);
                found.extend(captures(&query.fetch_all(&mut *connection).await?)?);
            }
            found.sort_by_key(|stored| std::cmp::Reverse((stored.capture.at, stored.id)));
            Ok(Page::new(found, limit, |stored| Cursor::at(stored.capture.at, stored.id)))
        })
    }

    /// A capture by its number.
    ///
    /// # Errors
    /// If the database fails.
    pub fn capture(&self, id: i64) -> Result<Option<StoredCapture>> {
        let sql = select_capture!("WHERE capture.id = $1");
        self.read("looked for a capture", async |connection| {
            sqlx::query(sql).bind(id).fetch_optional(connection).await?.as_ref().map(capture).transpose()
        })
    }

    /// All captures by their numbers: the next ones after a number, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn all(&self, after: i64, limit: u32) -> Result<Vec<StoredCapture>> {
        let sql = select_capture!("WHERE capture.id > $1 ORDER BY capture.id LIMIT $2");
        self.read("listed captures", async |connection| {
            captures(&sqlx::query(sql).bind(after).bind(i64::from(limit)).fetch_all(connection).await?)
        })
    }

    /// Unchanged captures in the order of their numbers: the next ones after a number, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn revisits(&self, after: i64, limit: u32) -> Result<Vec<StoredCapture>> {
        let sql = select_capture!("WHERE capture.kind = 1 AND capture.id > $1 ORDER BY capture.id LIMIT $2");
        self.read("listed unchanged captures", async |connection| {
            captures(&sqlx::query(sql).bind(after).bind(i64::from(limit)).fetch_all(connection).await?)
        })
    }

    /// The number of the newest capture; 0 if there is none.
    ///
    /// # Errors
    /// If the database fails.
    pub fn newest(&self) -> Result<i64> {
        self.read("looked for the newest capture", async |connection| {
            sqlx::query("SELECT COALESCE(MAX(id), 0) FROM capture").fetch_one(connection).await?.try_get(0)
        })
    }

    /// All captures by (key, time), as an index file has them: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn by_key(&self, after: Option<&Cursor>, limit: u32) -> Result<Vec<StoredCapture>> {
        let start = Cursor::before("");
        let after = after.unwrap_or(&start);
        self.read("listed captures by key", async |connection| {
            let mut found = rest_of_key(connection, after, limit).await?;
            let missing = i64::from(limit).saturating_sub_unsigned(found.len() as u64);
            if missing > 0 {
                let (key, rest) = split_key(&after.text);
                let query = sqlx::query(OF_NEXT_KEYS).bind(key).bind(rest).bind(missing);
                found.extend(captures(&query.fetch_all(connection).await?)?);
            }
            Ok(found)
        })
    }

    /// The captures in a segment in the order of the file: those that begin at `from` or later, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn captures_in(&self, segment: &str, from: u64, limit: u32) -> Result<Vec<StoredCapture>> {
        let sql = select_capture!(
            "WHERE capture.segment_id = (SELECT found.id FROM segment AS found WHERE found.name = $1) ",
            "AND capture.start >= $2 ORDER BY capture.start LIMIT $3"
        );
        self.read("listed a segment", async |connection| {
            let query = sqlx::query(sql).bind(text(segment)).bind(signed(from)).bind(i64::from(limit));
            captures(&query.fetch_all(connection).await?)
        })
    }
}

/// What is left of the key of a position. Each spelling is read in the order of the index: to sort all captures of
/// a key anew for every page would take the square of their number.
async fn rest_of_key(connection: &mut AnyConnection, after: &Cursor, limit: u32) -> Answer<Vec<StoredCapture>> {
    let sql = select_capture!(
        "WHERE capture.url_id = $1 AND (capture.at, capture.id) > ($2, $3) ORDER BY capture.at, capture.id LIMIT $4"
    );
    let mut found = Vec::new();
    for url in urls::with_key(connection, &after.text).await? {
        let query = sqlx::query(sql).bind(url).bind(after.number).bind(after.id).bind(i64::from(limit));
        found.extend(captures(&query.fetch_all(&mut *connection).await?)?);
    }
    found.sort_by_key(|stored| (stored.capture.at, stored.id));
    found.truncate(limit as usize);
    Ok(found)
}
