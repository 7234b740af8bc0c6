//! The papers' five phases over numbered words, on memory that is used again and again.

use super::kinds::{Kinds, Side, Verdict};
use super::{Costs, Operations, Variant};
use crate::degree::bag::Bag;
use crate::degree::lcs::{Aligner, Leftover};
use crate::degree::vocabulary::WordId;
use crate::sides::Sides;

/// Finds the operations between two pages of numbered words.
#[derive(Debug, Default)]
pub struct Phases {
    aligner: Aligner,
    kinds: Kinds,
    leftovers: Sides<Vec<Leftover>>,
    bags: Sides<Bag>,
}

impl Phases {
    /// The operations that turn `older` into `newer`.
    ///
    /// Of two equally long pages the one with the smaller numbers counts as the smaller list of
    /// words (rule R5); number the words in their own order where the choice matters.
    pub fn operations(&mut self, older: &[WordId], newer: &[WordId], variant: Variant, costs: Costs) -> Operations {
        let highest = [older, newer].into_iter().filter_map(|words| words.iter().max()).max();
        let vocabulary = highest.map_or(0, |word| word.index() + 1);
        let mut bags = std::mem::take(&mut self.bags);
        bags.older.count(older, vocabulary);
        bags.newer.count(newer, vocabulary);
        self.align(Sides { older, newer }, (newer.len(), newer) < (older.len(), older));
        self.assign(Sides { older, newer }, Sides { older: &bags.older, newer: &bags.newer }, vocabulary, costs);
        self.bags = bags;
        self.judge(variant, costs).operations
    }

    /// The steps of all alignments so far.
    pub(crate) fn steps(&self) -> u64 {
        self.aligner.steps()
    }

    /// Phase 1: what is not common; was the search cut short?
    pub(crate) fn align(&mut self, words: Sides<&[WordId]>, newer_first: bool) -> bool {
        let (first, second) = if newer_first { (words.newer, words.older) } else { (words.older, words.newer) };
        let alignment = self.aligner.align(first, second);
        self.leftovers = if newer_first {
            Sides { older: alignment.second, newer: alignment.first }
        } else {
            Sides { older: alignment.first, newer: alignment.second }
        };
        alignment.bounded
    }

    /// Phases 2 and 3: what moved, and what was copied or shrunk.
    pub(crate) fn assign(&mut self, words: Sides<&[WordId]>, bags: Sides<&Bag>, vocabulary: usize, costs: Costs) {
        let older = Side { words: words.older, bag: bags.older, leftovers: &self.leftovers.older };
        let newer = Side { words: words.newer, bag: bags.newer, leftovers: &self.leftovers.newer };
        self.kinds.assign(older, newer, vocabulary, costs);
    }

    /// Phases 4 and 5: what was replaced, and how many there are of each.
    pub(crate) fn judge(&self, variant: Variant, costs: Costs) -> Verdict {
        self.kinds.judge(&self.leftovers.older, &self.leftovers.newer, variant, costs)
    }

    /// The words that are not common.
    pub(crate) fn leftovers(&self) -> &Sides<Vec<Leftover>> {
        &self.leftovers
    }
}
