//! The catalog: which captures exist and where, what is watched, what happened and who was notified. SQLite or PostgreSQL.
//!
//! WARC files hold what was captured; the catalog holds where, so that [`URL@TIME`](Address) is found in microseconds, and
//! what else is known: watches, changes, events, deliveries. Everything about captures can be read again from the
//! WARC files. One set of statements serves both databases; migrations bring an older catalog up to date. Times are passed in.
//!
//! The functions block: sqlx is asynchronous, so the catalog has a thread of its own for it. All of them may be called
//! from many threads; writers queue for the one connection that writes.
//!
//! ```
//! use driftline_catalog::Catalog;
//!
//! let folder = tempfile::tempdir()?;
//! let catalog = Catalog::open(folder.path().join("catalog.db"))?;
//! assert!(catalog.captures_of("https://example.org/")?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod add;
pub mod address;
mod audit;
mod captures;
mod care;
mod changes;
mod collections;
mod cursor;
mod daemon_lease;
mod derived;
pub mod digest;
mod error;
mod events;
mod find;
pub mod foreign;
mod imported_digests;
mod imports;
mod kept;
mod known;
mod leases;
mod ledger;
mod migrate;
mod open;
mod originals;
mod origins;
mod outbox;
mod people;
mod place;
mod read_only;
mod readings;
mod relocate;
mod row;
mod rows;
mod schema;
pub mod seconds;
mod segments;
mod shown;
mod sql;
mod stats;
pub mod surt;
mod tombstones;
mod urls;
mod versions;
mod watch_page;
mod watch_rows;
mod watches;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sqlx::{AnyConnection, AnyPool, Connection};
use tokio::runtime::Runtime;
use tokio::time::{Instant, timeout_at};

pub use address::Address;
pub use audit::AuditEntry;
pub use collections::Collection;
pub use cursor::{Cursor, MOST_ON_A_PAGE, NotACursor, Page, every};
pub use daemon_lease::{DAEMON_LEASE, DaemonLease, DaemonName};
pub use driftline::time::{self, Time};
pub use error::CatalogError;
pub use known::Identity;
pub use ledger::{
    Delivery, DeliveryState, EventFilter, Member, NewDelivery, NewEvent, Record, Settlement, Standing, StoredEvent,
    Stream, WatchState,
};
pub use outbox::{OutboxEntry, OutboxKind};
pub use people::{Person, Role, Token};
pub use place::Place;
pub use rows::{
    Batch, CaptureKind, Change, Derived, Moved, NewCapture, OfUrls, Origin, Original, Progress, Relocation, Segment,
    SegmentState, StoredCapture, Turned, UrlSummary, Version, Watch,
};
pub use shown::Shown;
pub use stats::{Facet, Stats, Tally};
pub use tombstones::Tombstone;
pub use watch_page::{LastChange, ListedWatch, WatchFilter, WatchSort, WatchStatus};

use schema::Dialect;

type Result<T> = std::result::Result<T, CatalogError>;
type Answer<T> = std::result::Result<T, sqlx::Error>;

/// The newest format of a catalog that this driftline knows.
pub const FORMAT: i64 = schema::NEWEST;

/// The catalog.
#[derive(Debug)]
pub struct Catalog {
    place: String,
    /// The same, with the password, which is never shown.
    source: Place,
    dialect: Dialect,
    writer: AnyPool,
    readers: AnyPool,
    /// The token without which nothing is written: that of the daemon of this process, or 0.
    fence: Arc<AtomicI64>,
    /// How long a reading may take, if there is a limit.
    limit: Option<Duration>,
    /// Shared with the same catalog under a limit; `None` only while it is dropped.
    runtime: Option<Arc<Runtime>>,
}

impl Catalog {
    /// Where it is, without a password.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Whether it is on a server, where other machines may use it too.
    #[must_use]
    pub fn is_server(&self) -> bool {
        self.dialect == Dialect::Postgres
    }

    /// The same catalog for a caller who cannot wait: a reading that takes longer than this fails, whether the database
    /// is out of reach, busy, or never answers. Its connections are the same.
    #[must_use]
    pub fn within(&self, limit: Duration) -> Self {
        Self {
            place: self.place.clone(),
            source: self.source.clone(),
            fence: Arc::clone(&self.fence),
            dialect: self.dialect,
            writer: self.writer.clone(),
            readers: self.readers.clone(),
            limit: Some(limit),
            runtime: self.runtime.clone(),
        }
    }

    /// Reads, on a connection of its own.
    fn read<T>(&self, doing: &'static str, work: impl AsyncFnOnce(&mut AnyConnection) -> Answer<T>) -> Result<T> {
        self.run(doing, async {
            let Some(limit) = self.limit else {
                let mut connection = self.readers.acquire().await?;
                return work(&mut connection).await;
            };
            let end = Instant::now() + limit;
            let late = |_| sqlx::Error::PoolTimedOut;
            let mut connection = timeout_at(end, self.readers.acquire()).await.map_err(late)??;
            let done = timeout_at(end, work(&mut connection)).await;
            if done.is_err() {
                // Its answer may still come: nobody else may take it for theirs.
                connection.close_on_drop();
            }
            done.map_err(late)?
        })
    }

    /// Writes, all or nothing.
    fn write<T>(&self, doing: &'static str, work: impl AsyncFnOnce(&mut AnyConnection) -> Answer<T>) -> Result<T> {
        self.run(doing, async {
            let mut connection = self.writer.acquire().await?;
            let done = in_transaction(&mut connection, self.dialect, self.fence.load(Ordering::Acquire), work).await;
            if done.is_err() {
                // SQLite ends a transaction by itself when the disk is full; a connection that does not know is no use.
                connection.close_on_drop();
            }
            done
        })
    }

    fn run<T>(&self, doing: &'static str, work: impl Future<Output = Answer<T>>) -> Result<T> {
        let runtime = self.runtime.as_ref().expect("only a dropped catalog has no runtime");
        runtime.block_on(work).map_err(|source| CatalogError::Use { place: self.place.clone(), doing, source })
    }

    fn unknown(&self, what: &'static str, name: &str) -> CatalogError {
        CatalogError::Unknown { place: self.place.clone(), what, name: name.to_owned() }
    }
}

async fn in_transaction<T>(
    connection: &mut AnyConnection,
    dialect: Dialect,
    fence: i64,
    work: impl AsyncFnOnce(&mut AnyConnection) -> Answer<T>,
) -> Answer<T> {
    let mut transaction = connection.begin_with(dialect.begin()).await?;
    if fence != 0 {
        daemon_lease::check(&mut transaction, fence).await?;
    }
    let done = work(&mut transaction).await?;
    transaction.commit().await?;
    Ok(done)
}

impl Drop for Catalog {
    /// Closes the connections in order, so that SQLite tidies its log up; not possible on a thread that is itself
    /// part of a runtime, where the connections are dropped instead, which loses nothing.
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take().and_then(Arc::into_inner) else { return };
        if tokio::runtime::Handle::try_current().is_err() {
            runtime.block_on(async {
                self.readers.close().await;
                self.writer.close().await;
            });
        }
        runtime.shutdown_background();
    }
}
