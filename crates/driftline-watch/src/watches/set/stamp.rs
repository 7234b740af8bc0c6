//! Has somebody touched the files? When, how long and which files they are.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::super::WatchesError;

/// The most files in the folder that are looked at.
const MOST_FILES: usize = 100_000;

/// The files of a folder, as they were, in the order of their names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp(Vec<(PathBuf, Option<SystemTime>, u64, u64)>);

impl Stamp {
    /// How a folder is now; one that is not there has no files. Hidden files are none of ours.
    pub(super) fn of(folder: &Path) -> Result<Self, WatchesError> {
        let failed = |source| WatchesError::read(folder, source);
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            entries => entries.map_err(failed)?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            // Followed: a file may be a link to one that is kept in git.
            let Ok(metadata) = entry.path().metadata() else { continue };
            if metadata.is_file() && files.len() < MOST_FILES {
                files.push((entry.path(), metadata.modified().ok(), metadata.len(), number(&metadata)));
            }
        }
        files.sort();
        Ok(Self(files))
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(path, ..)| path.as_path())
    }
}

/// A file that replaced another has another number, even if it is as long and as old.
#[cfg(unix)]
fn number(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_metadata: &std::fs::Metadata) -> u64 {
    0
}
