//! How much does one region matter? As much as the weightiest thing that happened in it.

use hashbrown::{HashMap, HashSet};

use super::address::{self, Key};
use super::landmark::Landmark;
use super::shared::SharedBlocks;
use super::version::{Spot, Version};
use super::volatile::Volatile;
use super::{Importance, Reason, weights};
use crate::page::{NodeId, Page};
use crate::region::detect::{Draft, Graded, Owners};
use crate::region::finding::{RegionKind, ResourceChange, ResourceFate, ResourceKind};
use crate::sides::Sides;

/// Where more words changed than these, it was not only a clock.
const MOST_VOLATILE: usize = 40;

/// The changed words of one place.
#[derive(Debug, Clone, Default)]
struct Tally {
    /// That mean something, on both versions.
    words: Sides<usize>,
    /// The weightiest of the others.
    volatile: Option<Volatile>,
    /// The weightiest spot of the place.
    spot: Option<Spot>,
}

impl Tally {
    fn take(&mut self, spot: Spot) {
        if self.spot.as_ref().is_none_or(|known| known.weight < spot.weight) {
            self.spot = Some(spot);
        }
    }

    fn add(&mut self, other: &Self) {
        self.words.older += other.words.older;
        self.words.newer += other.words.newer;
        self.volatile = self.volatile.max(other.volatile);
        other.spot.iter().for_each(|spot| self.take(spot.clone()));
    }

    fn importance(&self) -> Importance {
        let (weight, reason) = match (self.words.older.max(self.words.newer), self.volatile) {
            (0, None) => return Importance::default(),
            (0, Some(kind)) => (weights::volatile(kind), Reason::Only(kind)),
            (count, _) => (weights::words(count), Reason::Words(count)),
        };
        self.spot.as_ref().map_or_else(Importance::default, |spot| spot.importance(weight, reason))
    }
}

impl Spot {
    fn importance(&self, weight: f64, reason: Reason) -> Importance {
        let reasons = [Reason::In(self.landmark)].into_iter().chain(self.reason.clone()).chain([reason]).collect();
        Importance { score: self.weight * weight, reasons }
    }
}

/// The changed words of each place.
type Tallies = [Tally; Landmark::COUNT];

/// The scorer of the regions of one change.
pub(super) struct Scorer<'a> {
    versions: Sides<Version<'a>>,
    /// The resources of each region.
    resources: Vec<Vec<&'a ResourceChange>>,
    blocks: &'a SharedBlocks,
    all: Tallies,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(
        pages: Sides<&'a Page>,
        graded: &[Graded],
        resources: &'a [ResourceChange],
        blocks: &'a SharedBlocks,
    ) -> Self {
        let versions = Sides { older: Version::new(pages.older, blocks), newer: Version::new(pages.newer, blocks) };
        Self { versions, resources: by_region(pages, graded, resources), blocks, all: Tallies::default() }
    }

    /// How much a region matters, by its number, with its changed words.
    pub(super) fn region(&mut self, number: usize, graded: &Graded, words: &Sides<Vec<u32>>) -> Importance {
        let tallies = self.tallies(words);
        let has_words = !words.older.is_empty() || !words.newer.is_empty();
        let mut importance = if has_words { Importance::default() } else { self.markup(graded) };
        for tally in &tallies {
            importance = importance.max(tally.importance());
        }
        for resource in std::mem::take(&mut self.resources[number]) {
            importance = importance.max(self.resource(resource));
        }
        let pages = self.pages(&graded.draft);
        if pages > 1 {
            return importance.shared_by(pages);
        }
        self.all.iter_mut().zip(&tallies).for_each(|(all, tally)| all.add(tally));
        importance
    }

    /// On how many pages of the site the block stands, as it was or as it is.
    fn pages(&self, draft: &Draft) -> u32 {
        let older = draft.older.map(|node| self.versions.older.pages(node, self.blocks));
        let newer = draft.newer.map(|node| self.versions.newer.pages(node, self.blocks));
        older.max(newer).unwrap_or_default()
    }

    /// How much all changed words of a place matter together.
    pub(super) fn all_words(&self) -> Importance {
        self.all.iter().map(Tally::importance).fold(Importance::default(), Importance::max)
    }

    fn tallies(&mut self, words: &Sides<Vec<u32>>) -> Tallies {
        let mut tallies = Tallies::default();
        let is_long = words.older.len().max(words.newer.len()) > MOST_VOLATILE;
        count(&mut self.versions.older, &words.older, is_long, &mut tallies, |sides| &mut sides.older);
        count(&mut self.versions.newer, &words.newer, is_long, &mut tallies, |sides| &mut sides.newer);
        tallies
    }

    /// What is left if neither words nor resources count: where it stands, and what its markup is.
    fn markup(&mut self, graded: &Graded) -> Importance {
        let Draft { kind, older, newer, .. } = graded.draft;
        if let (Some(left), Some(right)) = (older, newer) {
            let (was, is) = (self.versions.older.spot(Some(left)), self.versions.newer.spot(Some(right)));
            match (was.landmark == Landmark::Hidden, is.landmark == Landmark::Hidden) {
                (true, false) => {
                    return is.importance(weights::words(self.versions.newer.words(right)), Reason::Appeared);
                }
                (false, true) => {
                    return was.importance(weights::words(self.versions.older.words(left)), Reason::Vanished);
                }
                _ => {}
            }
        }
        let spot = match newer {
            Some(_) => self.versions.newer.spot(newer),
            None => self.versions.older.spot(older),
        };
        let is_displaced = matches!(kind, RegionKind::Moved | RegionKind::Reordered);
        let (weight, reason) = if is_displaced || graded.changed.content {
            (weights::ORDER, Reason::OnlyOrder)
        } else if graded.changed.structure {
            (weights::STRUCTURE, Reason::OnlyStructure)
        } else if graded.changed.punctuation {
            (weights::PUNCTUATION, Reason::OnlyPunctuation)
        } else {
            (weights::ATTRIBUTES, Reason::OnlyAttributes)
        };
        spot.importance(weight, reason)
    }

    fn resource(&mut self, resource: &ResourceChange) -> Importance {
        let version = match resource.kind {
            ResourceFate::Lost => &mut self.versions.older,
            ResourceFate::Gained => &mut self.versions.newer,
        };
        of_resource(version, resource)
    }
}

/// How much a change of these words of one version matters.
pub(super) fn of_words(version: &mut Version<'_>, words: &[u32]) -> Importance {
    let mut tallies = Tallies::default();
    count(version, words, words.len() > MOST_VOLATILE, &mut tallies, |sides| &mut sides.newer);
    tallies.iter().map(Tally::importance).fold(Importance::default(), Importance::max)
}

/// How much a resource matters that was lost on this version, or gained.
pub(super) fn of_resource(version: &mut Version<'_>, resource: &ResourceChange) -> Importance {
    let is_file = resource.what == ResourceKind::Link && address::is_file(&resource.url, &resource.text);
    let name = address::name(&resource.url).to_owned();
    let reason = Reason::Resource { fate: resource.kind, what: resource.what, is_file, name };
    let weight = weights::resource(resource.what, resource.kind, is_file);
    let mut spot = version.spot(Some(resource.node));
    let may_hold_files = matches!(spot.landmark, Landmark::Header | Landmark::Side | Landmark::Navigation);
    if is_file && resource.kind == ResourceFate::Lost && may_hold_files {
        spot.weight = weights::FILE_ELSEWHERE;
    }
    spot.importance(weight, reason)
}

/// Counts changed words of one version by their places. Of many words none changed by itself.
fn count(
    version: &mut Version<'_>,
    words: &[u32],
    is_long: bool,
    tallies: &mut Tallies,
    of: fn(&mut Sides<usize>) -> &mut usize,
) {
    let mut spots: HashMap<Option<NodeId>, Spot> = HashMap::new();
    for &word in words {
        let node = version.element(word);
        let spot = spots.entry(node).or_insert_with(|| version.spot(node));
        let tally = &mut tallies[spot.landmark as usize];
        match if is_long { None } else { version.volatile.recognise(word) } {
            Some(kind) => tally.volatile = tally.volatile.max(Some(kind)),
            None => *of(&mut tally.words) += 1,
        }
        tally.take(spot.clone());
    }
}

/// The resources of each region, without those that are only written otherwise.
pub(in crate::region) fn by_region<'a>(
    pages: Sides<&Page>,
    graded: &[Graded],
    resources: &'a [ResourceChange],
) -> Vec<Vec<&'a ResourceChange>> {
    let span = |page: &Page, node: Option<NodeId>| node.map(|node| node.0..page.nodes()[node.index()].last.0 + 1);
    let older = Owners::new(graded.iter().map(|graded| span(pages.older, graded.draft.older)));
    let newer = Owners::new(graded.iter().map(|graded| span(pages.newer, graded.draft.newer)));
    let mut owned: Vec<Vec<&ResourceChange>> = vec![Vec::new(); graded.len()];
    let same = written_otherwise(resources, pages.older);
    let others = resources.iter().enumerate().filter(|(at, _)| !same.contains(at));
    for (_, resource) in others {
        let owners = if resource.kind == ResourceFate::Lost { &older } else { &newer };
        if let Some(owner) = owners.of(resource.node.0) {
            owned[owner].push(resource);
        }
    }
    owned
}

/// The resources that were lost and gained under the same address, written otherwise. An address that
/// gained a host is the same only if the older page knew that host.
fn written_otherwise(resources: &[ResourceChange], older: &Page) -> HashSet<usize> {
    let mut hosts: Option<HashSet<String>> = None;
    let mut lost: HashMap<(ResourceKind, String), Vec<(usize, Key)>> = HashMap::new();
    let mut same = HashSet::new();
    for (at, resource) in resources.iter().enumerate() {
        let key = Key::of(&resource.url);
        let place = (resource.what, key.path.clone());
        if resource.kind == ResourceFate::Lost {
            lost.entry(place).or_default().push((at, key));
        } else if let Some(candidates) = lost.get(&place) {
            let mut is_known = |other: &Key| match (&other.host, &key.host) {
                (None, Some(host)) => hosts.get_or_insert_with(|| address::hosts(older)).contains(host),
                _ => true,
            };
            let others = candidates.iter().filter(|(_, other)| other.is_same(&key) && is_known(other));
            let known: Vec<usize> = others.map(|(other, _)| *other).collect();
            same.extend((!known.is_empty()).then_some(at));
            same.extend(known);
        }
    }
    same
}
