//! Why can a snapshot not be used?

use std::io;
use std::path::PathBuf;

/// Why a snapshot cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another version of the program wrote it.
    #[error(
        "`{}` is a snapshot of format {format}; this driftline knows format {known}\nhint: use the driftline that wrote it, or a newer one",
        .path.display()
    )]
    Format {
        /// The folder.
        path: PathBuf,
        /// Its format.
        format: u32,
        /// The one that is known.
        known: u32,
    },
    /// A file is not as it was written.
    #[error("`{}` is damaged: {what}\nhint: remove the snapshot and add it again from its crawl", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How that is seen.
        what: String,
    },
}

impl SnapshotError {
    /// What an error of this file means.
    pub(super) fn unreadable(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        |source| match source.kind() {
            io::ErrorKind::NotFound => Self::Damaged { path, what: "it is missing".to_owned() },
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                Self::Damaged { path, what: source.to_string() }
            }
            _ => Self::Io { path, source },
        }
    }
}
