//! Which edit does each byte of a page belong to? The words' edits, and the text between words
//! dealt out among them.

use std::ops::Range;

use driftline::degree::edit::Edit;
use driftline::page::{Page, Span};

use super::Edited;
use super::order::Run;

/// A page's text with the edits on it.
pub(super) struct Text<'a> {
    page: &'a str,
    words: &'a [Span],
    edits: &'a [Edit],
    /// The edit that covers each word.
    covers: Vec<Option<u32>>,
}

impl<'a> Text<'a> {
    pub(super) fn new(page: &'a Page, edits: &'a [Edit], on_page: impl Fn(&Edit) -> Option<Range<u32>>) -> Self {
        let mut covers = vec![None; page.word_count()];
        for (number, edit) in edits.iter().enumerate() {
            let words = on_page(edit).unwrap_or_default();
            if let Some(covered) = covers.get_mut(words.start as usize..words.end as usize) {
                covered.fill(Some(number as u32));
            }
        }
        Self { page: page.text(), words: page.word_spans(), edits, covers }
    }

    /// The words from `start` on that changed.
    pub(super) fn changed(&self, start: usize) -> Range<usize> {
        let rest = &self.covers[start..];
        start..start + rest.iter().position(Option::is_none).unwrap_or(rest.len())
    }

    /// How many words from `start` on are common, and those of `other` from `other_start` on too. Both
    /// are looked at together: one page may be all common, the other have a change after each word.
    pub(super) fn common(&self, start: usize, other: &Self, other_start: usize) -> usize {
        let pairs = self.covers[start..].iter().zip(&other.covers[other_start..]);
        pairs.take_while(|(one, other)| one.is_none() && other.is_none()).count()
    }

    /// Words with what stands between them.
    pub(super) fn run(&self, words: Range<usize>) -> &'a str {
        &self.page[self.start(words.start)..self.gap_start(words.end)]
    }

    /// What stands before a word.
    pub(super) fn gap(&self, word: usize) -> &'a str {
        &self.page[self.gap_start(word)..self.start(word)]
    }

    /// Changed words, or none, with what stands around them.
    pub(super) fn stretch(&self, words: Range<usize>) -> Stretch<'a> {
        let bytes = self.gap_start(words.start)..self.start(words.end);
        let (lead, trail) = if words.is_empty() {
            (bytes.end, bytes.start)
        } else {
            (self.start(words.start), self.gap_start(words.end))
        };
        Stretch { page: self.page, bytes, lead, trail, words }
    }

    /// The middle of a stretch: a run for each edit and each line of it.
    pub(super) fn runs(&self, stretch: &Stretch<'a>, (prefix, suffix): Edges) -> Vec<Run<'a>> {
        let mut runs = Vec::new();
        let mut from = stretch.bytes.start + prefix;
        let covers = &self.covers[..stretch.words.end];
        let mut first = stretch.words.start;
        while let Some(&Some(number)) = covers.get(first) {
            let goes_on = |&word: &usize| covers[word] == Some(number) && !self.gap(word).contains('\n');
            let next = first + 1 + (first + 1..covers.len()).take_while(goes_on).count();
            let to = if next == covers.len() { stretch.bytes.end - suffix } else { self.parting(next) };
            let edit = number as usize;
            runs.push(Run {
                edited: Edited { kind: self.edits[edit].kind(), edit, words: first..next, text: &self.page[from..to] },
                begins_line: self.page[from..self.start(first)].contains('\n'),
            });
            (first, from) = (next, to);
        }
        runs
    }

    /// Where the text before a word stops belonging to the word before it: at the first blank.
    fn parting(&self, word: usize) -> usize {
        let gap = self.gap(word);
        self.gap_start(word) + gap.find(char::is_whitespace).unwrap_or(gap.len())
    }

    fn gap_start(&self, word: usize) -> usize {
        word.checked_sub(1).map_or(0, |before| self.words[before].end as usize)
    }

    /// Where a word begins; the end of the text if there is no such word.
    fn start(&self, word: usize) -> usize {
        self.words.get(word).map_or(self.page.len(), |span| span.start as usize)
    }
}

/// How many bytes at the beginning and at the end of two stretches are the same.
pub(super) type Edges = (usize, usize);

/// What stands between two common words of a page.
pub(super) struct Stretch<'a> {
    page: &'a str,
    bytes: Range<usize>,
    /// Where the first changed word begins.
    lead: usize,
    /// Where the last changed word ends.
    trail: usize,
    pub(super) words: Range<usize>,
}

impl<'a> Stretch<'a> {
    /// Has it no changed word?
    pub(super) fn is_gap(&self) -> bool {
        self.words.is_empty()
    }

    /// How much both have at their edges, without touching a changed word.
    ///
    /// If lines came or went, the end begins with a line end: a stop before it ends another line
    /// than the stop on the other page.
    pub(super) fn shared_edges(&self, other: &Self) -> Edges {
        let prefix = shared(self.before_words().chars(), other.before_words().chars());
        let suffix = shared(self.after_words(prefix).chars().rev(), other.after_words(prefix).chars().rev());
        let [_, one, end] = self.parts((prefix, suffix));
        let [_, two, _] = other.parts((prefix, suffix));
        let has_lines = one.contains('\n') || two.contains('\n');
        (prefix, suffix - if has_lines { end.find('\n').unwrap_or(0) } else { 0 })
    }

    fn before_words(&self) -> &'a str {
        &self.page[self.bytes.start..self.lead]
    }

    fn after_words(&self, prefix: usize) -> &'a str {
        &self.page[self.trail.max(self.bytes.start + prefix)..self.bytes.end]
    }

    /// The edge at the beginning, the middle, the edge at the end.
    pub(super) fn parts(&self, (prefix, suffix): Edges) -> [&'a str; 3] {
        let (start, end) = (self.bytes.start + prefix, self.bytes.end - suffix);
        [&self.page[self.bytes.start..start], &self.page[start..end], &self.page[end..self.bytes.end]]
    }

    /// The edges and the lines next to them that have no word.
    pub(super) fn wordless_edges(&self, (prefix, suffix): Edges) -> Edges {
        let before = &self.page[self.bytes.start + prefix..self.lead];
        let after = &self.page[self.trail..self.bytes.end - suffix];
        let lines_before = before.rfind('\n').map_or(0, |end| end + 1);
        let lines_after = after.find('\n').map_or(0, |end| after.len() - end);
        (prefix + lines_before, suffix + lines_after)
    }

    /// Does it reach the end of the page?
    pub(super) fn is_last(&self) -> bool {
        self.bytes.end == self.page.len()
    }
}

/// How many bytes both begin with.
fn shared(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}
