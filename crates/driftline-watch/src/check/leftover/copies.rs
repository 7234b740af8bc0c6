//! Which words of a sentence the other version has in the same sequence, anywhere.

use std::collections::{HashMap, HashSet};

use super::hash;
use super::sentences::Sentence;

/// So many words in the same sequence are not a coincidence.
const RUN: usize = 4;
/// The most sentences that begin with one word which are looked at.
const MOST_CANDIDATES: usize = 200;

/// The sentences of a version.
#[derive(Default)]
pub(super) struct Copies<'a> {
    /// How often each sentence is on the page.
    whole: HashMap<u64, usize>,
    /// Runs of words: of the length that is no coincidence, and shorter ones of two words or more.
    runs: HashSet<u64>,
    /// Sentences by their first word, the longest first.
    by_first: HashMap<&'a str, Vec<&'a [&'a str]>>,
}

impl<'a> Copies<'a> {
    pub(super) fn of(sentences: &'a [Sentence<'a>]) -> Self {
        let mut copies = Self::default();
        for sentence in sentences {
            let words: &[&str] = &sentence.forms;
            let count = copies.whole.entry(hash(words.iter().copied())).or_default();
            *count += 1;
            if *count == 1 && is_telling(words) {
                copies.by_first.entry(words[0]).or_default().push(words);
            }
            for length in 2..=RUN {
                copies.runs.extend(words.windows(length).map(|run| hash(run.iter().copied())));
            }
        }
        for candidates in copies.by_first.values_mut() {
            candidates.sort_by_key(|words| std::cmp::Reverse(words.len()));
            candidates.truncate(MOST_CANDIDATES);
        }
        copies
    }

    /// How often a sentence is on the page.
    pub(super) fn count(&self, sentence: &Sentence<'_>) -> usize {
        self.whole.get(&hash(sentence.forms.iter().copied())).copied().unwrap_or_default()
    }

    /// For each word of a sentence, whether the other version has it in a run of words, in a sentence that this one
    /// repeats, or in one of which this one is a part.
    pub(super) fn known(&self, sentence: &Sentence<'_>) -> Vec<bool> {
        let words = &sentence.forms;
        let is_part = (2..RUN).contains(&words.len()) && is_telling(words);
        if self.count(sentence) > 0 || is_part && self.runs.contains(&hash(words.iter().copied())) {
            return vec![true; words.len()];
        }
        let mut known = vec![false; words.len()];
        for (at, run) in words.windows(RUN).enumerate() {
            if self.runs.contains(&hash(run.iter().copied())) {
                known[at..at + RUN].fill(true);
            }
        }
        for at in 0..words.len() {
            let candidates = self.by_first.get(words[at]).into_iter().flatten();
            if let Some(found) = candidates.into_iter().find(|other| words[at..].starts_with(other)) {
                known[at..at + found.len()].fill(true);
            }
        }
        known
    }
}

/// Whether a sentence that is repeated within another one says something: a number alone does not.
fn is_telling(words: &[&str]) -> bool {
    words.iter().any(|word| word.chars().any(char::is_alphabetic))
}
