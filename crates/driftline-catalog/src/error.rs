//! Why did the catalog not do it? What, where, and the cure.

use std::path::PathBuf;

use super::open::{DAMAGED, SQLITE_CORRUPT, SQLITE_NOTADB, sqlite_code};

/// Why the catalog cannot be opened or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The file is there but is something else.
    #[error("`{}` is no SQLite database\nhint: bring a backup back, or move it away and run `driftline archive rebuild`, which reads the WARC files again", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The server has a database, and nothing in it.
    #[error(
        "there is no archive in `{place}` yet\nhint: fill one with `driftline archive import`, or name another catalog in `driftline.toml`"
    )]
    Empty {
        /// The file or the server.
        place: String,
    },
    /// It is a database, but another program's.
    #[error("`{place}` is a database, but no catalog of driftline\nhint: name another catalog in `driftline.toml`")]
    NotACatalog {
        /// The file or the server.
        place: String,
    },
    /// A newer driftline has been here.
    #[error(
        "the catalog `{place}` has format {found}, and this driftline knows formats up to {known}\n\
         hint: use the newer driftline that wrote it, or a backup from before"
    )]
    Newer {
        /// The file or the server.
        place: String,
        /// Its format.
        found: i64,
        /// The newest format that is known here.
        known: i64,
    },
    /// It is to be read only, and an older driftline wrote it.
    #[error(
        "the catalog `{place}` has format {found}, and this driftline reads format {known}\n\
         hint: run `driftline archive stats` once where it may be written; that brings it up to date"
    )]
    Older {
        /// The file or the server.
        place: String,
        /// Its format.
        found: i64,
        /// The format that is read here.
        known: i64,
    },
    /// The record of its migrations is not what it must be.
    #[error(
        "the catalog `{place}` is damaged: migration {version} is not the one that driftline made\n\
         hint: bring a backup back, or move the catalog away and run `driftline archive rebuild`"
    )]
    Damaged {
        /// The file or the server.
        place: String,
        /// The migration.
        version: i64,
    },
    /// It could not be opened or brought up to date.
    #[error("cannot open the catalog `{place}`\nhint: {hint}")]
    Open {
        /// The file or the server, without the password.
        place: String,
        /// What may help.
        hint: &'static str,
        /// What the database says.
        source: sqlx::Error,
    },
    /// The database did not do what it was asked for.
    #[error("the catalog `{place}` failed while it {doing}{}", cure(.source))]
    Use {
        /// The file or the server, without the password.
        place: String,
        /// What was being done.
        doing: &'static str,
        /// What the database says.
        source: sqlx::Error,
    },
    /// A row names something that is not there.
    #[error("the catalog `{place}` has no {what} `{name}`")]
    Unknown {
        /// The file or the server, without the password.
        place: String,
        /// What is missing.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// Another daemon watches from the same server.
    #[error(
        "`{holder}` watches from the catalog `{place}` already\n\
         hint: stop it first, or name another catalog in `driftline.toml`"
    )]
    Watched {
        /// The server, without the password.
        place: String,
        /// The daemon, as it describes itself.
        holder: String,
    },
    /// What cannot be a place of a catalog.
    #[error("`{0}` is no place for a catalog\nhint: name a file, or write postgres://USER@HOST/DATABASE")]
    NotAPlace(String),
    /// There are no threads or no memory for it.
    #[error("cannot start the catalog's own thread")]
    Runtime(#[source] std::io::Error),
}

/// The way out of a file that is damaged, or of a disk that refused. SQLite says 13 if it is full and 10 in the last
/// byte if it failed, PostgreSQL says 53100.
fn cure(error: &sqlx::Error) -> String {
    const DISK: &str =
        "the disk of the catalog is full or fails; nothing of it was acknowledged; make room and try again";
    let sqlite = sqlite_code(error);
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    if sqlite.is_some_and(|code| [SQLITE_CORRUPT, SQLITE_NOTADB].contains(&code)) {
        format!(
            "
hint: {DAMAGED}"
        )
    } else if sqlite.is_some_and(|code| matches!(code, 10 | 13)) || code.is_some_and(|code| code == "53100") {
        format!(
            "
hint: {DISK}"
        )
    } else {
        String::new()
    }
}
