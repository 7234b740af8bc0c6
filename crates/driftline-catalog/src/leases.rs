//! Claims on checks and sites, each with an owner and an end: what several workers share without doing it twice.
//!
//! A claim that is neither renewed nor released ends by itself, so a worker that dies holds nothing up. Deliveries have the
//! same: [`Catalog::begin`] claims them until a time.

use sqlx::{AssertSqlSafe, Row};

use super::add::chunks;
use super::ledger::site;
use super::row::text;
use super::schema::Dialect;
use super::{Answer, Catalog, Result, Time};

impl Catalog {
    /// Claims checks that are due, those first that are due longest: the UUIDs of their watches, at most `limit`. Neither a
    /// paused watch nor one that another owner has claimed is among them.
    ///
    /// # Errors
    /// If the database fails.
    pub fn claim_checks(&self, owner: &str, now: Time, until: Time, limit: u32) -> Result<Vec<String>> {
        // Rows that another worker is just claiming are passed over instead of waited for; SQLite has one writer anyway.
        let skip = if self.dialect == Dialect::Postgres { "FOR UPDATE OF watch_state SKIP LOCKED" } else { "" };
        let sql = format!(
            "UPDATE watch_state SET lease_owner = $1, lease_until = $2 WHERE watch_id IN \
             (SELECT watch_state.watch_id FROM watch_state JOIN watch ON watch.id = watch_state.watch_id \
             WHERE watch_state.next <= $3 AND (watch_state.lease_until IS NULL OR watch_state.lease_until <= $3) \
             AND watch.removed_at IS NULL AND watch.paused = 0 ORDER BY watch_state.next, watch_state.watch_id \
             LIMIT $4 {skip}) RETURNING (SELECT watch.uuid FROM watch WHERE watch.id = watch_state.watch_id)"
        );
        self.write("claimed checks", async |connection| {
            let query = sqlx::query(AssertSqlSafe(sql)).bind(text(owner)).bind(until.microseconds());
            let query = query.bind(now.microseconds()).bind(i64::from(limit));
            query.fetch_all(connection).await?.iter().map(|row| row.try_get(0)).collect()
        })
    }

    /// Claims checks for longer. The UUIDs of those that the owner still has; the others must not be made.
    ///
    /// # Errors
    /// If the database fails.
    pub fn renew_checks(&self, owner: &str, watches: &[&str], now: Time, until: Time) -> Result<Vec<String>> {
        let times = [until.microseconds(), now.microseconds()];
        let sql = "UPDATE watch_state SET lease_until = $1 WHERE lease_until > $2 AND lease_owner = $3 AND watch_id IN \
                   (SELECT watch.id FROM watch WHERE watch.uuid IN ";
        let rest = " ) RETURNING (SELECT watch.uuid FROM watch WHERE watch.id = watch_state.watch_id)";
        self.write("renewed claims", async |connection| {
            let mut renewed = Vec::new();
            for watches in chunks(watches) {
                let sql = AssertSqlSafe(format!("{sql}{}{rest}", from(4, watches.len())));
                let query = sqlx::query(sql).bind(times[0]).bind(times[1]).bind(text(owner));
                let query = watches.iter().fold(query, |query, watch| query.bind(text(watch)));
                let rows = query.fetch_all(&mut *connection).await?;
                renewed.extend(rows.iter().map(|row| row.try_get(0)).collect::<Answer<Vec<String>>>()?);
            }
            Ok(renewed)
        })
    }

    /// Gives claims on checks up.
    ///
    /// # Errors
    /// If the database fails.
    pub fn release_checks(&self, owner: &str, watches: &[&str]) -> Result<()> {
        let sql = "UPDATE watch_state SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = $1 AND watch_id IN \
                   (SELECT watch.id FROM watch WHERE watch.uuid IN ";
        self.write("released claims", async |connection| {
            for watches in chunks(watches) {
                let sql = AssertSqlSafe(format!("{sql}{})", from(2, watches.len())));
                let query = sqlx::query(sql).bind(text(owner));
                let query = watches.iter().fold(query, |query, watch| query.bind(text(watch)));
                query.execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// Claims a site, so that its held events are released by one worker; or claims it for longer. Whether the owner has it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn claim_site(&self, of: &str, owner: &str, now: Time, until: Time) -> Result<bool> {
        let sql = "INSERT INTO site_lease (site, owner, until) VALUES ($1, $2, $3) ON CONFLICT (site) DO UPDATE \
                   SET owner = excluded.owner, until = excluded.until \
                   WHERE site_lease.until <= $4 OR site_lease.owner = excluded.owner";
        self.write("claimed a site", async |connection| {
            let query = sqlx::query(sql).bind(site(of)).bind(text(owner)).bind(until.microseconds());
            Ok(query.bind(now.microseconds()).execute(connection).await?.rows_affected() > 0)
        })
    }

    /// Gives a site up.
    ///
    /// # Errors
    /// If the database fails.
    pub fn release_site(&self, of: &str, owner: &str) -> Result<()> {
        let sql = "DELETE FROM site_lease WHERE site = $1 AND owner = $2";
        self.write("released a site", async |connection| {
            sqlx::query(sql).bind(site(of)).bind(text(owner)).execute(connection).await.map(|_| ())
        })
    }
}

/// `($4,$5)`: places for this many values from a number on.
fn from(first: usize, values: usize) -> String {
    let places: Vec<String> = (first..first + values).map(|number| format!("${number}")).collect();
    format!("({})", places.join(","))
}
