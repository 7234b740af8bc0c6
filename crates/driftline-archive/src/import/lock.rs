//! Does nobody else import? Two imports would each look for a capture before the other has put it in.
//!
//! Whoever only appends captures is not kept from it. The lock goes with the process that holds it, however that ends.

use std::fs::{File, TryLockError};

use super::Error;
use crate::{Archive, private};

/// Whoever imports holds an exclusive lock on it.
const IMPORT: &str = "import.lock";

/// Says that somebody imports; an error if somebody does already. It is so until the file is dropped.
pub(super) fn enter(archive: &Archive) -> Result<File, Error> {
    let path = archive.folder().path().join(IMPORT);
    let failed = |error| Error::read(&path, error);
    let file = private::options().write(true).create(true).truncate(false).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Busy { path }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
