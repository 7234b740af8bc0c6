//! Single watches: by their names, addresses and titles.

use super::row::text;
use super::watch_page::watch;
use super::watch_rows::{self, By};
use super::{Answer, Catalog, Result, Watch};

macro_rules! select_watch {
    ($rest:literal) => {
        concat!("SELECT uuid, url, title, tags, settings, created, kind, site, list, paused FROM watch ", $rest)
    };
}

impl Catalog {
    /// Adds a watch, or replaces the one with the same UUID.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_watch(&self, watch: &Watch) -> Result<()> {
        self.write("noted a watch", async |connection| {
            watch_rows::put(connection, &[watch], By::Check).await.map(|_| ())
        })
    }

    /// All watches in the order in which they were added, also those that were removed from their files.
    ///
    /// # Errors
    /// If the database fails.
    pub fn watches(&self) -> Result<Vec<Watch>> {
        self.read("listed watches", async |connection| {
            sqlx::query(select_watch!("ORDER BY id")).fetch_all(connection).await?.iter().map(watch).collect()
        })
    }

    /// A watch by its UUID.
    ///
    /// # Errors
    /// If the database fails.
    pub fn watch(&self, uuid: &str) -> Result<Option<Watch>> {
        let sql = select_watch!("WHERE uuid = $1");
        self.read("looked for a watch", async |connection| {
            sqlx::query(sql).bind(text(uuid)).fetch_optional(connection).await?.as_ref().map(watch).transpose()
        })
    }

    /// The watches of exactly this address.
    ///
    /// # Errors
    /// If the database fails.
    pub fn watches_of(&self, url: &str) -> Result<Vec<Watch>> {
        // The index holds the beginnings. A condition for all of the address would keep SQLite from it: it puts the
        // address into the other one, which then compares two texts and no column.
        let sql = select_watch!("WHERE substr(url, 1, 512) = $1 ORDER BY id");
        let url = text(url);
        let beginning: String = url.chars().take(512).collect();
        self.read("listed watches", async |connection| {
            let rows = sqlx::query(sql).bind(beginning).fetch_all(connection).await?;
            let mut found: Vec<Watch> = rows.iter().map(watch).collect::<Answer<_>>()?;
            found.retain(|watch| watch.url == url);
            Ok(found)
        })
    }

    /// The watches of exactly this title.
    ///
    /// # Errors
    /// If the database fails.
    pub fn watches_titled(&self, title: &str) -> Result<Vec<Watch>> {
        let sql = select_watch!("WHERE title = $1 ORDER BY id");
        self.read("listed watches", async |connection| {
            let rows = sqlx::query(sql).bind(text(title)).fetch_all(connection).await?;
            rows.iter().map(watch).collect()
        })
    }

    /// Forgets a watch and its events; its captures stay. Says whether it was there.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_watch(&self, uuid: &str) -> Result<bool> {
        self.write("removed a watch", async |connection| {
            let query = sqlx::query("DELETE FROM watch WHERE uuid = $1").bind(text(uuid));
            Ok(query.execute(connection).await?.rows_affected() > 0)
        })
    }
}
