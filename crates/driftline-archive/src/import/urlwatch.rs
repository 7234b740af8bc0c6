//! What did urlwatch or webchanges keep? A table in SQLite.
//!
//! urlwatch has `CacheEntry`, a row for each version; webchanges has `webchanges`, the same in msgpack. A row with
//! `tries` above zero is a failed check that repeats the version before; it is no version. Both name a job by the
//! SHA-1 of its location, so the addresses have to come from the [job file](Jobs).

mod jobs;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use driftline_catalog::foreign::{ForeignError, ForeignFile, ForeignRow};
use rmpv::Value;

use super::Error;
use super::format::Format;
use super::kept::{Kept, Take, Version, Watched, address, moment};
use super::summary::{Reason, Skip};
pub use jobs::{Job, Jobs};

/// The most bytes of a version.
const MOST_BYTES: i64 = 64 << 20;

/// The next row of urlwatch: a version in columns.
const URLWATCH: &str = "SELECT rowid, CAST(guid AS TEXT), CAST(timestamp AS REAL), \
    CASE WHEN length(CAST(data AS BLOB)) <= $2 THEN CAST(data AS BLOB) END, CAST(tries AS INTEGER) \
    FROM CacheEntry WHERE rowid > $1 ORDER BY rowid LIMIT 1";
/// The next row of webchanges: a version in msgpack.
const WEBCHANGES: &str = "SELECT rowid, CAST(uuid AS TEXT), CAST(timestamp AS REAL), \
    CASE WHEN length(CAST(msgpack_data AS BLOB)) <= $2 THEN CAST(msgpack_data AS BLOB) END, NULL \
    FROM webchanges WHERE rowid > $1 ORDER BY rowid LIMIT 1";

/// A database of urlwatch or webchanges.
pub struct Database {
    path: PathBuf,
    file: ForeignFile,
    format: Format,
}

/// A row, as both have it.
struct Entry {
    number: i64,
    job: String,
    at: Option<f64>,
    data: Option<Vec<u8>>,
    tries: Option<i64>,
}

/// What a row says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// What it is, if the monitor noted it.
    pub content_type: Option<String>,
    /// Its bytes.
    pub body: Vec<u8>,
    /// How many checks failed since the last version; zero for a version.
    pub tries: i64,
}

impl Database {
    /// Opens a database to read.
    ///
    /// # Errors
    /// If it cannot be opened, or is no database of theirs.
    pub fn open(path: &Path) -> Result<Self, Error> {
        std::fs::File::open(path).map_err(|source| Error::read(path, source))?;
        let not = |detail: String| Error::Not { path: path.to_owned(), format: Format::Urlwatch, detail };
        let opened = ForeignFile::open(path).and_then(|mut file| Ok((file.tables()?, file)));
        let (tables, file) = opened.map_err(|error| not(error.to_string()))?;
        let known = [("CacheEntry", Format::Urlwatch), ("webchanges", Format::Webchanges)];
        match known.into_iter().find(|(name, _)| tables.iter().any(|table| table == name)) {
            Some((_, format)) => Ok(Self { path: path.to_owned(), file, format }),
            None => Err(not("it has no table `CacheEntry` or `webchanges`".to_owned())),
        }
    }

    /// Which of the two it is.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Passes all that was kept on, in the order of the table.
    ///
    /// # Errors
    /// If the database cannot be read on, or `take` fails.
    pub fn read(mut self, jobs: &Jobs, take: &mut Take<'_>) -> Result<(), Error> {
        let (mut last, mut watched) = (i64::MIN, HashSet::new());
        while let Some(entry) = self.next(last)? {
            last = entry.number;
            let row = format!("{}, row {}", self.path.display(), entry.number);
            match self.version(&entry, jobs) {
                Ok(Some((version, job))) => {
                    if watched.insert(entry.job.clone()) {
                        take(Kept::Watch(watch(&entry.job, job, &version)))?;
                    }
                    take(Kept::Version(version))?;
                }
                Ok(None) => {}
                Err((reason, detail)) => take(Kept::Skipped(Skip::new(row, reason, detail)))?,
            }
        }
        self.file.close().map_err(|error| Error::read(self.path, std::io::Error::other(error)))
    }

    fn next(&mut self, after: i64) -> Result<Option<Entry>, Error> {
        let sql = if self.format == Format::Urlwatch { URLWATCH } else { WEBCHANGES };
        let row = self.file.first(sql, &[after, MOST_BYTES]);
        let row = row.and_then(|row| row.as_ref().map(Entry::of).transpose());
        row.map_err(|error| Error::read(&self.path, std::io::Error::other(error)))
    }

    /// The version in a row; none if it is a failed check.
    fn version<'a>(&self, entry: &Entry, jobs: &'a Jobs) -> Result<Option<(Version, &'a Job)>, (Reason, String)> {
        let Some(data) = &entry.data else {
            return Err((Reason::TooLarge, format!("it has no data, or more than {MOST_BYTES} bytes")));
        };
        let snapshot = match self.format {
            Format::Urlwatch => Snapshot { content_type: None, body: data.clone(), tries: entry.tries.unwrap_or(0) },
            _ => Snapshot::parse(data).ok_or((Reason::Malformed, "it is not the msgpack of a version".to_owned()))?,
        };
        if snapshot.tries > 0 {
            return Ok(None);
        }
        let at = entry.at.and_then(moment).ok_or((Reason::NoTime, "it has no time".to_owned()))?;
        let unknown = || format!("no job has the id `{}`; `--jobs FILE` names the file of jobs", entry.job);
        let job = jobs.get(&entry.job).ok_or_else(|| (Reason::NoAddress, unknown()))?;
        // Its command, or an address that cannot be used, may hold a password.
        let elsewhere = || format!("the job with the id `{}` has no address of the web", entry.job);
        let url = address(&job.location).ok_or_else(|| (Reason::NoAddress, elsewhere()))?;
        let content_type = snapshot.content_type.unwrap_or_else(|| guess(&snapshot.body).to_owned());
        Ok(Some((Version { url, at, content_type, body: snapshot.body, text: None }, job)))
    }
}

impl Entry {
    fn of(row: &ForeignRow) -> Result<Self, ForeignError> {
        Ok(Self {
            number: row.integer(0)?.unwrap_or_default(),
            job: row.text(1)?.unwrap_or_default(),
            at: row.number(2)?,
            data: row.bytes(3)?,
            tries: row.integer(4)?,
        })
    }
}

impl Snapshot {
    /// Reads a version of webchanges: a map with `d` (data), `t` (tries) and `m` (MIME type).
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        const MOST_DEPTH: usize = 16;
        let value = rmpv::decode::read_value_with_max_depth(&mut &bytes[..], MOST_DEPTH).ok()?;
        let Value::Map(fields) = value else { return None };
        let (mut body, mut tries, mut mime) = (None, 0, None);
        for (name, value) in fields {
            match (name.as_str(), value) {
                (Some("d"), Value::String(text)) => body = Some((text.into_bytes(), true)),
                (Some("d"), Value::Binary(bytes)) => body = Some((bytes, false)),
                (Some("t"), value) => tries = value.as_i64().unwrap_or(0),
                (Some("m"), Value::String(text)) => mime = text.into_str().filter(|mime| is_mime(mime)),
                _ => {}
            }
        }
        let (body, is_text) = body?;
        let charset = if is_text { "; charset=utf-8" } else { "" };
        Some(Self { content_type: mime.map(|mime| mime + charset), body, tries })
    }
}

/// Does this name a kind of content, and nothing else?
fn is_mime(text: &str) -> bool {
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte))
    };
    text.split_once('/').is_some_and(|(kind, name)| is_token(kind) && is_token(name))
}

/// Text, unless it begins as a page of HTML does.
fn guess(body: &[u8]) -> &'static str {
    let start = body.trim_ascii_start();
    let begins = |with: &[u8]| start.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    if begins(b"<!doctype html") || begins(b"<html") { "text/html; charset=utf-8" } else { "text/plain; charset=utf-8" }
}

/// The watch of a job whose first version this is.
fn watch(id: &str, job: &Job, first: &Version) -> Watched {
    let digits: Vec<u8> = id.bytes().filter(u8::is_ascii_hexdigit).take(32).collect();
    let id = uuid::Uuid::try_parse_ascii(&digits).map_or_else(|_| id.to_owned(), |uuid| uuid.to_string());
    Watched {
        id,
        url: first.url.clone(),
        title: job.name.clone(),
        tags: Vec::new(),
        since: first.at,
        settings: serde_json::Value::Object(serde_json::Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_of_webchanges_is_read() {
        let map = [("d", "text".into()), ("t", 0.into()), ("m", "text/markdown".into()), ("err", Value::Map(vec![]))];
        let mut bytes = Vec::new();
        let map = Value::Map(map.into_iter().map(|(name, value)| (name.into(), value)).collect());
        rmpv::encode::write_value(&mut bytes, &map).unwrap();
        let snapshot = Snapshot::parse(&bytes).unwrap();
        assert_eq!(snapshot.content_type.as_deref(), Some("text/markdown; charset=utf-8"));
        assert_eq!((snapshot.body.as_slice(), snapshot.tries), (b"text".as_slice(), 0));
        for end in 0..bytes.len() {
            assert_eq!(Snapshot::parse(&bytes[..end]), None);
        }
    }

    #[test]
    fn hostile_msgpack_is_none() {
        // Says that 4 GB follow; is nested without an end; names a kind with a line break in it.
        assert_eq!(Snapshot::parse(b"\x81\xa1d\xdb\xff\xff\xff\xff"), None);
        assert_eq!(Snapshot::parse(&vec![0x91; 1 << 20]), None);
        assert_eq!(Snapshot::parse(b"\x82\xa1d\xa0\xa1m\xa5a/b\r\n").unwrap().content_type, None);
    }

    #[test]
    fn html_is_told_from_text() {
        assert!(guess(b"\n <!DOCTYPE html>").starts_with("text/html"));
        assert!(guess(b"<p").starts_with("text/plain") && guess(b"").starts_with("text/plain"));
    }
}
