//! The lease of the daemon that watches from a catalog on a server: at no moment do two.
//!
//! A row names the daemon, and ends half a minute after it was renewed last. A lock of the server's would end with its
//! connection, but a connection of which the other end is gone without a word stays open for hours, and one that breaks
//! ends the lock of a daemon that goes on. So it is a row with an end by the server's clock:
//!
//! - The daemon renews it every few seconds, and stops by its own clock well before the row ends if it cannot.
//! - Whoever comes waits to see whether the row is renewed. If it ends, the next one takes it with a higher token.
//! - Whatever the daemon writes is written only while the row has its token, in the same transaction.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::{AnyConnection, AssertSqlSafe, Connection, Row};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::row::text;
use super::schema::Dialect;
use super::{Answer, Catalog, CatalogError, Result};

/// How long the row of a daemon is good for after it was renewed.
pub const DAEMON_LEASE: Duration = Duration::from_secs(30);

/// Microseconds since 1970 by the server's clock, not as of when the transaction began.
const NOW: &str = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";

/// The right to watch from a catalog, until it is dropped.
#[derive(Debug)]
pub struct DaemonLease {
    is_held: Arc<AtomicBool>,
    /// Ends the renewals, which give the row up.
    stop: Option<oneshot::Sender<()>>,
    /// Says that the row was given up.
    ended: Mutex<Option<std::sync::mpsc::Receiver<()>>>,
}

/// Who wants to watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaemonName {
    /// The same for two processes only if one of them cannot begin before the other has ended.
    pub owner: String,
    /// For people: `driftline serve on HOST`.
    pub description: String,
}

impl DaemonLease {
    /// Whether this daemon may still watch.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Acquire)
    }
}

impl Drop for DaemonLease {
    /// Gives the row up, so that the next daemon need not wait for its end.
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        // A server out of reach is not waited for.
        ended.map(|ended| ended.recv_timeout(Duration::from_secs(5)));
    }
}

impl Catalog {
    /// Takes the right to watch from this catalog. `lost` is called if it is lost, because another daemon has it or because
    /// the server is out of reach for too long: from then on nothing may be checked, and nothing that this catalog writes is
    /// taken. A catalog in a file is locked by its data directory, and has no use for this.
    ///
    /// Waits for as long as a daemon that died may hold it, but no longer than it takes to see that one is alive.
    ///
    /// # Errors
    /// If another daemon watches, or the database fails.
    ///
    /// # Panics
    /// If it is called on a thread of an asynchronous runtime.
    pub fn lease_daemon(
        &self,
        name: &DaemonName,
        length: Duration,
        lost: impl FnOnce() + Send + 'static,
    ) -> Result<DaemonLease> {
        let is_held = Arc::new(AtomicBool::new(true));
        if self.dialect == Dialect::Sqlite {
            return Ok(DaemonLease { is_held, stop: None, ended: Mutex::default() });
        }
        let url = self.source.url();
        let taken = self.run("took the right to watch", async { take(&url, name, length).await })?;
        let (connection, token, sent) = match taken {
            Taken::Yes { connection, token, sent } => (connection, token, sent),
            Taken::No { holder } => return Err(CatalogError::Watched { place: self.place.clone(), holder }),
        };
        self.fence.store(token, Ordering::Release);
        let (stop, stopped) = oneshot::channel();
        let (ending, ended) = std::sync::mpsc::channel();
        let keeper = Keeper { url, token, length, is_held: Arc::clone(&is_held), fence: Arc::clone(&self.fence) };
        let runtime = self.runtime.as_ref().expect("only a dropped catalog has no runtime");
        runtime.spawn(async move {
            if !keeper.keep(connection, sent, stopped).await {
                lost();
            }
            drop(ending);
        });
        Ok(DaemonLease { is_held, stop: Some(stop), ended: Mutex::new(Some(ended)) })
    }
}

enum Taken {
    Yes { connection: AnyConnection, token: i64, sent: Instant },
    No { holder: String },
}

/// Takes the row as soon as it has ended; gives up once it is renewed.
async fn take(url: &str, name: &DaemonName, length: Duration) -> Answer<Taken> {
    let sql = format!(
        "INSERT INTO daemon (id, owner, description, token, until) VALUES (1, $1, $2, 1, {NOW} + $3) \
         ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, description = excluded.description, \
         token = daemon.token + 1, until = excluded.until \
         WHERE daemon.until <= {NOW} OR daemon.owner = excluded.owner RETURNING token"
    );
    let mut connection = connect(url).await?;
    let mut seen: Option<i64> = None;
    loop {
        let sent = Instant::now();
        let query = sqlx::query(AssertSqlSafe(sql.clone())).bind(text(&name.owner)).bind(text(&name.description));
        if let Some(row) = query.bind(microseconds(length)).fetch_optional(&mut connection).await? {
            return Ok(Taken::Yes { connection, token: row.try_get(0)?, sent });
        }
        let row = sqlx::query("SELECT until, description FROM daemon WHERE id = 1").fetch_one(&mut connection).await?;
        let until: i64 = row.try_get(0)?;
        if seen.is_some_and(|seen| until > seen) {
            return Ok(Taken::No { holder: row.try_get(1)? });
        }
        seen = Some(until);
        sleep_until(sent + length / 60).await;
    }
}

/// What renews the row.
struct Keeper {
    url: String,
    token: i64,
    length: Duration,
    is_held: Arc<AtomicBool>,
    fence: Arc<AtomicI64>,
}

impl Keeper {
    /// Renews the row until it is stopped; `false` if it was lost before.
    async fn keep(self, connection: AnyConnection, sent: Instant, mut stopped: oneshot::Receiver<()>) -> bool {
        let mut connection = Some(connection);
        // By this process's clock, from before the row was written: earlier than the end of the row.
        let mut end = sent + self.length * 2 / 3;
        let mut next = sent + self.length / 6;
        loop {
            if timeout_at(next.min(end), &mut stopped).await.is_ok() {
                self.is_held.store(false, Ordering::Release);
                let _ = timeout(self.length / 6, self.give_up(connection)).await;
                return true;
            }
            let sent = Instant::now();
            if sent >= end {
                break;
            }
            let patience = end.min(sent + self.length / 6);
            next = sent + self.length / 6;
            match timeout_at(patience, self.renew(connection.take())).await {
                Ok(Ok((renewed, true))) => {
                    connection = Some(renewed);
                    end = sent + self.length * 2 / 3;
                }
                // Another daemon has it.
                Ok(Ok((_, false))) => break,
                // The server is out of reach; another connection may reach it.
                Ok(Err(_)) | Err(_) => {}
            }
        }
        self.is_held.store(false, Ordering::Release);
        false
    }

    async fn renew(&self, connection: Option<AnyConnection>) -> Answer<(AnyConnection, bool)> {
        let mut connection = match connection {
            Some(connection) => connection,
            None => connect(&self.url).await?,
        };
        let sql = format!("UPDATE daemon SET until = {NOW} + $1 WHERE id = 1 AND token = $2 AND until > {NOW}");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(microseconds(self.length)).bind(self.token);
        let is_renewed = query.execute(&mut connection).await?.rows_affected() > 0;
        Ok((connection, is_renewed))
    }

    /// The next daemon need not wait. What this one still writes, it writes as any other process.
    async fn give_up(&self, connection: Option<AnyConnection>) -> Answer<()> {
        let mut connection = match connection {
            Some(connection) => connection,
            None => connect(&self.url).await?,
        };
        let query = sqlx::query("UPDATE daemon SET until = 0 WHERE id = 1 AND token = $1").bind(self.token);
        query.execute(&mut connection).await?;
        self.fence.store(0, Ordering::Release);
        connection.close().await
    }
}

/// A connection of its own, which never waits long for a lock that somebody else has on the row.
async fn connect(url: &str) -> Answer<AnyConnection> {
    let mut connection = AnyConnection::connect(url).await?;
    sqlx::raw_sql("SET synchronous_commit = on; SET lock_timeout = '30s'").execute(&mut connection).await?;
    Ok(connection)
}

/// Fails unless the daemon's row has this token, and keeps it so until the transaction ends.
pub(super) async fn check(connection: &mut AnyConnection, token: i64) -> Answer<()> {
    let sql = "SELECT token FROM daemon WHERE id = 1 AND token = $1 FOR SHARE";
    match sqlx::query(sql).bind(token).fetch_optional(connection).await? {
        Some(_) => Ok(()),
        None => Err(sqlx::Error::Protocol("another daemon has taken over: nothing was written".to_owned())),
    }
}

fn microseconds(length: Duration) -> i64 {
    i64::try_from(length.as_micros()).unwrap_or(i64::MAX)
}
