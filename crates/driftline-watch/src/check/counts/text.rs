//! The text rules of a watch: which lines and words of a page count, and what its text must and must not say.

use driftline::change::Sides;
use driftline::page::{NodeId, Page};
use driftline::region::{ResourceChange, ResourceFate};
use regex::Regex;

use crate::check::CheckError;
use crate::watches::{Watch, pattern};

/// The regular expressions of a watch, compiled.
#[derive(Debug)]
pub(super) struct TextRules {
    pub(super) ignored: Vec<Regex>,
    pub(super) ignored_lines: Vec<Regex>,
    pub(super) only: Vec<Regex>,
    pub(super) only_lines: Vec<Regex>,
    pub(super) triggers: Vec<Regex>,
    pub(super) contains: Vec<Regex>,
    pub(super) not_contains: Vec<Regex>,
}

impl TextRules {
    /// The rules of a watch.
    pub(super) fn of(watch: &Watch) -> Result<Self, CheckError> {
        let counts = &watch.settings.counts;
        let compile = |texts: &[String]| -> Result<Vec<Regex>, CheckError> {
            texts.iter().map(|text| pattern(text).map_err(|error| CheckError::setting(watch, error))).collect()
        };
        Ok(Self {
            ignored: compile(&counts.ignore_text)?,
            ignored_lines: compile(&counts.ignore_lines)?,
            only: compile(&counts.only_text)?,
            only_lines: compile(&counts.only_lines)?,
            triggers: compile(&counts.trigger)?,
            contains: compile(&counts.contains)?,
            not_contains: compile(&counts.not_contains)?,
        })
    }

    /// Whether some of the text counts and the rest does not, so that a title does not either.
    pub(super) fn are_selective(&self) -> bool {
        !self.only.is_empty() || !self.only_lines.is_empty()
    }

    /// The parts of both versions that count.
    pub(super) fn select<'a>(&self, pages: Sides<&'a Page>) -> Sides<Selection<'a>> {
        Sides { older: Selection::of(pages.older, self), newer: Selection::of(pages.newer, self) }
    }

    /// Whether a new version says what it must, and nothing that it must not.
    pub(super) fn are_met(&self, newer: &Selection<'_>) -> bool {
        let says = |patterns: &[Regex]| newer.lines().any(|line| patterns.iter().any(|pattern| pattern.is_match(line)));
        (self.contains.is_empty() || says(&self.contains)) && !says(&self.not_contains)
    }

    /// Whether an item of a feed counts by what it says: the whole item, not a line of it.
    pub(super) fn allow(&self, texts: &[&str]) -> bool {
        let lines = || texts.iter().flat_map(|text| text.lines());
        let says = |patterns: &[Regex]| lines().any(|line| patterns.iter().any(|pattern| pattern.is_match(line)));
        let must = [&self.only, &self.only_lines, &self.triggers, &self.contains];
        let must_not = [&self.ignored, &self.ignored_lines, &self.not_contains];
        must.into_iter().all(|patterns| patterns.is_empty() || says(patterns))
            && !must_not.into_iter().any(|it| says(it))
    }
}

/// What of a page counts.
#[derive(Debug)]
pub(super) struct Selection<'a> {
    page: &'a Page,
    /// Where each line that counts begins and ends, in order.
    lines: Vec<(usize, usize)>,
    is_whole: bool,
    /// By number of the word: does it count?
    pub(super) words: Vec<bool>,
}

impl<'a> Selection<'a> {
    fn of(page: &'a Page, rules: &TextRules) -> Self {
        let matches = |patterns: &[Regex], line: &str| patterns.iter().any(|pattern| pattern.is_match(line));
        let (mut lines, mut words) = (Vec::new(), vec![false; page.word_count()]);
        let mut is_whole = true;
        for (start, line) in lines_of(page.text()) {
            let is_one = rules.only_lines.is_empty() || matches(&rules.only_lines, line);
            if is_one && !matches(&rules.ignored_lines, line) {
                lines.push((start, start + line.len()));
                words_between(page, start, start + line.len(), |word| words[word] = true);
            } else {
                is_whole = false;
            }
        }
        if !rules.only.is_empty() {
            let only = covered_words(page, &rules.only);
            words.iter_mut().zip(only).for_each(|(word, is_covered)| *word &= is_covered);
        }
        let ignored = covered_words(page, &rules.ignored);
        words.iter_mut().zip(ignored).for_each(|(word, is_covered)| *word &= !is_covered);
        Self { page, lines, is_whole, words }
    }

    /// The text of each line that counts.
    pub(super) fn lines(&self) -> impl Iterator<Item = &'a str> {
        let text = self.page.text();
        self.lines.iter().map(|&(start, end)| &text[start..end])
    }

    /// Whether all lines count.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether an element is on a line that counts.
    fn has(&self, node: NodeId) -> bool {
        let at = self.page.nodes()[node.index()].text.start as usize;
        let next = self.lines.partition_point(|&(_, end)| end < at);
        self.is_whole || self.lines.get(next).is_some_and(|&(start, _)| start <= at)
    }
}

/// Whether a link or an image that was lost or gained is on a line that counts.
pub(super) fn has_resource(selections: &Sides<Selection<'_>>, resource: &ResourceChange) -> bool {
    match resource.kind {
        ResourceFate::Lost => selections.older.has(resource.node),
        ResourceFate::Gained => selections.newer.has(resource.node),
    }
}

/// Which words are part of what a pattern matches, line by line.
pub(super) fn covered_words(page: &Page, patterns: &[Regex]) -> Vec<bool> {
    let mut covered = vec![false; page.word_count()];
    for (start, line) in lines_of(page.text()) {
        for found in patterns.iter().flat_map(|pattern| pattern.find_iter(line)).filter(|found| !found.is_empty()) {
            words_between(page, start + found.start(), start + found.end(), |word| covered[word] = true);
        }
    }
    covered
}

/// Each line of a text without its end, and where it begins.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let own = *start;
        *start += line.len();
        Some((own, line.strip_suffix('\n').unwrap_or(line)))
    })
}

/// Names the words that are between two places of the text, wholly or in part.
fn words_between(page: &Page, from: usize, to: usize, mut name: impl FnMut(usize)) {
    let spans = page.word_spans();
    let first = spans.partition_point(|span| span.end as usize <= from);
    let count = spans[first..].iter().take_while(|span| (span.start as usize) < to).count();
    (first..first + count).for_each(&mut name);
}
