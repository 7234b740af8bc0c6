//! What was acknowledged is there, everything that happened was told, and nothing was told again once that was
//! acknowledged.
//!
//! A daemon checks something again only when the check before is done, so all questions of a daemon but the last for
//! each watch belong to checks that were acknowledged.

mod absences;
mod items;
mod members;
mod sum;
mod told;
mod versions;

use std::collections::{BTreeMap, HashMap};
use std::sync::MutexGuard;

use driftline::event::{Event, Kind};
use driftline_archive::care::verify::{Depth, verify};
use driftline_archive::{Archive, Time};
use driftline_catalog::{EventFilter, StoredEvent, every};

use crate::world::{Log, Served};
use crate::{Victim, options, scene};

pub(crate) use sum::Sum;

pub(crate) fn prove(victim: &Victim) -> Sum {
    let archive = Archive::open(&options(victim.folder.path(), &victim.catalog)).expect("the archive opens");
    let recovery = archive.recovery();
    assert!(
        recovery.set_aside.is_empty() && recovery.damaged.is_empty() && recovery.missing.is_empty(),
        "{recovery:?}"
    );
    let evidence = Evidence::gather(victim, &archive);
    versions::prove(&evidence);
    items::prove(&evidence);
    members::prove(&evidence);
    absences::prove(&evidence);
    told::prove(&evidence, &archive);
    let sum = Sum::of(&evidence);
    drop(evidence);
    let verified = verify(&archive, Depth::Records, &|_| {}).expect("the archive can be read");
    assert!(verified.problems.is_empty() && verified.faults == 0, "{:?}", verified.problems);
    archive.close().expect("it closes");
    sum
}

/// What the world saw, and what the archive has.
struct Evidence<'a> {
    victim: &'a Victim,
    log: MutexGuard<'a, Log>,
    /// For each answer: was the check acknowledged that asked?
    acknowledged: Vec<bool>,
    /// The version of each capture of each path, by time.
    kept: BTreeMap<String, BTreeMap<Time, u64>>,
    /// All events, the first first.
    events: Vec<Found>,
}

/// An event in the catalog.
struct Found {
    stored: StoredEvent,
    event: Event,
}

impl<'a> Evidence<'a> {
    fn gather(victim: &'a Victim, archive: &Archive) -> Self {
        let log = victim.world.log();
        let mut kept = BTreeMap::new();
        for served in &log.served {
            kept.entry(served.path.clone()).or_insert_with_key(|path| captures(archive, &victim.world.url(path)));
        }
        let filter = EventFilter { all: true, ..EventFilter::default() };
        let stored = every(|after| archive.catalog().events(&EventFilter { after: after.cloned(), ..filter.clone() }));
        let stored = stored.expect("the catalog can be read").into_iter().rev();
        let read = |stored: StoredEvent| {
            let event = serde_json::from_value(stored.body.clone()).expect("an event");
            Found { stored, event }
        };
        let events = stored.map(read).collect();
        Self { victim, acknowledged: acknowledged(&log.served), log, kept, events }
    }

    /// The answers to checks that were acknowledged.
    fn acknowledged(&self) -> impl Iterator<Item = &Served> {
        self.log.served.iter().zip(&self.acknowledged).filter(|(_, is_known)| **is_known).map(|(served, _)| served)
    }

    /// The first version of a path that was acknowledged.
    ///
    /// The first check of a watch compares with nothing: what was kept by one that died before it was acknowledged is
    /// no beginning.
    fn first(&self, path: &str) -> u64 {
        let of_path = self.acknowledged().filter(|served| served.path == path);
        of_path.filter_map(|served| served.version).min().unwrap_or(u64::MAX)
    }

    /// The events of a kind that watches have found about a path, the first first.
    fn of(&self, kind: Kind, path: &str) -> Vec<&Event> {
        let url = self.victim.world.url(path);
        let events = self.events.iter().map(|found| &found.event);
        events.filter(|event| event.kind == kind && event.url == url && event.watch.is_some()).collect()
    }
}

/// The versions of an address, by time. Answers that there is no such page have none.
fn captures(archive: &Archive, url: &str) -> BTreeMap<Time, u64> {
    let captures = archive.captures_of(url).expect("the catalog can be read");
    let version = |stored| scene::version(archive.read(stored, 1 << 20).expect("a capture can be read").body());
    captures.iter().filter_map(|stored| Some((stored.capture.at, version(stored)?))).collect()
}

/// What was asked for in a check is acknowledged when the same daemon checks the same again.
fn acknowledged(served: &[Served]) -> Vec<bool> {
    let mut known = vec![false; served.len()];
    let mut open: HashMap<(u32, &str), Vec<usize>> = HashMap::new();
    for (place, served) in served.iter().enumerate() {
        let open = open.entry((served.round, served.checked())).or_default();
        if served.checked() == served.path {
            open.drain(..).for_each(|place| known[place] = true);
        }
        open.push(place);
    }
    known
}
