//! Which addresses have captures, and how many?

use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::row::{split_key, text, time, unsigned};
use super::{Answer, Catalog, Result, UrlSummary};
use crate::surt;

/// No text that begins with a prefix is greater than the prefix and this, the last character of all.
const LAST: &str = "\u{10FFFF}";

impl Catalog {
    /// The addresses whose keys begin with `prefix`, in the order of (key, address): the next ones after a key and
    /// an address, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn urls(&self, prefix: &str, after: Option<(&str, &str)>, limit: u32) -> Result<Vec<UrlSummary>> {
        let sql = "SELECT page.url, page.key, page.key_rest, \
                     (SELECT COUNT(*) FROM capture WHERE capture.url_id = page.id), \
                     (SELECT MIN(at) FROM capture WHERE capture.url_id = page.id), \
                     (SELECT MAX(at) FROM capture WHERE capture.url_id = page.id) \
                   FROM (SELECT url.id, url.url, url.key, url.key_rest FROM url \
                     WHERE url.key >= $1 AND url.key <= $2 AND url.key_rest >= $3 AND url.key_rest <= $4 \
                       AND url.key >= $5 AND (url.key, url.key_rest, url.url) > ($5, $6, $7) \
                       AND EXISTS (SELECT 1 FROM capture WHERE capture.url_id = url.id) \
                     ORDER BY url.key, url.key_rest, url.url LIMIT $8) AS page \
                   ORDER BY page.key, page.key_rest, page.url";
        let (key, rest) = split_key(prefix);
        let key_end = if rest.is_empty() { format!("{key}{LAST}") } else { key.clone() };
        let rest_end = format!("{rest}{LAST}");
        let (after_key, after_url) = after.unwrap_or_default();
        let (after_key, after_rest) = split_key(after_key);
        self.read("listed addresses", async |connection| {
            let query = sqlx::query(sql).bind(key).bind(key_end).bind(rest).bind(rest_end);
            let query = query.bind(after_key).bind(after_rest).bind(text(after_url)).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(summary).collect()
        })
    }
}

/// The numbers of the addresses that share this address's key.
pub(super) async fn spellings(connection: &mut AnyConnection, url: &str) -> Answer<Vec<i64>> {
    with_key(connection, &surt::key(url)).await
}

/// The numbers of the addresses with this key.
pub(super) async fn with_key(connection: &mut AnyConnection, key: &str) -> Answer<Vec<i64>> {
    let (key, rest) = split_key(key);
    let query = sqlx::query("SELECT id FROM url WHERE key = $1 AND key_rest = $2 ORDER BY id").bind(key).bind(rest);
    query.fetch_all(connection).await?.iter().map(|row| row.try_get(0)).collect()
}

/// The highest number among the next `urls` addresses after a number.
pub(super) async fn last_of_next(connection: &mut AnyConnection, after: i64, urls: u32) -> Answer<Option<i64>> {
    let sql = "SELECT MAX(id) FROM (SELECT id FROM url WHERE id > $1 ORDER BY id LIMIT $2) AS page";
    sqlx::query(sql).bind(after).bind(i64::from(urls)).fetch_one(connection).await?.try_get(0)
}

fn summary(row: &AnyRow) -> Answer<UrlSummary> {
    Ok(UrlSummary {
        url: row.try_get(0)?,
        key: row.try_get::<String, _>(1)? + &row.try_get::<String, _>(2)?,
        captures: unsigned(row.try_get(3)?),
        first: time(row.try_get(4)?),
        latest: time(row.try_get(5)?),
    })
}
