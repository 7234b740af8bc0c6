//! How is a catalog read that may not be written? Without locks, without a log, without bringing it up to date.

use std::path::Path;
use std::sync::Arc;

use sqlx::{AnyConnection, Connection, Row};

use super::open::{READERS, SQLITE_CANTOPEN, SQLITE_READER_ALONE, SQLITE_READONLY, fault, pool, runtime, sqlite_code};
use super::schema::{self, Dialect};
use super::{Catalog, CatalogError, Place, Result};

impl Catalog {
    /// Opens a catalog only to read it; nothing is changed, and no permission to write is needed. What is asked to
    /// write fails.
    ///
    /// # Errors
    /// If there is none, or it has another format than the newest, or is out of reach.
    pub fn open_to_read(place: impl Into<Place>) -> Result<Self> {
        let place = place.into();
        sqlx::any::install_default_drivers();
        let (name, dialect) = (place.to_string(), place.dialect());
        let runtime = runtime()?;
        let readers = runtime.block_on(async {
            let mut last = None;
            for url in urls(&place) {
                match format(&url).await {
                    Ok(found) => {
                        check_format(&name, found)?;
                        let readers = pool(dialect, READERS, SQLITE_READER_ALONE).connect_lazy(&url);
                        return readers.map_err(|error| fault(&name, error));
                    }
                    Err(error) if is_unwritable(&error) => last = Some(error),
                    Err(error) if lacks_migrations(&error) => {
                        let place = name.clone();
                        let is_empty = dialect == Dialect::Postgres || has_no_tables(&url).await;
                        let error =
                            if is_empty { CatalogError::Empty { place } } else { CatalogError::NotACatalog { place } };
                        return Err(error);
                    }
                    Err(error) => return Err(fault(&name, error)),
                }
            }
            Err(fault(&name, last.unwrap_or(sqlx::Error::PoolClosed)))
        })?;
        let (writer, fence) = (readers.clone(), Arc::default());
        Ok(Self { place: name, source: place, dialect, writer, readers, fence, limit: None, runtime: Some(runtime) })
    }
}

/// The ways to read it. A file in a folder that cannot be written has no place for SQLite's notes to other
/// processes; if there is no log beside it, it can be read as if nobody ever wrote it.
fn urls(place: &Place) -> Vec<String> {
    let url = place.url();
    match place {
        Place::Server(_) => vec![url],
        Place::File(path) => {
            let read = url.replace("mode=rwc", "mode=ro");
            let quiet = format!("{read}&immutable=true");
            if has_log(path) { vec![read] } else { vec![read, quiet] }
        }
    }
}

/// Is it only that nothing can be written beside it? Anything else, such as a lock, is no reason to read past it.
fn is_unwritable(error: &sqlx::Error) -> bool {
    matches!(sqlite_code(error), Some(SQLITE_CANTOPEN | SQLITE_READONLY))
}

fn lacks_migrations(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains("_sqlx_migrations"))
}

/// Whether a file of SQLite has nothing in it: the process that created it was killed, or is not done yet.
async fn has_no_tables(url: &str) -> bool {
    let count = async {
        let mut connection = AnyConnection::connect(url).await?;
        let count: i64 =
            sqlx::query("SELECT COUNT(*) FROM sqlite_master").fetch_one(&mut connection).await?.try_get(0)?;
        connection.close().await?;
        Ok::<_, sqlx::Error>(count)
    };
    count.await.is_ok_and(|count| count == 0)
}

fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).is_ok_and(|metadata| metadata.len() > 0)
}

/// Asked on a connection of its own: a pool would try again and again to reach what is not there.
async fn format(url: &str) -> std::result::Result<i64, sqlx::Error> {
    let mut connection = AnyConnection::connect(url).await?;
    let sql = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";
    let format = sqlx::query(sql).fetch_one(&mut connection).await?.try_get(0)?;
    connection.close().await?;
    Ok(format)
}

fn check_format(place: &str, found: i64) -> Result<()> {
    let (place, known) = (place.to_owned(), schema::NEWEST);
    match found.cmp(&known) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(CatalogError::Newer { place, found, known }),
        std::cmp::Ordering::Less => Err(CatalogError::Older { place, found, known }),
    }
}
