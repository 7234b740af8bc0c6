//! Passages of both pages read as one, in the order of [`merge`]: words that changed, with some that stayed around them.

use driftline::change::{Change, Sides};
use driftline::degree::edit::{Edit, EditKind};
use driftline::event::{Mark, Piece};
use driftline::page::Page;

use super::pieces::{Pieces, collapsed};
use crate::summary::merge::{self, Step};
use crate::summary::owners;

/// The most unchanged words that are shown before a change, and after it.
const CONTEXT: usize = 8;

/// A word of both pages in one.
#[derive(Debug, Clone, Copy)]
struct Word {
    mark: Mark,
    /// Its number: on the older page if it was dropped, on the newer one otherwise.
    index: u32,
}

/// Two pages in one.
pub(super) struct Merged<'a> {
    pages: Sides<&'a Page>,
    words: Vec<Word>,
    /// For each region, and last for what is in none, the places of the words that changed.
    changed: Vec<Vec<u32>>,
}

impl<'a> Merged<'a> {
    /// Both pages of a change; what changed is in `left`.
    pub(super) fn new(pages: Sides<&'a Page>, change: &Change, left: &Change) -> Self {
        let mut merged = Self { pages, words: words(pages, change), changed: vec![Vec::new(); left.regions.len() + 1] };
        merged.join_lines();
        let (counting, regions) = (edited(pages, &left.edits), owners::of_words(pages, &left.regions));
        for (word, at) in merged.words.iter().zip(0..) {
            let index = word.index as usize;
            match word.mark {
                Mark::Dropped if counting.older[index] => merged.changed[regions.older[index]].push(at),
                Mark::Added | Mark::Moved if counting.newer[index] => merged.changed[regions.newer[index]].push(at),
                // Words that stayed, and words that do not count.
                _ => {}
            }
        }
        merged
    }

    /// Puts the words of a line that were dropped before those that were added in their place: kinds of edits are not
    /// shown here, so that a word dropped after a replaced one belongs to the same run.
    fn join_lines(&mut self) {
        let mut start = 0;
        for at in 0..=self.words.len() {
            let mark = self.words.get(at).map_or(Mark::Kept, |word| word.mark);
            let is_next_line =
                mark == Mark::Dropped && at > start && self.words[at - 1].mark != Mark::Dropped && self.begins_line(at);
            if mark == Mark::Kept || is_next_line {
                self.words[start..at].sort_by_key(|word| word.mark != Mark::Dropped);
                start = if is_next_line { at } else { at + 1 };
            }
        }
    }

    /// The regions in which words changed, and where.
    pub(super) fn parts(&self) -> impl Iterator<Item = (Option<usize>, &[u32])> {
        let none = self.changed.len() - 1;
        let parts = self.changed.iter().enumerate().filter(|(_, words)| !words.is_empty());
        parts.map(move |(at, words)| (Some(at).filter(|&at| at != none), words.as_slice()))
    }

    /// Did a word change in this region, outside the regions inside it?
    pub(super) fn has_words(&self, region: usize) -> bool {
        !self.changed[region].is_empty()
    }

    /// The words at these places with some around them.
    pub(super) fn pieces(&self, places: &[u32]) -> Vec<Piece> {
        let mut pieces = Pieces::default();
        let mut end = 0;
        for &place in places {
            let start = self.before(place as usize, end);
            let is_first = end == 0;
            if (is_first && !self.begins_line(start)) || (!is_first && start > end) {
                pieces.gap();
            }
            end = self.after(place as usize);
            for at in start..end {
                self.push(&mut pieces, at);
            }
            if pieces.is_full() {
                return pieces.finish();
            }
        }
        self.push_end(&mut pieces, end);
        pieces.finish()
    }

    /// Where the words before a changed one begin, not before `least`.
    fn before(&self, place: usize, least: usize) -> usize {
        let mut start = place;
        while start > least && place - start < CONTEXT && !self.begins_line(start) {
            if self.words[start - 1].mark != Mark::Kept {
                break;
            }
            start -= 1;
        }
        start
    }

    /// Where the words after a changed one end.
    fn after(&self, place: usize) -> usize {
        let next = place + 1;
        let most = self.words.len().min(next + CONTEXT);
        (next..most).find(|&at| self.words[at].mark != Mark::Kept || self.begins_line(at)).unwrap_or(most)
    }

    fn begins_line(&self, at: usize) -> bool {
        let (gap, _) = self.text(at);
        gap.contains('\n') || self.words[at].index == 0
    }

    fn push(&self, pieces: &mut Pieces, at: usize) {
        let ((gap, word), mark) = (self.text(at), self.words[at].mark);
        if self.has_same_before(at) {
            pieces.push_behind_same(mark, gap, word);
        } else {
            pieces.push(mark, gap, word);
        }
    }

    /// Is this the first of words that went, or of those that came for them, and stands the same before both?
    fn has_same_before(&self, at: usize) -> bool {
        let is_dropped = |at: &usize| self.words[*at].mark == Mark::Dropped;
        let is_behind_dropped = at.checked_sub(1).is_some_and(|before| is_dropped(&before));
        if self.words[at].mark == Mark::Kept || is_dropped(&at) == is_behind_dropped {
            return false;
        }
        let Some(came) = (at..self.words.len()).find(|at| !is_dropped(at)) else { return false };
        let Some(went) = (0..came).rev().take_while(is_dropped).last() else { return false };
        let gap = |at| collapsed(self.text(at).0);
        self.words[came].mark != Mark::Kept && gap(went) == gap(came)
    }

    /// The stop at the end of the line, or a gap if the line goes on.
    fn push_end(&self, pieces: &mut Pieces, end: usize) {
        if end < self.words.len() && !self.begins_line(end) {
            return pieces.gap();
        }
        let Some(last) = end.checked_sub(1).map(|last| self.words[last]) else { return };
        let page = self.page(last.mark);
        let from = page.word_spans()[last.index as usize].end as usize;
        let to = page.word_spans().get(last.index as usize + 1).map_or(page.text().len(), |span| span.start as usize);
        let line = page.text()[from..to].lines().next().unwrap_or_default();
        pieces.push_stop(line.trim_end());
    }

    /// What stands before a word, and the word.
    fn text(&self, at: usize) -> (&'a str, &'a str) {
        let Word { mark, index } = self.words[at];
        let page = self.page(mark);
        let spans = page.word_spans();
        let from = (index as usize).checked_sub(1).map_or(0, |before| spans[before].end);
        let span = spans[index as usize];
        // A sign belongs to its number, so that words may touch but never overlap.
        (&page.text()[from.min(span.start) as usize..span.start as usize], span.of(page.text()))
    }

    fn page(&self, mark: Mark) -> &'a Page {
        if mark == Mark::Dropped { self.pages.older } else { self.pages.newer }
    }
}

/// Whether an edit covers each word.
fn edited(pages: Sides<&Page>, edits: &[Edit]) -> Sides<Vec<bool>> {
    let mut words =
        Sides { older: vec![false; pages.older.word_count()], newer: vec![false; pages.newer.word_count()] };
    for edit in edits {
        for (words, range) in [(&mut words.older, edit.older()), (&mut words.newer, edit.newer())] {
            let edited = range.and_then(|range| words.get_mut(range.start as usize..range.end as usize));
            edited.into_iter().for_each(|edited| edited.fill(true));
        }
    }
    words
}

/// The words of both pages in reading order. Words that moved are where they are now.
fn words(pages: Sides<&Page>, change: &Change) -> Vec<Word> {
    let mut words = Vec::with_capacity(pages.newer.word_count());
    merge::each_step(pages, change, |step| {
        let (mark, numbers) = match step {
            Step::Same { words, .. } => (Mark::Kept, words),
            Step::Removed(edited) if edited.kind == EditKind::Move => return,
            Step::Removed(edited) => (Mark::Dropped, edited.words),
            Step::Inserted(edited) if edited.kind == EditKind::Move => (Mark::Moved, edited.words),
            Step::Inserted(edited) => (Mark::Added, edited.words),
            Step::Turn => return,
        };
        words.extend(numbers.map(|index| Word { mark, index: index as u32 }));
    });
    words
}
