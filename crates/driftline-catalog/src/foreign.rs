//! SQLite databases of other programs, opened to read.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{ConnectOptions, Connection, Row, SqliteConnection};
use tokio::runtime::Runtime;

/// A database file that another program wrote.
pub struct ForeignFile {
    connection: SqliteConnection,
    runtime: Runtime,
}

/// A row of such a file.
pub struct ForeignRow(SqliteRow);

/// Why a foreign file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ForeignError(#[from] sqlx::Error);

impl ForeignFile {
    /// Opens a file that is there.
    ///
    /// # Errors
    /// If it is not a database, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, ForeignError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(sqlx::Error::Io)?;
        // What a stranger put into the schema is not run.
        let options = SqliteConnectOptions::new().filename(path).read_only(true).pragma("trusted_schema", "OFF");
        let connected = runtime.block_on(async {
            match options.clone().connect().await {
                Ok(connection) => Ok(connection),
                // In a folder that cannot be written, a log of SQLite cannot be opened.
                Err(_) => options.immutable(true).connect().await,
            }
        });
        Ok(Self { connection: connected?, runtime })
    }

    /// The names of its tables, in no order.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn tables(&mut self) -> Result<Vec<String>, ForeignError> {
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table'";
        let names = sqlx::query_scalar(sql).fetch_all(&mut self.connection);
        Ok(self.runtime.block_on(names)?)
    }

    /// The first row that a query answers.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn first(&mut self, sql: &'static str, arguments: &[i64]) -> Result<Option<ForeignRow>, ForeignError> {
        let query = arguments.iter().fold(sqlx::query(sql), |query, argument| query.bind(*argument));
        Ok(self.runtime.block_on(query.fetch_optional(&mut self.connection))?.map(ForeignRow))
    }

    /// Closes it.
    ///
    /// # Errors
    /// If the database fails.
    pub fn close(self) -> Result<(), ForeignError> {
        Ok(self.runtime.block_on(self.connection.close())?)
    }
}

impl ForeignRow {
    /// The integer in a column.
    ///
    /// # Errors
    /// If it is something else.
    pub fn integer(&self, column: usize) -> Result<Option<i64>, ForeignError> {
        Ok(self.0.try_get(column)?)
    }

    /// The number in a column.
    ///
    /// # Errors
    /// If it is something else.
    pub fn number(&self, column: usize) -> Result<Option<f64>, ForeignError> {
        Ok(self.0.try_get(column)?)
    }

    /// The text in a column.
    ///
    /// # Errors
    /// If it is something else.
    pub fn text(&self, column: usize) -> Result<Option<String>, ForeignError> {
        Ok(self.0.try_get(column)?)
    }

    /// The bytes in a column.
    ///
    /// # Errors
    /// If it is something else.
    pub fn bytes(&self, column: usize) -> Result<Option<Vec<u8>>, ForeignError> {
        Ok(self.0.try_get(column)?)
    }
}
