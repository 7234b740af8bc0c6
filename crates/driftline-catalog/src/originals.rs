//! Which capture holds the body that a revisit speaks of? Found by seeks in an index, whatever the number of captures.

use super::row::{candidate, capture, captures, fingerprint, select_capture, split_key, text};
use super::{Catalog, Result, StoredCapture};
use crate::digest::normalised;
use crate::{Time, surt};

/// Two captures of one second are common, a crowd of them is not.
const MOST_IN_A_SECOND: i64 = 100;
const SECOND: i64 = 1_000_000;

const NEAR: &str = select_capture!(
    "WHERE capture.id IN (",
    candidate!(
        "AND candidate.kind <> 1 AND candidate.digest = $3 AND candidate.at <= $4 \
                ORDER BY candidate.at DESC, candidate.id DESC"
    ),
    " UNION ALL ",
    candidate!(
        "AND candidate.kind <> 1 AND candidate.digest = $3 AND candidate.at >= $4 \
                ORDER BY candidate.at, candidate.id"
    ),
    ") ORDER BY CASE WHEN url.fingerprint = $5 THEN 0 ELSE 1 END, ABS(capture.at - $4), capture.at, capture.id LIMIT 1",
);

impl Catalog {
    /// The capture that holds a body with this digest, of this address if there is one, else of one that differs in
    /// `http`, `https` or `www`; of several the nearest to a time.
    ///
    /// # Errors
    /// If the database fails.
    pub fn original_near(&self, url: &str, digest: &str, at: Time) -> Result<Option<StoredCapture>> {
        let (key, rest) = split_key(&surt::key(url));
        self.read("looked for an original", async |connection| {
            let query = sqlx::query(NEAR).bind(key).bind(rest).bind(text(&normalised(digest)));
            let query = query.bind(at.microseconds()).bind(fingerprint(url));
            query.fetch_optional(connection).await?.as_ref().map(capture).transpose()
        })
    }

    /// The captures of an address, in any of its spellings, that hold a body and are of the second of this time:
    /// those of exactly this address first, then the nearest. At most a hundred.
    ///
    /// # Errors
    /// If the database fails.
    pub fn originals_at(&self, url: &str, at: Time) -> Result<Vec<StoredCapture>> {
        let sql = select_capture!(
            "WHERE url.key = $1 AND url.key_rest = $2 AND capture.at BETWEEN $3 AND $4 AND capture.kind <> 1 ",
            "ORDER BY CASE WHEN url.fingerprint = $6 THEN 0 ELSE 1 END, ABS(capture.at - $5), capture.id LIMIT $7"
        );
        let (key, rest) = split_key(&surt::key(url));
        let own = at.microseconds();
        let from = own.div_euclid(SECOND).saturating_mul(SECOND);
        self.read("looked for an original", async |connection| {
            let query = sqlx::query(sql).bind(key).bind(rest).bind(from).bind(from.saturating_add(SECOND - 1));
            let query = query.bind(own).bind(fingerprint(url)).bind(MOST_IN_A_SECOND);
            captures(&query.fetch_all(connection).await?)
        })
    }
}
