//! What was made from a capture, and by which recipe?

use sqlx::Row;

use super::row::text;
use super::{Answer, Catalog, Derived, Result};

impl Catalog {
    /// Adds derived values, or replaces those of the same captures and kinds.
    ///
    /// # Errors
    /// If a capture is not there, or if the database fails.
    pub fn put_derived(&self, values: &[Derived]) -> Result<()> {
        let sql = "INSERT INTO derived (capture_id, kind, recipe, body) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (capture_id, kind) DO UPDATE SET recipe = excluded.recipe, body = excluded.body";
        self.write("noted derived values", async |connection| {
            for value in values {
                let query = sqlx::query(sql).bind(value.capture).bind(text(&value.kind));
                let query = query.bind(i64::from(value.recipe)).bind(value.body.clone());
                query.execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// What was made from a capture, whatever the recipe.
    ///
    /// # Errors
    /// If the database fails.
    pub fn derived(&self, capture: i64, kind: &str) -> Result<Option<Derived>> {
        let sql = "SELECT recipe, body FROM derived WHERE capture_id = $1 AND kind = $2";
        self.read("looked for a derived value", async |connection| {
            let row = sqlx::query(sql).bind(capture).bind(text(kind)).fetch_optional(connection).await?;
            let value = |row: sqlx::any::AnyRow| -> Answer<Derived> {
                let recipe = u32::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0);
                Ok(Derived { capture, kind: kind.to_owned(), recipe, body: row.try_get(1)? })
            };
            row.map(value).transpose()
        })
    }
}
