//! Where captures were imported from.

use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::add::{chunks, places};
use super::row::{signed, text, time, unsigned};
use super::{Answer, Catalog, Origin, Result, Time};

impl Catalog {
    /// Where a capture was imported from; `None` if it was not, or if an older driftline imported it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn origin(&self, capture: i64) -> Result<Option<Origin>> {
        let sql = "SELECT source, start, added_at, operator FROM capture_origin WHERE capture_id = $1";
        self.read("looked for an origin", async |connection| {
            let row = sqlx::query(sql).bind(capture).fetch_optional(connection).await?;
            let origin = |row: sqlx::any::AnyRow| -> Answer<Origin> {
                Ok(Origin {
                    source: row.try_get("source")?,
                    offset: unsigned(row.try_get("start")?),
                    added: row.try_get::<Option<i64>, _>("added_at")?.map(time),
                    operator: row.try_get("operator")?,
                })
            };
            row.map(origin).transpose()
        })
    }
}

/// Notes where captures were imported from.
pub(super) async fn put(connection: &mut AnyConnection, origins: &[(i64, &Origin)]) -> Answer<()> {
    for origins in chunks(origins) {
        let rows = places(origins.len(), 5);
        let sql = format!("INSERT INTO capture_origin (capture_id, source, start, added_at, operator) VALUES {rows}");
        let query = origins.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, (capture, origin)| {
            let query = query.bind(*capture).bind(text(&origin.source)).bind(signed(origin.offset));
            query.bind(origin.added.map(Time::microseconds)).bind(text(&origin.operator))
        });
        query.execute(&mut *connection).await?;
    }
    Ok(())
}
