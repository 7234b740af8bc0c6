//! What becomes of events that were held? They are released, changed, or folded into another; and whoever is to be
//! told gets a delivery.

use sqlx::{AnyConnection, AssertSqlSafe};

use super::record::{put_events, summary};
use super::{NewDelivery, Settlement, streams};
use crate::add::{chunks, places};
use crate::row::text;
use crate::{Answer, Catalog, Result};

impl Catalog {
    /// Does all that was decided about held events, or nothing of it. A delivery that is there already, for the same
    /// event and target, stays as it is; so does an event that is not held any more, because another process was first.
    ///
    /// # Errors
    /// If the database fails.
    pub fn settle(&self, settlement: &Settlement) -> Result<()> {
        self.write("released events", async |connection| {
            put_events(connection, &settlement.new.iter().collect::<Vec<_>>()).await?;
            for (id, body) in &settlement.updated {
                update(connection, *id, body).await?;
            }
            for (id, key) in &settlement.folded {
                let sql =
                    "UPDATE event SET folded_into = $1, held_until = NULL WHERE id = $2 AND held_until IS NOT NULL";
                sqlx::query(sql).bind(text(key)).bind(*id).execute(&mut *connection).await?;
            }
            for ids in chunks(&settlement.released) {
                let places = places(1, ids.len());
                let sql = format!("UPDATE event SET held_until = NULL WHERE held_until IS NOT NULL AND id IN {places}");
                let query = ids.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, id| query.bind(*id));
                query.execute(&mut *connection).await?;
            }
            for delivery in &settlement.deliveries {
                deliver(connection, delivery).await?;
            }
            for stream in &settlement.streams {
                streams::put(connection, stream).await?;
            }
            Ok(())
        })
    }
}

/// How much it matters stands in what is told, too.
async fn update(connection: &mut AnyConnection, id: i64, body: &serde_json::Value) -> Answer<()> {
    let importance = body.get("importance").and_then(serde_json::Value::as_f64);
    let sql = "UPDATE event SET body = $1, summary = $2 WHERE id = $3";
    sqlx::query(sql).bind(body.to_string()).bind(summary(body)).bind(id).execute(&mut *connection).await?;
    if let Some(importance) = importance {
        let sql = "UPDATE event SET importance = $1 WHERE id = $2";
        sqlx::query(sql).bind(importance).bind(id).execute(&mut *connection).await?;
    }
    let sql = "UPDATE watch SET change_summary = (SELECT event.summary FROM event WHERE event.id = $1), \
               change_importance = (SELECT event.importance FROM event WHERE event.id = $1) \
               WHERE id = (SELECT event.watch_id FROM event WHERE event.id = $1) AND changed_event = $1";
    sqlx::query(sql).bind(id).execute(connection).await?;
    Ok(())
}

async fn deliver(connection: &mut AnyConnection, delivery: &NewDelivery) -> Answer<()> {
    let sql = "INSERT INTO delivery (event_id, target, key, batch, state, due, attempts, error) \
               SELECT event.id, $2, $3, $4, 0, $5, 0, '' FROM event WHERE event.key = $1 \
               ON CONFLICT (event_id, target) DO NOTHING";
    let query = sqlx::query(sql).bind(text(&delivery.event)).bind(text(&delivery.target)).bind(text(&delivery.key));
    query.bind(text(&delivery.batch)).bind(delivery.due.microseconds()).execute(connection).await?;
    Ok(())
}
