//! Why the links of a crawl cannot be read.

use std::io;
use std::path::PathBuf;

use crate::warc;

/// Why the links of a file cannot be read: a fault of the disk, not of what is in the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinksError {
    /// The file cannot be opened.
    #[error("cannot open `{}`: {source}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be read on.
    #[error("cannot read on in `{}`: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// How far it was read, and why no further.
        source: warc::Error,
    },
}
