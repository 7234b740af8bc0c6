//! IED: what would it take to turn one page into the other? Six operations and their price.
//!
//! Plain edit distance treats a copied block as new and a moved block as a rewrite. The improved
//! edit distance (Kwon, Lee, Kim, section 4) prices six operations: add, drop and replace cost 1,
//! copy and shrink `a`, move `b`. Its five phases over the words that are not common are, in closed
//! form (rules R6 to R9): take out the moved words; give every other leftover its kind; join a
//! leftover of each page into one replacement where the [`Variant`] says so; add it all up.

mod kinds;
mod phases;

use serde::{Deserialize, Serialize};

use super::edit::EditKind;
use super::lcs::Leftover;

pub(crate) use kinds::Verdict;
pub use phases::Phases;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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
    /// How many words were changed in this way.
    #[must_use]
    pub fn of(&self, kind: EditKind) -> usize {
        match kind {
            EditKind::Add => self.add,
            EditKind::Drop => self.drop,
            EditKind::Copy => self.copy,
            EditKind::Shrink => self.shrink,
            EditKind::Replace => self.replace,
            EditKind::Move => self.moved,
        }
    }

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

    /// What remains when others are taken away.
    pub(crate) fn without(self, others: impl Iterator<Item = Self>) -> Self {
        others.fold(self, |rest, other| Self {
            add: rest.add.saturating_sub(other.add),
            drop: rest.drop.saturating_sub(other.drop),
            copy: rest.copy.saturating_sub(other.copy),
            shrink: rest.shrink.saturating_sub(other.shrink),
            replace: rest.replace.saturating_sub(other.replace),
            moved: rest.moved.saturating_sub(other.moved),
        })
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

    /// Whether it is the papers' own.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

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
