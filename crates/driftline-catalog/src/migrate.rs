//! How is a catalog brought up to date? All of it at once, by one process at a time, or not at all.
//!
//! SQLite does it in one transaction that nobody else can begin meanwhile: a process that is killed leaves what was
//! there before, and the second of two that open a new catalog at once finds it made. For PostgreSQL sqlx takes a lock.

use sqlx::migrate::MigrateError;
use sqlx::{AnyConnection, Connection, Executor, Row};

use super::open::fault;
use super::schema::{self, Dialect};
use super::{Answer, CatalogError, Result};

/// Brings a catalog up to a format, and makes it if nothing is there.
pub(super) async fn run(connection: &mut AnyConnection, place: &str, dialect: Dialect, format: i64) -> Result<()> {
    if dialect == Dialect::Postgres {
        return apply(connection, place, dialect, format).await;
    }
    let failed = |source| fault(place, source);
    connection.execute("PRAGMA busy_timeout = 60000").await.map_err(failed)?;
    let mut transaction = connection.begin_with(dialect.begin()).await.map_err(failed)?;
    if is_foreign(&mut transaction).await.map_err(failed)? {
        return Err(CatalogError::NotACatalog { place: place.to_owned() });
    }
    apply(&mut transaction, place, dialect, format).await?;
    transaction.commit().await.map_err(failed)
}

async fn apply(connection: &mut AnyConnection, place: &str, dialect: Dialect, format: i64) -> Result<()> {
    let migrator = schema::migrator(dialect, format);
    migrator.run_direct(None, connection, false).await.map_err(|error| match error {
        MigrateError::VersionMissing(found) => CatalogError::Newer { place: place.to_owned(), found, known: format },
        MigrateError::VersionMismatch(version) | MigrateError::Dirty(version) => {
            CatalogError::Damaged { place: place.to_owned(), version }
        }
        MigrateError::Execute(source) | MigrateError::ExecuteMigration(source, _) => fault(place, source),
        other => fault(place, sqlx::Error::Migrate(Box::new(other))),
    })
}

/// Has it tables, but not the one that every catalog begins with?
async fn is_foreign(connection: &mut AnyConnection) -> Answer<bool> {
    let tables = "SELECT COUNT(*), COALESCE(SUM(CASE WHEN name = '_sqlx_migrations' THEN 1 ELSE 0 END), 0) \
                  FROM sqlite_master WHERE type = 'table'";
    let row = sqlx::query(tables).fetch_one(connection).await?;
    let (all, ours): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
    Ok(all > 0 && ours == 0)
}
