//! The way of a crawl into a series: read, sorted outside of memory, and there at once or not at all.
//!
//! First each source (a WARC file, a table) has a [reader](SnapshotBuilder::reader) on a thread of its own: what counts of it
//! is kept in the staging folder, in blocks that are ready to be merged. A harvest that was finished survives a kill:
//! the same command goes on where it stopped. Then [`SnapshotBuilder::build`] merges the harvests within a budget of memory
//! and writes the snapshot into the staging folder; it gets into the series by one rename.

mod block;
mod build;
mod error;
mod keys;
mod known;
pub mod skip_reason;
mod source_reader;
mod staging;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use driftline::time::Time;
use serde::{Deserialize, Serialize};

use crate::series::{Lock, Series, SeriesError};
use crate::snapshot::About;

pub use crate::series::LeftBehind;
pub use driftline::novelty::crawl::{Crawled, Row, SkipReason};
pub use error::AddError;
pub use source_reader::SourceReader;
use staging::Staging;

use build::Build;

/// A crawl on its way into a series; nobody else adds to the series or removes from it meanwhile.
#[derive(Debug)]
pub struct SnapshotBuilder {
    series: Series,
    at: Time,
    budget: usize,
    staging: Staging,
    sources: Mutex<Sources>,
    /// Given back at the end.
    _lock: Lock,
}

#[derive(Debug, Default)]
struct Sources {
    /// Where the harvest of each is.
    paths: BTreeSet<PathBuf>,
    /// How many had been harvested before.
    kept: usize,
}

/// Something that pages or links are read from; known again by its name, its size and when it was changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// A path, mostly. If the same file can be read in several ways, its name has to tell them apart.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// When it was changed last, in microseconds since the beginning of 1970.
    pub changed: i64,
}

/// How far a build has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What is being done, for a progress bar: `merging addresses`.
    pub phase: &'static str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
}

impl Source {
    /// A file.
    ///
    /// # Errors
    /// If it is not there.
    pub fn of(path: &Path) -> Result<Self, AddError> {
        let facts = fs::metadata(path).and_then(|facts| Ok((facts.len(), facts.modified()?)));
        let (size, changed) = facts.map_err(AddError::file("read", path))?;
        let changed = match changed.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => after.as_micros() as i64,
            Err(before) => -(before.duration().as_micros() as i64),
        };
        Ok(Self { name: path.display().to_string(), size, changed })
    }
}

impl Series {
    /// Begins to put a crawl in, or goes on with one that was killed; one at a time. About `budget` bytes of memory are
    /// used.
    ///
    /// # Errors
    /// If there is a snapshot of this time, addresses of the series are damaged, or another process adds or removes
    /// one.
    pub fn add(mut self, at: Time, budget: usize) -> Result<SnapshotBuilder, SeriesError> {
        let lock = self.lock()?;
        self.admit(at)?;
        let staging = Staging::open(&self, at)?;
        Ok(SnapshotBuilder { series: self, at, budget, staging, sources: Mutex::default(), _lock: lock })
    }
}

impl SnapshotBuilder {
    /// What adds of other times left behind when they were killed. It stays: whoever wants can go on with it, or throw it
    /// away with [`Series::remove`].
    #[must_use]
    pub fn left_behind(&self) -> &[LeftBehind] {
        &self.staging.left_behind
    }

    /// How many of the sources so far had been harvested before this add was killed, and need not be read again.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.sources.lock().unwrap_or_else(PoisonError::into_inner).kept
    }

    /// What takes the rows of a source; none if that was done before, or is being done. As many at once as
    /// rayon has threads.
    ///
    /// # Errors
    /// If the staging folder cannot be written.
    pub fn reader(&self, source: &Source) -> Result<Option<SourceReader>, AddError> {
        let path = self.staging.harvest(source);
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if !sources.paths.insert(path.clone()) {
            return Ok(None);
        }
        if Staging::has_harvest(&path, source) {
            sources.kept += 1;
            return Ok(None);
        }
        drop(sources);
        if path.exists() {
            // Another version's: it must not get in, whatever becomes of the new one.
            fs::remove_file(&path).map_err(AddError::file("replace", &path))?;
        }
        // What a block takes is counted with room to spare.
        let limit = self.budget / rayon::current_num_threads();
        SourceReader::new(path, source.clone(), limit.min(block::MOST_BYTES)).map(Some)
    }

    /// Merges the harvests of this add's sources that were finished, writes the snapshot, and puts it into the series
    /// by one rename.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a limit is met. The series is as before then, unless it is
    /// [`AddError::NotSynced`].
    pub fn build(self, progress: &(dyn Fn(Step) + Sync)) -> Result<About, AddError> {
        let sources = self.sources.into_inner().unwrap_or_else(PoisonError::into_inner);
        let build = Build { series: &self.series, staging: &self.staging, budget: self.budget, progress };
        let put_in = build.run(&sources.paths, self.at).and_then(|(folder, about)| {
            self.staging.commit(&folder)?;
            Ok(about)
        });
        // The harvests stay.
        let about = put_in.inspect_err(|_| self.staging.clear())?;
        progress(Step { phase: "tidying up", done: 0, total: 1 });
        self.staging.remove();
        Ok(about)
    }
}
