//! How badly did a region change? By the paper's similarity, and by the words that changed in it.
//!
//! The similarity of Artail and Fawaz is deaf to the order and the number of words, so that a
//! region can be fully alike and still have changed. The *severity* is the larger of two distances:
//! how far the similarity is from 1, halved so that it runs from 0 to 1, and the price of the
//! operations on the region's words as a share of its words (what IED says of the whole page). It
//! is never below [`LEAST`], for nothing that changed is nothing.

use super::detect::{Budget, Pairing, Side, path};
use super::similarity::{cs, intersect, short_of_one, typedist};
use crate::degree::ied::{Costs, Operations, raw_degree};
use crate::degree::vocabulary::{WordId, are_same};
use crate::page::NodeId;

/// The severity of a change that neither distance can see.
pub const LEAST: f64 = 0.01;

/// The severity of a region of so many words on its longer side.
#[must_use]
pub fn severity(similarity: f64, operations: &Operations, costs: Costs, words: usize) -> f64 {
    let distance = (1.0 - similarity) / 2.0;
    let share = raw_degree(operations, costs, words, 0).min(1.0);
    distance.max(share).clamp(LEAST, 1.0)
}

/// Regions with more pairs of elements, or more words in all their elements together, are graded by
/// their roots.
///
/// A region is the smallest block that explains a change; a large one is a frame whose own attributes
/// or text changed, and what changed inside it is told as regions of its own.
pub const MOST_PAIRS: usize = 1_024;
/// See [`MOST_PAIRS`].
pub const MOST_WORDS: usize = 1 << 14;

/// The similarity of two subtrees (equation 6): the mean, over the elements of the older one, of
/// the similarity to the most similar element of the same name. Of large ones, that of their roots
/// (equation 4), whose words are those of the whole subtree.
pub(super) fn similarity(pairing: &Pairing<'_, '_>, older: NodeId, newer: NodeId, budget: &mut Budget) -> f64 {
    let (left, right) = (&pairing.sides.older, &pairing.sides.newer);
    let pairs = left.size(older) * right.size(newer);
    let words = left.size(older) * left.words_of(older).len() + right.size(newer) * right.words_of(newer).len();
    if pairs > MOST_PAIRS || words > MOST_WORDS {
        budget.comparisons += 1;
        return pairing.likeness(older, newer);
    }
    let (elements, others) = (elements(left, older), elements(right, newer));
    let mut sum = 0.0;
    let mut is_alike = true;
    for element in &elements {
        let mut best: f64 = -1.0;
        for other in others.iter().filter(|other| other.name == element.name) {
            budget.comparisons += 1;
            best = best.max(element.cs(other, pairing));
            if best == 1.0 {
                break;
            }
        }
        is_alike &= best == 1.0;
        sum += best;
    }
    if is_alike { 1.0 } else { short_of_one(sum / elements.len() as f64).max(-1.0) }
}

/// An element of a subtree that is graded.
struct Element<'a> {
    node: NodeId,
    name: u32,
    path: Vec<u32>,
    words: &'a [WordId],
    set: Vec<WordId>,
}

fn elements<'a>(side: &Side<'a>, root: NodeId) -> Vec<Element<'a>> {
    let outside = path(side, root);
    let root_level = side.node(root).level as usize;
    let mut inside: Vec<u32> = Vec::new();
    let all = (root.0..=side.node(root).last.0).map(NodeId);
    all.map(|node| {
        let depth = side.node(node).level as usize - root_level;
        inside.truncate(depth.saturating_sub(1));
        if depth > 0 {
            inside.push(side.name(node));
        }
        let path = outside.iter().chain(&inside).copied().collect();
        Element { node, name: side.name(node), path, words: side.words_of(node), set: side.word_set(node) }
    })
    .collect()
}

impl Element<'_> {
    fn cs(&self, other: &Element<'_>, pairing: &Pairing<'_, '_>) -> f64 {
        let is_same = pairing.sides.older.has_same_attributes(self.node, &pairing.sides.newer, other.node);
        let attributes = if is_same { 1.0 } else { pairing.attributes(self.node, other.node) };
        let content = if are_same(self.words, other.words) { 1.0 } else { intersect(&self.set, &other.set) };
        let path = typedist(pairing.options.typedist, &self.path, &other.path);
        cs(path, attributes, content, &pairing.options.weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_changed_is_nothing() {
        assert_eq!(severity(1.0, &Operations::default(), Costs::PAPER, 10), LEAST);
    }

    #[test]
    fn words_in_another_order_count_though_the_sets_are_equal() {
        let moved = Operations { moved: 4, ..Operations::default() };
        assert_eq!(severity(1.0, &moved, Costs::PAPER, 10), 0.3);
    }

    #[test]
    fn what_came_or_went_whole_is_the_worst() {
        assert_eq!(severity(-1.0, &Operations::default(), Costs::PAPER, 0), 1.0);
    }
}
