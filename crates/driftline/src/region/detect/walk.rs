//! Down both trees at once: which elements correspond, and which have none to correspond to?
//!
//! From the roots down, equal children are skipped whole, changed ones are paired and descended
//! into. What remains without a partner is *loose*: added, removed, or equal but out of order.

use hashbrown::{HashMap, HashSet};

use super::align::Children;
use super::pair::{Budget, NodePair, Pairing};
use super::rehome;
use super::side::{Item, Side, What};
use crate::degree::vocabulary::WordId;
use crate::page::NodeId;
use crate::region::finding::{Aspects, RegionKind};
use crate::sides::Sides;

/// Two elements that correspond and are not equal.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) pair: NodePair,
    /// Changed where it stands, or moved.
    pub(super) kind: RegionKind,
    pub(super) parent: Option<usize>,
    /// What differs in the elements themselves: attributes, name, own text, children of text level.
    pub(super) evidence: Aspects,
}

/// A child without a partner at its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loose {
    /// The elements around it, by the number of their record, unless it is a root; of a block that
    /// moved, around the newer place.
    pub(super) record: Option<usize>,
    pub(super) kind: RegionKind,
    pub(super) older: Option<NodeId>,
    pub(super) newer: Option<NodeId>,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Trail {
    /// Parents before their children.
    pub(super) records: Vec<Record>,
    pub(super) loose: Vec<Loose>,
}

/// Walks from the roots down, then down from what was put into other blocks.
pub(super) fn walk(pairing: &Pairing<'_, '_>, budget: &mut Budget) -> Trail {
    let sides = pairing.sides;
    let mut walk = Walk { sides, pairing, children: Children::default(), trail: Trail::default() };
    walk.compare(None, &sides.older.root_items(), &sides.newer.root_items(), budget);
    walk.descend(0, budget);
    let first = walk.trail.records.len();
    let rehomed = rehome::find(&walk.trail.loose, pairing, budget);
    walk.take_rehomed(&rehomed);
    walk.descend(first, budget);
    walk.trail
}

struct Walk<'a, 'page> {
    sides: &'a Sides<Side<'page>>,
    pairing: &'a Pairing<'a, 'page>,
    children: Children,
    trail: Trail,
}

/// Children between two unchanged ones that have no equal.
#[derive(Default)]
struct Gap {
    older: Vec<NodeId>,
    newer: Vec<NodeId>,
    older_text: Vec<Item>,
    newer_text: Vec<Item>,
}

impl Walk<'_, '_> {
    /// Visits all records from this one on, and those that come of it.
    fn descend(&mut self, first: usize, budget: &mut Budget) {
        let mut next = first;
        while next < self.trail.records.len() {
            self.visit(next, budget);
            next += 1;
        }
    }

    /// Blocks that were put into others are no longer loose.
    fn take_rehomed(&mut self, pairs: &[NodePair]) {
        let (older, newer): (HashSet<NodeId>, HashSet<NodeId>) = pairs.iter().copied().unzip();
        self.trail.loose.retain(|loose| match loose.kind {
            RegionKind::Removed => !loose.older.is_some_and(|node| older.contains(&node)),
            RegionKind::Added => !loose.newer.is_some_and(|node| newer.contains(&node)),
            _ => true,
        });
        let evidence = Aspects { structure: true, ..Aspects::default() };
        let record = |&pair: &NodePair| Record { pair, kind: RegionKind::Moved, parent: None, evidence };
        self.trail.records.extend(pairs.iter().map(record));
    }

    fn visit(&mut self, record: usize, budget: &mut Budget) {
        let (older, newer) = self.trail.records[record].pair;
        let Sides { older: left, newer: right } = self.sides;
        let evidence = &mut self.trail.records[record].evidence;
        evidence.attributes |= !left.has_same_attributes(older, right, newer);
        evidence.structure |= left.name(older) != right.name(newer);
        self.compare(Some(record), &left.items(older), &right.items(newer), budget);
    }

    /// Finds what corresponds among the children of a record, or among the roots.
    fn compare(&mut self, record: Option<usize>, items: &[Item], other: &[Item], budget: &mut Budget) {
        let left = &self.sides.older;
        let equal = self.children.align(items, other, |item| u64::from(left.common_words(item.words)) * 2);
        let mut gaps = self.gaps(record, items, other, &equal);
        self.take_reordered(record, &mut gaps);
        for gap in gaps {
            self.take_text(record, &gap);
            let pairs = self.pairing.pair(&gap.older, &gap.newer, budget);
            self.take_pairs(record, &gap, &pairs);
        }
    }

    /// What stands between equal children.
    fn gaps(&mut self, record: Option<usize>, items: &[Item], other: &[Item], equal: &[(usize, usize)]) -> Vec<Gap> {
        let mut gaps = Vec::new();
        let mut from = (0, 0);
        for &(a, b) in equal.iter().chain([&(items.len(), other.len())]) {
            let gap = Gap::between(&items[from.0..a], &other[from.1..b]);
            if !gap.is_empty() {
                gaps.push(gap);
            }
            if let (Some(item), Some(other)) = (items.get(a), other.get(b)) {
                self.verify(record, item, other, &mut gaps);
            }
            from = (a + 1, b + 1);
        }
        gaps
    }

    /// Equal hashes are a guess: children that have them and are not equal have changed.
    fn verify(&mut self, record: Option<usize>, older: &Item, newer: &Item, gaps: &mut Vec<Gap>) {
        let Sides { older: left, newer: right } = self.sides;
        match (older.what, newer.what) {
            (What::Element(older), What::Element(newer)) if left.is_same(older, right, newer) => {}
            (What::Element(older), What::Element(newer)) => self.push_record(record, (older, newer)),
            (What::Text(_), What::Text(_)) if left.is_same_text(older, right, newer) => {}
            _ => gaps.push(Gap::between(&[*older], &[*newer])),
        }
    }

    /// Takes out children that are equal but stand in another order.
    fn take_reordered(&mut self, record: Option<usize>, gaps: &mut [Gap]) {
        if gaps.len() < 2 {
            return;
        }
        let mut waiting: HashMap<u64, Vec<NodeId>> = HashMap::new();
        for &older in gaps.iter().rev().flat_map(|gap| gap.older.iter().rev()) {
            waiting.entry(self.sides.older.hash(older)).or_default().push(older);
        }
        let mut taken = Vec::new();
        for gap in gaps.iter_mut() {
            gap.newer.retain(|&newer| {
                let Some(older) = waiting.get_mut(&self.sides.newer.hash(newer)).and_then(Vec::pop) else {
                    return true;
                };
                let is_same = self.sides.older.is_same(older, &self.sides.newer, newer);
                if is_same {
                    taken.push((older, newer));
                }
                !is_same
            });
        }
        let gone: Vec<NodeId> = {
            let mut gone: Vec<_> = taken.iter().map(|pair| pair.0).collect();
            gone.sort_unstable();
            gone
        };
        for gap in gaps {
            gap.older.retain(|older| gone.binary_search(older).is_err());
        }
        for (older, newer) in taken {
            self.push_loose(record, RegionKind::Reordered, Some(older), Some(newer));
        }
    }

    /// Text of the element itself: other words, the same words with other commas, or the same text
    /// between other elements.
    fn take_text(&mut self, record: Option<usize>, gap: &Gap) {
        let Some(record) = record.filter(|_| !gap.older_text.is_empty() || !gap.newer_text.is_empty()) else {
            return;
        };
        let words = |side: &Side<'_>, items: &[Item]| -> Vec<WordId> {
            items.iter().flat_map(|item| &side.words[item.words.range()]).copied().collect()
        };
        let hashes = |items: &[Item]| items.iter().map(|item| item.hash).collect::<Vec<_>>();
        let evidence = &mut self.trail.records[record].evidence;
        if words(&self.sides.older, &gap.older_text) != words(&self.sides.newer, &gap.newer_text) {
            evidence.content = true;
        } else if hashes(&gap.older_text) == hashes(&gap.newer_text) || gap.older_text.len() != gap.newer_text.len() {
            evidence.structure = true;
        } else {
            evidence.punctuation = true;
        }
    }

    fn take_pairs(&mut self, record: Option<usize>, gap: &Gap, pairs: &[NodePair]) {
        let mut partner: HashMap<NodeId, NodeId> = HashMap::with_capacity(pairs.len());
        for &(older, newer) in pairs {
            partner.insert(newer, older);
            self.push_record(record, (older, newer));
        }
        let mut paired: Vec<NodeId> = partner.values().copied().collect();
        paired.sort_unstable();
        for &older in gap.older.iter().filter(|older| paired.binary_search(older).is_err()) {
            self.push_loose(record, RegionKind::Removed, Some(older), None);
        }
        for &newer in gap.newer.iter().filter(|newer| !partner.contains_key(*newer)) {
            self.push_loose(record, RegionKind::Added, None, Some(newer));
        }
    }

    fn push_record(&mut self, parent: Option<usize>, pair: NodePair) {
        self.trail.records.push(Record { pair, kind: RegionKind::Changed, parent, evidence: Aspects::default() });
    }

    fn push_loose(&mut self, record: Option<usize>, kind: RegionKind, older: Option<NodeId>, newer: Option<NodeId>) {
        self.trail.loose.push(Loose { record, kind, older, newer });
    }
}

impl Gap {
    fn between(older: &[Item], newer: &[Item]) -> Self {
        let mut gap = Self::default();
        for item in older {
            match item.what {
                What::Element(node) => gap.older.push(node),
                What::Text(_) => gap.older_text.push(*item),
            }
        }
        for item in newer {
            match item.what {
                What::Element(node) => gap.newer.push(node),
                What::Text(_) => gap.newer_text.push(*item),
            }
        }
        gap
    }

    fn is_empty(&self) -> bool {
        self.older.is_empty() && self.newer.is_empty() && self.older_text.is_empty() && self.newer_text.is_empty()
    }
}
