//! Which captures are there already? For whoever imports the same twice.
//!
//! Records with different ids are two: redirects of one page in one second have the same, empty body. So are records
//! with different digests, whatever their ids: some software gives an id twice. Where one of two has no id, their
//! status and their digest decide.

use sqlx::Row;

use super::row::{capture_kind_number, fingerprint};
use super::{Catalog, NewCapture, Result};
use crate::digest::Digest;

/// By what a capture is known among those of the same address, time and kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    record_id: Option<String>,
    status: Option<u16>,
    digest: Option<String>,
}

impl Identity {
    pub(crate) fn of(capture: &NewCapture) -> Self {
        let NewCapture { record_id, status, digest, .. } = capture;
        Self { record_id: record_id.clone(), status: *status, digest: digest.clone() }
    }

    /// Are these the same capture?
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let digests = self.digest.as_ref().zip(other.digest.as_ref());
        let is_same = |(own, other): (&String, &String)| Digest::same(own, other);
        if let (Some(own), Some(other)) = (&self.record_id, &other.record_id) {
            return own == other && digests.is_none_or(is_same);
        }
        self.status == other.status && digests.is_some_and(is_same)
    }
}

impl Catalog {
    /// Which of these captures are there already: of the same address, time and kind, the same record and the same
    /// digest, as far as both have one; or, if one of the two records has no id, of the same status and digest. One answer for each.
    ///
    /// # Errors
    /// If the database fails.
    pub fn known(&self, captures: &[&NewCapture]) -> Result<Vec<bool>> {
        let sql = "SELECT capture.record_id, capture.status, capture.digest FROM capture \
                   WHERE capture.url_id = (SELECT url.id FROM url WHERE url.fingerprint = $1) \
                   AND capture.at = $2 AND capture.kind = $3";
        self.read("looked for captures", async |connection| {
            let mut known = Vec::with_capacity(captures.len());
            for capture in captures {
                let own = Identity::of(capture);
                let query = sqlx::query(sql).bind(fingerprint(&capture.url)).bind(capture.at.microseconds());
                let rows = query.bind(capture_kind_number(capture.kind)).fetch_all(&mut *connection).await?;
                let mut is_known = false;
                for row in rows {
                    let status = row.try_get::<Option<i64>, _>(1)?.and_then(|status| u16::try_from(status).ok());
                    let there = Identity { record_id: row.try_get(0)?, status, digest: row.try_get(2)? };
                    is_known |= own.is_same(&there);
                }
                known.push(is_known);
            }
            Ok(known)
        })
    }
}
