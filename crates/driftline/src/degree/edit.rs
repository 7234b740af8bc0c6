//! Edits: the six operations as runs of words on both pages, for people.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::ied::{Kind, Verdict};
use super::lcs::Leftover;
use super::vocabulary::WordId;
use crate::page::Page;
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

/// A run of words that changed in one way, with its numbers on the pages that have it.
///
/// All words that no edit covers are common to both pages, in the same order. There are these six and no others:
/// they are the papers' operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// New words.
    Add {
        /// On the newer page.
        newer: Range<u32>,
    },
    /// Words that are gone.
    Drop {
        /// On the older page.
        older: Range<u32>,
    },
    /// More of words that the page already had.
    Copy {
        /// On the newer page.
        newer: Range<u32>,
    },
    /// Fewer of words that the page still has.
    Shrink {
        /// On the older page.
        older: Range<u32>,
    },
    /// Words in the place of others.
    Replace {
        /// What was there.
        older: Range<u32>,
        /// What is there now.
        newer: Range<u32>,
    },
    /// Words that are elsewhere now.
    Move {
        /// Where they were.
        older: Range<u32>,
        /// Where they are now.
        newer: Range<u32>,
    },
}

/// Where an edit stands when both pages are read side by side.
type Place = (u32, bool, u32);

/// The edits of a verdict, in reading order.
pub(crate) fn edits(verdict: &Verdict, leftovers: &Sides<Vec<Leftover>>, words: Sides<&[WordId]>) -> Vec<Edit> {
    let mut found: Vec<(Place, Edit)> = Vec::new();
    let one = |index: u32| index..index + 1;
    for (kind, leftover) in verdict.older.iter().zip(&leftovers.older) {
        let older = one(leftover.index);
        let edit = match kind {
            Kind::Single => Edit::Drop { older },
            Kind::Repeated => Edit::Shrink { older },
            Kind::Moved | Kind::Replaced => continue,
        };
        found.push(((leftover.gap, false, leftover.index), edit));
    }
    for (kind, leftover) in verdict.newer.iter().zip(&leftovers.newer) {
        let newer = one(leftover.index);
        let edit = match kind {
            Kind::Single => Edit::Add { newer },
            Kind::Repeated => Edit::Copy { newer },
            Kind::Moved | Kind::Replaced => continue,
        };
        found.push(((leftover.gap, true, leftover.index), edit));
    }
    let moves = moved_pairs(verdict, leftovers, words).into_iter().map(|pair| (true, pair));
    let replacements = verdict.replaced.iter().map(|&pair| (false, pair));
    for (is_move, (at_older, at_newer)) in moves.chain(replacements) {
        let place = leftovers.newer[at_newer as usize];
        let (older, newer) = (one(leftovers.older[at_older as usize].index), one(place.index));
        let edit = if is_move { Edit::Move { older, newer } } else { Edit::Replace { older, newer } };
        found.push(((place.gap, true, place.index), edit));
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

/// The edits of the words that count, by number. A word that replaces one that does not count is added.
pub(crate) fn counting(edits: &[Edit], counts: Sides<&[bool]>) -> Vec<Edit> {
    let word = |run: Option<Range<u32>>, offset: usize, counts: &[bool]| {
        let word = run?.start + offset as u32;
        counts.get(word as usize).copied().unwrap_or(true).then_some(word..word + 1)
    };
    let one = |edit: &Edit, offset: usize| {
        let older = word(edit.older(), offset, counts.older);
        let newer = word(edit.newer(), offset, counts.newer);
        Some(match (edit, older, newer) {
            (Edit::Replace { .. }, Some(older), Some(newer)) => Edit::Replace { older, newer },
            (Edit::Move { .. }, Some(older), Some(newer)) => Edit::Move { older, newer },
            (Edit::Shrink { .. }, Some(older), _) => Edit::Shrink { older },
            (Edit::Copy { .. }, _, Some(newer)) => Edit::Copy { newer },
            (_, Some(older), _) => Edit::Drop { older },
            (_, None, Some(newer)) => Edit::Add { newer },
            (_, None, None) => return None,
        })
    };
    join(edits.iter().flat_map(|edit| (0..edit.len()).filter_map(move |offset| one(edit, offset))))
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
        let follows = |this: Option<Range<u32>>, next: Option<Range<u32>>| match (this, next) {
            (None, None) => true,
            (Some(this), Some(next)) => this.end == next.start,
            _ => false,
        };
        self.kind() == next.kind() && follows(self.older(), next.older()) && follows(self.newer(), next.newer())
    }

    fn extend(&mut self, next: &Self) {
        let (older_end, newer_end) = (next.older().map(|words| words.end), next.newer().map(|words| words.end));
        let extend = |words: &mut Range<u32>, end: Option<u32>| words.end = end.unwrap_or(words.end);
        match self {
            Self::Add { newer } | Self::Copy { newer } => extend(newer, newer_end),
            Self::Drop { older } | Self::Shrink { older } => extend(older, older_end),
            Self::Replace { older, newer } | Self::Move { older, newer } => {
                extend(older, older_end);
                extend(newer, newer_end);
            }
        }
    }

    /// What happened to the words.
    #[must_use]
    pub fn kind(&self) -> EditKind {
        match self {
            Self::Add { .. } => EditKind::Add,
            Self::Drop { .. } => EditKind::Drop,
            Self::Copy { .. } => EditKind::Copy,
            Self::Shrink { .. } => EditKind::Shrink,
            Self::Replace { .. } => EditKind::Replace,
            Self::Move { .. } => EditKind::Move,
        }
    }

    /// The words on the older page, by number; none if they are added or copied.
    #[must_use]
    pub fn older(&self) -> Option<Range<u32>> {
        match self {
            Self::Add { .. } | Self::Copy { .. } => None,
            Self::Drop { older } | Self::Shrink { older } | Self::Replace { older, .. } | Self::Move { older, .. } => {
                Some(older.clone())
            }
        }
    }

    /// The words on the newer page, by number; none if they are dropped or shrunk.
    #[must_use]
    pub fn newer(&self) -> Option<Range<u32>> {
        match self {
            Self::Drop { .. } | Self::Shrink { .. } => None,
            Self::Add { newer } | Self::Copy { newer } | Self::Replace { newer, .. } | Self::Move { newer, .. } => {
                Some(newer.clone())
            }
        }
    }

    /// The words on the older page as they are written there; empty if they are added or copied.
    #[must_use]
    pub fn older_text<'a>(&self, older: &'a Page) -> &'a str {
        self.older().map_or("", |words| older.slice(words))
    }

    /// The words on the newer page as they are written there; empty if they are dropped or shrunk.
    #[must_use]
    pub fn newer_text<'a>(&self, newer: &'a Page) -> &'a str {
        self.newer().map_or("", |words| newer.slice(words))
    }

    /// How many words it changes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.newer().or_else(|| self.older()).map_or(0, |words| words.len())
    }

    /// Does it change no word? Never true of an edit that a comparison reports.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
