//! Named collections of captures.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::cursor::bounded;
use super::row::{captures, select_capture, text, time};
use super::{Answer, Catalog, Cursor, Page, Result, StoredCapture, Time};

/// A named collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// Its name, by which it is addressed.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// When it was made.
    pub created: Time,
}

impl Catalog {
    /// Makes a collection, or gives it another title. When it was made stays.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_collection(&self, collection: &Collection) -> Result<()> {
        let sql = "INSERT INTO collection (name, title, created) VALUES ($1, $2, $3) \
                   ON CONFLICT (name) DO UPDATE SET title = excluded.title";
        self.write("wrote a collection", async |connection| {
            let query = sqlx::query(sql).bind(text(&collection.name)).bind(text(&collection.title));
            query.bind(collection.created.microseconds()).execute(connection).await.map(|_| ())
        })
    }

    /// Collections by their names: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn collections(&self, after: Option<&Cursor>, limit: u32) -> Result<Page<Collection>> {
        let sql = "SELECT name, title, created FROM collection WHERE name > $1 ORDER BY name LIMIT $2";
        let limit = bounded(limit);
        self.read("listed collections", async |connection| {
            let query = sqlx::query(sql).bind(after.map_or("", |after| &after.text)).bind(limit + 1);
            let found = query.fetch_all(connection).await?.iter().map(collection).collect::<Answer<Vec<_>>>()?;
            let position = |collection: &Collection| Cursor { text: collection.name.clone(), number: 0, id: 0 };
            Ok(Page::new(found, limit, position))
        })
    }

    /// Removes a collection; its captures stay. Whether it was there.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_collection(&self, name: &str) -> Result<bool> {
        self.write("removed a collection", async |connection| {
            let query = sqlx::query("DELETE FROM collection WHERE name = $1").bind(text(name));
            Ok(query.execute(connection).await?.rows_affected() > 0)
        })
    }

    /// Adds captures to a collection; those that are in it stay.
    ///
    /// # Errors
    /// If there is no such collection or capture, or the database fails.
    pub fn add_to_collection(&self, name: &str, ids: &[i64]) -> Result<()> {
        let sql = "INSERT INTO collection_member (collection_id, capture_id) VALUES ($1, $2) \
                   ON CONFLICT (collection_id, capture_id) DO NOTHING";
        let added = self.write("added to a collection", async |connection| {
            let own = sqlx::query("SELECT id FROM collection WHERE name = $1").bind(text(name));
            let Some(own) = own.fetch_optional(&mut *connection).await? else { return Ok(None) };
            let own: i64 = own.try_get(0)?;
            for id in ids {
                sqlx::query(sql).bind(own).bind(*id).execute(&mut *connection).await?;
            }
            Ok(Some(()))
        })?;
        added.ok_or_else(|| self.unknown("collection", name))
    }

    /// Takes captures out of a collection.
    ///
    /// # Errors
    /// If the database fails.
    pub fn remove_from_collection(&self, name: &str, ids: &[i64]) -> Result<()> {
        let sql = "DELETE FROM collection_member WHERE capture_id = $2 \
                   AND collection_id = (SELECT collection.id FROM collection WHERE collection.name = $1)";
        self.write("removed from a collection", async |connection| {
            for id in ids {
                sqlx::query(sql).bind(text(name)).bind(*id).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// The captures of a collection by their numbers: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn collected(&self, name: &str, after: Option<&Cursor>, limit: u32) -> Result<Page<StoredCapture>> {
        let sql = select_capture!(
            "WHERE capture.id IN (SELECT member.capture_id FROM collection_member AS member ",
            "WHERE member.collection_id = (SELECT own.id FROM collection AS own WHERE own.name = $1) ",
            "AND member.capture_id > $2 ORDER BY member.capture_id LIMIT $3) ORDER BY capture.id"
        );
        let limit = bounded(limit);
        self.read("listed a collection", async |connection| {
            let query = sqlx::query(sql).bind(text(name)).bind(after.map_or(0, |after| after.id)).bind(limit + 1);
            Ok(Page::new(captures(&query.fetch_all(connection).await?)?, limit, |stored| Cursor::row(stored.id)))
        })
    }
}

fn collection(row: &AnyRow) -> Answer<Collection> {
    Ok(Collection { name: row.try_get("name")?, title: row.try_get("title")?, created: time(row.try_get("created")?) })
}
