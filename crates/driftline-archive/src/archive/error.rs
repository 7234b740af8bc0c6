//! Errors of the archive: what, where, and the cure.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::store::StoreError;
use crate::warc::write::Unwritable;
use crate::{http, warc};
use driftline_catalog::CatalogError;

/// Why an archive could not do something.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder of the archive cannot be made, written or read.
    #[error("cannot {what} `{path}`: {source}{}", hint(.source))]
    File {
        /// What was tried.
        what: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// Why not.
        source: Arc<io::Error>,
    },
    /// The catalog knows segments, and their folder is gone.
    #[error(
        "the folder `{path}` is not there, and the catalog knows segments in it\nhint: is its disk mounted? `warc` in driftline.toml names another folder"
    )]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A temporary file cannot be written.
    #[error("cannot pack a record: {source}{}", hint(.source))]
    Pack {
        /// Why not.
        source: Arc<io::Error>,
    },
    /// The capture has something that no WARC file can hold.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// The catalog failed.
    #[error(transparent)]
    Catalog(Arc<CatalogError>),
    /// The store failed.
    #[error(transparent)]
    Store(Arc<StoreError>),
    /// The archive was opened to read only.
    #[error("the archive was opened to read only\nhint: open it with `Archive::open` to add captures")]
    ReadOnly,
    /// The archive is being closed.
    #[error("the archive is closed")]
    Closed,
    /// A parcel is packed in another way than the archive.
    #[error("the parcel is packed as {parcel:?}, the archive as {archive:?}\nhint: pack it as `Archive::packing` says")]
    Packing {
        /// How the parcel is packed.
        parcel: warc::write::Packing,
        /// How the archive is.
        archive: warc::write::Packing,
    },
    /// The record of a capture is not where the catalog says.
    #[error(
        "the record of `{url}` at byte {offset} of `{segment}` cannot be read: {why}\nhint: `driftline archive verify` says what else is damaged"
    )]
    Record {
        /// The address of the capture.
        url: String,
        /// The file.
        segment: String,
        /// The byte in it.
        offset: u64,
        /// What is wrong.
        why: String,
    },
    /// The record of a capture cannot be read at the moment: a disk or a store does not give its bytes.
    #[error("the record of `{url}` at byte {offset} of `{segment}` cannot be read now: {source}")]
    Unread {
        /// The address of the capture.
        url: String,
        /// The file.
        segment: String,
        /// The byte in it.
        offset: u64,
        /// Why not.
        source: Arc<warc::Error>,
    },
    /// The capture that an unchanged one refers to is not there.
    #[error(
        "`{asked}` has the body of `{url}` of {at}, and that capture is not in the archive\nhint: import the WARC file that holds it"
    )]
    NoOriginal {
        /// The address of the capture.
        asked: String,
        /// The address of the original.
        url: String,
        /// Its time.
        at: crate::Time,
    },
    /// What the record holds is no answer over HTTP.
    #[error(transparent)]
    NotHttp(#[from] http::NotHttp),
}

impl Error {
    /// Is what was to be read lost, so that reading it again would fail in the same way until a person brings it back?
    ///
    /// Lost is a record whose segment is gone, that is damaged or cut off or is that of something else, a body whose
    /// original is gone, and an answer that is none. All else may pass, and so may be tried again: a catalog or a store
    /// that does not answer, a disk that is full, not mounted or not permitted, one that fails to read. A disk that fails
    /// for ever looks like one that fails for a minute, and who takes a capture for lost too soon misses a change.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        match self {
            Self::Record { .. } | Self::NoOriginal { .. } | Self::NotHttp(_) => true,
            Self::Store(error) => error.is_not_found(),
            Self::File { .. }
            | Self::NoFolder { .. }
            | Self::Pack { .. }
            | Self::Unwritable(_)
            | Self::Catalog(_)
            | Self::ReadOnly
            | Self::Closed
            | Self::Packing { .. }
            | Self::Unread { .. } => false,
        }
    }

    /// What went wrong with a file.
    pub(crate) fn file(what: &'static str, path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { what, path: path.to_owned(), source: Arc::new(source) }
    }
}

impl From<CatalogError> for Error {
    fn from(error: CatalogError) -> Self {
        Self::Catalog(Arc::new(error))
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

/// Are the bytes wrong, rather than that a disk or a store failed to bring them? Whoever unpacks bytes passes on what the
/// system or the store said; whatever else is wrong was found in the bytes.
pub(super) fn is_damage(error: &warc::Error) -> bool {
    match error {
        warc::Error::NotWarc { .. } | warc::Error::Malformed { .. } | warc::Error::Truncated { .. } => true,
        warc::Error::Damaged { source, .. } | warc::Error::Io { source, .. } => {
            let store = source.get_ref().and_then(|inner| inner.downcast_ref::<StoreError>());
            source.raw_os_error().is_none() && store.is_none_or(StoreError::is_not_found)
        }
    }
}

/// The way out of what disks refuse.
fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "\nhint: nothing of it was kept, nothing else was lost; make room and try again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "\nhint: captures can be read from there, but adding some needs permission to write"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::is_damage;
    use crate::store::StoreError;
    use crate::warc;

    fn object(source: object_store::Error) -> io::Error {
        let (name, place) = ("one.warc.gz".to_owned(), "a bucket".to_owned());
        io::Error::other(StoreError::Object { what: "read", name, place, source: Box::new(source) })
    }

    #[test]
    fn bytes_that_did_not_come_are_not_damaged() {
        let unreachable = object_store::Error::Generic { store: "S3", source: "connection refused".into() };
        let gone = object_store::Error::NotFound { path: "one.warc.gz".to_owned(), source: "404".into() };
        let damaged = |source| is_damage(&warc::Error::Damaged { offset: 0, source });
        let unread = |source| is_damage(&warc::Error::Io { offset: 0, source });
        assert!(!damaged(io::Error::from_raw_os_error(5)) && !unread(io::Error::from_raw_os_error(5)));
        assert!(!unread(object(unreachable)) && unread(object(gone)));
        assert!(damaged(io::Error::new(io::ErrorKind::InvalidInput, "corrupt deflate stream")));
        assert!(damaged(io::Error::other("zstd: data corruption detected")));
    }
}
