//! The versions of pages: captures with a body of their own that differ from the page before. Errors and redirects are not
//! versions. It is a view, so captures may be added in any order.

use sqlx::AnyConnection;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::cursor::bounded;
use super::row::{capture, select_capture};
use super::{Answer, Catalog, Cursor, OfUrls, Page, Result, Version};

const IN_RANGE: &str = select_capture!(versions
    "WHERE capture.url_id >= $1 AND capture.url_id <= $2 ORDER BY capture.url_id, capture.at, capture.id"
);

const NEWEST_OF: &str = select_capture!(versions
    "WHERE capture.url_id = $1 AND (capture.at, capture.id) < ($2, $3) ",
    "ORDER BY capture.at DESC, capture.id DESC LIMIT $4"
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

    /// The versions of an address, the newest first: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn versions_page(&self, url: &str, after: Option<&Cursor>, limit: u32) -> Result<Page<Version>> {
        let limit = bounded(limit);
        let position = |version: &Version| Cursor::at(version.capture.capture.at, version.capture.id);
        let (at, id) = after.map_or((i64::MAX, i64::MAX), |after| (after.number, after.id));
        self.read("listed versions", async |connection| {
            let mut versions = Vec::new();
            for url in super::urls::spellings(connection, url).await? {
                let query = sqlx::query(NEWEST_OF).bind(url).bind(at).bind(id).bind(limit + 1);
                let rows = query.fetch_all(&mut *connection).await?;
                versions.extend(rows.iter().map(version).collect::<Answer<Vec<_>>>()?);
            }
            versions.sort_by_key(|version| std::cmp::Reverse((version.capture.capture.at, version.capture.id)));
            Ok(Page::new(versions, limit, position))
        })
    }

    /// All versions, address by address and in time order: those of the next `urls` addresses after the number
    /// `after`; `None` at the end. Begin with 0 and go on with [`OfUrls::next`].
    ///
    /// # Errors
    /// If the database fails.
    pub fn versions(&self, after: i64, urls: u32) -> Result<Option<OfUrls<Version>>> {
        self.read("listed versions", async |connection| {
            let Some(last) = super::urls::last_of_next(connection, after, urls).await? else { return Ok(None) };
            Ok(Some(OfUrls { items: in_range(connection, after + 1, last).await?, next: last }))
        })
    }
}

/// The versions of the addresses of these numbers. A range, because both databases carry it into the view.
async fn in_range(connection: &mut AnyConnection, first: i64, last: i64) -> Answer<Vec<Version>> {
    let rows = sqlx::query(IN_RANGE).bind(first).bind(last).fetch_all(connection).await?;
    rows.iter().map(version).collect()
}

fn version(row: &AnyRow) -> Answer<Version> {
    Ok(Version { capture: capture(row)?, previous: row.try_get("previous")? })
}
