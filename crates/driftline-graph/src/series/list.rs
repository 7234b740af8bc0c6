//! What is in the folder of a series? Snapshots by their names; what has other names is none.

use std::fs::DirEntry;
use std::io;
use std::path::Path;

use driftline::time::Time;

use super::{ADDING, Batch, Damage, REMOVED, Series, SeriesError, damage};
use crate::snapshot::{About, Snapshot, SnapshotError};

/// The longest name of a series.
const LONGEST: usize = 100;

/// Is the folder called as a series may be?
pub(super) fn check_name(folder: &Path) -> Result<(), SeriesError> {
    admit_name(&folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default())
}

/// May a series be called so?
pub(super) fn admit_name(name: &str) -> Result<(), SeriesError> {
    if is_name(name) { Ok(()) } else { Err(SeriesError::Name(name.to_owned())) }
}

/// Letters, digits, `-`, `_` and `.`, which does not come first.
fn is_name(name: &str) -> bool {
    let is_admitted = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '_' | '.');
    !name.is_empty() && name.len() <= LONGEST && !name.starts_with('.') && name.chars().all(is_admitted)
}

/// The time that fourteen digits name.
fn as_time(name: &str) -> Option<Time> {
    name.parse().ok().filter(|time: &Time| name.len() == 14 && time.digits() == name)
}

/// The names of the series in a folder, sorted.
pub(super) fn names(graph: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for name in folders(graph).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(Vec::new()),
        _ => Err(error),
    })? {
        if is_name(&name) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// The names of the folders in a folder.
pub(super) fn folders(folder: &Path) -> io::Result<Vec<String>> {
    let name = |entry: io::Result<DirEntry>| {
        let entry = entry?;
        let is_folder = entry.path().is_dir();
        io::Result::Ok(entry.file_name().into_string().ok().filter(|_| is_folder))
    };
    std::fs::read_dir(folder)?.filter_map(|entry| name(entry).transpose()).collect()
}

/// The times whose staging folders are there, sorted.
pub(super) fn left(folder: &Path) -> io::Result<Vec<String>> {
    let time = |name: String| name.strip_prefix(ADDING).filter(|time| as_time(time).is_some()).map(str::to_owned);
    let mut times: Vec<_> = folders(folder)?.into_iter().filter_map(time).collect();
    times.sort_unstable();
    Ok(times)
}

/// Opens what is there.
pub(super) fn read(folder: &Path) -> Result<Series, SeriesError> {
    let mut found = Found::default();
    for name in folders(folder).map_err(SeriesError::unusable(folder))? {
        let path = folder.join(&name);
        if name.starts_with(REMOVED) && path.join("snapshot.json").exists() {
            found.removed(&path)?;
        } else if let Some(at) = as_time(&name) {
            found.snapshot(&path, at);
        }
    }
    found.unfinished = left(folder).map_err(SeriesError::unusable(folder))?;
    // Killed when all was done.
    found.unfinished.retain(|at| !folder.join(at).is_dir());
    Ok(found.into_series(folder))
}

/// What was found so far.
#[derive(Default)]
struct Found {
    snapshots: Vec<Snapshot>,
    damaged: Vec<Damage>,
    batches: Vec<Batch>,
    unfinished: Vec<String>,
}

impl Found {
    /// The addresses of a snapshot that was removed.
    fn removed(&mut self, path: &Path) -> Result<(), SeriesError> {
        match About::read(path) {
            Ok(about) => {
                let at = about.at.parse().unwrap_or_default();
                self.batches.push(Batch::open(path, at, &about, true));
                Ok(())
            }
            Err(error @ SnapshotError::Format { .. }) => Err(error.into()),
            // As if it were gone: the snapshots that need its addresses are found to lack them.
            Err(_) => Ok(()),
        }
    }

    /// A snapshot, damaged or not.
    fn snapshot(&mut self, path: &Path, at: Time) {
        let about = About::read(path).and_then(|about| called(about, path, at));
        let batch = about.as_ref().ok().map(|about| Batch::open(path, at, about, false));
        let has_addresses = batch.as_ref().is_some_and(Batch::is_sound);
        let unnamed = batch.as_ref().filter(|_| !has_addresses).map(|batch| batch.damage("it has not its addresses"));
        match about.and_then(|_| Snapshot::open(path)).and_then(|own| unnamed.map_or(Ok(own), Err)) {
            Ok(snapshot) => self.snapshots.push(snapshot),
            Err(error) => self.damaged.push(Damage::new(at, &error, has_addresses)),
        }
        self.batches.extend(batch);
    }

    fn into_series(mut self, folder: &Path) -> Series {
        self.snapshots.sort_by_key(Snapshot::at);
        self.batches.sort_by_key(|batch| (batch.first, batch.added));
        let (snapshots, damaged, is_whole) = damage::part(self.snapshots, self.damaged, &self.batches);
        let (batches, unfinished) = (self.batches, self.unfinished);
        Series { folder: folder.to_owned(), snapshots, damaged, is_whole, batches, unfinished }
    }
}

/// Is it called as it says that it is?
fn called(about: About, path: &Path, at: Time) -> Result<About, SnapshotError> {
    if about.at == at.digits() {
        return Ok(about);
    }
    let what = format!("it says that it is of {}; was it renamed, or copied?", about.at);
    Err(SnapshotError::Damaged { path: path.to_owned(), what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_every_file_system_takes() {
        assert!(["a", "Crawl_2019.de-2", "a..b"].into_iter().all(is_name));
        assert!(!["", ".", "..", ".a", "a b", "a/b", "ä", "a\\b", &"a".repeat(101)].into_iter().any(is_name));
    }

    #[test]
    fn a_snapshot_is_named_by_a_time() {
        assert!(as_time("20190115000000").is_some());
        assert!(
            !["2019", "20191315000000", "2019011500000x", "201901150000001"]
                .into_iter()
                .any(|name| as_time(name).is_some())
        );
    }
}
