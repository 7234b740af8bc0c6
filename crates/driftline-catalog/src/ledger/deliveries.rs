//! Who is to be told, and who has been?

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::{Delivery, DeliveryState};
use crate::Time;
use crate::cursor::bounded;
use crate::row::{body, odd, text, time};
use crate::{Answer, Catalog, Cursor, Page, Result};

const DELIVERY: &str = "SELECT delivery.id, event.key, delivery.target, delivery.key, delivery.batch, delivery.state, \
     delivery.due, delivery.attempts, delivery.settled, delivery.error, event.body \
     FROM delivery JOIN event ON event.id = delivery.event_id ";

impl Catalog {
    /// Deliveries whose time has come, those of a batch together, at most `limit`. Also those that somebody began and
    /// did not finish in the time that was given.
    ///
    /// # Errors
    /// If the database fails.
    pub fn due_deliveries(&self, now: Time, limit: u32) -> Result<Vec<Delivery>> {
        let rest = "WHERE delivery.state < 2 AND delivery.due <= $1 \
                    ORDER BY delivery.due, delivery.target, delivery.batch, delivery.id LIMIT $2";
        self.read("looked for deliveries", async |connection| {
            let query = sqlx::query(AssertSqlSafe(format!("{DELIVERY}{rest}"))).bind(now.microseconds());
            query.bind(i64::from(limit)).fetch_all(connection).await?.iter().map(delivery).collect()
        })
    }

    /// When the next delivery is due; `None` if nobody is to be told anything.
    ///
    /// # Errors
    /// If the database fails.
    pub fn next_delivery(&self) -> Result<Option<Time>> {
        let sql = "SELECT MIN(due) FROM delivery WHERE state < 2";
        self.read("looked for deliveries", async |connection| {
            Ok(sqlx::query(sql).fetch_one(connection).await?.try_get::<Option<i64>, _>(0)?.map(time))
        })
    }

    /// Claims deliveries that are to be sent now: until a time nobody else may. Returns the numbers of those that
    /// were to be had; only they may be sent.
    ///
    /// # Errors
    /// If the database fails.
    pub fn begin(&self, ids: &[i64], now: Time, until: Time) -> Result<Vec<i64>> {
        let sql = "UPDATE delivery SET state = 1, due = $2, attempts = attempts + 1 \
                   WHERE id = $1 AND state < 2 AND due <= $3 RETURNING id";
        self.write("began deliveries", async |connection| {
            let mut claimed = Vec::new();
            for id in sorted(ids) {
                let query = sqlx::query(sql).bind(id).bind(until.microseconds()).bind(now.microseconds());
                claimed.extend(query.fetch_optional(&mut *connection).await?.map(|_| id));
            }
            Ok(claimed)
        })
    }

    /// The target has them: they are never sent again.
    ///
    /// # Errors
    /// If the database fails.
    pub fn acknowledge(&self, ids: &[i64], at: Time) -> Result<()> {
        let sql = "UPDATE delivery SET state = 2, settled = $2, error = '' WHERE id = $1 AND state < 2";
        self.write("acknowledged deliveries", async |connection| {
            for id in sorted(ids) {
                sqlx::query(sql).bind(id).bind(at.microseconds()).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// They failed, and are tried again at a time: number, time, why.
    ///
    /// # Errors
    /// If the database fails.
    pub fn put_off(&self, later: &[(i64, Time, String)]) -> Result<()> {
        let sql = "UPDATE delivery SET state = 0, due = $2, error = $3 WHERE id = $1 AND state < 2";
        self.write("put deliveries off", async |connection| {
            for (id, due, error) in later {
                let query = sqlx::query(sql).bind(*id).bind(due.microseconds()).bind(text(error));
                query.execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// They are given up, and go to the list of dead letters.
    ///
    /// # Errors
    /// If the database fails.
    pub fn bury(&self, ids: &[i64], at: Time, error: &str) -> Result<()> {
        let sql = "UPDATE delivery SET state = 3, settled = $2, error = $3 WHERE id = $1 AND state < 2";
        self.write("gave deliveries up", async |connection| {
            for id in sorted(ids) {
                let query = sqlx::query(sql).bind(id).bind(at.microseconds()).bind(text(error));
                query.execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// Dead letters, and those that failed and wait, are tried again from a time on, as if they had never been sent. Says how
    /// many there were.
    ///
    /// # Errors
    /// If the database fails.
    pub fn revive(&self, ids: &[i64], due: Time) -> Result<u64> {
        let sql = "UPDATE delivery SET state = 0, due = $2, settled = NULL, attempts = 0 WHERE id = $1 \
                   AND (state = 3 OR (state = 0 AND attempts > 0))";
        self.write("revived deliveries", async |connection| {
            let mut revived = 0;
            for id in sorted(ids) {
                let query = sqlx::query(sql).bind(id).bind(due.microseconds());
                revived += query.execute(&mut *connection).await?.rows_affected();
            }
            Ok(revived)
        })
    }

    /// Deliveries of an event, or in a state, or all, the latest first: the next ones after a position, at most `limit`.
    ///
    /// # Errors
    /// If the database fails.
    pub fn deliveries(
        &self,
        event: Option<&str>,
        state: Option<DeliveryState>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Delivery>> {
        let limit = bounded(limit);
        let of_event = event.map_or("", |_| " AND event.key = $3");
        // The number itself, so that the index of those that are dead is of use.
        let in_state = state.map_or(String::new(), |state| format!(" AND delivery.state = {}", number(state)));
        let sql = format!("{DELIVERY}WHERE delivery.id < $2{of_event}{in_state} ORDER BY delivery.id DESC LIMIT $1");
        self.read("listed deliveries", async |connection| {
            let query = sqlx::query(AssertSqlSafe(sql)).bind(limit + 1).bind(after.map_or(i64::MAX, |after| after.id));
            let query = event.into_iter().fold(query, |query, key| query.bind(text(key)));
            let found = query.fetch_all(connection).await?.iter().map(delivery).collect::<Answer<Vec<_>>>()?;
            Ok(Page::new(found, limit, |delivery| Cursor::row(delivery.id)))
        })
    }
}

/// Always in the same order, so that two processes do not wait for each other in a circle.
fn sorted(ids: &[i64]) -> Vec<i64> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn delivery(row: &AnyRow) -> Answer<Delivery> {
    Ok(Delivery {
        id: row.try_get(0)?,
        event: row.try_get(1)?,
        target: row.try_get(2)?,
        key: row.try_get(3)?,
        batch: row.try_get(4)?,
        state: state(row.try_get(5)?)?,
        due: time(row.try_get(6)?),
        attempts: u32::try_from(row.try_get::<i64, _>(7)?).unwrap_or(0),
        settled: row.try_get::<Option<i64>, _>(8)?.map(time),
        error: row.try_get(9)?,
        body: body(&row.try_get::<String, _>(10)?),
    })
}

fn state(number: i64) -> Answer<DeliveryState> {
    Ok(match number {
        0 => DeliveryState::Pending,
        1 => DeliveryState::Sending,
        2 => DeliveryState::Acknowledged,
        3 => DeliveryState::Dead,
        _ => return Err(odd("state of a delivery", number)),
    })
}

fn number(state: DeliveryState) -> i64 {
    match state {
        DeliveryState::Pending => 0,
        DeliveryState::Sending => 1,
        DeliveryState::Acknowledged => 2,
        DeliveryState::Dead => 3,
    }
}
