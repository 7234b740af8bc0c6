//! The folder where a crawl waits until it is a snapshot: one of the series, whose name begins with a dot.
//!
//! `.adding-20190115000000/` has a folder `harvests` that survives a kill, and `work` and `snapshot`, which are
//! begun again by each build.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use driftline::time::Time;
use xxhash_rust::xxh3::xxh3_128;

use super::source_reader::Trailer;
use super::{AddError, Source};
use crate::series::leftovers::{self, HARVESTS, LeftBehind, is_finished};
use crate::series::{Series, SeriesError};

/// What a build works with.
pub(super) const WORK: &str = "work";
/// What becomes the snapshot.
pub(super) const SNAPSHOT: &str = "snapshot";

/// The folder of one add.
#[derive(Debug)]
pub(super) struct Staging {
    series: PathBuf,
    folder: PathBuf,
    /// Where the snapshot will be.
    place: PathBuf,
    pub(super) left_behind: Vec<LeftBehind>,
    /// Says that somebody is at it.
    held: File,
}

impl Staging {
    /// The folder for a snapshot of this time, as it was left or a new one; those of other times are told.
    pub(super) fn open(series: &Series, at: Time) -> Result<Self, SeriesError> {
        let digits = at.digits();
        let folder = leftovers::staging(series.folder(), &digits);
        let others = series.unfinished().iter().filter(|time| **time != digits);
        let left_behind = others.map(|time| LeftBehind::of(series.folder(), time)).collect();
        let held = make(&folder).map_err(SeriesError::unusable(&folder))?;
        let place = series.folder().join(digits);
        Ok(Self { series: series.folder().to_owned(), folder, place, left_behind, held })
    }

    /// Throws away what a build left. If that fails, the next one does it.
    pub(super) fn clear(&self) {
        clear(&self.folder);
    }

    /// Where the harvest of a source is, once it is finished.
    pub(super) fn harvest(&self, source: &Source) -> PathBuf {
        let Source { name, size, changed } = source;
        let hash = xxh3_128(format!("{size} {changed} {name}").as_bytes());
        self.folder.join(HARVESTS).join(format!("{hash:032x}"))
    }

    /// Whether it is finished, really this source's, and as this version would make it.
    pub(super) fn has_harvest(path: &Path, source: &Source) -> bool {
        path.exists() && Trailer::read(path).is_ok_and(|trailer| trailer.is_of(source))
    }

    /// An empty folder in the staging folder.
    pub(super) fn empty(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.folder.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        driftline_files::create_folder(&folder)?;
        Ok(folder)
    }

    /// Says what went wrong in the folder.
    pub(super) fn failed(&self, what: &'static str) -> impl FnOnce(io::Error) -> AddError {
        AddError::file(what, &self.folder)
    }

    /// Gives a finished snapshot its name. If that fails, the series is as before.
    pub(super) fn commit(&self, snapshot: &Path) -> Result<(), AddError> {
        self.put(snapshot, driftline_files::sync_folder)
    }

    fn put(&self, snapshot: &Path, sync: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), AddError> {
        fs::rename(snapshot, &self.place).map_err(AddError::file("put the snapshot at", &self.place))?;
        sync(&self.series).map_err(|source| AddError::NotSynced { path: self.place.clone(), source })
    }

    /// Throws the folder away. If that fails, the next add or removal does it.
    pub(super) fn remove(self) {
        // Windows removes no file that is open.
        drop(self.held);
        _ = fs::remove_dir_all(self.folder);
    }
}

/// Makes the folder one's own, with the harvests that are finished.
fn make(folder: &Path) -> io::Result<File> {
    driftline_files::create_folder(&folder.join(HARVESTS))?;
    let held = leftovers::hold(folder)?;
    clear(folder);
    for entry in fs::read_dir(folder.join(HARVESTS))? {
        let path = entry?.path();
        if !is_finished(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(held)
}

fn clear(folder: &Path) {
    for name in [WORK, SNAPSHOT] {
        _ = fs::remove_dir_all(folder.join(name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_that_may_not_be_on_disk_yet_is_there_and_the_error_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let series = Series::open_or_make(&folder.path().join("series")).unwrap();
        let staging = Staging::open(&series, "2019".parse().unwrap()).unwrap();
        let snapshot = staging.empty(SNAPSHOT).unwrap();
        let error = staging.put(&snapshot, |_| Err(io::Error::other("the disk is gone"))).unwrap_err();
        assert!(matches!(error, AddError::NotSynced { .. }), "{error:?}");
        assert!(error.to_string().contains("is there, but perhaps not on disk yet: the disk is gone"), "{error}");
        assert!(series.folder().join("20190101000000").is_dir());
        let error = staging.put(&snapshot, |_| Ok(())).unwrap_err();
        assert!(matches!(error, AddError::File { .. }), "{error:?}");
    }
}
