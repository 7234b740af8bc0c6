//! Which pages does a list have?

use std::collections::BTreeMap;

use sqlx::{AnyConnection, AssertSqlSafe, Row};

use super::Member;
use crate::add::{chunks, places};
use crate::row::{fingerprint, text};
use crate::{Answer, Catalog, Result};

type Members<'a> = BTreeMap<Vec<u8>, &'a Member>;

impl Catalog {
    /// The pages of a list, by their addresses' fingerprints: the next ones after an address, at most `limit`.
    /// Begin with `None`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn members(&self, list: &str, after: Option<&str>, limit: u32) -> Result<Vec<Member>> {
        let sql = "SELECT member.url, member.title FROM member \
                   WHERE member.watch_id = (SELECT watch.id FROM watch WHERE watch.uuid = $1) \
                   AND member.fingerprint > $2 ORDER BY member.fingerprint LIMIT $3";
        self.read("listed the pages of a list", async |connection| {
            let query = sqlx::query(sql).bind(text(list)).bind(after.map(fingerprint).unwrap_or_default());
            let rows = query.bind(i64::from(limit)).fetch_all(connection).await?;
            rows.iter().map(|row| Ok(Member { url: row.try_get(0)?, title: row.try_get(1)? })).collect()
        })
    }
}

/// What is there already stays untouched: a list of 50,000 pages with a new one costs one row.
pub(super) async fn put(connection: &mut AnyConnection, watch: i64, members: &[Member]) -> Answer<()> {
    let mut new: Members = members.iter().map(|member| (fingerprint(&member.url), member)).collect();
    let rows = sqlx::query("SELECT fingerprint, title FROM member WHERE watch_id = $1").bind(watch);
    let mut gone = Vec::new();
    for row in rows.fetch_all(&mut *connection).await? {
        let key: Vec<u8> = row.try_get(0)?;
        match new.get(&key) {
            None => gone.push(key),
            Some(member) if text(&member.title) == row.try_get::<String, _>(1)? => {
                new.remove(&key);
            }
            Some(_) => {}
        }
    }
    for key in gone {
        let query = sqlx::query("DELETE FROM member WHERE watch_id = $1 AND fingerprint = $2").bind(watch).bind(key);
        query.execute(&mut *connection).await?;
    }
    let new: Vec<_> = new.into_iter().collect();
    for rows in chunks(&new) {
        let sql = format!(
            "INSERT INTO member (watch_id, fingerprint, url, title) VALUES {} \
             ON CONFLICT (watch_id, fingerprint) DO UPDATE SET title = excluded.title",
            places(rows.len(), 4)
        );
        let query = rows.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, (key, member)| {
            query.bind(watch).bind(key.clone()).bind(text(&member.url)).bind(text(&member.title))
        });
        query.execute(&mut *connection).await?;
    }
    Ok(())
}
