//! How does a snapshot go? By one rename; its addresses stay as long as others are named by them.

use std::io;
use std::path::Path;

use super::{REMOVED, SeriesError, list};

/// Removes a snapshot by the name of its folder; the lock is held. `added` is its place in the order of adding, unless
/// it is so damaged that nobody knows. Killed at any point it is there or gone, and the next removal tidies up.
pub(super) fn remove(folder: &Path, name: &str, added: Option<u32>) -> Result<(), SeriesError> {
    let from = folder.join(name);
    let Some(added) = added else {
        // Which numbers its addresses have is lost already: there is nothing to keep.
        delete(&from).map_err(SeriesError::unusable(&from))?;
        return tidy(folder);
    };
    let to = folder.join(format!("{REMOVED}{added}"));
    if to.exists() {
        // What a removal left when it was killed: numbers that were given out again since.
        std::fs::remove_dir_all(&to).map_err(SeriesError::unusable(&to))?;
    }
    std::fs::rename(&from, &to).map_err(SeriesError::unusable(&from))?;
    driftline_files::sync_folder(folder).map_err(SeriesError::unusable(folder))?;
    tidy(folder)
}

/// Deletes what nobody needs of removed snapshots.
fn tidy(folder: &Path) -> Result<(), SeriesError> {
    for name in list::folders(folder).map_err(SeriesError::unusable(folder))? {
        let path = folder.join(&name);
        if name.starts_with(REMOVED) {
            shrink(&path).map_err(SeriesError::unusable(&path))?;
        }
    }
    // Numbers that no later snapshot can use may be given out again; but one whose numbers are unknown may be later.
    loop {
        let mut series = list::read(folder)?;
        let Some(last) = series.batches.pop().filter(|last| last.removed && !series.has_unknown()) else { break };
        let path = folder.join(format!("{REMOVED}{}", last.added));
        delete(&path).map_err(SeriesError::unusable(&path))?;
    }
    Ok(())
}

/// Only the addresses stay, and what says which numbers they have.
fn shrink(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != "urls" && entry.file_name() != "snapshot.json" {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// What says which numbers it has goes first, for good: without it the rest is nothing.
fn delete(folder: &Path) -> io::Result<()> {
    match std::fs::remove_file(folder.join("snapshot.json")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => driftline_files::sync_folder(folder)?,
    }
    std::fs::remove_dir_all(folder)
}
