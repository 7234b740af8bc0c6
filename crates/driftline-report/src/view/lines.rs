//! Which lines does a reader see? The steps of two pages as lines of marked pieces: both pages in
//! one, or each page alone.
//!
//! A line ends where a block of the page ends. Blanks at the edges of changed text are never marked:
//! nobody asks whether a blank was added.

use std::collections::BTreeSet;

use driftline::degree::edit::EditKind;

use super::mark::Mark;
use crate::summary::merge::{Edited, Step};

/// A line of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
}

/// A piece of a line, none of it a line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    pub(super) mark: Mark,
    /// The edit that it belongs to.
    pub(super) edit: Option<usize>,
    pub(super) text: &'a str,
}

/// What changed on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Nothing.
    Nothing,
    /// Some of it.
    Part,
    /// All of it went.
    Gone,
    /// All of it came.
    New,
}

impl<'a> Line<'a> {
    /// A line in which nothing changed.
    pub(super) fn plain(text: &'a str) -> Self {
        Self { pieces: vec![Piece { mark: Mark::Same, edit: None, text }] }
    }

    /// Has it the same text?
    pub(super) fn reads_as(&self, other: &Self) -> bool {
        fn letters<'a>(line: &'a Line) -> impl Iterator<Item = char> + use<'a> {
            line.pieces.iter().flat_map(|piece| piece.text.chars())
        }
        letters(self).eq(letters(other))
    }

    pub(super) fn is_changed(&self) -> bool {
        self.pieces.iter().any(|piece| piece.mark.is_change())
    }

    pub(super) fn extent(&self) -> Extent {
        let mut marks = self.pieces.iter().filter(|piece| !piece.text.trim().is_empty()).map(|piece| piece.mark);
        match marks.next() {
            _ if !self.is_changed() => Extent::Nothing,
            Some(Mark::Removed(_)) if marks.all(|mark| matches!(mark, Mark::Removed(_))) => Extent::Gone,
            Some(Mark::Inserted(_)) if marks.all(|mark| matches!(mark, Mark::Inserted(_))) => Extent::New,
            _ => Extent::Part,
        }
    }
}

/// The kinds of change that the lines show, in the papers' order.
pub(super) fn kinds<'a>(lines: impl IntoIterator<Item = &'a Line<'a>>) -> Vec<EditKind> {
    let pieces = lines.into_iter().flat_map(|line| &line.pieces);
    let kinds: BTreeSet<EditKind> = pieces.filter_map(|piece| piece.mark.kind()).collect();
    kinds.into_iter().collect()
}

/// Both pages read as one; what both have as the newer page writes it.
pub(super) fn merged<'a>(steps: &[Step<'a>]) -> Vec<Line<'a>> {
    let mut lines = Lines::default();
    for step in steps {
        match step {
            Step::Same { text, .. } => lines.same(text.newer),
            Step::Removed(edited) => lines.edited(Mark::Removed(edited.kind), edited),
            Step::Turn if lines.last.pieces.is_empty() => {}
            Step::Turn => lines.end(),
            Step::Inserted(edited) => lines.edited(Mark::Inserted(edited.kind), edited),
        }
    }
    lines.finish()
}

/// The older page.
pub(super) fn older<'a>(steps: &[Step<'a>]) -> Vec<Line<'a>> {
    let mut lines = Lines::default();
    for step in steps {
        match step {
            Step::Same { text, .. } => lines.same(text.older),
            Step::Removed(edited) => lines.edited(Mark::Removed(edited.kind), edited),
            Step::Turn | Step::Inserted(_) => {}
        }
    }
    lines.finish()
}

/// The newer page.
pub(super) fn newer<'a>(steps: &[Step<'a>]) -> Vec<Line<'a>> {
    let mut lines = Lines::default();
    for step in steps {
        match step {
            Step::Same { text, .. } => lines.same(text.newer),
            Step::Inserted(edited) => lines.edited(Mark::Inserted(edited.kind), edited),
            Step::Turn | Step::Removed(_) => {}
        }
    }
    lines.finish()
}

#[derive(Default)]
struct Lines<'a> {
    done: Vec<Line<'a>>,
    last: Line<'a>,
}

impl<'a> Lines<'a> {
    fn same(&mut self, text: &'a str) {
        self.each_line(text, |lines, text| lines.piece(Mark::Same, None, text));
    }

    fn edited(&mut self, mark: Mark, edited: &Edited<'a>) {
        self.each_line(edited.text, |lines, text| {
            let (lead, rest) = text.split_at(text.len() - text.trim_start().len());
            let (core, trail) = rest.split_at(rest.trim_end().len());
            lines.piece(Mark::Same, None, lead);
            lines.piece(mark, Some(edited.edit), core);
            lines.piece(Mark::Same, None, trail);
        });
    }

    fn each_line(&mut self, text: &'a str, add: impl Fn(&mut Self, &'a str)) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.end();
            }
            add(self, line);
        }
    }

    fn piece(&mut self, mark: Mark, edit: Option<usize>, text: &'a str) {
        if !text.is_empty() {
            self.last.pieces.push(Piece { mark, edit, text });
        }
    }

    fn end(&mut self) {
        self.done.push(std::mem::take(&mut self.last));
    }

    fn finish(mut self) -> Vec<Line<'a>> {
        if !self.last.pieces.is_empty() {
            self.end();
        }
        self.done
    }
}
