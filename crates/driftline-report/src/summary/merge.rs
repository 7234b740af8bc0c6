//! The order in which two pages are read as one, as steps: text of both, text that was removed, text that was added.
//!
//! A [`Change`](driftline::change::Change) names words by number. All words that no edit covers are
//! common and in the same order, so two pointers that skip the covered words meet at every common
//! one. What stands between words (blanks, punctuation, line ends) is no word; at the edges of a
//! change it counts as unchanged as far as both pages have it, and beyond that belongs to the words
//! next to it.
//!
//! Every view and every excerpt is made from these steps, so all of them mark the same words in the same order.

mod order;
mod text;

use std::ops::Range;

use driftline::change::{Change, Sides};
use driftline::degree::edit::{Edit, EditKind};
use driftline::page::Page;

use order::{Gap, Run};
use text::{Edges, Stretch, Text};

/// A stretch of text and what happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// The same words on both pages, by their numbers on the newer one; none if the text is only what is between words.
    /// With words, it lies within one line on either page.
    Same { text: Sides<&'a str>, words: Range<usize> },
    /// Words of the older page that changed.
    Removed(Edited<'a>),
    /// Whole lines of the older page end here, and whole lines in their place begin.
    Turn,
    /// Words of the newer page that changed.
    Inserted(Edited<'a>),
}

/// Text of one edit on one page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edited<'a> {
    pub(crate) kind: EditKind,
    /// The edit's place in the change.
    pub(crate) edit: usize,
    /// Its words, by their numbers on the page.
    pub(crate) words: Range<usize>,
    pub(crate) text: &'a str,
}

/// The steps from the beginning of both pages to their end, in time linear in their length.
#[cfg(any(test, feature = "view"))]
pub(crate) fn steps<'a>(pages: Sides<&'a Page>, change: &'a Change) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    each_step(pages, change, |step| steps.push(step));
    steps
}

/// The same, one step after the other: those of a long page take more memory than its words.
pub(crate) fn each_step<'a>(pages: Sides<&'a Page>, change: &'a Change, out: impl FnMut(Step<'a>)) {
    let edits = &change.edits;
    let mut walk = Walk {
        edits,
        older: Text::new(pages.older, edits, Edit::older),
        newer: Text::new(pages.newer, edits, Edit::newer),
        is_at_line_start: true,
        out,
    };
    walk.all();
}

struct Walk<'a, F> {
    edits: &'a [Edit],
    older: Text<'a>,
    newer: Text<'a>,
    /// After the last step.
    is_at_line_start: bool,
    out: F,
}

impl<'a, F: FnMut(Step<'a>)> Walk<'a, F> {
    fn all(&mut self) {
        let (mut at_older, mut at_newer) = (0, 0);
        loop {
            let (older, newer) = (self.older.changed(at_older), self.newer.changed(at_newer));
            (at_older, at_newer) = (older.end, newer.end);
            self.changed(older, newer);
            let common = self.older.common(at_older, &self.newer, at_newer);
            if common == 0 {
                return;
            }
            self.common(at_older, at_newer, common);
            (at_older, at_newer) = (at_older + common, at_newer + common);
        }
    }

    /// Common words: a step for each stretch of them without a line end on either page.
    fn common(&mut self, older: usize, newer: usize, count: usize) {
        let mut first = 0;
        for next in 1..count {
            let gaps = [self.older.gap(older + next), self.newer.gap(newer + next)];
            if gaps.iter().any(|gap| gap.contains('\n')) {
                self.run(older, newer, first..next);
                self.same(gaps[0], gaps[1]);
                first = next;
            }
        }
        self.run(older, newer, first..count);
    }

    fn run(&mut self, older: usize, newer: usize, run: Range<usize>) {
        let words = |at: usize| at + run.start..at + run.end;
        let text = Sides { older: self.older.run(words(older)), newer: self.newer.run(words(newer)) };
        self.push(Step::Same { text, words: words(newer) });
    }

    /// Changed words, and the text up to the next common word.
    fn changed(&mut self, older: Range<usize>, newer: Range<usize>) {
        let (older, newer) = (self.older.stretch(older), self.newer.stretch(newer));
        let edges = older.shared_edges(&newer);
        let ([before, gone, after], [_, come, _]) = (older.parts(edges), newer.parts(edges));
        self.same(before, before);
        let ends_line = after.starts_with('\n') || older.is_last() && newer.is_last();
        let has_lines = gone.contains('\n') || come.contains('\n');
        let turns = self.is_at_line_start && ends_line && has_lines && !older.is_gap() && !newer.is_gap();
        let gone = self.removed(&older, edges);
        let (come, [lines_before, lines_after]) = self.inserted(&newer, edges);
        let steps: Vec<Step<'_>> = if turns {
            let (gone, come) = (gone.into_iter().map(Run::removed), come.into_iter().map(Run::inserted));
            gone.chain([Step::Turn]).chain(come).collect()
        } else {
            Gap { edits: self.edits, words: Sides { older: older.words, newer: newer.words } }.merge(gone, come)
        };
        let first = steps.iter().position(|step| matches!(step, Step::Inserted(_))).unwrap_or(steps.len());
        let mut steps = steps.into_iter();
        steps.by_ref().take(first).for_each(|step| self.push(step));
        self.same("", lines_before);
        steps.for_each(|step| self.push(step));
        self.same("", lines_after);
        self.same(after, after);
    }

    fn removed(&mut self, stretch: &Stretch<'a>, edges: Edges) -> Vec<Run<'a>> {
        if stretch.is_gap() {
            self.same(stretch.parts(edges)[1], "");
        }
        self.older.runs(stretch, edges)
    }

    /// The words that came, and the lines of punctuation alone before and after them. Those are not
    /// marked: they are no words that came.
    fn inserted(&self, stretch: &Stretch<'a>, edges: Edges) -> (Vec<Run<'a>>, [&'a str; 2]) {
        let [_, middle, _] = stretch.parts(edges);
        if stretch.is_gap() {
            return (Vec::new(), ["", middle]);
        }
        let inner = stretch.wordless_edges(edges);
        let (before, after) = (inner.0 - edges.0, middle.len() - (inner.1 - edges.1));
        let mut runs = self.newer.runs(stretch, inner);
        if let Some(first) = runs.first_mut() {
            first.begins_line |= before > 0;
        }
        (runs, [&middle[..before], &middle[after..]])
    }

    /// What is between words.
    fn same(&mut self, older: &'a str, newer: &'a str) {
        if !older.is_empty() || !newer.is_empty() {
            self.push(Step::Same { text: Sides { older, newer }, words: 0..0 });
        }
    }

    fn push(&mut self, step: Step<'a>) {
        self.is_at_line_start = match &step {
            Step::Same { text, .. } => text.newer.ends_with('\n'),
            Step::Removed(edited) | Step::Inserted(edited) => edited.text.ends_with('\n'),
            Step::Turn => false,
        };
        (self.out)(step);
    }
}

#[cfg(test)]
mod tests {
    use driftline::page::{BodyKind, ReadOptions};

    use super::*;
    use crate::sample::{Pair, many_words};

    /// The steps as text: common text, `[removed]`, `{inserted}`, and `/` for a turn.
    fn written(pair: &Pair) -> String {
        let steps = steps(pair.pages(), &pair.change);
        let write = |step: &Step| match step {
            Step::Same { text, .. } => text.newer.to_owned(),
            Step::Removed(edited) => format!("[{}]", edited.text),
            Step::Turn => "/".to_owned(),
            Step::Inserted(edited) => format!("{{{}}}", edited.text),
        };
        steps.iter().map(write).collect()
    }

    fn plain(older: &str, newer: &str) -> Pair {
        Pair::read(older, newer, &ReadOptions { kind: Some(BodyKind::Text), ..ReadOptions::default() })
    }

    #[test]
    fn punctuation_that_both_pages_have_is_common() {
        assert_eq!(written(&plain("Come at five.", "Come at six.")), "Come at [five]{six}.");
        assert_eq!(written(&plain("Come.", "Come, please.")), "Come{, please}.");
        assert_eq!(written(&plain("A (b) c", "A c")), "A [(b) ]c");
    }

    #[test]
    fn punctuation_of_one_page_stays_on_its_side() {
        assert_eq!(written(&plain("a! b", "a; c")), "a[! b]{; c}");
        assert_eq!(written(&plain("a! b", "a x, b")), "a{ x,} b");
        assert_eq!(written(&plain("a, b", "a; b")), "a; b");
    }

    #[test]
    fn punctuation_between_two_edits_goes_to_the_word_it_touches() {
        let pair = plain("a five", "a six (also) b a");
        assert_eq!(written(&pair), "a [five]{six}{ (also) b}{ a}");
    }

    #[test]
    fn whole_lines_in_the_place_of_whole_lines_begin_a_line() {
        assert_eq!(written(&plain("a\nb\nc\nd", "a\nx\nd")), "a\n[b][\nc]/{x}\nd");
        assert_eq!(written(&plain("a\nb\nd", "a\nx\nd")), "a\n[b]{x}\nd");
        assert_eq!(written(&plain("a\nb\nd", "a\nd")), "a\n[b\n]d");
    }

    #[test]
    fn a_stop_at_the_end_of_another_line_is_not_common() {
        assert_eq!(written(&plain("a b.\nd", "a c.\ne e.\nd")), "a [b.]{c.}{\ne}{ e.}\nd");
    }

    #[test]
    fn a_line_without_words_is_not_marked() {
        assert_eq!(written(&plain("a b\nd", "a)\nc\n---\nd")), "a[ b])\n{c}\n---\nd");
    }

    #[test]
    fn the_steps_hold_every_byte_of_both_pages() {
        let texts = ["", "a", "a, b! c?\nd e", "x\n\ny (a) b\tc", "é漢字。a b c d", "...", "c b a, a b c\n"];
        for (older, newer) in texts.iter().flat_map(|older| texts.iter().map(move |newer| (older, newer))) {
            let pair = plain(older, newer);
            let mut both = Sides::<String>::default();
            for step in steps(pair.pages(), &pair.change) {
                match step {
                    Step::Same { text, .. } => {
                        both.older += text.older;
                        both.newer += text.newer;
                    }
                    Step::Removed(edited) => both.older += edited.text,
                    Step::Inserted(edited) => both.newer += edited.text,
                    Step::Turn => {}
                }
            }
            assert_eq!((both.older.as_str(), both.newer.as_str()), (*older, *newer));
        }
    }

    #[test]
    fn a_word_that_came_stays_on_its_line_if_lines_below_went() {
        let pair = plain("Apple: 1.20\nPear: 2.00\nFig: 3", "Apple: 1.30\nFig: 3");
        assert_eq!(written(&pair), "Apple: [1.20]{1.30}[\nPear: 2.00]\nFig: 3");
        let pair = plain("Apple\nPear: 2.00\nFig: 3", "Apple 3\nFig: 3");
        assert_eq!(written(&pair), "Apple{ 3}[\nPear: 2.00]\nFig: 3");
    }

    #[test]
    fn words_in_the_place_of_others_follow_them_line_by_line() {
        let pair = plain("a one\ntwo b\nc", "a six\nten b\nc");
        assert_eq!(written(&pair), "a [one]{six}[\ntwo]{\nten} b\nc");
    }

    #[test]
    fn each_page_is_read_in_its_own_order() {
        let texts = ["a b c", "c\nb a x", "a x\ny b\nz c", "x a\ny\nz b a q", "q r\ns t u\nc", "a q\n-\nr\n-\nc b"];
        for (older, newer) in texts.iter().flat_map(|older| texts.iter().map(move |newer| (older, newer))) {
            let pair = plain(older, newer);
            let steps = steps(pair.pages(), &pair.change);
            let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            let one = steps.iter().map(|step| match step {
                Step::Same { text, .. } => text.older,
                Step::Removed(edited) => edited.text,
                Step::Inserted(_) | Step::Turn => "",
            });
            assert_eq!(words(one.collect()), words((*older).to_owned()));
            let other = steps.iter().map(|step| match step {
                Step::Same { text, .. } => text.newer,
                Step::Inserted(edited) => edited.text,
                Step::Removed(_) | Step::Turn => "",
            });
            assert_eq!(words(other.collect()), words((*newer).to_owned()));
        }
    }

    #[test]
    fn a_word_added_after_each_word_takes_linear_time() {
        let older = many_words("a", ' ');
        let pair = plain(&older, &older.replace(' ', " b "));
        assert!(steps(pair.pages(), &pair.change).len() >= 200_000);
    }

    #[test]
    fn a_change_of_other_pages_shows_nonsense_but_does_not_panic() {
        let pair = plain("a b c d e f", "x b y d z");
        let other = plain("a", "q r");
        let wrong = Pair { change: pair.change, ..other };
        steps(wrong.pages(), &wrong.change);
    }
}
