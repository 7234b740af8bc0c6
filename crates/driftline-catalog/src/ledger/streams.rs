//! What is known about a site's documents?

use sqlx::{AnyConnection, Row};

use super::{Stream, site};
use crate::{Answer, Catalog, Result};

impl Catalog {
    /// What the detector of redesigns keeps about a site.
    ///
    /// # Errors
    /// If the database fails.
    pub fn stream(&self, of: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT body FROM stream WHERE site = $1";
        self.read("looked for a site", async |connection| {
            let row = sqlx::query(sql).bind(site(of)).fetch_optional(connection).await?;
            row.map(|row| row.try_get(0)).transpose()
        })
    }
}

pub(super) async fn put(connection: &mut AnyConnection, stream: &Stream) -> Answer<()> {
    let sql = "INSERT INTO stream (site, body) VALUES ($1, $2) ON CONFLICT (site) DO UPDATE SET body = excluded.body";
    sqlx::query(sql).bind(site(&stream.site)).bind(stream.body.clone()).execute(connection).await?;
    Ok(())
}
