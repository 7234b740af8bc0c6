//! What does the writer ask? Which body a capture may refer to, and which records are there already.

use super::row::{capture, fingerprint, select_capture, text};
use super::{Catalog, NewCapture, Result, StoredCapture};
use crate::Time;

impl Catalog {
    /// The latest answer of exactly this address before a time that holds a body with this digest.
    ///
    /// # Errors
    /// If the database fails.
    pub fn response_before(&self, url: &str, digest: &str, before: Time) -> Result<Option<StoredCapture>> {
        let sql = select_capture!(
            "WHERE capture.url_id = (SELECT url.id FROM url WHERE url.fingerprint = $1) AND capture.digest = $2 ",
            "AND capture.kind = 0 AND capture.at < $3 ORDER BY capture.at DESC, capture.id DESC LIMIT 1"
        );
        self.read("looked for an original", async |connection| {
            let query = sqlx::query(sql).bind(fingerprint(url)).bind(text(digest)).bind(before.microseconds());
            query.fetch_optional(connection).await?.as_ref().map(capture).transpose()
        })
    }

    /// The latest page of exactly this address before a time, whole or unchanged: what "not modified" speaks of.
    ///
    /// # Errors
    /// If the database fails.
    pub fn page_before(&self, url: &str, before: Time) -> Result<Option<StoredCapture>> {
        let sql = select_capture!(
            "WHERE capture.url_id = (SELECT url.id FROM url WHERE url.fingerprint = $1) AND capture.at < $2 ",
            "AND capture.kind IN (0, 1) AND capture.status BETWEEN 200 AND 299 ",
            "ORDER BY capture.at DESC, capture.id DESC LIMIT 1"
        );
        self.read("looked for the page before", async |connection| {
            let query = sqlx::query(sql).bind(fingerprint(url)).bind(before.microseconds());
            query.fetch_optional(connection).await?.as_ref().map(capture).transpose()
        })
    }

    /// Which of these records are there already, wherever? One answer for each; without an identifier it is no.
    ///
    /// # Errors
    /// If the database fails.
    pub fn has_records(&self, captures: &[NewCapture]) -> Result<Vec<bool>> {
        let sql = "SELECT capture.id FROM capture \
                   WHERE capture.url_id = (SELECT url.id FROM url WHERE url.fingerprint = $1) \
                   AND capture.at = $2 AND capture.record_id = $3 LIMIT 1";
        self.read("looked for records", async |connection| {
            let mut has = Vec::with_capacity(captures.len());
            for capture in captures {
                let Some(id) = &capture.record_id else {
                    has.push(false);
                    continue;
                };
                let query = sqlx::query(sql).bind(fingerprint(&capture.url)).bind(capture.at.microseconds());
                has.push(query.bind(text(id)).fetch_optional(&mut *connection).await?.is_some());
            }
            Ok(has)
        })
    }
}
