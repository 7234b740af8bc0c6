//! The staging folder that an add leaves behind when it is killed, and that the same command goes on with.
//!
//! What other times left is nobody else's to throw away: it may have been read for days. Only what is of no use goes
//! by itself: if the snapshot is there (killed when all was done), or if nothing was read to its end.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::ADDING;

/// Where the harvests are in a staging folder.
pub(crate) const HARVESTS: &str = "harvests";
/// What a harvest's name ends in until it is finished.
pub(crate) const UNFINISHED: &str = "part";
/// The file in a staging folder that is locked while it is somebody's.
const LOCK: &str = "lock";

/// What the add of another time left behind when it was killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// The time of the snapshot that it is to become, as fourteen digits.
    pub at: String,
    /// How many of its sources were harvested.
    pub sources: usize,
}

impl LeftBehind {
    /// What was left of a time.
    pub(crate) fn of(series: &Path, at: &str) -> Self {
        Self { at: at.to_owned(), sources: finished(&staging(series, at)) }
    }
}

/// The staging folder of a time.
pub(crate) fn staging(series: &Path, at: &str) -> PathBuf {
    series.join(format!("{ADDING}{at}"))
}

/// Whether a harvest is finished, by its name.
pub(crate) fn is_finished(harvest: &Path) -> bool {
    harvest.extension() != Some(OsStr::new(UNFINISHED))
}

fn finished(staging: &Path) -> usize {
    let harvests = fs::read_dir(staging.join(HARVESTS)).into_iter().flatten().flatten();
    harvests.filter(|harvest| is_finished(&harvest.path())).count()
}

/// Throws away what is of no use; the series is locked.
pub(crate) fn tidy(series: &Path, times: &[String]) -> io::Result<()> {
    let is_of_no_use = |at: &&String| series.join(at).is_dir() || finished(&staging(series, at)) == 0;
    times.iter().filter(is_of_no_use).try_for_each(|at| remove(series, at))
}

/// Throws away what was left of a time, if there is anything; the series is locked.
pub(crate) fn remove(series: &Path, at: &str) -> io::Result<()> {
    let folder = staging(series, at);
    if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) }
}

/// Makes a staging folder one's own, until the file is dropped.
pub(crate) fn hold(staging: &Path) -> io::Result<File> {
    let file = driftline_files::options().create(true).append(true).open(staging.join(LOCK))?;
    // Whoever asks whether it is held holds it for a moment.
    file.lock()?;
    Ok(file)
}

/// Whether a process is adding the crawl of this time now.
pub(crate) fn is_held(series: &Path, at: &str) -> bool {
    let file = File::open(staging(series, at).join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
