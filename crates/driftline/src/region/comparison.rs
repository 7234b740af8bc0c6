//! How alike are an element of one page and one of the other, alone and with all below them?
//!
//! [`Comparison`] takes two pages in once, in numbers that both share, and then answers for any
//! pair of their elements. Three things keep it fast without changing an answer: an element that
//! stands in the other subtree without a difference is found by hash, a pair that cannot beat the
//! best so far is given up at its sizes, and sets of words are made only for what is left.

mod table;

use std::ops::RangeInclusive;

use super::similarity::{Typedist, Weights, cs, intersect, short_of_one, weighted_attdist};
use super::weights::AttributeWeights;
use crate::degree::vocabulary::{WordId, are_same};
use crate::page::{NodeId, Page, Span};
use table::{NodeTable, Numbers, Paths, distinct};

/// The most steps that a comparison takes: an element compared is one, and so are 16 words.
///
/// Enough for two pages of 8,000 elements of one kind with nothing in common. Beyond it an element
/// is compared only with the one at its place, by its first words: similarities are then estimates,
/// as a rule too low, but never 1 for what is not alike, and [`Comparison::is_cut_short`] says so.
pub const MOST_STEPS: u64 = 1 << 26;

/// Words that are looked at in one step.
const WORDS_A_STEP: u64 = 16;

/// Steps that a word costs that becomes a member of a set: sorting it, and four bytes kept. At most
/// 32 MiB of sets come of it.
const STEPS_A_WORD: u64 = 8;

/// By how many words contents are compared when the steps are used up.
const FEW_WORDS: usize = 64;

/// How elements are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// How much paths, attributes and words count.
    pub weights: Weights,
    /// How paths are compared.
    pub typedist: Typedist,
    /// How much each attribute counts.
    pub attribute_weights: AttributeWeights,
    /// The most steps; [`MOST_STEPS`] unless told otherwise.
    pub most_steps: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            weights: Weights::PAPER,
            typedist: Typedist::Product,
            attribute_weights: AttributeWeights::default(),
            most_steps: MOST_STEPS,
        }
    }
}

/// In what two elements are alike, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeness {
    /// Their paths.
    pub path: f64,
    /// Their attributes.
    pub attributes: f64,
    /// Their words.
    pub content: f64,
}

/// Two pages whose elements are compared.
#[derive(Debug)]
pub struct Comparison {
    weights: Weights,
    typedist: Typedist,
    paths: Paths,
    older: NodeTable,
    newer: NodeTable,
    /// The newer page's elements by name, in document order.
    by_name: Vec<(WordId, u32)>,
    /// The same by signature.
    by_signature: Vec<(u64, u32)>,
    /// For each older element, where its signature stands in `by_signature`.
    same: Vec<Span>,
    /// The partners of the element in hand; kept for its memory.
    partners: Vec<u32>,
    steps_left: u64,
}

impl Comparison {
    /// Takes in two pages.
    #[must_use]
    pub fn new(older: &Page, newer: &Page, options: &Options) -> Self {
        let mut numbers = Numbers::default();
        let older = NodeTable::new(older, &options.attribute_weights, &mut numbers);
        let newer = NodeTable::new(newer, &options.attribute_weights, &mut numbers);
        let mut by_name: Vec<_> = newer.entries.iter().zip(0..).map(|(entry, node)| (entry.name, node)).collect();
        let mut by_signature: Vec<_> =
            (0..newer.entries.len() as u32).map(|node| (newer.signature(node), node)).collect();
        by_name.sort_unstable();
        by_signature.sort_unstable();
        let same =
            (0..older.entries.len() as u32).map(|node| equal_range(&by_signature, older.signature(node))).collect();
        Self {
            weights: options.weights,
            typedist: options.typedist,
            paths: numbers.paths,
            older,
            newer,
            by_name,
            by_signature,
            same,
            partners: Vec::new(),
            steps_left: options.most_steps,
        }
    }

    /// Were the steps used up, so that similarities are estimates?
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.steps_left == 0
    }

    /// The similarity of two elements, from -1 to 1: `CS`, equation 4.
    pub fn cs(&mut self, older: NodeId, newer: NodeId) -> f64 {
        let Likeness { path, attributes, content } = self.likeness(older, newer);
        cs(path, attributes, content, &self.weights)
    }

    /// In what two elements are alike.
    pub fn likeness(&mut self, older: NodeId, newer: NodeId) -> Likeness {
        let (path, attributes) = self.outside(older.0, newer.0);
        Likeness { path, attributes, content: self.content(older.0, newer.0) }
    }

    /// The similarity of what an older element holds to what a newer one holds, from -1 to 1: the
    /// mean over the older one's elements of their best partners' similarity (equations 5 and 6).
    /// An element without one of its name on the other side counts -1 (rule S8).
    pub fn subtree_similarity(&mut self, older: NodeId, newer: NodeId) -> f64 {
        self.subtree_similarity_above(older, newer, -1.0).unwrap_or(-1.0)
    }

    /// The same, or none as soon as it is known to be below `floor`.
    pub fn subtree_similarity_above(&mut self, older: NodeId, newer: NodeId, floor: f64) -> Option<f64> {
        let last = self.older.entries[older.index()].last;
        let among = newer.0..=self.newer.entries[newer.index()].last;
        let size = f64::from(last - older.0 + 1);
        let mut lack = Sum::default();
        for node in older.0..=last {
            lack.add(1.0 - self.best_partner(node, node - older.0, &among));
            if 1.0 - lack.total() / size < floor {
                return None;
            }
        }
        let lack = lack.total();
        Some(if lack == 0.0 { 1.0 } else { short_of_one(1.0 - lack / size).max(-1.0) })
    }

    /// The newer element that an older one is in every respect, if there is one among these.
    pub fn same(&mut self, older: NodeId, among: &RangeInclusive<NodeId>) -> Option<NodeId> {
        self.same_among(older.0, &(among.start().0..=among.end().0)).map(NodeId)
    }

    /// The similarity of the partner that is most alike (equation 5). `place` is how many elements
    /// stand before the older one in its subtree.
    fn best_partner(&mut self, older: u32, place: u32, among: &RangeInclusive<u32>) -> f64 {
        self.charge(1);
        if self.same_among(older, among).is_some() {
            return 1.0;
        }
        let mut partners = std::mem::take(&mut self.partners);
        self.find_partners(older, among, &mut partners);
        let best = match partners.as_slice() {
            [] => -1.0,
            partners if self.steps_left == 0 => {
                let at = partners.partition_point(|&newer| newer < among.start() + place);
                self.cs(NodeId(older), NodeId(partners[at.min(partners.len() - 1)]))
            }
            partners => self.best_of(older, partners),
        };
        self.partners = partners;
        best
    }

    fn best_of(&mut self, older: u32, partners: &[u32]) -> f64 {
        let mut best = -1.0;
        for &newer in partners {
            best = self.cs_above(older, newer, best).unwrap_or(best);
            if best == 1.0 {
                break;
            }
        }
        best
    }

    /// The elements with the same name among these, in document order.
    fn find_partners(&self, older: u32, among: &RangeInclusive<u32>, partners: &mut Vec<u32>) {
        /// So few elements are looked at one by one.
        const FEW: u32 = 16;
        let name = self.older.entries[older as usize].name;
        partners.clear();
        if among.end() - among.start() < FEW {
            partners.extend(among.clone().filter(|&node| self.newer.entries[node as usize].name == name));
            return;
        }
        let start = self.by_name.partition_point(|&entry| entry < (name, *among.start()));
        let end = start + self.by_name[start..].partition_point(|&entry| entry <= (name, *among.end()));
        partners.extend(self.by_name[start..end].iter().map(|&(_, node)| node));
    }

    /// `CS` if it is more than `floor`.
    fn cs_above(&mut self, older: u32, newer: u32, floor: f64) -> Option<f64> {
        self.charge(1);
        let (path, attributes) = self.outside(older, newer);
        let weights = self.weights;
        let with = |content| cs(path, attributes, content, &weights);
        if with(1.0) <= floor || with(self.most_content(older, newer)) <= floor {
            return None;
        }
        Some(with(self.content(older, newer))).filter(|&similarity| similarity > floor)
    }

    /// How alike the paths and the attributes are.
    fn outside(&self, older: u32, newer: u32) -> (f64, f64) {
        let (one, other) = (self.older.entries[older as usize].path, self.newer.entries[newer as usize].path);
        let attributes = weighted_attdist(self.older.attributes(older), self.newer.attributes(newer));
        if one == other {
            return (1.0, attributes);
        }
        let common = match self.typedist {
            Typedist::Product => self.paths.common_prefix(one, other),
            Typedist::Sum => self.paths.common_suffix(one, other),
        };
        let longest = self.paths.length(one).max(self.paths.length(other));
        (self.typedist.of(common, longest), attributes)
    }

    /// How alike the sets of words are.
    fn content(&mut self, older: u32, newer: u32) -> f64 {
        let (one, other) = (self.older.words(older), self.newer.words(newer));
        let few = one.len().min(other.len()) as u64 / WORDS_A_STEP;
        if are_same(one, other) {
            self.charge(few);
            return 1.0;
        }
        if self.make_sets(older, newer) {
            self.charge(few);
            return intersect(self.older.set(older), self.newer.set(newer));
        }
        let first = |words: &[WordId]| distinct(&words[..words.len().min(FEW_WORDS)]);
        short_of_one(intersect(&first(self.older.words(older)), &first(self.newer.words(newer))))
    }

    /// The most that [`content`](Self::content) can be, by the sizes of the sets.
    fn most_content(&mut self, older: u32, newer: u32) -> f64 {
        if !self.make_sets(older, newer) {
            return 1.0;
        }
        let (one, other) = (self.older.set(older).len(), self.newer.set(newer).len());
        if one == other { 1.0 } else { one.min(other) as f64 / one.max(other) as f64 }
    }

    /// Makes the sets of words of two elements, unless that takes more steps than are left.
    fn make_sets(&mut self, older: u32, newer: u32) -> bool {
        for (table, node) in [(&mut self.older, older), (&mut self.newer, newer)] {
            if !table.has_set(node) {
                self.steps_left = self.steps_left.saturating_sub(table.words(node).len() as u64 * STEPS_A_WORD);
                if self.steps_left == 0 {
                    return false;
                }
                table.make_set(node);
            }
        }
        self.steps_left > 0
    }

    fn same_among(&mut self, older: u32, among: &RangeInclusive<u32>) -> Option<u32> {
        /// Elements with the same words in another order have the same signature.
        const FEW: usize = 16;
        let alike = &self.by_signature[self.same[older as usize].range()];
        let start = alike.partition_point(|(_, node)| node < among.start());
        let found = alike[start..]
            .iter()
            .map(|&(_, node)| node)
            .take_while(|node| node <= among.end())
            .take(FEW)
            .find(|&node| self.is_same(older, node));
        self.charge(found.map_or(0, |node| self.newer.words(node).len() as u64 / WORDS_A_STEP));
        found
    }

    fn is_same(&self, older: u32, newer: u32) -> bool {
        self.older.entries[older as usize].path == self.newer.entries[newer as usize].path
            && self.older.attributes(older) == self.newer.attributes(newer)
            && are_same(self.older.words(older), self.newer.words(newer))
    }

    fn charge(&mut self, steps: u64) {
        self.steps_left = self.steps_left.saturating_sub(steps);
    }
}

/// Where the entries with this signature stand.
fn equal_range(entries: &[(u64, u32)], signature: u64) -> Span {
    let start = entries.partition_point(|&(other, _)| other < signature);
    let length = entries[start..].partition_point(|&(other, _)| other == signature);
    Span { start: start as u32, end: (start + length) as u32 }
}

/// A sum that does not lose small terms (Neumaier): equal similarities must come out equal enough
/// to be seen as a tie.
#[derive(Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() { (self.sum - sum) + term } else { (term - sum) + self.sum };
        self.sum = sum;
    }

    fn total(&self) -> f64 {
        self.sum + self.lost
    }
}
