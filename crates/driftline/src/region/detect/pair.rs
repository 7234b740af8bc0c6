//! Which changed child of the newer element is the changed child of the older one?
//!
//! Between two unchanged children there is often one on each side, and they are a pair. Where there
//! are several, the paper's similarity of the two elements decides, best pairs first, each child
//! once. A size bound spares hopeless candidates, and in long lists only children that share a rare
//! word are candidates at all.

use hashbrown::HashMap;

use super::side::Side;
use crate::degree::vocabulary::{WordId, are_same};
use crate::page::NodeId;
use crate::region::RegionOptions;
use crate::region::similarity::{attdist, cs, intersect, typedist};
use crate::sides::Sides;

/// Elements with fewer words in common are not the same element any more.
const LEAST_INTERSECT: f64 = 0.2;
/// An element of another name must have at least this share of words in common.
const LEAST_INTERSECT_RENAMED: f64 = 0.5;
/// Up to so many pairs all are compared.
const FEW_PAIRS: usize = 256;
/// A word is rare if it stands in so many children of a side at most.
const RARE: usize = 8;
/// Where there are many, a child is compared with so many others at most.
const MOST_CANDIDATES: usize = 4;

/// The work that pairing and grading may cost, in words and nodes looked at.
///
/// When it is spent, children are paired in their order and graded by their roots: the regions told
/// are still all that changed, but a child may be held against the wrong one.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
    pub(crate) is_spent: bool,
    /// How many similarities of elements were computed.
    pub(crate) comparisons: u64,
}

impl Budget {
    pub(crate) fn new(steps: usize) -> Self {
        Self { left: steps, is_spent: false, comparisons: 0 }
    }

    /// How many of these steps were taken?
    pub(crate) fn spent(&self, of: usize) -> u64 {
        (of - self.left) as u64
    }

    /// May `steps` more be taken?
    pub(crate) fn spend(&mut self, steps: usize) -> bool {
        if self.left < steps {
            self.is_spent = true;
            return false;
        }
        self.left -= steps;
        true
    }

    /// May two elements be compared, in so many steps? Counts it if so.
    pub(crate) fn compare(&mut self, steps: usize) -> bool {
        let may = self.spend(steps);
        self.comparisons += u64::from(may);
        may
    }
}

/// An element of each version.
pub(crate) type NodePair = (NodeId, NodeId);

/// Two versions, and how elements are compared.
pub(crate) struct Pairing<'a, 'page> {
    pub(crate) sides: &'a Sides<Side<'page>>,
    pub(crate) options: &'a RegionOptions,
}

impl Pairing<'_, '_> {
    /// Pairs the children between two unchanged ones.
    pub(crate) fn pair(&self, older: &[NodeId], newer: &[NodeId], budget: &mut Budget) -> Vec<NodePair> {
        if let ([left], [right]) = (older, newer) {
            let is_pair = self.has_same_name(*left, *right) || self.is_renamed(*left, *right, budget);
            return if is_pair { vec![(*left, *right)] } else { Vec::new() };
        }
        let (front, back) = self.clear_pairs(older, newer, budget);
        let (ends, others) = (older.len() - back, newer.len() - back);
        let mut pairs = self.best_pairs(&older[front..ends], &newer[front..others], budget);
        pairs.extend(older[..front].iter().copied().zip(newer[..front].iter().copied()));
        pairs.extend(older[ends..].iter().copied().zip(newer[others..].iter().copied()));
        let rest = |nodes: &[NodeId], taken: Vec<NodeId>| -> Vec<NodeId> {
            nodes.iter().copied().filter(|node| taken.binary_search(node).is_err()).collect()
        };
        let left = rest(older, sorted(pairs.iter().map(|pair| pair.0)));
        let right = rest(newer, sorted(pairs.iter().map(|pair| pair.1)));
        // The same elements in the same order with other words: a table whose figures are new.
        let is_parallel =
            left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| self.has_same_name(*left, *right));
        if is_parallel || budget.is_spent {
            let same = left.into_iter().zip(right).filter(|(left, right)| self.has_same_name(*left, *right));
            pairs.extend(same);
        } else if let ([left], [right]) = (left.as_slice(), right.as_slice())
            && self.is_renamed(*left, *right, budget)
        {
            pairs.push((*left, *right));
        }
        pairs
    }

    /// How many children, from both ends, are so much the same that none needs to be compared with
    /// others.
    fn clear_pairs(&self, older: &[NodeId], newer: &[NodeId], budget: &mut Budget) -> (usize, usize) {
        let mut is_clear = |(left, right): &(&NodeId, &NodeId)| {
            budget.spend(self.sides.older.words_of(**left).len()) && self.is_clear(**left, **right)
        };
        let front = older.iter().zip(newer).take_while(&mut is_clear).count();
        let (older, newer) = (&older[front..], &newer[front..]);
        (front, older.iter().rev().zip(newer.iter().rev()).take_while(is_clear).count())
    }

    /// The same name, and most words at the same places.
    fn is_clear(&self, older: NodeId, newer: NodeId) -> bool {
        let (left, right) = (self.sides.older.words_of(older), self.sides.newer.words_of(newer));
        let longest = left.len().max(right.len());
        let front = left.iter().zip(right).filter(|(left, right)| left == right).count();
        let back = || left.iter().rev().zip(right.iter().rev()).filter(|(left, right)| left == right).count();
        self.has_same_name(older, newer) && longest > 0 && (front * 2 > longest || back() * 2 > longest)
    }

    fn has_same_name(&self, older: NodeId, newer: NodeId) -> bool {
        self.sides.older.name(older) == self.sides.newer.name(newer)
    }

    /// Is it the same element with another name, a `ul` that became an `ol`?
    fn is_renamed(&self, older: NodeId, newer: NodeId, budget: &mut Budget) -> bool {
        let (left, right) = (self.sides.older.words_of(older), self.sides.newer.words_of(newer));
        !left.is_empty()
            && budget.compare(left.len() + right.len())
            && intersect(&self.sides.older.word_set(older), &self.sides.newer.word_set(newer))
                >= LEAST_INTERSECT_RENAMED
    }

    /// Pairs of the same name that are alike, the most alike first, each element once.
    fn best_pairs(&self, older: &[NodeId], newer: &[NodeId], budget: &mut Budget) -> Vec<NodePair> {
        let words =
            |side: &Side<'_>, nodes: &[NodeId]| nodes.iter().map(|&node| side.words_of(node).len()).sum::<usize>();
        if !budget.spend(words(&self.sides.older, older) + words(&self.sides.newer, newer)) {
            return Vec::new();
        }
        let left: Vec<_> = older.iter().map(|&node| self.sides.older.word_set(node)).collect();
        let right: Vec<_> = newer.iter().map(|&node| self.sides.newer.word_set(node)).collect();
        let mut scored = Vec::new();
        for (a, b) in candidates(&left, &right) {
            if !self.has_same_name(older[a], newer[b]) {
                continue;
            }
            let smaller_share = share(left[a].len().min(right[b].len()), left[a].len().max(right[b].len()));
            if smaller_share < LEAST_INTERSECT {
                continue;
            }
            if !budget.compare(left[a].len() + right[b].len() + 4) {
                break;
            }
            let content = intersect(&left[a], &right[b]);
            let attributes = self.attributes(older[a], newer[b]);
            let is_alike = if left[a].is_empty() { attributes >= 0.5 } else { content >= LEAST_INTERSECT };
            if is_alike {
                scored.push((cs(1.0, attributes, content, &self.options.weights), a, b));
            }
        }
        // Of equally alike ones, those that stand nearest to where they stood.
        scored.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.abs_diff(x.2).cmp(&y.1.abs_diff(y.2))).then(x.1.cmp(&y.1)));
        let (mut taken_left, mut taken_right) = (vec![false; older.len()], vec![false; newer.len()]);
        let mut pairs = Vec::new();
        for (_, a, b) in scored {
            if !taken_left[a] && !taken_right[b] {
                (taken_left[a], taken_right[b]) = (true, true);
                pairs.push((older[a], newer[b]));
            }
        }
        pairs
    }

    /// `Attdist` of two elements.
    pub(crate) fn attributes(&self, older: NodeId, newer: NodeId) -> f64 {
        let left: Vec<_> = self.sides.older.page.attributes(older).collect();
        let right: Vec<_> = self.sides.newer.page.attributes(newer).collect();
        attdist(&left, &right, &self.options.attribute_weights)
    }

    /// `CS` of pages that have words only.
    pub(crate) fn likeness_of_words(&self) -> f64 {
        let set = |words: &[WordId]| {
            let mut words = words.to_vec();
            words.sort_unstable();
            words.dedup();
            words
        };
        let content = intersect(&set(self.sides.older.words), &set(self.sides.newer.words));
        cs(1.0, 1.0, content, &self.options.weights)
    }

    /// `CS` of two elements: paths, their own attributes, all words in them.
    pub(crate) fn likeness(&self, older: NodeId, newer: NodeId) -> f64 {
        let content = if are_same(self.sides.older.words_of(older), self.sides.newer.words_of(newer)) {
            1.0
        } else {
            intersect(&self.sides.older.word_set(older), &self.sides.newer.word_set(newer))
        };
        let path = typedist(self.options.typedist, &path(&self.sides.older, older), &path(&self.sides.newer, newer));
        cs(path, self.attributes(older, newer), content, &self.options.weights)
    }
}

fn sorted(nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut nodes: Vec<_> = nodes.collect();
    nodes.sort_unstable();
    nodes
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The names from the root down to an element, as numbers.
pub(crate) fn path(side: &Side<'_>, node: NodeId) -> Vec<u32> {
    let mut path: Vec<u32> =
        std::iter::successors(Some(node), |&node| side.node(node).parent).map(|node| side.name(node)).collect();
    path.reverse();
    path
}

/// Which children are worth comparing: all with all if they are few, else each with those that share
/// most rare words with it.
fn candidates(older: &[Vec<WordId>], newer: &[Vec<WordId>]) -> Vec<(usize, usize)> {
    if older.len() * newer.len() <= FEW_PAIRS {
        return (0..older.len()).flat_map(|a| (0..newer.len()).map(move |b| (a, b))).collect();
    }
    let mut places: HashMap<WordId, Vec<u32>> = HashMap::new();
    for (b, words) in newer.iter().enumerate() {
        for &word in words {
            let at = places.entry(word).or_default();
            if at.len() <= RARE {
                at.push(b as u32);
            }
        }
    }
    let (mut candidates, mut found) = (Vec::new(), Vec::new());
    for (a, words) in older.iter().enumerate() {
        found.clear();
        let rare = words.iter().filter_map(|word| places.get(word)).filter(|at| at.len() <= RARE);
        found.extend(rare.flatten().copied());
        found.sort_unstable();
        let mut votes: Vec<(usize, u32)> = found.chunk_by(|x, y| x == y).map(|run| (run.len(), run[0])).collect();
        votes.sort_unstable_by_key(|&(votes, b)| (std::cmp::Reverse(votes), b));
        candidates.extend(votes.into_iter().take(MOST_CANDIDATES).map(|(_, b)| (a, b as usize)));
    }
    candidates
}
