//! Was a block put into another one, and changed a little as well?
//!
//! A new layout wraps the article anew and gives it another class: nothing stands where it stood,
//! and nothing is equal. So a block that lost its place is looked for in everything that came, and
//! one that found a place in everything that went. What is found is compared inside like a block
//! that stayed.

use super::pair::{Budget, NodePair, Pairing};
use super::side::Side;
use super::taken::Taken;
use super::walk::Loose;
use crate::page::NodeId;
use crate::region::finding::RegionKind;
use crate::region::similarity::intersect;
use crate::sides::Sides;

/// Smaller blocks are not looked for: they are found by chance.
const LEAST_WORDS: usize = 16;
/// The least share of its words that a block must have kept.
const LEAST_INTERSECT: f64 = 0.8;

/// Blocks that stand in another place now.
pub(super) fn find(loose: &[Loose], pairing: &Pairing<'_, '_>, budget: &mut Budget) -> Vec<NodePair> {
    let roots = |kind: RegionKind| loose.iter().filter(move |loose| loose.kind == kind);
    let removed: Vec<NodeId> = roots(RegionKind::Removed).filter_map(|loose| loose.older).collect();
    let added: Vec<NodeId> = roots(RegionKind::Added).filter_map(|loose| loose.newer).collect();
    let (older, newer) = (&pairing.sides.older, &pairing.sides.newer);
    let mut taken = Sides::<Taken>::default();
    let mut found = Vec::new();
    let there = Search { side: older, other: newer, places: places(newer, &added) };
    there.search(&removed, &mut taken.older, &mut taken.newer, budget, |block, place| found.push((block, place)));
    let back = Search { side: newer, other: older, places: places(older, &removed) };
    back.search(&added, &mut taken.newer, &mut taken.older, budget, |block, place| found.push((place, block)));
    found
}

/// All elements of these blocks that have enough words.
fn places(side: &Side<'_>, blocks: &[NodeId]) -> Vec<NodeId> {
    let elements = blocks.iter().flat_map(|block| block.0..=side.node(*block).last.0).map(NodeId);
    elements.filter(|node| side.words_of(*node).len() * 2 >= LEAST_WORDS).collect()
}

/// Looks for blocks of one side at places of the other.
struct Search<'a, 'page> {
    side: &'a Side<'page>,
    other: &'a Side<'page>,
    places: Vec<NodeId>,
}

impl Search<'_, '_> {
    fn search(
        &self,
        blocks: &[NodeId],
        own: &mut Taken,
        others: &mut Taken,
        budget: &mut Budget,
        mut tell: impl FnMut(NodeId, NodeId),
    ) {
        for &block in blocks {
            let is_wanted = self.side.words_of(block).len() >= LEAST_WORDS && own.is_free(self.side, block);
            if !is_wanted {
                continue;
            }
            if !budget.spend(self.places.len()) {
                return;
            }
            if let Some(place) = self.best_place(block, others, budget) {
                own.take(self.side, block);
                others.take(self.other, place);
                tell(block, place);
            }
        }
    }

    /// The place of the same name with most of the block's words.
    fn best_place(&self, block: NodeId, others: &Taken, budget: &mut Budget) -> Option<NodeId> {
        let length = self.side.words_of(block).len();
        let is_candidate = |node: &NodeId| {
            self.other.name(*node) == self.side.name(block) && is_near(length, self.other.words_of(*node).len())
        };
        let words = self.side.word_set(block);
        let mut best: Option<(f64, NodeId)> = None;
        for node in self.places.iter().copied().filter(is_candidate) {
            if !budget.compare(words.len() + self.other.words_of(node).len()) {
                break;
            }
            let likeness = intersect(&words, &self.other.word_set(node));
            let is_better = likeness >= LEAST_INTERSECT && best.is_none_or(|(most, _)| likeness > most);
            if is_better && others.is_free(self.other, node) {
                best = Some((likeness, node));
            }
        }
        best.map(|(_, node)| node)
    }
}

fn is_near(one: usize, other: usize) -> bool {
    one.max(other) <= 2 * one.min(other)
}
