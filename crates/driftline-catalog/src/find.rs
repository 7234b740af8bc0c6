//! Which capture is at `URL@TIME`? Found by seeks in an index, whatever the number of captures.
//!
//! Addresses that differ in `http`, `https` or `www` share a key, as in pywb's indexes. For each address of the key
//! the index yields the best candidate on either side of the time; of those, the best by the rule of
//! [`address`](crate::address) wins. Pages are looked for first: the seek walks past redirects and errors.

use sqlx::AnyConnection;

use super::row::{candidate, capture, fingerprint, select_capture, split_key};
use super::{Answer, Catalog, Result, StoredCapture};
use crate::address::{Address, When};
use crate::surt;

const SECOND: i64 = 1_000_000;

/// What makes a candidate a page: as [`is_page`](crate::address::is_page) has it.
macro_rules! page {
    () => {
        "AND (candidate.status IS NULL OR candidate.status BETWEEN 200 AND 299 \
         OR candidate.status = 304 AND candidate.kind = 1) "
    };
}

/// The address that was asked for goes first.
macro_rules! own_first {
    () => {
        "CASE WHEN url.fingerprint = $3 THEN 0 ELSE 1 END"
    };
}

macro_rules! nearest {
    ($page:expr) => {
        select_capture!(
            "WHERE capture.id IN (",
            candidate!($page, "AND candidate.at <= $4 ORDER BY candidate.at DESC, candidate.id DESC"),
            " UNION ALL ",
            candidate!($page, "AND candidate.at >= $4 ORDER BY candidate.at, candidate.id"),
            ") ORDER BY ABS(capture.at - $4) / 1000000, ",
            own_first!(),
            ", ABS(capture.at - $4), capture.at, capture.id LIMIT 1"
        )
    };
}

macro_rules! latest {
    ($page:expr) => {
        select_capture!(
            "WHERE capture.id IN (",
            candidate!($page, "ORDER BY candidate.at DESC, candidate.id DESC"),
            ") ORDER BY capture.at / 1000000 DESC, ",
            own_first!(),
            ", capture.at DESC, capture.id DESC LIMIT 1"
        )
    };
}

macro_rules! first {
    ($page:expr) => {
        select_capture!(
            "WHERE capture.id IN (",
            candidate!($page, "ORDER BY candidate.at, candidate.id"),
            ") ORDER BY capture.at / 1000000, ",
            own_first!(),
            ", capture.at, capture.id LIMIT 1"
        )
    };
}

const WITHIN: &str = select_capture!(
    "WHERE capture.id IN (",
    candidate!("AND candidate.at BETWEEN $4 AND $5 ORDER BY candidate.at, candidate.id"),
    ") ORDER BY ",
    own_first!(),
    ", capture.at, capture.id LIMIT 1",
);

impl Catalog {
    /// The capture that an address means.
    ///
    /// # Errors
    /// If the database fails.
    pub fn find(&self, address: &Address) -> Result<Option<StoredCapture>> {
        // Pages, and if there is none anything.
        let (statements, times): (&[&'static str], &[i64]) = match address.when {
            When::First => (&[first!(page!()), first!("")], &[]),
            When::Latest => (&[latest!(page!()), latest!("")], &[]),
            When::Nearest(time) => (&[nearest!(page!()), nearest!("")], &[time.microseconds()]),
            When::Exactly(time) => {
                let from = time.microseconds();
                // A time without a fraction means the whole second.
                let to = if from % SECOND == 0 { from.saturating_add(SECOND - 1) } else { from };
                (&[WITHIN], &[from, to])
            }
        };
        self.read("looked for a capture", async |connection| {
            for sql in statements {
                if let Some(found) = first_of(connection, sql, &address.url, times).await? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        })
    }
}

async fn first_of(
    connection: &mut AnyConnection,
    sql: &'static str,
    url: &str,
    times: &[i64],
) -> Answer<Option<StoredCapture>> {
    let (key, rest) = split_key(&surt::key(url));
    let query = sqlx::query(sql).bind(key).bind(rest).bind(fingerprint(url));
    let query = times.iter().fold(query, |query, time| query.bind(*time));
    query.fetch_optional(connection).await?.as_ref().map(capture).transpose()
}
