//! What exactly changed, for people? The six operations as runs of words on both pages.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::ied::{Kind, Verdict};
use super::lcs::Leftover;
use super::vocabulary::WordId;
use crate::sides::Sides;

/// The six ways in which words change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// New words.
    Add,
    /// Words that are gone.
    Drop,
    /// More of words that the page already had.
    Copy,
    /// Fewer of words that the page still has.
    Shrink,
    /// Words in the place of others.
    Replace,
    /// Words that stand elsewhere now.
    Move,
}

impl EditKind {
    /// All six, in the papers' order.
    pub const ALL: [Self; 6] = [Self::Add, Self::Drop, Self::Copy, Self::Shrink, Self::Replace, Self::Move];

    /// Its name in files: `add`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Drop => "drop",
            Self::Copy => "copy",
            Self::Shrink => "shrink",
            Self::Replace => "replace",
            Self::Move => "move",
        }
    }

    /// What happened to the words: `added`.
    #[must_use]
    pub fn participle(self) -> &'static str {
        match self {
            Self::Add => "added",
            Self::Drop => "dropped",
            Self::Copy => "copied",
            Self::Shrink => "shrunk",
            Self::Replace => "replaced",
            Self::Move => "moved",
        }
    }
}

/// A run of words that changed in one way.
///
/// An add or a copy has a newer run only, a drop or a shrink an older one only; a replacement and
/// a move have both. All words that no edit covers are common to both pages, in the same order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What happened.
    pub kind: EditKind,
    /// The words on the older page, by their number.
    pub older: Option<Range<u32>>,
    /// The words on the newer page, by their number.
    pub newer: Option<Range<u32>>,
}

/// Where an edit stands when both pages are read side by side.
type Place = (u32, bool, u32);

/// The edits of a verdict, in reading order.
pub(crate) fn edits(verdict: &Verdict, leftovers: &Sides<Vec<Leftover>>, words: Sides<&[WordId]>) -> Vec<Edit> {
    let mut found: Vec<(Place, Edit)> = Vec::new();
    let one = |index: u32| index..index + 1;
    for (kind, leftover) in verdict.older.iter().zip(&leftovers.older) {
        let kind = match kind {
            Kind::Single => EditKind::Drop,
            Kind::Repeated => EditKind::Shrink,
            Kind::Moved | Kind::Replaced => continue,
        };
        let edit = Edit { kind, older: Some(one(leftover.index)), newer: None };
        found.push(((leftover.gap, false, leftover.index), edit));
    }
    for (kind, leftover) in verdict.newer.iter().zip(&leftovers.newer) {
        let kind = match kind {
            Kind::Single => EditKind::Add,
            Kind::Repeated => EditKind::Copy,
            Kind::Moved | Kind::Replaced => continue,
        };
        let edit = Edit { kind, older: None, newer: Some(one(leftover.index)) };
        found.push(((leftover.gap, true, leftover.index), edit));
    }
    let moves = moved_pairs(verdict, leftovers, words).into_iter().map(|pair| (EditKind::Move, pair));
    let replacements = verdict.replaced.iter().map(|&pair| (EditKind::Replace, pair));
    for (kind, (at_older, at_newer)) in moves.chain(replacements) {
        let (older, newer) = (leftovers.older[at_older as usize], leftovers.newer[at_newer as usize]);
        let edit = Edit { kind, older: Some(one(older.index)), newer: Some(one(newer.index)) };
        found.push(((newer.gap, true, newer.index), edit));
    }
    found.sort_unstable_by_key(|(place, _)| *place);
    join(found.into_iter().map(|(_, edit)| edit))
}

/// The first moved occurrence of a word on the older page with the first on the newer one, and so
/// on, as positions among the leftovers.
fn moved_pairs(verdict: &Verdict, leftovers: &Sides<Vec<Leftover>>, words: Sides<&[WordId]>) -> Vec<(u32, u32)> {
    let moved = |kinds: &[Kind], leftovers: &[Leftover], words: &[WordId]| {
        let mut moved: Vec<(WordId, u32)> = (0..kinds.len())
            .filter(|&at| kinds[at] == Kind::Moved)
            .map(|at| (words[leftovers[at].index as usize], at as u32))
            .collect();
        moved.sort_unstable();
        moved
    };
    let older = moved(&verdict.older, &leftovers.older, words.older);
    let newer = moved(&verdict.newer, &leftovers.newer, words.newer);
    older.into_iter().zip(newer).map(|((_, older), (_, newer))| (older, newer)).collect()
}

/// Joins edits of one kind whose words follow each other.
fn join(edits: impl Iterator<Item = Edit>) -> Vec<Edit> {
    let mut joined: Vec<Edit> = Vec::new();
    for edit in edits {
        match joined.last_mut() {
            Some(last) if last.continues_in(&edit) => last.extend(&edit),
            _ => joined.push(edit),
        }
    }
    joined
}

impl Edit {
    fn continues_in(&self, next: &Self) -> bool {
        let follows = |this: &Option<Range<u32>>, next: &Option<Range<u32>>| match (this, next) {
            (None, None) => true,
            (Some(this), Some(next)) => this.end == next.start,
            _ => false,
        };
        self.kind == next.kind && follows(&self.older, &next.older) && follows(&self.newer, &next.newer)
    }

    fn extend(&mut self, next: &Self) {
        for (this, next) in [(&mut self.older, &next.older), (&mut self.newer, &next.newer)] {
            if let (Some(this), Some(next)) = (this, next) {
                this.end = next.end;
            }
        }
    }

    /// How many words it changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.newer.as_ref().or(self.older.as_ref()).map_or(0, ExactSizeIterator::len)
    }

    /// Does it change no word? Never true of an edit that a comparison told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
