//! Captures that were removed for a reason: a take-down, say. They are not imported again.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::cursor::bounded;
use super::row::{fingerprint, text, time};
use super::seconds::{SECOND, may_be_same, second};
use super::{Answer, Catalog, Cursor, NewCapture, Page, Relocation, Result, Time};
use crate::digest::Digest;

/// A capture that was removed for a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tombstone {
    /// Its address.
    pub url: String,
    /// When it was captured.
    pub at: Time,
    /// The digest of its payload.
    pub digest: Option<String>,
    /// Why it was removed.
    pub reason: String,
    /// When it was removed.
    pub removed: Time,
    /// Who removed it.
    pub operator: String,
}

impl Catalog {
    /// Removes captures as a [relocation](Relocation) does, and leaves a tombstone of each that is dropped, so that no import
    /// brings it back.
    ///
    /// # Errors
    /// If a capture or a segment is not there, or if the database fails; then nothing has happened.
    pub fn bury_captures(&self, relocation: &Relocation, reason: &str, operator: &str, now: Time) -> Result<()> {
        let sql = "INSERT INTO tombstone (url_id, at, digest, reason, removed_at, operator) \
                   SELECT url_id, at, digest, $2, $3, $4 FROM capture WHERE id = $1";
        self.relocate_with(relocation, async |connection| {
            for id in &relocation.dropped {
                let query = sqlx::query(sql).bind(*id).bind(text(reason)).bind(now.microseconds());
                query.bind(text(operator)).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// Tombstones, the latest removal first: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn tombstones(&self, after: Option<&Cursor>, limit: u32) -> Result<Page<Tombstone>> {
        let sql = "SELECT tombstone.id, url.url, tombstone.at, tombstone.digest, tombstone.reason, tombstone.removed_at, \
                   tombstone.operator FROM tombstone JOIN url ON url.id = tombstone.url_id \
                   WHERE tombstone.id < $1 ORDER BY tombstone.id DESC LIMIT $2";
        let limit = bounded(limit);
        self.read("listed tombstones", async |connection| {
            let query = sqlx::query(sql).bind(after.map_or(i64::MAX, |after| after.id)).bind(limit + 1);
            let rows = query.fetch_all(connection).await?;
            let tombstones = rows.iter().map(tombstone).collect::<Answer<Vec<_>>>()?;
            let Page { items, next } = Page::new(tombstones, limit, |(id, _)| Cursor::row(*id));
            Ok(Page { items: items.into_iter().map(|(_, tombstone)| tombstone).collect(), next })
        })
    }
}

/// Whether this capture was removed for a reason: one of the same address and second, with the same digest if both are known.
pub(super) async fn has(connection: &mut AnyConnection, capture: &NewCapture) -> Answer<bool> {
    let sql = "SELECT tombstone.at, tombstone.digest FROM tombstone WHERE tombstone.at >= $2 AND tombstone.at < $3 \
               AND tombstone.url_id = (SELECT url.id FROM url WHERE url.fingerprint = $1)";
    let from = second(capture.at).saturating_mul(SECOND);
    let query = sqlx::query(sql).bind(fingerprint(&capture.url)).bind(from).bind(from.saturating_add(SECOND));
    for row in query.fetch_all(connection).await? {
        let (at, digest): (i64, Option<String>) = (row.try_get("at")?, row.try_get("digest")?);
        let digests = digest.as_ref().zip(capture.digest.as_ref());
        if may_be_same(time(at), capture.at) && digests.is_none_or(|(one, other)| Digest::same(one, other)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn tombstone(row: &AnyRow) -> Answer<(i64, Tombstone)> {
    let tombstone = Tombstone {
        url: row.try_get("url")?,
        at: time(row.try_get("at")?),
        digest: row.try_get("digest")?,
        reason: row.try_get("reason")?,
        removed: time(row.try_get("removed_at")?),
        operator: row.try_get("operator")?,
    };
    Ok((row.try_get("id")?, tombstone))
}
