//! Is everything there, and as it was written? Files against the catalog, records against their digests, and every
//! row against its record. A digest that was wrong already when its record was imported is told apart from damage.
//!
//! Nothing is changed here. A segment that somebody is writing is checked up to what was acknowledged: what stands
//! behind it is on its way.

mod problem;
mod segment;

use std::collections::BTreeMap;
use std::sync::Mutex;

use rayon::prelude::*;
use serde::Serialize;

pub use problem::{Fault, Problem};

use super::files::{self, Found};
use crate::archive::{Archive, Error};
use driftline_catalog::{Segment, SegmentState};
use segment::{Checked, Origin, Told};

/// How closely it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// Every byte.
    #[default]
    Records,
    /// Only which files there are, and how long.
    Files,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Verified {
    /// Segments that were looked at.
    pub segments: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Records that were read.
    pub records: u64,
    /// Captures whose rows were held against them.
    pub captures: u64,
    /// How many problems there are.
    pub faults: u64,
    /// The problems by file and place; of very many, the first ones.
    pub problems: Vec<Problem>,
    /// How many digests were wrong already in what was imported, and the bytes are as they were then. No problems of this
    /// archive.
    pub as_imported: u64,
    /// Where they are; of very many, the first ones.
    pub imported: Vec<Problem>,
}

/// So many problems are told; the others are counted.
const MOST_PROBLEMS: usize = 100_000;

/// Checks an archive, with all cores. `advance` is told of bytes that were read.
///
/// # Errors
/// If the catalog or the store cannot be asked. A damaged file is no error, but a problem.
pub fn verify(archive: &Archive, depth: Depth, advance: &(dyn Fn(u64) + Sync)) -> Result<Verified, Error> {
    let sum = Sum::default();
    // The catalog first: a segment that is begun meanwhile is not looked at.
    let known: BTreeMap<String, Segment> =
        archive.catalog().segments()?.into_iter().map(|segment| (segment.name.clone(), segment)).collect();
    let mut files = files::all(archive)?;
    let mut work = Vec::new();
    for segment in known.values() {
        let found = files.remove(&segment.name);
        if let Some(extent) = sum.look(archive, segment, found.as_ref())? {
            work.push((segment, extent));
        }
    }
    for (name, found) in &files {
        // One that was begun since the catalog was asked is known by now.
        if archive.catalog().segment(name)?.is_none() {
            sum.unknown(name, found);
        }
    }
    let bytes = work.iter().map(|(_, extent)| extent.bytes).sum();
    sum.with(|verified| (verified.segments, verified.bytes) = (work.len() as u64, bytes));
    if depth == Depth::Records {
        work.into_par_iter().try_for_each(|(segment, extent)| sum.check(archive, segment, extent, advance))?;
    }
    Ok(sum.finish())
}

/// How many bytes [`verify`] will read.
///
/// # Errors
/// If the catalog cannot be asked.
pub fn bytes(archive: &Archive) -> Result<u64, Error> {
    Ok(archive.catalog().stats()?.segments.bytes)
}

/// How much of a segment is looked at.
#[derive(Debug, Clone, Copy)]
struct Extent {
    /// So many bytes are read.
    bytes: u64,
    /// Rows of records from here on came since the catalog was asked.
    end: u64,
}

/// What all threads found.
#[derive(Default)]
struct Sum(Mutex<Verified>);

impl Sum {
    fn with(&self, change: impl FnOnce(&mut Verified)) {
        change(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }

    fn tell(&self, problem: Problem) {
        self.with(|verified| {
            verified.faults += 1;
            if verified.problems.len() < MOST_PROBLEMS {
                verified.problems.push(problem);
            }
        });
    }

    fn tell_imported(&self, problem: Problem) {
        self.with(|verified| {
            verified.as_imported += 1;
            if verified.imported.len() < MOST_PROBLEMS {
                verified.imported.push(problem);
            }
        });
    }

    /// Holds a segment against its file: how much of it is to be looked at.
    fn look(&self, archive: &Archive, segment: &Segment, found: Option<&Found>) -> Result<Option<Extent>, Error> {
        let Segment { name, state, bytes } = segment;
        let Some(found) = found else {
            if *state != SegmentState::Dropped && *bytes > 0 {
                // It may have been dropped or stored since the catalog was asked.
                let now = archive.catalog().segment(name)?;
                let is_gone = now.is_none_or(|now| now.state == SegmentState::Dropped);
                if !is_gone && files::length(archive, name)?.is_none() {
                    self.tell(Problem::new(Fault::FileMissing, name, format!("{bytes} bytes were acknowledged")));
                }
            }
            return Ok(None);
        };
        if *state == SegmentState::Dropped {
            let is_stored = found.state == files::State::Stored;
            let fault = if is_stored { Fault::StoredLeftover } else { Fault::Leftover };
            self.tell(Problem::new(fault, name, format!("{} bytes", found.length)));
            return Ok(None);
        }
        let is_alive = found.state == files::State::Alive;
        // It may have grown since the catalog was asked, and have been closed.
        let now = if is_alive || found.length <= *bytes { None } else { archive.catalog().segment(name)? };
        let bytes = &now.map_or(*bytes, |now| now.bytes);
        let lengths = format!("{bytes} bytes were acknowledged, and {} are there", found.length);
        if found.length < *bytes {
            self.tell(Problem::new(Fault::FileShort, name, lengths).at(found.length));
        } else if found.state == files::State::Abandoned {
            self.tell(Problem::new(Fault::Abandoned, name, lengths).at(*bytes));
        } else if found.length > *bytes && matches!(found.state, files::State::Closed | files::State::Stored) {
            self.tell(Problem::new(Fault::FileLong, name, lengths).at(*bytes));
        }
        Ok(Some(if is_alive {
            Extent { bytes: found.length.min(*bytes), end: *bytes }
        } else {
            Extent { bytes: found.length, end: u64::MAX }
        }))
    }

    fn unknown(&self, name: &str, found: &Found) {
        let bytes = format!("{} bytes", found.length);
        match found.state {
            // Begun since the catalog was asked, or holding no capture yet.
            files::State::Alive => {}
            files::State::Abandoned => self.tell(Problem::new(Fault::Abandoned, name, bytes)),
            files::State::Compacted => self.tell(Problem::new(Fault::Leftover, name, bytes)),
            files::State::Closed | files::State::Stored => self.tell(Problem::new(Fault::FileUnknown, name, bytes)),
        }
    }

    fn check(
        &self,
        archive: &Archive,
        segment: &Segment,
        extent: Extent,
        advance: &(dyn Fn(u64) + Sync),
    ) -> Result<(), Error> {
        let input: Box<dyn std::io::Read> = match files::open(archive, &segment.name)? {
            Some(file) => Box::new(std::io::Read::take(file, extent.bytes)),
            None => Box::new(archive.store().reader(&segment.name, 0, extent.bytes)),
        };
        let told = Told { input, advance };
        let tell = &mut |problem, origin| match origin {
            Origin::Here => self.tell(problem),
            Origin::Imported => self.tell_imported(problem),
        };
        let Checked { records, captures } = segment::check(archive, &segment.name, extent.end, told, tell)?;
        self.with(|verified| {
            verified.records += records;
            verified.captures += captures;
        });
        Ok(())
    }

    fn finish(self) -> Verified {
        let mut verified = self.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        verified.problems.sort();
        verified.imported.sort();
        verified
    }
}

#[cfg(test)]
mod tests;
