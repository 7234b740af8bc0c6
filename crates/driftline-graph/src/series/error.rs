//! Why can a series not be used?

use std::io;
use std::path::{Path, PathBuf};

use driftline::time::Time;

use super::Damage;
use crate::snapshot::SnapshotError;

/// Why a series cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// There is no such folder.
    #[error("there is no series at `{}`\nhint: put a crawl into it with `driftline snapshot add`", .0.display())]
    Missing(PathBuf),
    /// The name is none for a series.
    #[error(
        "`{0}` is no name for a series\nhint: a name has 1 to 100 letters, digits, `-`, `_` and `.`, and does not begin with `.`"
    )]
    Name(String),
    /// A snapshot is damaged.
    #[error(transparent)]
    Damage(#[from] Damage),
    /// A snapshot cannot be used.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A file or folder cannot be read or written.
    #[error("cannot use `{}`: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There are no snapshots.
    #[error("the series `{}` has no snapshots\nhint: put a crawl into it with `driftline snapshot add`", .0.display())]
    Empty(PathBuf),
    /// There is no snapshot of this time.
    #[error("there is no snapshot of {asked}\nhint: there are {}", told(.there))]
    NoSuchTime {
        /// The time that was asked for.
        asked: String,
        /// The times that there are.
        there: Vec<Time>,
    },
    /// There are several snapshots of a time that was not told in full.
    #[error("there are several snapshots of {asked}\nhint: name one of {}", told(.there))]
    Several {
        /// The beginning of a time.
        asked: String,
        /// The times that begin so.
        there: Vec<Time>,
    },
    /// There is a snapshot of this time already.
    #[error(
        "there is a snapshot of {0} already\nhint: remove it with `driftline snapshot remove`, or name another time"
    )]
    Exists(Time),
    /// Another process adds or removes a snapshot.
    #[error("another process adds or removes a snapshot of `{}`\nhint: wait for it", .0.display())]
    Locked(PathBuf),
}

impl SeriesError {
    /// What an error of this file or folder means.
    pub(crate) fn unusable(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        |source| Self::Io { path, source }
    }
}

/// Times in a line.
pub(super) fn told(times: &[Time]) -> String {
    times.iter().map(Time::to_string).collect::<Vec<_>>().join(", ")
}
