//! Why did an import end early?

use std::io;
use std::path::PathBuf;

use super::format::Format;

/// Why an import ended early. What was imported before it stays, and the next run goes on behind it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something cannot be opened or read at all.
    #[error("cannot read `{}`", .path.display())]
    Read {
        /// What was named.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another import is on its way into the same archive.
    #[error("another import into this archive is on its way (`{}` is locked)\nhint: wait until it has ended, or give all inputs to one command", .path.display())]
    Busy {
        /// What is locked.
        path: PathBuf,
    },
    /// No row of a database belongs to a known page.
    #[error("no version in `{}` belongs to a job with an address\nhint: `--jobs FILE` names the file of jobs that it was made with", .path.display())]
    NoJobs {
        /// What was named.
        path: PathBuf,
    },
    /// It is nothing that is known here.
    #[error("cannot tell what `{}` is\nhint: known are {}; `--format` says which one it is", .path.display(), Format::list())]
    Unknown {
        /// What was named.
        path: PathBuf,
    },
    /// It is not what it was said to be.
    #[error("`{}` is no {format}: {detail}", .path.display())]
    Not {
        /// What was named.
        path: PathBuf,
        /// What it should be.
        format: Format,
        /// What is wrong.
        detail: String,
    },
    /// It unpacks to far more than anything sane would.
    #[error("`{}` unpacks to more than {limit} bytes, far more than its {size} bytes can mean", .path.display())]
    Bomb {
        /// What was named.
        path: PathBuf,
        /// How many bytes it has.
        size: u64,
        /// How many it may unpack to.
        limit: u64,
    },
    /// There is no room for what is on its way.
    #[error("cannot keep a record on its way to the archive")]
    Room(#[source] io::Error),
    /// The archive does not take it.
    #[error(transparent)]
    Archive(#[from] crate::archive::Error),
    /// The catalog does not take it.
    #[error(transparent)]
    Catalog(#[from] driftline_catalog::CatalogError),
}

impl Error {
    pub(super) fn read(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Read { path: path.into(), source }
    }
}
