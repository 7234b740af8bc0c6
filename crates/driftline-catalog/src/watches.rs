//! What is watched?

use sqlx::Row;
use sqlx::any::AnyRow;

use super::row::{json, text, time};
use super::{Answer, Catalog, Result, Watch};

macro_rules! select_watch {
    ($rest:literal) => {
        concat!("SELECT uuid, url, title, tags, settings, created FROM watch ", $rest)
    };
}

impl Catalog {
    /// Adds a watch, or replaces the one with the same UUID.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_watch(&self, watch: &Watch) -> Result<()> {
        let sql = "INSERT INTO watch (uuid, url, title, tags, settings, created) VALUES ($1, $2, $3, $4, $5, $6) \
                   ON CONFLICT (uuid) DO UPDATE SET url = excluded.url, title = excluded.title, tags = excluded.tags, \
                   settings = excluded.settings, created = excluded.created";
        let tags = serde_json::Value::from(watch.tags.clone()).to_string();
        self.write("noted a watch", async |connection| {
            let query = sqlx::query(sql).bind(text(&watch.uuid)).bind(text(&watch.url)).bind(text(&watch.title));
            let query = query.bind(tags).bind(watch.settings.to_string()).bind(watch.created.microseconds());
            query.execute(connection).await.map(|_| ())
        })
    }

    /// All watches in the order in which they were added.
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

fn watch(row: &AnyRow) -> Answer<Watch> {
    let tags =
        serde_json::from_str(&row.try_get::<String, _>(3)?).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(Watch {
        uuid: row.try_get(0)?,
        url: row.try_get(1)?,
        title: row.try_get(2)?,
        tags,
        settings: json(&row.try_get::<String, _>(4)?)?,
        created: time(row.try_get(5)?),
    })
}
