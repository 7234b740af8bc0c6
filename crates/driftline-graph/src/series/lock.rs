//! Is another process at it? A file that is locked while a snapshot is added or removed.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::SeriesError;

/// Held while a snapshot is added or removed; given back when it is dropped, or when the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(folder: &Path) -> Result<Self, SeriesError> {
        let path = folder.join("lock");
        let file = driftline_files::options().create(true).append(true).open(&path);
        let file = file.map_err(SeriesError::unusable(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(SeriesError::Locked(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(SeriesError::unusable(&path)(error)),
        }
    }
}
