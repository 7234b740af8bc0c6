//! What does `driftline.toml` say about the archive?
//!
//! Everything in it is optional, and what is not known is refused: a misspelt key that is silently ignored would
//! keep captures where nobody looks for them. Paths are relative to the data directory. Keys of a store and the
//! password of a server may stand in the file, but better come from the environment, which the caller passes in.

mod words;
mod wrong;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Table;

use crate::archive::Options;
use crate::store::{Place, S3};
use crate::warc::write::Packing;
use driftline_catalog::CatalogError;
pub use words::{plain, plain_json};

/// The file in the data directory.
pub const FILE: &str = "driftline.toml";

/// No settings are longer.
const MOST_BYTES: u64 = 1 << 20;

/// What a segment may be set to: from one megabyte to one terabyte.
const SEGMENT_SIZES: RangeInclusive<u64> = 1_000_000..=1_000_000_000_000;

/// What the file says, as it says it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    catalog: Option<String>,
    warc: Option<String>,
    segment_size: Option<u64>,
    compression: Option<Compression>,
    prefix: Option<String>,
    #[serde(default)]
    s3: WrittenS3,
    #[serde(default)]
    limits: WrittenLimits,
    #[serde(default)]
    watch: Table,
    #[serde(default)]
    fetch: Table,
    #[serde(default)]
    browser: Table,
    #[serde(default)]
    serve: Table,
    #[serde(default)]
    targets: Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenS3 {
    endpoint: Option<String>,
    region: Option<String>,
    access_key_id: Option<String>,
    secret_access_key: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenLimits {
    body: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Compression {
    Gzip,
    Zstd,
}

/// What the file says about watching, as it says it: `driftline-watch` reads it.
#[derive(Clone, Default, PartialEq)]
pub struct Watching {
    /// The table `[watch]`.
    pub watch: Table,
    /// The table `[fetch]`.
    pub fetch: Table,
    /// The table `[browser]`.
    pub browser: Table,
    /// The table `[serve]`.
    pub serve: Table,
    /// The tables `[targets.NAME]`.
    pub targets: Table,
}

impl fmt::Debug for Watching {
    /// Only what is there: values may be secrets.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tables = [&self.watch, &self.fetch, &self.browser, &self.serve, &self.targets];
        out.debug_set().entries(tables.iter().flat_map(|table| table.keys())).finish()
    }
}

/// What is meant: the file, or what is usual.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the archive is, and how it is kept.
    pub archive: Options,
    /// At most so many bytes of a body are read into memory.
    pub most_body: usize,
    /// What is said about watching.
    pub watching: Watching,
}

/// What better does not stand in a file; what is there goes before the file.
#[derive(Clone, Default)]
pub struct Secrets {
    /// The catalog, such as `postgres://user:password@host/database`.
    pub catalog: Option<String>,
    /// The id of the store's key.
    pub access_key_id: Option<String>,
    /// The store's key.
    pub secret_access_key: Option<String>,
    /// The token of a key that expires.
    pub session_token: Option<String>,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file is there but cannot be read.
    #[error("cannot read the settings `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is no TOML, or names something that is not known.
    #[error("cannot use the settings `{}`: {what}\nhint: docs/reference/settings.md names every key", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and why not, without any value, which may be a password.
        what: String,
    },
    /// A value is out of range.
    #[error("cannot use the settings `{}`: {what}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Which value, and what it may be.
        what: String,
    },
    /// The catalog is in no place for one.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

impl Settings {
    /// At most so many bytes of a body are read into memory if nothing is set.
    pub const MOST_BODY: usize = 64 << 20;

    /// What is usual in a data directory without a file.
    #[must_use]
    pub fn at(data: &Path) -> Self {
        Self { archive: Options::at(data), most_body: Self::MOST_BODY, watching: Watching::default() }
    }

    /// Reads `driftline.toml` in a data directory, if it is there.
    ///
    /// # Errors
    /// If it cannot be read, names something that is not known, or a value is out of range.
    pub fn read(data: &Path, secrets: &Secrets) -> Result<Self, SettingsError> {
        let path = data.join(FILE);
        let mut text = String::new();
        match File::open(&path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text)) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(SettingsError::Read { path, source }),
            _ => Self::parse(&text, data, secrets),
        }
    }

    /// The settings of a data directory whose `driftline.toml` says this.
    ///
    /// # Errors
    /// If it names something that is not known, or a value is out of range.
    pub fn parse(text: &str, data: &Path, secrets: &Secrets) -> Result<Self, SettingsError> {
        let path = || data.join(FILE);
        let written: Written = toml::from_str(text)
            .map_err(|error| SettingsError::Parse { path: path(), what: wrong::told(text, &error) })?;
        let wrong = |what: String| SettingsError::Value { path: path(), what };
        let mut settings = Self::at(data);
        let archive = &mut settings.archive;
        if let Some(catalog) = secrets.catalog.as_ref().or(written.catalog.as_ref()) {
            archive.catalog = match driftline_catalog::Place::parse(catalog)? {
                driftline_catalog::Place::File(file) => driftline_catalog::Place::File(data.join(file)),
                server @ driftline_catalog::Place::Server(_) => server,
            };
        }
        match &written.warc {
            Some(store) if store.contains("://") => {
                archive.place = Place::S3(
                    s3(store, &written.s3, secrets)
                        .ok_or_else(|| wrong("`warc` is a folder or s3://BUCKET/PREFIX".to_owned()))?,
                );
            }
            Some(folder) => archive.folder = data.join(folder),
            None => {}
        }
        if let Some(size) = written.segment_size {
            if !SEGMENT_SIZES.contains(&size) {
                let what = format!("`segment-size` is from 1,000,000 to 1,000,000,000,000 bytes, not {size}");
                return Err(wrong(what));
            }
            archive.segment_bytes = size;
        }
        archive.packing = match written.compression {
            Some(Compression::Gzip) => Packing::Gzip,
            Some(Compression::Zstd) => Packing::Zstd,
            None => archive.packing,
        };
        if let Some(prefix) = written.prefix {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            if prefix.is_empty() || prefix.len() > 64 || prefix.starts_with('.') || !prefix.bytes().all(is_plain) {
                return Err(wrong("`prefix` is 1 to 64 letters, digits, `-`, `_` or `.`".to_owned()));
            }
            archive.prefix = prefix;
        }
        settings.most_body = written.limits.body.unwrap_or(settings.most_body);
        let Written { watch, fetch, browser, serve, targets, .. } = written;
        settings.watching = Watching { watch, fetch, browser, serve, targets };
        Ok(settings)
    }
}

fn s3(url: &str, written: &WrittenS3, secrets: &Secrets) -> Option<S3> {
    let either = |secret: &Option<String>, written: &Option<String>| secret.clone().or_else(|| written.clone());
    Some(S3 {
        endpoint: written.endpoint.clone(),
        region: written.region.clone(),
        access_key_id: either(&secrets.access_key_id, &written.access_key_id),
        secret_access_key: either(&secrets.secret_access_key, &written.secret_access_key),
        session_token: secrets.session_token.clone(),
        ..S3::parse(url)?
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Place, Secrets, Settings};
    use crate::archive::Options;
    use crate::warc::write::Packing;

    fn parse(text: &str) -> Result<Settings, String> {
        Settings::parse(text, Path::new("/data"), &Secrets::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn nothing_needs_to_be_set() {
        assert_eq!(parse("").unwrap(), Settings::at(Path::new("/data")));
        assert_eq!(Settings::at(Path::new("/data")).archive, Options::at(Path::new("/data")));
    }

    #[test]
    fn everything_may_be_set_and_paths_are_relative_to_the_data_directory() {
        let text = "catalog = 'index/my.db'\nwarc = 'files'\nsegment-size = 5_000_000\ncompression = 'zstd'\n\
                    prefix = 'MY-WEB'\n[limits]\nbody = 1000\n";
        let settings = parse(text).unwrap();
        assert_eq!(settings.archive.catalog, driftline_catalog::Place::File("/data/index/my.db".into()));
        assert_eq!(settings.archive.folder, Path::new("/data/files"));
        assert_eq!((settings.archive.segment_bytes, settings.archive.packing), (5_000_000, Packing::Zstd));
        assert_eq!((settings.archive.prefix.as_str(), settings.most_body), ("MY-WEB", 1000));
        assert_eq!(parse("warc = '/elsewhere'").unwrap().archive.folder, Path::new("/elsewhere"));
    }

    #[test]
    fn secrets_come_from_outside_and_go_first() {
        let text = "catalog = 'postgres://me@host/pages'\nwarc = 's3://pages/warc/'\n\
                    [s3]\nendpoint = 'http://127.0.0.1:9000'\nregion = 'eu-central-1'\naccess-key-id = 'file'\n";
        let secrets = Secrets {
            catalog: Some("postgres://me:secret@host/pages".to_owned()),
            access_key_id: Some("environment".to_owned()),
            secret_access_key: Some("hush".to_owned()),
            session_token: None,
        };
        let settings = Settings::parse(text, Path::new("/data"), &secrets).unwrap();
        let Place::S3(s3) = &settings.archive.place else { panic!("{settings:?}") };
        assert_eq!((s3.bucket.as_str(), s3.prefix.as_str()), ("pages", "warc"));
        assert_eq!((s3.access_key_id.as_deref(), s3.secret_access_key.as_deref()), (Some("environment"), Some("hush")));
        assert_eq!(settings.archive.folder, Path::new("/data/warc"), "open segments are always here");
        let shown = format!("{settings:?}");
        assert!(!shown.contains("secret@") && !shown.contains("hush"), "{shown}");
    }

    #[test]
    fn what_cannot_be_used_is_told_with_what_can() {
        for (text, told) in [
            ("catalogue = 'x'", "unknown key `catalogue`; known keys: `catalog`, `warc`"),
            ("[s3]\nbucket = 'x'", "unknown key `bucket`; known keys: `endpoint`, `region`"),
            ("compression = 'brotli'", "expected `gzip` or `zstd`"),
            ("segment-size = 10", "from 1,000,000 to"),
            ("prefix = '../up'", "letters, digits"),
            ("warc = 'ftp://host/'", "s3://BUCKET/PREFIX"),
            ("catalog = 'mysql://host/'", "no place for a catalog"),
            ("catalog = ", "line 1"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
