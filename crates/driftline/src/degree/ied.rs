//! IED: what would it take to turn one page into the other? Six operations and their price.
//!
//! Plain edit distance treats a copied block as new and a moved block as a rewrite. The improved
//! edit distance (Kwon, Lee, Kim, section 4) prices six operations: add, drop and replace cost 1,
//! copy and shrink `a`, move `b`. Its five phases over the words that are not common are, in closed
//! form (rules R6 to R9): take out the moved words; give every other leftover its kind; join a
//! leftover of each page into one replacement where the [`Variant`] says so; add it all up.

use serde::Serialize;

use super::bag::Bag;
use super::lcs::Leftover;
use super::vocabulary::WordId;

/// The prices of the operations that do not cost 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Costs {
    /// Of a copied or a shrunk word: `a` in the English paper, `s` in the Korean one.
    copy: f64,
    /// Of a moved word: `b`, or `t`.
    moving: f64,
}

/// A price outside 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the cost of a {operation} must be from 0 to 1, not {value}")]
pub struct CostError {
    /// The operation: `copy` or `move`.
    pub operation: &'static str,
    /// What was asked for.
    pub value: f64,
}

impl Costs {
    /// The papers' experiments: 0.75 each.
    pub const PAPER: Self = Self { copy: 0.75, moving: 0.75 };

    /// The given prices.
    ///
    /// # Errors
    /// If one of them is not from 0 to 1.
    pub fn new(copy: f64, moving: f64) -> Result<Self, CostError> {
        for (operation, value) in [("copy", copy), ("move", moving)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(CostError { operation, value });
            }
        }
        Ok(Self { copy, moving })
    }

    /// The price of a copied or a shrunk word.
    #[must_use]
    pub fn copy(self) -> f64 {
        self.copy
    }

    /// The price of a moved word.
    #[must_use]
    pub fn moving(self) -> f64 {
        self.moving
    }
}

impl Default for Costs {
    fn default() -> Self {
        Self::PAPER
    }
}

/// How many words were changed in each of the six ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Operations {
    /// New words inserted.
    pub add: usize,
    /// Words removed that stand nowhere else.
    pub drop: usize,
    /// Words inserted that the page already had.
    pub copy: usize,
    /// Words removed that still stand elsewhere.
    pub shrink: usize,
    /// Words put in the place of others.
    pub replace: usize,
    /// Words that stand elsewhere now.
    #[serde(rename = "move")]
    pub moved: usize,
}

impl Operations {
    /// All operations together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.add + self.drop + self.copy + self.shrink + self.replace + self.moved
    }

    /// The price of all operations (`δ_E`, equation 5).
    #[must_use]
    pub fn cost(&self, costs: Costs) -> f64 {
        (self.add + self.drop + self.replace) as f64
            + costs.copy * (self.copy + self.shrink) as f64
            + costs.moving * self.moved as f64
    }

    /// The operations that turn the newer page back into the older one.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { add: self.drop, drop: self.add, copy: self.shrink, shrink: self.copy, ..*self }
    }
}

/// What happened to a word that is not common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Its word stands on one page only, here for the first time: an add or a drop.
    Single,
    /// Its word stands elsewhere too: a copy or a shrink.
    Repeated,
    /// It stands elsewhere now.
    Moved,
    /// It was put in the place of another word, or another in its place.
    Replaced,
}

/// A variant of IED: which leftovers of the two pages make one replacement?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// As the papers' phases 3 and 4 have it (rule R8), of two words with the same index: a drop
    /// and an add always; a shrink and a copy unless they are cheaper; never a mixed pair.
    #[default]
    Phases,
    /// Of two words with the same index, whenever the two cost at least as much as a replacement
    /// (rule R10). Never dearer than the phases, and at most 1 when nothing moves.
    Refined,
    /// As [`Refined`](Self::Refined), of the first, second, … leftovers between the same two common
    /// words (rule R11): a replaced word is recognised although words were added before it.
    Gap,
}

impl Variant {
    /// All variants, in the order of their discriminants.
    pub const ALL: [Self; 3] = [Self::Phases, Self::Refined, Self::Gap];

    /// Where a leftover stands, for pairing it with one of the other page.
    fn place(self, leftover: &Leftover) -> u32 {
        match self {
            Self::Phases | Self::Refined => leftover.index,
            Self::Gap => leftover.gap,
        }
    }

    /// Are these two operations, at one place, one replacement?
    fn joins(self, older: Kind, newer: Kind, costs: Costs) -> bool {
        let price = |kind| if kind == Kind::Single { 1.0 } else { costs.copy };
        match self {
            Self::Phases => older == newer && (older == Kind::Single || costs.copy >= 0.5),
            Self::Refined | Self::Gap => price(older) + price(newer) >= 1.0,
        }
    }
}

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

/// The price of the operations as a share of the longer page (equation 6).
///
/// It can exceed 1, because the phases are not always the cheapest sequence of operations; the degree
/// is held to 1 (rule R9), which replacing word by word never exceeds.
#[must_use]
pub fn raw_degree(operations: &Operations, costs: Costs, older_len: usize, newer_len: usize) -> f64 {
    match older_len.max(newer_len) {
        0 => 0.0,
        longer => operations.cost(costs) / longer as f64,
    }
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
            side.leftovers.iter().for_each(|leftover| moves[side.word(leftover) as usize] += 1);
        }
        // When a copy and a shrink are cheaper than a move, a word that stands twice on both pages stays.
        let copies_are_cheaper = costs.moving > 2.0 * costs.copy;
        let [older_moves, newer_moves] = &mut self.moves;
        for side in [older, newer] {
            for leftover in side.leftovers {
                let word = side.word(leftover);
                let stays = copies_are_cheaper && older.bag.of(word) > 1 && newer.bag.of(word) > 1;
                let (on_older, on_newer) = (&mut older_moves[word as usize], &mut newer_moves[word as usize]);
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
        let left = &mut moves[word as usize];
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
    side.leftovers.iter().for_each(|leftover| moves[side.word(leftover) as usize] = 0);
}
