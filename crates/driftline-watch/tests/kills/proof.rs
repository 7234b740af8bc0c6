//! What was acknowledged is there, every change was told, and nothing was told again once it was acknowledged.
//!
//! A daemon asks for a page again only when the check before is done, so all questions of a daemon but the last of
//! each page belong to checks that were acknowledged.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::ops::AddAssign;

use driftline::event::Event;
use driftline_archive::care::verify::{Depth, verify};
use driftline_archive::catalog::{DeliveryState, EventFilter, StoredCapture, StoredEvent};
use driftline_archive::{Archive, Time};

use crate::world::{PAGES, version};
use crate::{Victim, options};

/// What was counted.
#[derive(Default)]
pub(crate) struct Sum {
    checks: u64,
    versions: u64,
    events: u64,
    posts: u64,
    /// Messages that were sent again, because nobody knew that they had been taken.
    repeated: u64,
}

pub(crate) fn prove(victim: &Victim) -> Sum {
    let archive = Archive::open(&options(victim.folder.path(), &victim.catalog)).expect("the archive opens");
    let recovery = archive.recovery();
    assert!(
        recovery.set_aside.is_empty() && recovery.damaged.is_empty() && recovery.missing.is_empty(),
        "{recovery:?}"
    );
    let kept = versions(&archive, victim);
    let versions = kept.iter().map(|versions| versions.values().collect::<BTreeSet<_>>().len() as u64).sum();
    let (checks, first) = nothing_is_lost(victim, &kept);
    let keys = every_change_is_an_event(&archive, victim, &kept, &first);
    everybody_was_told(&archive, victim, &keys);
    let (posts, repeated) = nobody_was_told_twice(victim);
    let verified = verify(&archive, Depth::Records, &|_| {}).expect("the archive can be read");
    assert!(verified.problems.is_empty() && verified.faults == 0, "{:?}", verified.problems);
    archive.close().expect("it closes");
    Sum { checks, versions, events: keys.len() as u64, posts, repeated }
}

/// The version of each capture of each page, by time.
fn versions(archive: &Archive, victim: &Victim) -> Vec<BTreeMap<Time, u64>> {
    let of = |url: &String| {
        let captures = archive.captures_of(url).expect("the catalog can be read");
        let read =
            |stored: &StoredCapture| version(archive.read(stored, 1 << 20).expect("a capture can be read").body());
        captures.iter().map(|stored| (stored.capture.at, read(stored))).collect()
    };
    victim.urls().iter().map(of).collect()
}

/// Every version of an acknowledged check is in the archive. How many checks were acknowledged, and the first version
/// of each page that was.
fn nothing_is_lost(victim: &Victim, kept: &[BTreeMap<Time, u64>]) -> (u64, [u64; PAGES]) {
    let kept: Vec<HashSet<u64>> = kept.iter().map(|versions| versions.values().copied().collect()).collect();
    let (log, mut open, mut checks, mut first) = (victim.world.log(), HashMap::new(), 0, [u64::MAX; PAGES]);
    for served in &log.served {
        if let Some(version) = open.insert((served.round, served.page), served.version) {
            assert!(kept[served.page].contains(&version), "lost: version {version} of page {}", served.page);
            first[served.page] = first[served.page].min(version);
            checks += 1;
        }
    }
    (checks, first)
}

/// From each version in the archive to the next there is one event, and there are no others. Their keys.
///
/// The first check of a watch compares with nothing: what was kept by one that died before it was acknowledged is no
/// beginning.
fn every_change_is_an_event(
    archive: &Archive,
    victim: &Victim,
    kept: &[BTreeMap<Time, u64>],
    first: &[u64; PAGES],
) -> HashSet<String> {
    let mut keys = HashSet::new();
    for ((url, kept), first) in victim.urls().iter().zip(kept).zip(first) {
        let filter = EventFilter { url: Some(url.clone()), all: true, ..EventFilter::default() };
        let events = archive.catalog().events(&filter).expect("the catalog can be read");
        let step = |stored: &StoredEvent| {
            let event: Event = serde_json::from_value(stored.body.clone()).expect("an event");
            let versions = event.versions.unwrap_or_else(|| panic!("{url}: {event:?}"));
            (kept[&versions.older], kept[&versions.newer])
        };
        let mut told: Vec<(u64, u64)> = events.iter().map(step).collect();
        told.sort_unstable();
        let all: BTreeSet<u64> = kept.values().copied().collect();
        let wanted: Vec<(u64, u64)> = all.iter().copied().zip(all.iter().copied().skip(1)).collect();
        let before = wanted.len().saturating_sub(told.len());
        assert_eq!(told, wanted[before..], "changes of {url}");
        assert!(wanted[..before].iter().all(|(_, newer)| newer <= first), "{url}: {wanted:?} since {first}");
        keys.extend(events.into_iter().map(|event| event.key));
    }
    keys
}

/// The webhook has taken every event, and the catalog knows.
fn everybody_was_told(archive: &Archive, victim: &Victim, keys: &HashSet<String>) {
    let log = victim.world.log();
    let taken: HashSet<&str> = log.posts.iter().filter(|post| post.is_taken).map(|post| post.event.as_str()).collect();
    let deliveries = archive.catalog().deliveries(None, None, 1_000_000).expect("the catalog can be read");
    assert!(deliveries.iter().all(|delivery| delivery.state == DeliveryState::Acknowledged));
    assert_eq!(deliveries.len(), keys.len());
    for key in keys {
        assert!(taken.contains(key.as_str()), "nobody was told of {key}");
    }
}

/// What was taken is sent again only by another daemon, and only if the one before died before it could write that down.
fn nobody_was_told_twice(victim: &Victim) -> (u64, u64) {
    let (log, mut taken, mut repeated) = (victim.world.log(), HashMap::<&str, u32>::new(), 0);
    for post in &log.posts {
        let known = victim.acknowledged.get(&post.delivery).copied().unwrap_or(u32::MAX);
        assert!(post.round <= known, "{} was acknowledged in round {known}, and sent in {}", post.event, post.round);
        if let Some(round) = taken.get(post.delivery.as_str()) {
            assert!(*round < post.round, "{} was sent twice by one daemon", post.event);
            repeated += 1;
        }
        if post.is_taken {
            taken.insert(&post.delivery, post.round);
        }
    }
    (log.posts.len() as u64, repeated)
}

impl Sum {
    /// Did enough happen to show anything?
    pub(crate) fn is_telling(&self, kills: u32) -> bool {
        let kills = u64::from(kills);
        self.checks > kills && self.events > kills && self.versions > PAGES as u64 && self.posts >= self.events
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.checks += other.checks;
        self.versions += other.versions;
        self.events += other.events;
        self.posts += other.posts;
        self.repeated += other.repeated;
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} checks acknowledged, {} versions, 0 lost; {} events, {} messages, {} of them sent again after a kill \
             that came before it was written down that they were taken, 0 after that",
            self.checks, self.versions, self.events, self.posts, self.repeated
        )
    }
}
