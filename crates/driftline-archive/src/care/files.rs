//! Which files does an archive consist of? Those in its folder and those in its store, and who is at them.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;

use crate::archive::{Archive, Error};
use crate::segment::{COMPACTED, OPEN};
use crate::warc::write::Packing;

/// A file of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) length: u64,
    pub(super) state: State,
}

/// What is being done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    /// Nothing: it is complete.
    Closed,
    /// The same, and it is in the object store.
    Stored,
    /// Somebody writes it.
    Alive,
    /// Somebody wrote it, and is gone.
    Abandoned,
    /// A compaction made it, and has not put it in place.
    Compacted,
}

/// All segments that are here or in the store, by the names that they have when they are closed.
pub(super) fn all(archive: &Archive) -> Result<BTreeMap<String, Found>, Error> {
    let mut found = BTreeMap::new();
    let store = archive.store();
    if store.is_remote() {
        let stored = store.list()?.into_iter().filter(|(name, _)| Packing::of_name(name).is_some());
        found.extend(stored.map(|(name, length)| (name, Found { length, state: State::Stored })));
    }
    for (file, length) in archive.folder().names()? {
        let ends = [(OPEN, State::Alive), (COMPACTED, State::Compacted)];
        let end = ends.iter().find_map(|(end, state)| Some((file.strip_suffix(end)?, *state)));
        let (name, state) = end.unwrap_or((&file, State::Closed));
        if Packing::of_name(name).is_none() {
            continue;
        }
        let state = if state == State::Alive && !is_locked(archive, &file)? { State::Abandoned } else { state };
        found.insert(name.to_owned(), Found { length, state });
    }
    Ok(found)
}

/// Does somebody hold a lock on a file? One that is gone by now was closed by whoever held it.
fn is_locked(archive: &Archive, file: &str) -> Result<bool, Error> {
    let path = archive.folder().path().join(file);
    match File::open(&path).map(|file| file.try_lock_shared()) {
        // Whoever held it may have closed it between the two.
        Ok(Ok(())) => Ok(!path.exists()),
        Ok(Err(TryLockError::WouldBlock)) => Ok(true),
        Ok(Err(TryLockError::Error(error))) => Err(Error::file("lock", &path)(error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Error::file("open", &path)(error)),
    }
}

/// A segment that is here, under whichever name.
pub(super) fn open(archive: &Archive, name: &str) -> Result<Option<File>, Error> {
    for path in archive.folder().paths(name) {
        match File::open(&path) {
            Ok(file) => return Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file("open", &path)(error)),
        }
    }
    Ok(None)
}

/// How long a segment is, wherever it is; none if it is nowhere.
pub(super) fn length(archive: &Archive, name: &str) -> Result<Option<u64>, Error> {
    for path in archive.folder().paths(name) {
        match fs::metadata(&path) {
            Ok(metadata) => return Ok(Some(metadata.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::file("look at", &path)(error)),
        }
    }
    match archive.store().size(name) {
        Ok(length) => Ok(Some(length)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}
