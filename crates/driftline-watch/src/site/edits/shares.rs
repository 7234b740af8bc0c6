//! How many pages of a redesign have something in common: of all of them, and of those that are built alike.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Page;

/// Pages are built alike if they have this share of their places in common.
const ALIKE: f64 = 0.5;
/// The most kinds of pages that are told apart.
const MOST_KINDS: usize = 50;
/// The share of the other pages that makes something a part of the design: two thirds.
const MOST_OF: (usize, usize) = (2, 3);
/// A place has so many times more items of each page's own than such that were kept.
const MORE: u32 = 2;

/// The kinds of pages: those that are built alike are of one kind.
pub(super) struct Scopes {
    /// Of each page.
    kinds: Vec<usize>,
    /// The address of each page, by number: two watches of one address are one page.
    addresses: Vec<usize>,
    /// How many addresses there are, of all kinds and of each.
    count: usize,
    counts: HashMap<usize, usize>,
}

/// A kind, or all of them.
type Scope = Option<usize>;

impl Scopes {
    /// The kinds of these pages, which are sorted by their addresses.
    pub(super) fn of(pages: &[Page<'_>]) -> Self {
        let mut first_of_kind: Vec<HashSet<(bool, u32)>> = Vec::new();
        let (mut kinds, mut addresses) = (Vec::new(), Vec::new());
        for (at, page) in pages.iter().enumerate() {
            let is_same = at.checked_sub(1).is_some_and(|before| pages[before].url == page.url);
            let number = addresses.last().map_or(0, |last| last + usize::from(!is_same));
            addresses.push(number);
            let places = places(page);
            let known = first_of_kind.iter().position(|first| similarity(first, &places) >= ALIKE);
            kinds.push(known.unwrap_or_else(|| {
                if first_of_kind.len() < MOST_KINDS {
                    first_of_kind.push(places);
                }
                first_of_kind.len() - 1
            }));
        }
        let distinct: HashSet<(usize, usize)> = kinds.iter().copied().zip(addresses.iter().copied()).collect();
        let mut counts = HashMap::new();
        distinct.iter().for_each(|(kind, _)| *counts.entry(*kind).or_default() += 1);
        let count = addresses.last().map_or(0, |last| last + 1);
        Self { kinds, addresses, count, counts }
    }

    /// The scopes of a page, and how many pages are in each.
    fn around(&self, page: usize) -> [(Scope, usize); 2] {
        let kind = self.kinds[page];
        [(None, self.count), (Some(kind), self.counts.get(&kind).copied().unwrap_or_default())]
    }
}

fn places(page: &Page<'_>) -> HashSet<(bool, u32)> {
    let of = |is_newer: bool, paths: &[u32]| paths.iter().map(move |path| (is_newer, *path)).collect::<Vec<_>>();
    let leftover = page.leftover;
    of(false, &leftover.lost.paths).into_iter().chain(of(true, &leftover.gained.paths)).collect()
}

fn similarity(one: &HashSet<(bool, u32)>, other: &HashSet<(bool, u32)>) -> f64 {
    let (common, all) = (one.intersection(other).count(), one.union(other).count());
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

/// Whether so many of the pages are two thirds of those without the page itself.
fn is_most(pages_with: usize, pages: usize) -> bool {
    let (with, others) = (pages_with.saturating_sub(1), pages.saturating_sub(1));
    others > 0 && with * MOST_OF.1 >= others * MOST_OF.0
}

/// On how many pages something is.
pub(super) struct Shares(HashMap<(Scope, u64), HashSet<usize>>);

impl Shares {
    /// Of what each page has, in the order of the scopes' pages.
    pub(super) fn of(scopes: &Scopes, pages: impl Iterator<Item = HashSet<u64>>) -> Self {
        let mut shares: HashMap<(Scope, u64), HashSet<usize>> = HashMap::new();
        for (at, contents) in pages.enumerate() {
            for content in contents {
                for (scope, _) in scopes.around(at) {
                    shares.entry((scope, content)).or_default().insert(scopes.addresses[at]);
                }
            }
        }
        Self(shares)
    }

    /// Whether most of the other pages have what this one has.
    pub(super) fn is_shared(&self, scopes: &Scopes, page: usize, content: u64) -> bool {
        let is_most_of = |(scope, pages): (Scope, usize)| {
            self.0.get(&(scope, content)).is_some_and(|with| is_most(with.len(), pages))
        };
        scopes.around(page).into_iter().any(is_most_of)
    }
}

/// What is in a place, on all pages.
#[derive(Default)]
struct Tally {
    /// The pages that have something of their own there.
    pages: HashSet<usize>,
    /// How many items that is.
    own: u32,
    /// How many items were kept there.
    kept: u32,
}

/// What is in each place.
pub(super) struct Tallies(HashMap<(Scope, u32), Tally>);

impl Tallies {
    /// Of the places of what is each page's own, and of what was kept, in the order of the scopes' pages.
    pub(super) fn of<'a>(scopes: &Scopes, pages: impl Iterator<Item = (Vec<u32>, &'a BTreeMap<u32, u32>)>) -> Self {
        let mut tallies: HashMap<(Scope, u32), Tally> = HashMap::new();
        for (at, (own, kept)) in pages.enumerate() {
            for (scope, _) in scopes.around(at) {
                for place in &own {
                    let tally = tallies.entry((scope, *place)).or_default();
                    tally.pages.insert(scopes.addresses[at]);
                    tally.own += 1;
                }
                for (place, count) in kept {
                    tallies.entry((scope, *place)).or_default().kept += count;
                }
            }
        }
        Self(tallies)
    }

    /// Whether most of the other pages have something of their own in a place of this one, and few keep something there.
    pub(super) fn is_of_the_design(&self, scopes: &Scopes, page: usize, place: u32) -> bool {
        let is_of = |(scope, pages): (Scope, usize)| {
            let tally = self.0.get(&(scope, place));
            tally.is_some_and(|tally| is_most(tally.pages.len(), pages) && tally.own >= MORE * tally.kept)
        };
        scopes.around(page).into_iter().any(is_of)
    }
}
