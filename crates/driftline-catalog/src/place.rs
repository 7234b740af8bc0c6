//! Where is a catalog? A file, or a database of a server, whose password is never shown.

use std::fmt;
use std::path::{Path, PathBuf};

use url::Url;

use super::schema::Dialect;
use super::{CatalogError, Result};

/// Schemes of others, which may be named: what else stands there may be a part of a password.
const KNOWN: [&str; 7] = ["mysql", "mariadb", "mssql", "http", "https", "file", "s3"];

/// Where a catalog is.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// A file of SQLite.
    File(PathBuf),
    /// A database of a PostgreSQL server.
    Server(Url),
}

impl Place {
    /// Reads `postgres://…`, `sqlite:FILE` or the name of a file.
    ///
    /// # Errors
    /// If it is an address of something else.
    pub fn parse(text: &str) -> Result<Self> {
        if let Some(file) = text.strip_prefix("sqlite:") {
            return Ok(Self::File(file.strip_prefix("//").unwrap_or(file).into()));
        }
        if is_nearly_a_server(text) {
            return Err(not_a_place("…"));
        }
        if !text.contains("://") {
            return if text.is_empty() { Err(not_a_place(text)) } else { Ok(Self::File(text.into())) };
        }
        match Url::parse(text) {
            Ok(url) if ["postgres", "postgresql"].contains(&url.scheme()) => Ok(Self::Server(url)),
            Ok(url) => Err(not_a_place(if KNOWN.contains(&url.scheme()) { url.scheme() } else { "…" })),
            // What cannot be parsed may still hold a password.
            Err(_) => Err(not_a_place("…")),
        }
    }

    pub(super) fn dialect(&self) -> Dialect {
        match self {
            Self::File(_) => Dialect::Sqlite,
            Self::Server(_) => Dialect::Postgres,
        }
    }

    /// As sqlx takes it.
    pub(super) fn url(&self) -> String {
        match self {
            Self::Server(url) => url.to_string(),
            Self::File(path) => {
                let coded = |byte: &u8| match byte {
                    b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
                    byte if byte.is_ascii_alphanumeric() => char::from(*byte).to_string(),
                    byte => format!("%{byte:02X}"),
                };
                let path: String = path.as_os_str().as_encoded_bytes().iter().map(coded).collect();
                format!("sqlite://{path}?mode=rwc")
            }
        }
    }
}

/// Without the password.
impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::Server(url) => {
                let mut url = url.clone();
                // A `password=` in the query is one, too, so the query is not shown at all.
                url.set_query(None);
                if url.password().is_some() && url.set_password(Some("***")).is_err() {
                    return formatter.write_str("postgres://***");
                }
                url.fmt(formatter)
            }
        }
    }
}

/// As it is displayed: a password never gets into a log.
impl fmt::Debug for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Place({self})")
    }
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl From<PathBuf> for Place {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

/// Is it meant to be a server, and none that can be understood? As the name of a file it would be shown with its
/// password.
fn is_nearly_a_server(text: &str) -> bool {
    const OPTIONS: [&str; 8] = ["host", "hostaddr", "port", "user", "password", "dbname", "sslmode", "service"];
    let text = text.trim_start().to_ascii_lowercase().replace(" =", "=");
    let begins = ["postgres:", "postgresql:"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let is_option = |word: &str| word.split_once('=').is_some_and(|(name, _)| OPTIONS.contains(&name));
    begins.is_some_and(|rest| !rest.starts_with("//"))
        || text.split_whitespace().any(is_option)
        || (!text.contains("://") && text.split_once(':').is_some_and(|(_, rest)| rest.contains('@')))
}

fn not_a_place(text: &str) -> CatalogError {
    CatalogError::NotAPlace(text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::Place;

    #[test]
    fn a_place_is_a_file_or_a_server() {
        assert_eq!(Place::parse("a b.db").unwrap(), Place::File(PathBuf::from("a b.db")));
        assert_eq!(Place::parse("sqlite:///var/a.db").unwrap(), Place::File(PathBuf::from("/var/a.db")));
        assert!(matches!(Place::parse("postgresql://localhost/driftline").unwrap(), Place::Server(_)));
        assert!(Place::parse("").is_err());
        assert!(
            Place::parse("mysql://user:secret@localhost/").unwrap_err().to_string().starts_with("`mysql` is no place")
        );
    }

    #[test]
    fn what_is_nearly_a_server_is_refused_and_not_shown() {
        for text in [
            "postgres:/dl:secret@h/x",
            "Postgresql:dl:secret@h/x",
            "host=127.0.0.1 password=secret",
            "password = secret",
            "dl:secret@localhost/pages",
            " postgres:/dl:secret@h",
            "postgres://dl:secret@h:port/x",
            "postgres//dl:secret@h/x",
            "secret://dl@h/x",
        ] {
            let error = Place::parse(text).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
            assert!(error.to_string().contains("postgres://USER@HOST/DATABASE"), "{error}");
        }
        for file in ["pages@home.db", "C:\\data\\catalog.db", "a=b.db", "postgres.db"] {
            assert_eq!(Place::parse(file).unwrap(), Place::File(file.into()));
        }
    }

    #[test]
    fn a_password_is_never_shown() {
        for text in ["postgres://me:secret@localhost:5432/pages", "postgres://me@localhost/pages?password=secret"] {
            let place = Place::parse(text).unwrap();
            assert!(!format!("{place} {place:?}").contains("secret"), "{place}");
            assert!(place.url().contains("secret"));
        }
    }
}
