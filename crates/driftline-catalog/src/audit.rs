//! The audit log: who changed what. It only grows.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::cursor::bounded;
use super::row::{text, time};
use super::sql::Sql;
use super::{Answer, Catalog, Cursor, Page, Result, Time};

/// Something that a person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Time,
    /// The name of the person, as it was then.
    pub person: String,
    /// What was done, such as `watch-edited`.
    pub action: String,
    /// What it was done to, such as the UUID of a watch.
    pub subject: String,
    /// How it was before, without secrets.
    pub before: String,
    /// How it has been since, without secrets.
    pub after: String,
}

impl Catalog {
    /// Notes what a person did.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_audit(&self, entry: &AuditEntry) -> Result<()> {
        let sql = "INSERT INTO audit (at, person, action, subject, before, after) VALUES ($1, $2, $3, $4, $5, $6)";
        let texts = [&entry.person, &entry.action, &entry.subject, &entry.before, &entry.after];
        self.write("noted what was done", async |connection| {
            let query = sqlx::query(sql).bind(entry.at.microseconds());
            let query = texts.into_iter().fold(query, |query, value| query.bind(text(value)));
            query.execute(connection).await.map(|_| ())
        })
    }

    /// What was done, to one subject or to all, the latest first: the next entries after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn audit(&self, subject: Option<&str>, after: Option<&Cursor>, limit: u32) -> Result<Page<AuditEntry>> {
        let limit = bounded(limit);
        let mut sql = Sql::new("SELECT id, at, person, action, subject, before, after FROM audit WHERE 1 = 1");
        if let Some(subject) = subject {
            sql.texts(" AND subject = ?", &[subject]);
        }
        if let Some(after) = after {
            sql.numbers(" AND (at, id) < (?, ?)", &[after.number, after.id]);
        }
        sql.numbers(" ORDER BY at DESC, id DESC LIMIT ?", &[limit + 1]);
        self.read("listed what was done", async |connection| {
            let rows = sql.query().fetch_all(connection).await?;
            let entries = rows.iter().map(entry).collect::<Answer<Vec<_>>>()?;
            let Page { items, next } = Page::new(entries, limit, |(id, entry)| Cursor::at(entry.at, *id));
            Ok(Page { items: items.into_iter().map(|(_, entry)| entry).collect(), next })
        })
    }
}

fn entry(row: &AnyRow) -> Answer<(i64, AuditEntry)> {
    let entry = AuditEntry {
        at: time(row.try_get("at")?),
        person: row.try_get("person")?,
        action: row.try_get("action")?,
        subject: row.try_get("subject")?,
        before: row.try_get("before")?,
        after: row.try_get("after")?,
    };
    Ok((row.try_get("id")?, entry))
}
