//! How much is there, and of what?

use serde::Serialize;

use crate::archive::{Archive, Error};
use crate::derive::Kind;
use driftline_catalog::{Facet, SegmentState, Stats, Tally};

/// What an archive holds, in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Captures.
    pub captures: u64,
    /// Captures that differ from the one before.
    pub versions: u64,
    /// Addresses.
    pub urls: u64,
    /// Hosts.
    pub hosts: u64,
    /// The time of the first capture.
    pub first: Option<String>,
    /// The time of the latest.
    pub latest: Option<String>,
    /// Bytes of all sorts.
    pub bytes: Bytes,
    /// Segments by what may be done with them.
    pub segments: Segments,
    /// Watches.
    pub watches: u64,
    /// Events.
    pub events: u64,
    /// Captures by year.
    pub by_year: Vec<Count>,
    /// Captures by what they say they are.
    pub by_mime: Vec<Count>,
    /// Captures by the status of the answer.
    pub by_status: Vec<Count>,
    /// Captures by the sort of record.
    pub by_kind: Vec<Count>,
    /// The hosts with the most bytes.
    pub by_host: Vec<Count>,
    /// Derived values by kind and recipe.
    pub derived: Vec<Derived>,
}

/// Bytes of all sorts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// Of the segments.
    pub segments: u64,
    /// Of the records of captures, as they are packed.
    pub captures: u64,
    /// Of their bodies, unpacked.
    pub bodies: u64,
    /// Of bodies that were not kept again because they had not changed, unpacked.
    pub saved: u64,
}

/// How many segments there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Segments {
    /// That are being written.
    pub open: u64,
    /// That are complete, in the folder.
    pub closed: u64,
    /// That are complete, in an object store.
    pub stored: u64,
    /// That were given up in compactions.
    pub dropped: u64,
}

/// So many of a sort.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The sort; empty if it is not known.
    pub name: String,
    /// How many.
    pub count: u64,
    /// Their bytes, as they are packed.
    pub bytes: u64,
}

/// Values that one recipe made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Derived {
    /// What they are.
    pub kind: String,
    /// The number of the recipe.
    pub recipe: u32,
    /// Is it the one that would make them now?
    pub is_current: bool,
    /// How many.
    pub count: u64,
}

/// So many hosts are named.
const MOST_HOSTS: usize = 20;

/// Counts everything.
///
/// # Errors
/// If the catalog cannot be read.
pub fn summarise(archive: &Archive) -> Result<Summary, Error> {
    let catalog = archive.catalog();
    let Stats { captures, versions, urls, segments, watches, events, first, latest, .. } = catalog.stats()?;
    let (bodies, saved) = catalog.bodies()?;
    let by = |facet| catalog.tally(facet).map(|rows| rows.into_iter().map(count).collect::<Vec<_>>());
    let mut by_host = by(Facet::Host)?;
    let hosts = by_host.len() as u64;
    by_host.truncate(MOST_HOSTS);
    let mut by_year = by(Facet::Year)?;
    by_year.sort_by(|one, other| one.name.cmp(&other.name));
    let mut states = Segments::default();
    for segment in catalog.segments()? {
        *(match segment.state {
            SegmentState::Open => &mut states.open,
            SegmentState::Closed => &mut states.closed,
            SegmentState::Stored => &mut states.stored,
            SegmentState::Dropped => &mut states.dropped,
        }) += 1;
    }
    let derived = catalog.recipes()?.into_iter().map(|(kind, recipe, count)| {
        let is_current = Kind::ALL.iter().any(|known| known.name() == kind && known.recipe() == recipe);
        Derived { kind, recipe, is_current, count }
    });
    Ok(Summary {
        captures: captures.count,
        versions,
        urls,
        hosts,
        first: first.map(|time| time.to_string()),
        latest: latest.map(|time| time.to_string()),
        bytes: Bytes { segments: segments.bytes, captures: captures.bytes, bodies, saved },
        segments: states,
        watches,
        events,
        by_year,
        by_mime: by(Facet::Mime)?,
        by_status: by(Facet::Status)?,
        by_kind: by(Facet::Kind)?,
        by_host,
        derived: derived.collect(),
    })
}

fn count((name, Tally { count, bytes }): (String, Tally)) -> Count {
    Count { name, count, bytes }
}
