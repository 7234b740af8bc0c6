//! Why does a crawl not get into a series?

use std::io;
use std::path::{Path, PathBuf};

/// Why a crawl does not get into a series. The series is as it was then, unless it is [`NotSynced`](Self::NotSynced).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// A file or folder cannot be used.
    #[error("cannot {what} `{}`: {source}{}", .path.display(), hint(.source))]
    File {
        /// What was to be done with it.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why that cannot be done.
        source: io::Error,
    },
    /// The snapshot is there, but a loss of power might still take it away.
    #[error(
        "the snapshot `{}` is there, but perhaps not on disk yet: {source}\nhint: look after the disk, then check with `driftline snapshot list` that it is still there",
        .path.display()
    )]
    NotSynced {
        /// The snapshot.
        path: PathBuf,
        /// Why that is not known.
        source: io::Error,
    },
    /// More addresses than 32 bits can number.
    #[error("there are more than {} addresses\nhint: add fewer sources, or begin another series", u32::MAX)]
    TooManyAddresses,
    /// More redirects than the budget of memory has room for.
    #[error("there are {count} redirects; within this budget of memory there can be {most}\nhint: allow more memory")]
    TooManyRedirects {
        /// How many there are.
        count: u64,
        /// How many there can be.
        most: u64,
    },
    /// Nothing was harvested that could become a snapshot.
    #[error("no page was crawled: {} read; {}\nhint: a page is an answer of success that is HTML, plain text or XML, or a row of a table of pages whose `crawled` is 1", counted(*.files), said(.instead))]
    NothingCrawled {
        /// How many files were read.
        files: usize,
        /// What was in them, by reason.
        instead: String,
    },
}

impl AddError {
    /// For `map_err`.
    pub(super) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { what, path: path.to_owned(), source }
    }
}

fn counted(files: usize) -> String {
    if files == 1 { "1 file was".to_owned() } else { format!("{files} files were") }
}

fn said(instead: &str) -> &str {
    if instead.is_empty() { "nothing in them was an answer" } else { instead }
}

fn hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "\nhint: make room on the disk; the series is as before, and the same command goes on where it stopped"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "\nhint: the folder has to be writable, or name another one with `--data`"
        }
        _ => "",
    }
}
