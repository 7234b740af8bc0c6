//! In which order are two pages read as one? Before each word that stayed: the words that went, then those that came.
//!
//! Words that moved are shown where they came to. In time linear in the words of both pages.

use driftline::change::{Change, Sides};
use driftline::degree::edit::{Edit, EditKind};
use driftline::event::{Mark, Piece};
use driftline::page::Page;

use super::pieces::{Pieces, collapsed};
use crate::summary::owners;

/// The most unchanged words that are shown before a change, and after it.
const CONTEXT: usize = 8;

/// A word of both pages in one.
#[derive(Debug, Clone, Copy)]
struct Word {
    mark: Mark,
    /// Its number: on the older page if it went, on the newer one otherwise.
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
        let (marks, counting) = (marks(pages, &change.edits), marks(pages, &left.edits));
        let none = left.regions.len();
        let regions = owners::of_words(pages, &left.regions);
        let words = merge(&marks);
        let mut changed = vec![Vec::new(); none + 1];
        for (word, at) in words.iter().zip(0..) {
            let index = word.index as usize;
            match word.mark {
                Mark::Dropped if counting.older[index].is_some() => changed[regions.older[index]].push(at),
                Mark::Added | Mark::Moved if counting.newer[index].is_some() => changed[regions.newer[index]].push(at),
                // Words that stayed, and words that do not count.
                _ => {}
            }
        }
        Self { pages, words, changed }
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

/// What became of each word of either page: none if it stayed. Of an older word that moved, [`Mark::Moved`].
fn marks(pages: Sides<&Page>, edits: &[Edit]) -> Sides<Vec<Option<Mark>>> {
    let mut marks = Sides { older: vec![None; pages.older.word_count()], newer: vec![None; pages.newer.word_count()] };
    for edit in edits {
        let (went, came) = match edit.kind() {
            EditKind::Move => (Mark::Moved, Mark::Moved),
            _ => (Mark::Dropped, Mark::Added),
        };
        for (marks, range, mark) in [(&mut marks.older, edit.older(), went), (&mut marks.newer, edit.newer(), came)] {
            let words = range.and_then(|range| marks.get_mut(range.start as usize..range.end as usize));
            words.into_iter().for_each(|words| words.fill(Some(mark)));
        }
    }
    marks
}

fn merge(marks: &Sides<Vec<Option<Mark>>>) -> Vec<Word> {
    let mut words = Vec::with_capacity(marks.newer.len());
    let (mut older, mut newer) = (0, 0);
    loop {
        while let Some(Some(mark)) = marks.older.get(older) {
            words.extend((*mark == Mark::Dropped).then_some(Word { mark: *mark, index: older as u32 }));
            older += 1;
        }
        while let Some(Some(mark)) = marks.newer.get(newer) {
            words.push(Word { mark: *mark, index: newer as u32 });
            newer += 1;
        }
        if older >= marks.older.len() || newer >= marks.newer.len() {
            return words;
        }
        words.push(Word { mark: Mark::Kept, index: newer as u32 });
        (older, newer) = (older + 1, newer + 1);
    }
}
