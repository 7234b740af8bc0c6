//! What happened to each word that is not common? Rules R6 to R8, in closed form.

use super::{Costs, Kind, Operations, Variant};
use crate::degree::bag::Bag;
use crate::degree::lcs::Leftover;
use crate::degree::vocabulary::WordId;

/// The leftovers of both pages with their kinds; reuse it to reuse its memory.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    older: Vec<Kind>,
    newer: Vec<Kind>,
    /// How many leftovers of each word are still to move, by word; all zero between two calls.
    moves: [Vec<u32>; 2],
}

/// A page as the operations see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) words: &'a [WordId],
    pub(crate) bag: &'a Bag,
    pub(crate) leftovers: &'a [Leftover],
}

impl Side<'_> {
    pub(crate) fn word(&self, leftover: &Leftover) -> WordId {
        self.words[leftover.index as usize]
    }
}

/// The kinds of all leftovers once replacements were joined, and how many of each there are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict {
    pub(crate) older: Vec<Kind>,
    pub(crate) newer: Vec<Kind>,
    /// Replacements, as positions among the leftovers of each page.
    pub(crate) replaced: Vec<(u32, u32)>,
    pub(crate) operations: Operations,
}

impl Kinds {
    /// Gives every leftover its kind before replacements are looked for (rules R6 and R7).
    pub(crate) fn assign(&mut self, older: Side<'_>, newer: Side<'_>, vocabulary: usize, costs: Costs) {
        self.count_moves(older, newer, vocabulary, costs);
        let [older_moves, newer_moves] = &mut self.moves;
        assign_side(&mut self.older, older, newer.bag, older_moves);
        assign_side(&mut self.newer, newer, older.bag, newer_moves);
    }

    /// How many leftovers of each word move (rule R6).
    fn count_moves(&mut self, older: Side<'_>, newer: Side<'_>, vocabulary: usize, costs: Costs) {
        for (side, moves) in [older, newer].into_iter().zip(&mut self.moves) {
            if moves.len() < vocabulary {
                moves.resize(vocabulary, 0);
            }
            side.leftovers.iter().for_each(|leftover| moves[side.word(leftover).index()] += 1);
        }
        // When a copy and a shrink are cheaper than a move, a word that stands twice on both pages stays.
        let copies_are_cheaper = costs.moving > 2.0 * costs.copy;
        let [older_moves, newer_moves] = &mut self.moves;
        for side in [older, newer] {
            for leftover in side.leftovers {
                let word = side.word(leftover);
                let stays = copies_are_cheaper && older.bag.of(word) > 1 && newer.bag.of(word) > 1;
                let (on_older, on_newer) = (&mut older_moves[word.index()], &mut newer_moves[word.index()]);
                let moves = if stays { 0 } else { (*on_older).min(*on_newer) };
                (*on_older, *on_newer) = (moves, moves);
            }
        }
    }

    /// Joins replacements and counts everything.
    pub(crate) fn judge(&self, older: &[Leftover], newer: &[Leftover], variant: Variant, costs: Costs) -> Verdict {
        let mut verdict = Verdict { older: self.older.clone(), newer: self.newer.clone(), ..Verdict::default() };
        self.pairs(older, newer, variant, |at_older, at_newer| {
            if variant.joins(self.older[at_older], self.newer[at_newer], costs) {
                verdict.older[at_older] = Kind::Replaced;
                verdict.newer[at_newer] = Kind::Replaced;
                verdict.replaced.push((at_older as u32, at_newer as u32));
            }
        });
        verdict.count();
        verdict
    }

    /// Calls `found` with the leftovers that stand at one place and do not move.
    fn pairs(&self, older: &[Leftover], newer: &[Leftover], variant: Variant, mut found: impl FnMut(usize, usize)) {
        let mut staying = (0..newer.len()).filter(|&at| self.newer[at] != Kind::Moved).peekable();
        for at_older in (0..older.len()).filter(|&at| self.older[at] != Kind::Moved) {
            let here = variant.place(&older[at_older]);
            while staying.next_if(|&at| variant.place(&newer[at]) < here).is_some() {}
            if let Some(at_newer) = staying.next_if(|&at| variant.place(&newer[at]) == here) {
                found(at_older, at_newer);
            }
        }
    }
}

impl Verdict {
    fn count(&mut self) {
        let count = |kinds: &[Kind], kind| kinds.iter().filter(|&&other| other == kind).count();
        self.operations = Operations {
            add: count(&self.newer, Kind::Single),
            drop: count(&self.older, Kind::Single),
            copy: count(&self.newer, Kind::Repeated),
            shrink: count(&self.older, Kind::Repeated),
            replace: self.replaced.len(),
            moved: count(&self.newer, Kind::Moved),
        };
    }
}

/// The kinds of one page's leftovers; leaves `moves` zero for their words.
fn assign_side(kinds: &mut Vec<Kind>, side: Side<'_>, other: &Bag, moves: &mut [u32]) {
    /// Marks a word that stands on one page only and was seen.
    const SEEN: u32 = u32::MAX;
    kinds.clear();
    kinds.extend(side.leftovers.iter().map(|leftover| {
        let word = side.word(leftover);
        let left = &mut moves[word.index()];
        match (other.of(word) > 0, *left) {
            (true, 0) | (false, SEEN) => Kind::Repeated,
            (true, _) => {
                *left -= 1;
                Kind::Moved
            }
            (false, _) => {
                *left = SEEN;
                Kind::Single
            }
        }
    }));
    side.leftovers.iter().for_each(|leftover| moves[side.word(leftover).index()] = 0);
}
