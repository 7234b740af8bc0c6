//! A series of crawls: a folder with a folder for each snapshot.
//!
//! An address gets its number from the first snapshot that names it, in the order of adding, and keeps it. So numbers
//! come in batches: a snapshot's `urls` are the addresses that were new with it. When a snapshot is removed its batch
//! stays (`.removed-N`), unless it is the last: later snapshots go on naming addresses by it.
//!
//! A snapshot that is damaged is kept apart ([`Series::damaged`]), and so are those that it takes with it because its
//! addresses are lost. What is used is read through and compared with its checksum before.
//!
//! What else is in the folder is left alone: a crawl whose adding was killed (`.adding-…`, see
//! [`Series::unfinished`]), and whatever others put there.

mod addresses;
mod batches;
mod damage;
mod error;
pub(crate) mod leftovers;
mod list;
mod lock;
mod remove;

use std::io;
use std::path::{Path, PathBuf};

use driftline::time::Time;

use crate::snapshot::{About, Number, Snapshot, SnapshotError};

pub use addresses::Addresses;
pub(crate) use batches::Batch;
pub use damage::Damage;
pub use error::SeriesError;
pub use leftovers::LeftBehind;
pub(crate) use lock::Lock;

/// How the folder of a crawl begins that is being added; its time follows, in fourteen digits.
pub const ADDING: &str = ".adding-";
/// How the folder of a removed snapshot's addresses begins; its place in the order of adding follows.
const REMOVED: &str = ".removed-";

/// Repeated crawls of the same part of the web.
#[derive(Debug)]
pub struct Series {
    folder: PathBuf,
    snapshots: Vec<Snapshot>,
    damaged: Vec<Damage>,
    /// Whether all addresses are there that ever got a number.
    is_whole: bool,
    batches: Vec<Batch>,
    unfinished: Vec<String>,
}

impl Series {
    /// Opens what is there; a series without snapshots is one.
    ///
    /// # Errors
    /// If there is no such folder, its name is none for a series, or it cannot be read. A damaged snapshot is none.
    pub fn open(folder: &Path) -> Result<Self, SeriesError> {
        list::check_name(folder)?;
        if !folder.is_dir() {
            return Err(SeriesError::Missing(folder.to_owned()));
        }
        list::read(folder)
    }

    /// Opens it, or makes an empty one.
    ///
    /// # Errors
    /// As [`open`](Self::open), or if it cannot be made.
    pub fn open_or_make(folder: &Path) -> Result<Self, SeriesError> {
        list::check_name(folder)?;
        driftline_files::create_folder(folder).map_err(SeriesError::unusable(folder))?;
        Self::open(folder)
    }

    /// The folder of a series by its name, among others.
    ///
    /// # Errors
    /// If that is no name for a series.
    pub fn folder_of(graph: &Path, name: &str) -> Result<PathBuf, SeriesError> {
        list::admit_name(name)?;
        Ok(graph.join(name))
    }

    /// The names of the series in a folder, sorted.
    ///
    /// # Errors
    /// If it cannot be read; that it is not there is none.
    pub fn names(graph: &Path) -> Result<Vec<String>, SeriesError> {
        list::names(graph).map_err(SeriesError::unusable(graph))
    }

    /// Its snapshots, in the order of their times, whenever they were added; without those that are
    /// [`damaged`](Self::damaged). Their files are as long as they were; whether they are what they were is checked by
    /// [`at`](Self::at), and before novelty is measured.
    #[must_use]
    pub fn snapshots(&self) -> &[Snapshot] {
        &self.snapshots
    }

    /// The snapshots that cannot be used, in the order of their times.
    #[must_use]
    pub fn damaged(&self) -> &[Damage] {
        &self.damaged
    }

    /// The snapshot of a time, or the latest without one.
    ///
    /// # Errors
    /// If there is none, and what there is instead is told; or it is damaged.
    pub fn at(&self, at: Option<Time>) -> Result<&Snapshot, SeriesError> {
        let times = self.times();
        let latest = *times.last().ok_or_else(|| SeriesError::Empty(self.folder.clone()))?;
        let at = at.unwrap_or(latest);
        if let Some(damage) = self.damaged.iter().find(|damage| damage.at.digits() == at.digits()) {
            return Err(damage.clone().into());
        }
        let found = self.snapshots.iter().find(|snapshot| snapshot.about().at == at.digits());
        let snapshot = found.ok_or_else(|| SeriesError::NoSuchTime { asked: at.to_string(), there: times })?;
        self.verify(snapshot)?;
        Ok(snapshot)
    }

    /// The time of the only snapshot whose fourteen digits begin so, damaged or not. `asked` is how that was written.
    ///
    /// # Errors
    /// If there is none, or there are several.
    pub fn time_of(&self, digits: &str, asked: &str) -> Result<Time, SeriesError> {
        let times = self.times();
        if times.is_empty() {
            return Err(SeriesError::Empty(self.folder.clone()));
        }
        let there: Vec<_> = times.iter().copied().filter(|time| time.digits().starts_with(digits)).collect();
        let asked = asked.to_owned();
        match *there.as_slice() {
            [] => Err(SeriesError::NoSuchTime { asked, there: times }),
            [only] => Ok(only),
            _ => Err(SeriesError::Several { asked, there }),
        }
    }

    /// The times of all snapshots, damaged or not.
    fn times(&self) -> Vec<Time> {
        let damaged = self.damaged.iter().map(|damage| damage.at);
        let mut times: Vec<_> = self.snapshots.iter().map(Snapshot::at).chain(damaged).collect();
        times.sort_unstable();
        times
    }

    /// The snapshots before a time, in the order of their times.
    #[must_use]
    pub fn before(&self, at: Time) -> &[Snapshot] {
        let end = self.snapshots.partition_point(|snapshot| snapshot.at() < at);
        &self.snapshots[..end]
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The times of crawls whose adding did not come to its end, as fourteen digits.
    #[must_use]
    pub fn unfinished(&self) -> &[String] {
        &self.unfinished
    }

    /// Whether a process is adding a crawl of this time now, which is why it is unfinished.
    #[must_use]
    pub fn is_being_added(&self, at: &str) -> bool {
        leftovers::is_held(&self.folder, at)
    }

    /// The addresses in batches, in the order of their numbers.
    pub(crate) fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// The first number that was not given out.
    #[must_use]
    pub fn next_number(&self) -> Number {
        self.batches.last().map_or(Number::new(0), Batch::end)
    }

    /// What [`About::added`](crate::snapshot::About::added) is of the next snapshot.
    #[must_use]
    pub fn next_added(&self) -> u32 {
        self.batches.last().map_or(0, |last| last.added + 1)
    }

    /// The number of a key, if any snapshot named it.
    ///
    /// # Errors
    /// If the addresses are damaged.
    pub fn number_of(&self, key: &str) -> io::Result<Option<Number>> {
        for batch in &self.batches {
            if let Some(place) = batch.urls()?.find(key)? {
                return Ok(batch.first.checked_add(place));
            }
        }
        Ok(None)
    }

    /// The key of a number.
    ///
    /// # Errors
    /// If the number was not given out, or the addresses are damaged.
    pub fn key_of(&self, number: Number) -> io::Result<String> {
        let (_, batch) = self.batch_of(number)?;
        batch.urls()?.get(number.since(batch.first))
    }

    /// Makes sure that no other process adds or removes a snapshot, and that this is what is there: held until it is
    /// dropped. What killed adds left and nobody can go on with is thrown away.
    pub(crate) fn lock(&mut self) -> Result<Lock, SeriesError> {
        let lock = Lock::take(&self.folder)?;
        let left = list::left(&self.folder).and_then(|left| leftovers::tidy(&self.folder, &left));
        left.map_err(SeriesError::unusable(&self.folder))?;
        *self = Self::open(&self.folder)?;
        Ok(lock)
    }

    /// Makes sure that a snapshot of this time can be put in; the series is locked.
    pub(crate) fn admit(&self, at: Time) -> Result<(), SeriesError> {
        if let Some(time) = self.times().into_iter().find(|time| time.digits() == at.digits()) {
            return Err(SeriesError::Exists(time));
        }
        Ok(self.verify_addresses()?)
    }

    /// Removes the snapshot of a time, damaged or not, or what an add of it left when it was killed. The numbers of its
    /// addresses stay given, unless it was the last that was added.
    ///
    /// # Errors
    /// If there is none, a newer version of the program wrote it, another process adds or removes one, or it cannot be
    /// removed.
    pub fn remove(&mut self, at: Time) -> Result<(), SeriesError> {
        let was_left = self.unfinished.contains(&at.digits());
        let _lock = self.lock()?;
        let digits = at.digits();
        if was_left {
            leftovers::remove(&self.folder, &digits).map_err(SeriesError::unusable(&self.folder))?;
            *self = Self::open(&self.folder)?;
            return Ok(());
        }
        self.time_of(&digits, &at.to_string())?;
        if let Err(error @ SnapshotError::Format { .. }) = About::read(&self.folder.join(&digits)) {
            return Err(error.into());
        }
        let batch = self.batches.iter().find(|batch| !batch.removed && batch.at.digits() == digits);
        remove::remove(&self.folder, &digits, batch.map(|batch| batch.added))?;
        *self = Self::open(&self.folder)?;
        Ok(())
    }

    /// The batch that gave out a number, and its place among the batches.
    fn batch_of(&self, number: Number) -> io::Result<(usize, &Batch)> {
        let place = self.batches.partition_point(|batch| batch.first <= number);
        // A batch may be empty; the last that begins there is the one that is not.
        let found = place.checked_sub(1).map(|place| (place, &self.batches[place]));
        let found = found.filter(|(_, batch)| number.since(batch.first) < batch.count);
        found
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, format!("the number {number} was not given out")))
    }
}

#[cfg(test)]
mod tests;
