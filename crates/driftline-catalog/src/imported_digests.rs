//! Digests that were wrong already when their records were imported.
//!
//! A pair of what a record stated and what its bytes had, not the place of the record: so it holds wherever compaction moves
//! the record, and for requests and metadata as well, which have no row.

use sqlx::AssertSqlSafe;

use super::add::{chunks, numbered};
use super::{Catalog, Result};
use crate::digest::Mismatch;

impl Catalog {
    /// Notes digests that are wrong in what is imported. What is noted already stays.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_imported_digests(&self, mismatches: &[&Mismatch]) -> Result<()> {
        if mismatches.is_empty() {
            return Ok(());
        }
        self.write("noted digests of an import", async |connection| {
            for mismatches in chunks(mismatches) {
                let rows = numbered("(?, ?)", mismatches.len());
                let sql = format!(
                    "INSERT INTO imported_digest (stated, found) VALUES {rows} ON CONFLICT (stated, found) DO NOTHING"
                );
                let query = mismatches.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, mismatch| {
                    query.bind(mismatch.stated.to_string()).bind(mismatch.found.to_string())
                });
                query.execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// Whether a record with this wrong digest was imported with the very bytes that it has now.
    ///
    /// # Errors
    /// If the database fails.
    pub fn was_imported_so(&self, mismatch: &Mismatch) -> Result<bool> {
        let sql = "SELECT 1 FROM imported_digest WHERE stated = $1 AND found = $2";
        self.read("looked for a digest", async |connection| {
            let query = sqlx::query(sql).bind(mismatch.stated.to_string()).bind(mismatch.found.to_string());
            Ok(query.fetch_optional(connection).await?.is_some())
        })
    }
}
