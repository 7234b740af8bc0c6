//! The order of the changed words between two common words: line by line, and each replacement after what it
//! replaces.

use std::iter::Peekable;
use std::ops::Range;

use driftline::change::Sides;
use driftline::degree::edit::{Edit, EditKind};

use super::{Edited, Step};

/// Words of one edit on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub(super) edited: Edited<'a>,
    /// Does a line end stand between its first word and what is before?
    pub(super) begins_line: bool,
}

impl<'a> Run<'a> {
    pub(super) fn removed(self) -> Step<'a> {
        Step::Removed(self.edited)
    }

    pub(super) fn inserted(self) -> Step<'a> {
        Step::Inserted(self.edited)
    }
}

/// The changed words between two common ones.
pub(super) struct Gap<'a> {
    pub(super) edits: &'a [Edit],
    pub(super) words: Sides<Range<usize>>,
}

impl<'a> Gap<'a> {
    /// The runs of both pages as steps, each page's in its own order.
    ///
    /// A run of the older page is followed by what came up to the words in its place. At the end of a
    /// line comes what else is on the same line of the other page.
    pub(super) fn merge(&self, older: Vec<Run<'a>>, newer: Vec<Run<'a>>) -> Vec<Step<'a>> {
        let mut steps = Vec::with_capacity(older.len() + newer.len());
        let (mut older, mut newer) = (older.into_iter().peekable(), newer.into_iter().peekable());
        let mut reached = 0;
        while let Some(run) = older.next() {
            if run.begins_line {
                let at = run.edited.words.start;
                insert_while(&mut steps, &mut newer, |next| !next.begins_line && !self.replaces_from(next, at));
            }
            reached = reached.max(self.replaced_up_to(&run));
            steps.push(run.removed());
            let goes_on = older.peek().is_some_and(|next| !next.begins_line);
            insert_while(&mut steps, &mut newer, |next| {
                next.edited.words.start < reached && !(next.begins_line && goes_on)
            });
        }
        insert_while(&mut steps, &mut newer, |_| true);
        steps
    }

    /// Behind which word of the newer page the words in the place of a run end; 0 if there are none here.
    fn replaced_up_to(&self, run: &Run) -> usize {
        self.replacement(run).map_or(0, |Sides { older, newer }| {
            if run.edited.words.end < older.end {
                newer.end.min(newer.start + (run.edited.words.end - older.start))
            } else {
                newer.end
            }
        })
    }

    /// Does a run of the newer page stand in the place of words from `start` on?
    fn replaces_from(&self, run: &Run, start: usize) -> bool {
        self.replacement(run).is_some_and(|Sides { older, newer }| {
            let last = older.start.saturating_add(run.edited.words.end.saturating_sub(newer.start));
            start < last.min(older.end)
        })
    }

    /// The words of a run's edit, if it is a replacement within the gap.
    fn replacement(&self, run: &Run) -> Option<Sides<Range<usize>>> {
        let edit = self.edits.get(run.edited.edit).filter(|edit| edit.kind() == EditKind::Replace)?;
        let within = |words: Option<Range<u32>>, gap: &Range<usize>| {
            let words = words.map(|words| words.start as usize..words.end as usize)?;
            (gap.start <= words.start && words.end <= gap.end).then_some(words)
        };
        Some(Sides { older: within(edit.older(), &self.words.older)?, newer: within(edit.newer(), &self.words.newer)? })
    }
}

fn insert_while<'a>(
    steps: &mut Vec<Step<'a>>,
    runs: &mut Peekable<impl Iterator<Item = Run<'a>>>,
    is_next: impl Fn(&Run<'a>) -> bool,
) {
    while let Some(run) = runs.next_if(&is_next) {
        steps.push(run.inserted());
    }
}
