//! What is to be derived, and what has been? For the care of an archive.

use sqlx::Row;

use super::row::{signed, text, unsigned};
use super::{Answer, Catalog, Result, Turned, urls};

impl Catalog {
    /// Versions from which this has not been made, or by another recipe: the numbers of those of the next `urls`
    /// addresses after the number `after`. Goes with [`versions`](Self::versions).
    ///
    /// # Errors
    /// If the database fails.
    pub fn underived_versions(&self, kind: &str, recipe: u32, after: i64, urls: u32) -> Result<Vec<i64>> {
        let sql = "SELECT version.id FROM version WHERE version.url_id > $1 AND version.url_id <= $2 \
                   AND NOT EXISTS (SELECT 1 FROM derived WHERE derived.capture_id = version.id \
                   AND derived.kind = $3 AND derived.recipe = $4)";
        self.read("looked for values to derive", async |connection| {
            let Some(last) = urls::last_of_next(connection, after, urls).await? else { return Ok(Vec::new()) };
            let query = sqlx::query(sql).bind(after).bind(last).bind(text(kind)).bind(i64::from(recipe));
            query.fetch_all(connection).await?.iter().map(|row| row.try_get(0)).collect()
        })
    }

    /// How many values there are of each kind and recipe; changes are of the kind `change`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn recipes(&self) -> Result<Vec<(String, u32, u64)>> {
        let sql = "SELECT kind, recipe, COUNT(*) FROM derived GROUP BY kind, recipe \
                   UNION ALL SELECT 'change', recipe, COUNT(*) FROM change WHERE reading = '' GROUP BY recipe ORDER BY 1, 2";
        self.read("counted derived values", async |connection| {
            let rows = sqlx::query(sql).fetch_all(connection).await?;
            let row = |row: &sqlx::any::AnyRow| -> Answer<_> {
                let recipe = u32::try_from(row.try_get::<i64, _>(1)?).unwrap_or(0);
                Ok((row.try_get(0)?, recipe, unsigned(row.try_get(2)?)))
            };
            rows.iter().map(row).collect()
        })
    }

    /// The bytes of bodies that are known, and of those that revisits did not have to keep again.
    ///
    /// # Errors
    /// If the database fails.
    pub fn bodies(&self) -> Result<(u64, u64)> {
        let kept = "SELECT CAST(COALESCE(SUM(payload_length), 0) AS BIGINT) FROM capture WHERE kind <> 1";
        let saved = "SELECT CAST(COALESCE(SUM(known.bytes * revisit.count), 0) AS BIGINT) FROM \
                     (SELECT digest, COUNT(*) AS count FROM capture WHERE kind = 1 GROUP BY digest) AS revisit JOIN \
                     (SELECT digest, MAX(payload_length) AS bytes FROM capture WHERE kind <> 1 GROUP BY digest) \
                     AS known ON known.digest = revisit.digest";
        self.read("counted bytes", async |connection| {
            let kept = sqlx::query(kept).fetch_one(&mut *connection).await?.try_get(0)?;
            let saved = sqlx::query(saved).fetch_one(&mut *connection).await?.try_get(0)?;
            Ok((unsigned(kept), unsigned(saved)))
        })
    }
}

/// Says what has become of a revisit whose original went.
pub(super) async fn turn(connection: &mut sqlx::AnyConnection, turned: &Turned) -> Answer<u64> {
    let sql = "UPDATE capture SET kind = $1, status = $2, mime = $3, payload_length = $4, original_url = $5, \
               original_at = $6 WHERE id = $7";
    let original = turned.refers_to.as_ref();
    let query = sqlx::query(sql)
        .bind(super::row::capture_kind_number(turned.kind))
        .bind(turned.status.map(i64::from))
        .bind(turned.mime.clone())
        .bind(turned.payload_length.map(signed))
        .bind(original.map(|original| text(&original.url)))
        .bind(original.map(|original| original.at.microseconds()))
        .bind(turned.capture);
    Ok(query.execute(connection).await?.rows_affected())
}
