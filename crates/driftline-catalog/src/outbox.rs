//! The outbox: which captures were added and removed, for stores that are derived from them, such as a search index.
//!
//! A consumer has a row for each capture, written in the transaction that adds or removes it, and deletes what it has done.
//! A position in the order of numbers would not do: on PostgreSQL a transaction that began earlier may commit later, and a
//! reader that went on meanwhile would never see its captures.

use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::add::{chunks, places};
use super::row::{odd, text};
use super::schema::Dialect;
use super::{Answer, Catalog, Result};

/// What a consumer has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutboxEntry {
    /// Its number, by which it is [done](Catalog::take_outbox).
    pub id: i64,
    /// What happened.
    pub kind: OutboxKind,
    /// The number of the capture.
    pub capture: i64,
}

/// What happened to a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutboxKind {
    /// It was added.
    Added,
    /// It was removed.
    Removed,
}

impl Catalog {
    /// Registers a consumer, if it is new: from now on it has an entry for each capture, and now one for each that is there.
    ///
    /// # Errors
    /// If the database fails.
    pub fn register_consumer(&self, name: &str) -> Result<()> {
        self.write("registered a consumer", async |connection| {
            if self.dialect == Dialect::Postgres {
                // Whoever adds captures reads this table first, which this waits for: what they add is in what is listed
                // below, or comes after it.
                let sql = "LOCK TABLE outbox_consumer IN ACCESS EXCLUSIVE MODE";
                sqlx::raw_sql(sql).execute(&mut *connection).await?;
            }
            let sql = "INSERT INTO outbox_consumer (name) VALUES ($1) ON CONFLICT (name) DO NOTHING";
            let added = sqlx::query(sql).bind(text(name)).execute(&mut *connection).await?.rows_affected();
            if added > 0 {
                let sql = "INSERT INTO outbox (consumer, kind, capture_id) SELECT $1, 0, id FROM capture ORDER BY id";
                sqlx::query(sql).bind(text(name)).execute(connection).await?;
            }
            Ok(())
        })
    }

    /// Forgets a consumer and what it had to do.
    ///
    /// # Errors
    /// If the database fails.
    pub fn forget_consumer(&self, name: &str) -> Result<()> {
        self.write("forgot a consumer", async |connection| {
            let query = sqlx::query("DELETE FROM outbox_consumer WHERE name = $1").bind(text(name));
            query.execute(connection).await.map(|_| ())
        })
    }

    /// What a consumer has to do, the oldest first, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn outbox(&self, consumer: &str, limit: u32) -> Result<Vec<OutboxEntry>> {
        let sql = "SELECT id, kind, capture_id FROM outbox WHERE consumer = $1 ORDER BY id LIMIT $2";
        self.read("read the outbox", async |connection| {
            let rows = sqlx::query(sql).bind(text(consumer)).bind(i64::from(limit)).fetch_all(connection).await?;
            let entry = |row: &sqlx::any::AnyRow| {
                let kind = kind(row.try_get("kind")?)?;
                Ok(OutboxEntry { id: row.try_get("id")?, kind, capture: row.try_get("capture_id")? })
            };
            rows.iter().map(entry).collect()
        })
    }

    /// Says that a consumer has done what these entries ask for.
    ///
    /// # Errors
    /// If the database fails.
    pub fn take_outbox(&self, consumer: &str, ids: &[i64]) -> Result<()> {
        self.write("emptied the outbox", async |connection| {
            for id in ids {
                let query = sqlx::query("DELETE FROM outbox WHERE id = $1 AND consumer = $2");
                query.bind(*id).bind(text(consumer)).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }
}

/// Notes for each consumer what happens to captures in this transaction.
pub(super) async fn put(connection: &mut AnyConnection, kind: OutboxKind, captures: &[i64]) -> Answer<()> {
    let consumers = sqlx::query("SELECT name FROM outbox_consumer ORDER BY name").fetch_all(&mut *connection).await?;
    for consumer in consumers {
        let consumer: String = consumer.try_get(0)?;
        for captures in chunks(captures) {
            let rows = places(captures.len(), 3);
            let sql = format!("INSERT INTO outbox (consumer, kind, capture_id) VALUES {rows}");
            let query = captures.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, capture| {
                query.bind(consumer.clone()).bind(kind as i64).bind(*capture)
            });
            query.execute(&mut *connection).await?;
        }
    }
    Ok(())
}

fn kind(number: i64) -> Answer<OutboxKind> {
    match number {
        0 => Ok(OutboxKind::Added),
        1 => Ok(OutboxKind::Removed),
        _ => Err(odd("kind of entry of an outbox", number)),
    }
}
