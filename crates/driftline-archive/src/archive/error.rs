//! Why did the archive not do it? What, where, and the cure.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::catalog::CatalogError;
use crate::store::StoreError;
use crate::warc::write::Unwritable;
use crate::{http, warc};

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
