//! Options of the archive: its place, and the size of its segments.

use std::path::{Path, PathBuf};

use crate::store::Place;
use crate::warc::write::Packing;

/// How an archive is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The folder in which segments are written: `warc` in the data directory.
    pub folder: PathBuf,
    /// The catalog: a file of SQLite, or a PostgreSQL server.
    pub catalog: driftline_catalog::Place,
    /// Where segments go once they are closed.
    pub place: Place,
    /// A segment that has grown to so many bytes is closed.
    pub segment_bytes: u64,
    /// How records are packed.
    pub packing: Packing,
    /// How the names of segments begin.
    pub prefix: String,
}

impl Options {
    /// A gigabyte, as Heritrix and the Internet Archive have it.
    pub const SEGMENT_BYTES: u64 = 1_000_000_000;

    /// The archive of a data directory, with nothing set.
    #[must_use]
    pub fn at(data: &Path) -> Self {
        Self {
            folder: data.join("warc"),
            catalog: data.join("catalog.db").into(),
            place: Place::Folder,
            segment_bytes: Self::SEGMENT_BYTES,
            packing: Packing::Gzip,
            prefix: "driftline".to_owned(),
        }
    }
}
