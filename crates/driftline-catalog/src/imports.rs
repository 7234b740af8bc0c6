//! How far has each import come?

use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::row::{fingerprint, signed, text, time, unsigned};
use super::{Answer, Catalog, Progress, Result};
use crate::Time;

impl Catalog {
    /// How far the import of a file has come.
    ///
    /// # Errors
    /// If the database fails.
    pub fn progress(&self, source: &str) -> Result<Option<Progress>> {
        let sql = "SELECT source, size, modified, reached, done FROM import WHERE fingerprint = $1";
        self.read("looked for an import", async |connection| {
            let row = sqlx::query(sql).bind(fingerprint(source)).fetch_optional(connection).await?;
            row.as_ref().map(progress).transpose()
        })
    }

    /// Says how far the import of a file has come.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_progress(&self, progress: &Progress) -> Result<()> {
        self.write("noted an import", async |connection| put(connection, progress).await)
    }

    /// All imports in the order in which they began.
    ///
    /// # Errors
    /// If the database fails.
    pub fn imports(&self) -> Result<Vec<Progress>> {
        let sql = "SELECT source, size, modified, reached, done FROM import ORDER BY id";
        self.read("listed imports", async |connection| {
            sqlx::query(sql).fetch_all(connection).await?.iter().map(progress).collect()
        })
    }
}

pub(super) async fn put(connection: &mut AnyConnection, progress: &Progress) -> Answer<()> {
    let sql = "INSERT INTO import (fingerprint, source, size, modified, reached, done) VALUES ($1, $2, $3, $4, $5, $6) \
               ON CONFLICT (fingerprint) DO UPDATE SET size = excluded.size, modified = excluded.modified, \
               reached = excluded.reached, done = excluded.done";
    let query = sqlx::query(sql).bind(fingerprint(&progress.source)).bind(text(&progress.source));
    let query = query.bind(signed(progress.size)).bind(progress.modified.map(Time::microseconds));
    query.bind(signed(progress.offset)).bind(i64::from(progress.done)).execute(connection).await?;
    Ok(())
}

fn progress(row: &AnyRow) -> Answer<Progress> {
    Ok(Progress {
        source: row.try_get(0)?,
        size: unsigned(row.try_get(1)?),
        modified: row.try_get::<Option<i64>, _>(2)?.map(time),
        offset: unsigned(row.try_get(3)?),
        done: row.try_get::<i64, _>(4)? != 0,
    })
}
