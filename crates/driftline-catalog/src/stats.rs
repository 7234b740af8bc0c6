//! How much is in the archive?

use std::collections::BTreeMap;

use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::row::{capture_kind, time, unsigned};
use super::schema::Dialect;
use super::{Answer, CaptureKind, Catalog, Result};
use crate::Time;

/// How much is in the archive?
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Captures, and the bytes of their records in the segments.
    pub captures: Tally,
    /// Captures that differ from the one before.
    pub versions: u64,
    /// Addresses with a capture.
    pub urls: u64,
    /// Segments that are not dropped, and their acknowledged bytes.
    pub segments: Tally,
    /// Watches.
    pub watches: u64,
    /// Measured changes.
    pub changes: u64,
    /// Events.
    pub events: u64,
    /// Derived values.
    pub derived: u64,
    /// The first capture.
    pub first: Option<Time>,
    /// The latest capture.
    pub latest: Option<Time>,
}

/// So many, and so many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// How many.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// By what captures are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Facet {
    /// By what they say they are.
    Mime,
    /// By the host of their address, as the SURT writes it: `org,example`.
    Host,
    /// By the status of the answer.
    Status,
    /// By the year of the capture.
    Year,
    /// By the sort of record.
    Kind,
}

/// Counts captures and the bytes of their records by something.
macro_rules! tally {
    ($by:literal, $from:literal) => {
        concat!("SELECT ", $by, ", COUNT(*), CAST(SUM(length) AS BIGINT) FROM ", $from, " GROUP BY 1")
    };
}

impl Catalog {
    /// Counts everything.
    ///
    /// # Errors
    /// If the database fails.
    pub fn stats(&self) -> Result<Stats> {
        self.read("counted", async |connection| {
            let captures = "SELECT COUNT(*), CAST(COALESCE(SUM(length), 0) AS BIGINT), MIN(at), MAX(at) FROM capture";
            let capture = sqlx::query(captures).fetch_one(&mut *connection).await?;
            let segments = "SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM segment WHERE state <> 3";
            let segment = sqlx::query(segments).fetch_one(&mut *connection).await?;
            Ok(Stats {
                captures: tally(&capture, 0)?,
                first: capture.try_get::<Option<i64>, _>(2)?.map(time),
                latest: capture.try_get::<Option<i64>, _>(3)?.map(time),
                segments: tally(&segment, 0)?,
                versions: count(connection, "SELECT COUNT(*) FROM version").await?,
                urls: count(connection, "SELECT COUNT(DISTINCT url_id) FROM capture").await?,
                watches: count(connection, "SELECT COUNT(*) FROM watch WHERE removed_at IS NULL").await?,
                changes: count(connection, "SELECT COUNT(*) FROM change WHERE reading = ''").await?,
                events: count(connection, "SELECT COUNT(*) FROM event").await?,
                derived: count(connection, "SELECT COUNT(*) FROM derived").await?,
            })
        })
    }

    /// Captures and the bytes of their records, by something: the most bytes first. What is not known is empty.
    ///
    /// # Errors
    /// If the database fails.
    pub fn tally(&self, by: Facet) -> Result<Vec<(String, Tally)>> {
        let sql = match (by, self.dialect) {
            (Facet::Mime, _) => tally!("COALESCE(mime, '')", "capture"),
            (Facet::Status, _) => tally!("COALESCE(CAST(status AS TEXT), '')", "capture"),
            (Facet::Kind, _) => tally!("CAST(kind AS TEXT)", "capture"),
            // A year is not the same everywhere; a day is, and there are not many of them.
            (Facet::Year, _) => tally!("CAST(at / 86400000000 AS TEXT)", "capture"),
            (Facet::Host, Dialect::Sqlite) => tally!(
                "substr(url.key, 1, instr(url.key || ')', ')') - 1)",
                "capture JOIN url ON url.id = capture.url_id"
            ),
            (Facet::Host, Dialect::Postgres) => tally!(
                "substr(url.key, 1, strpos(url.key || ')', ')') - 1)",
                "capture JOIN url ON url.id = capture.url_id"
            ),
        };
        let rows = self.read("counted captures", async |connection| {
            let rows = sqlx::query(sql).fetch_all(connection).await?;
            rows.iter().map(|row| Ok((name(row.try_get(0)?, by)?, tally(row, 1)?))).collect::<Answer<Vec<_>>>()
        })?;
        Ok(most_bytes_first(rows))
    }
}

async fn count(connection: &mut AnyConnection, sql: &'static str) -> Answer<u64> {
    Ok(unsigned(sqlx::query(sql).fetch_one(connection).await?.try_get(0)?))
}

/// A count and the bytes behind it.
fn tally(row: &AnyRow, first: usize) -> Answer<Tally> {
    Ok(Tally { count: unsigned(row.try_get(first)?), bytes: unsigned(row.try_get(first + 1)?) })
}

/// What people call it.
fn name(found: String, by: Facet) -> Answer<String> {
    let number = || found.parse::<i64>().map_err(|error| sqlx::Error::Decode(error.into()));
    Ok(match by {
        Facet::Mime | Facet::Host | Facet::Status => found,
        Facet::Year => time(number()?.saturating_mul(86_400_000_000)).digits()[..4].to_owned(),
        Facet::Kind => match capture_kind(number()?)? {
            CaptureKind::Response => "response",
            CaptureKind::Revisit => "revisit",
            CaptureKind::Resource => "resource",
            CaptureKind::Conversion => "conversion",
        }
        .to_owned(),
    })
}

fn most_bytes_first(rows: Vec<(String, Tally)>) -> Vec<(String, Tally)> {
    let mut sums: BTreeMap<String, Tally> = BTreeMap::new();
    for (name, tally) in rows {
        let sum = sums.entry(name).or_default();
        *sum = Tally { count: sum.count + tally.count, bytes: sum.bytes + tally.bytes };
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.bytes));
    rows
}
