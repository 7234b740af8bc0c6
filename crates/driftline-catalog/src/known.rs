//! Captures that are there already: for an import of the same captures from another file.
//!
//! Two captures of the same URL, second, kind, status and digest are one, whatever their records are called: a converter
//! from ARC to WARC gives ids of its own. Redirects have the same empty body, so they must also lead to the same place.
//! Times with different fractions of a second are two. Where a digest is not known, the record's id decides.

use sqlx::Row;

use super::row::{capture_kind_number, fingerprint, time};
use super::{Catalog, NewCapture, Result, tombstones};
use crate::Time;
use crate::digest::Digest;
use crate::seconds::{SECOND, may_be_same, second};

/// By what a capture is known among those of the same URL, second and kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    at: Time,
    record_id: Option<String>,
    status: Option<u16>,
    digest: Option<String>,
    redirect: Option<String>,
}

impl Identity {
    /// What a capture is known by.
    #[must_use]
    pub fn of(capture: &NewCapture) -> Self {
        let NewCapture { at, record_id, status, digest, redirect, .. } = capture.clone();
        Self { at, record_id, status, digest, redirect }
    }

    /// Whether these are the same capture.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let digests = self.digest.as_ref().zip(other.digest.as_ref());
        let has_same_digest = digests.map(|(own, other)| Digest::same(own, other));
        let has_same_id = self.record_id.is_some() && self.record_id == other.record_id;
        let has_same_answer = self.status == other.status && self.redirect == other.redirect;
        may_be_same(self.at, other.at)
            && has_same_digest.map_or(has_same_id, |is_same| is_same && (has_same_id || has_same_answer))
    }
}

impl Catalog {
    /// Which of these captures are there already: of the same URL, second, kind, status and digest, and with the same
    /// target if they are redirects. Those that were removed for a reason are as if they were there. One answer for each.
    ///
    /// # Errors
    /// If the database fails.
    pub fn known(&self, captures: &[&NewCapture]) -> Result<Vec<bool>> {
        let sql = "SELECT capture.at, capture.record_id, capture.status, capture.digest, capture.redirect FROM capture \
                   WHERE capture.url_id = (SELECT url.id FROM url WHERE url.fingerprint = $1) \
                   AND capture.at >= $2 AND capture.at < $3 AND capture.kind = $4";
        self.read("looked for captures", async |connection| {
            let mut known = Vec::with_capacity(captures.len());
            for capture in captures {
                let own = Identity::of(capture);
                let from = second(capture.at).saturating_mul(SECOND);
                let query = sqlx::query(sql).bind(fingerprint(&capture.url)).bind(from);
                let query = query.bind(from.saturating_add(SECOND)).bind(capture_kind_number(capture.kind));
                let rows = query.fetch_all(&mut *connection).await?;
                let mut is_known = false;
                for row in rows {
                    let there = Identity {
                        at: time(row.try_get(0)?),
                        record_id: row.try_get(1)?,
                        status: row.try_get::<Option<i64>, _>(2)?.and_then(|status| u16::try_from(status).ok()),
                        digest: row.try_get(3)?,
                        redirect: row.try_get(4)?,
                    };
                    is_known |= own.is_same(&there);
                }
                known.push(is_known || tombstones::has(connection, capture).await?);
            }
            Ok(known)
        })
    }
}
