//! What do two pages have in common when order does not matter? Counts of words, and WD.

use super::Degree;
use super::vocabulary::WordId;

/// How often each word stands on a page, by [`WordId`].
#[derive(Debug, Clone, Default)]
pub struct Bag {
    counts: Vec<u32>,
    /// The words with a count above zero, each once.
    distinct: Vec<WordId>,
}

impl Bag {
    /// Counts `words` anew, for a vocabulary of `vocabulary` words.
    pub fn count(&mut self, words: &[WordId], vocabulary: usize) {
        for &word in &self.distinct {
            self.counts[word.index()] = 0;
        }
        self.distinct.clear();
        if self.counts.len() < vocabulary {
            self.counts.resize(vocabulary, 0);
        }
        for &word in words {
            let count = &mut self.counts[word.index()];
            if *count == 0 {
                self.distinct.push(word);
            }
            *count += 1;
        }
    }

    /// How often `word` stands on the page.
    #[must_use]
    pub fn of(&self, word: WordId) -> u32 {
        self.counts.get(word.index()).copied().unwrap_or(0)
    }

    /// The words that stand on the page, each once.
    #[must_use]
    pub fn distinct(&self) -> &[WordId] {
        &self.distinct
    }
}

/// Word distance (WD, equation 2): common words are the multiset intersection (rule R3).
#[must_use]
pub fn word_distance(older: &Bag, newer: &Bag, older_len: usize, newer_len: usize) -> Degree {
    if older_len + newer_len == 0 {
        return Degree::NONE;
    }
    let common: u64 = older.distinct().iter().map(|&word| u64::from(older.of(word).min(newer.of(word)))).sum();
    Degree::clamped(1.0 - 2.0 * common as f64 / (older_len + newer_len) as f64)
}
