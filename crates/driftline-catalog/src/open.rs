//! How is a catalog opened? Found, checked, brought up to date, and made safe against power loss.

use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, Connection, Executor};
use tokio::runtime::Runtime;

use super::schema::{self, Dialect};
use super::{Catalog, CatalogError, Place, Result, migrate};
use driftline_files as private;

/// Readers beside the one writer.
pub(super) const READERS: u32 = 8;

/// How long to wait for a connection, and for another process that writes.
const PATIENCE: Duration = Duration::from_mins(1);

/// What every connection to SQLite is told. `FULL` makes a commit wait for the disk: a capture that is
/// acknowledged survives a power cut. The cache is 64 MB, and the log is folded in every 4 MB or so. Readers map the file
/// into memory only where nobody writes: SQLite undoes the map after every commit, which takes longer than most look-ups.
/// It empties their caches, too, so those are small.
const SQLITE_WRITER: &str = "PRAGMA busy_timeout = 60000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
     PRAGMA foreign_keys = ON; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;";
const SQLITE_READER: &str = "PRAGMA busy_timeout = 60000; PRAGMA query_only = ON; PRAGMA cache_size = -4096; \
     PRAGMA temp_store = MEMORY;";
pub(super) const SQLITE_READER_ALONE: &str = "PRAGMA busy_timeout = 60000; PRAGMA query_only = ON; \
     PRAGMA cache_size = -16384; PRAGMA mmap_size = 1073741824; PRAGMA temp_store = MEMORY;";

/// What every connection to PostgreSQL is told, whatever the server's own settings are: a commit waits for the disk,
/// a statement sees what others have committed before it, and a transaction of a machine that is gone without a word ends: its
/// rows are locked until then.
const POSTGRES: &str = "SELECT set_config('synchronous_commit', 'on', false) \
     WHERE current_setting('synchronous_commit') <> 'remote_apply'; \
     SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED; \
     SET idle_in_transaction_session_timeout = '20s';";

pub(super) const SQLITE_READONLY: u32 = 8;
pub(super) const SQLITE_CANTOPEN: u32 = 14;
pub(super) const SQLITE_CORRUPT: u32 = 11;
pub(super) const SQLITE_NOTADB: u32 = 26;

/// What helps if the file is damaged.
pub(super) const DAMAGED: &str = "the file is damaged: bring a backup back, or move it away and run \
     `driftline archive rebuild`, which reads the WARC files again";

impl Catalog {
    /// Opens a catalog: a file of SQLite, which is made if it is not there, or a database of PostgreSQL. An older
    /// one is brought up to date.
    ///
    /// # Errors
    /// If it is no catalog, a newer one, a damaged one, or out of reach.
    pub fn open(place: impl Into<Place>) -> Result<Self> {
        Self::open_at(&place.into(), schema::NEWEST)
    }

    /// Opens one in an older format: for tests of migrations.
    #[doc(hidden)]
    pub fn open_at(place: &Place, format: i64) -> Result<Self> {
        sqlx::any::install_default_drivers();
        let (name, dialect, url) = (place.to_string(), place.dialect(), place.url());
        let runtime = runtime()?;
        if let Place::File(path) = place {
            // SQLite gives its log the mode of the file. Why it cannot be created, SQLite says better.
            let _ = private::create_closed(path);
        }
        let (writer, readers) = runtime.block_on(async {
            // A pool would try again and again to reach a server that is not there, for a minute.
            let mut connection = AnyConnection::connect(&url).await.map_err(|error| fault(&name, error))?;
            migrate::run(&mut connection, &name, dialect, format).await?;
            connection.close().await.map_err(|error| fault(&name, error))?;
            let lazy = |connections, told| pool(dialect, connections, told).connect_lazy(&url);
            let pools = lazy(1, SQLITE_WRITER).and_then(|writer| Ok((writer, lazy(READERS, SQLITE_READER)?)));
            pools.map_err(|error| fault(&name, error))
        })?;
        let (source, fence) = (place.clone(), Arc::default());
        Ok(Self { place: name, source, dialect, writer, readers, fence, limit: None, runtime: Some(runtime) })
    }
}

pub(super) fn pool(dialect: Dialect, connections: u32, sqlite: &'static str) -> AnyPoolOptions {
    let options = AnyPoolOptions::new().max_connections(connections).acquire_timeout(PATIENCE);
    // A server may have gone since a connection was used last; a file has not, and asking takes as long as a look-up.
    options.test_before_acquire(dialect == Dialect::Postgres).after_connect(move |connection, _| {
        Box::pin(async move {
            let told = match dialect {
                Dialect::Sqlite => sqlite,
                Dialect::Postgres => POSTGRES,
            };
            connection.execute(sqlx::raw_sql(told)).await?;
            Ok(())
        })
    })
}

/// The catalog's own thread.
pub(super) fn runtime() -> Result<Arc<Runtime>> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(1).thread_name("catalog").enable_all().build().map(Arc::new).map_err(CatalogError::Runtime)
}

/// Why a catalog cannot be opened. SQLite itself is asked whether a file is a database: whoever opens and closes the
/// file beside it takes away the locks that other catalogs of this process hold on it.
pub(super) fn fault(place: &str, source: sqlx::Error) -> CatalogError {
    if sqlite_code(&source) == Some(SQLITE_NOTADB) {
        return CatalogError::NotADatabase { path: place.into() };
    }
    let hint = if sqlite_code(&source) == Some(SQLITE_CORRUPT) {
        DAMAGED
    } else if place.contains("://") {
        "is the server running, does the database exist, and may this user create tables in it?"
    } else {
        "does the folder exist, may it be written to, and is there space on the disk?"
    };
    CatalogError::Open { place: place.to_owned(), hint, source }
}

/// The number of an error of SQLite, without its details.
pub(super) fn sqlite_code(error: &sqlx::Error) -> Option<u32> {
    let code: u32 = error.as_database_error()?.code()?.parse().ok()?;
    // PostgreSQL has five digits.
    (code < 10_000).then_some(code & 0xff)
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection, Executor, Row};

    use super::{Catalog, Place};

    /// A server may be set up for speed: captures that are acknowledged survive there, too.
    #[test]
    fn a_server_waits_for_its_disk_whatever_its_settings() {
        let url = driftline_testkit::postgres::database();
        let place = Place::parse(&url).unwrap();
        let catalog = Catalog::open(place.clone()).unwrap();
        let relaxed = "DO $$ BEGIN \
            EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); \
            EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database()); \
            END $$";
        catalog.run("relaxed", async { sqlx::AnyConnection::connect(&url).await?.execute(relaxed).await }).unwrap();
        let catalog = Catalog::open(place).unwrap();
        let sql = "SELECT current_setting('synchronous_commit'), current_setting('transaction_isolation')";
        let told = |row: &sqlx::any::AnyRow| (row.try_get(0).unwrap(), row.try_get(1).unwrap());
        let wanted = ("on".to_owned(), "read committed".to_owned());
        let written = catalog.write("asked", async |connection| sqlx::query(sql).fetch_one(connection).await);
        assert_eq!(told(&written.unwrap()), wanted);
        let read = catalog.read("asked", async |connection| sqlx::query(sql).fetch_one(connection).await);
        assert_eq!(told(&read.unwrap()), wanted);
    }
}
