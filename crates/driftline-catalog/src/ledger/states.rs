//! Where does a watch stand?

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Standing, WatchState};
use crate::row::{json, text, time};
use crate::{Answer, Catalog, Result};

impl Catalog {
    /// Where a watch stands; `None` if it was never checked.
    ///
    /// # Errors
    /// If the database fails.
    pub fn state(&self, watch: &str) -> Result<Option<WatchState>> {
        let sql = "SELECT next, checked, version_at, failing_since, absent_since, body FROM watch_state \
                   WHERE watch_state.watch_id = (SELECT watch.id FROM watch WHERE watch.uuid = $1)";
        self.read("looked where a watch stands", async |connection| {
            sqlx::query(sql).bind(text(watch)).fetch_optional(connection).await?.as_ref().map(state).transpose()
        })
    }

    /// Where watches stand: the number of a row, the watch, and its state; the next ones after a number, at most `limit`.
    /// Begin with 0.
    ///
    /// # Errors
    /// If the database fails.
    pub fn watch_states(&self, after: i64, limit: u32) -> Result<Vec<(i64, String, WatchState)>> {
        let sql = "SELECT watch.id, watch.uuid, watch_state.next, watch_state.checked, watch_state.version_at, \
                   watch_state.failing_since, watch_state.absent_since, watch_state.body FROM watch_state JOIN watch ON watch.id = watch_state.watch_id WHERE watch_state.watch_id > $1 \
                   ORDER BY watch_state.watch_id LIMIT $2";
        let state = |row: &AnyRow| Ok((row.try_get("id")?, row.try_get("uuid")?, state(row)?));
        self.read("listed where watches stand", async |connection| {
            let query = sqlx::query(sql).bind(after).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(state).collect()
        })
    }

    /// When watches are checked: the next ones after a number, at most `limit`. Begin with 0 and go on with
    /// [`Standing::number`].
    ///
    /// # Errors
    /// If the database fails.
    pub fn states(&self, after: i64, limit: u32) -> Result<Vec<Standing>> {
        let sql = "SELECT watch.id, watch.uuid, watch_state.next, watch_state.checked FROM watch_state \
                   JOIN watch ON watch.id = watch_state.watch_id WHERE watch_state.watch_id > $1 \
                   ORDER BY watch_state.watch_id LIMIT $2";
        let standing = |row: &AnyRow| -> Answer<Standing> {
            let (next, checked): (Option<i64>, Option<i64>) = (row.try_get(2)?, row.try_get(3)?);
            let (next, checked) = (next.map(time), checked.map(time));
            Ok(Standing { number: row.try_get(0)?, watch: row.try_get(1)?, next, checked })
        };
        self.read("listed where watches stand", async |connection| {
            let query = sqlx::query(sql).bind(after).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(standing).collect()
        })
    }
}

fn state(row: &AnyRow) -> Answer<WatchState> {
    let moment = |column| Ok::<_, sqlx::Error>(row.try_get::<Option<i64>, _>(column)?.map(time));
    Ok(WatchState {
        next: moment("next")?,
        checked: moment("checked")?,
        version_at: moment("version_at")?,
        failing_since: moment("failing_since")?,
        absent_since: moment("absent_since")?,
        body: json(&row.try_get::<String, _>("body")?)?,
    })
}
