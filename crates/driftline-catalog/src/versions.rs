//! The versions of pages: captures with a body of their own that differ from the page before. Errors and redirects are not
//! versions. It is a view, so captures may be added in any order.

use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::row::{capture, select_capture};
use super::{Answer, Catalog, Page, Result, Version};

const IN_RANGE: &str = select_capture!(versions
    "WHERE capture.url_id >= $1 AND capture.url_id <= $2 ORDER BY capture.url_id, capture.at, capture.id"
);

impl Catalog {
    /// The versions of an address in time order; those of `http`, `https` and `www` among each other.
    ///
    /// # Errors
    /// If the database fails.
    pub fn versions_of(&self, url: &str) -> Result<Vec<Version>> {
        self.read("listed versions", async |connection| {
            let mut versions = Vec::new();
            for id in super::urls::spellings(connection, url).await? {
                versions.extend(in_range(connection, id, id).await?);
            }
            versions.sort_by_key(|version| (version.capture.capture.at, version.capture.id));
            Ok(versions)
        })
    }

    /// All versions, address by address and in time order: those of the next `urls` addresses after the number
    /// `after`; `None` at the end. Begin with 0 and go on with [`Page::next`].
    ///
    /// # Errors
    /// If the database fails.
    pub fn versions(&self, after: i64, urls: u32) -> Result<Option<Page<Version>>> {
        self.read("listed versions", async |connection| {
            let Some(last) = super::urls::last_of_next(connection, after, urls).await? else { return Ok(None) };
            Ok(Some(Page { items: in_range(connection, after + 1, last).await?, next: last }))
        })
    }
}

/// The versions of the addresses of these numbers. A range, because both databases carry it into the view.
async fn in_range(connection: &mut AnyConnection, first: i64, last: i64) -> Answer<Vec<Version>> {
    let rows = sqlx::query(IN_RANGE).bind(first).bind(last).fetch_all(connection).await?;
    rows.iter().map(version).collect()
}

fn version(row: &AnyRow) -> Answer<Version> {
    Ok(Version { capture: capture(row)?, previous: row.try_get(17)? })
}
