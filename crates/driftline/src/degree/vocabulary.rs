//! Which words are the same word? Each distinct word of a comparison set gets one integer.
//!
//! All measures compare integers. The words are kept in one buffer, so that reading a page of
//! 10,000 words allocates a handful of times, and the table can forget what came after a mark:
//! one old version can be compared with any number of new ones in bounded memory.

use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;

use crate::page::Span;

/// The number of a word in its [`Vocabulary`].
pub type WordId = u32;

/// The distinct words of a comparison set, numbered in the order of their first appearance.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    buffer: String,
    words: Vec<Word>,
    numbers: HashTable<WordId>,
}

#[derive(Debug, Clone, Copy)]
struct Word {
    hash: u64,
    span: Span,
}

impl Vocabulary {
    /// An empty vocabulary.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many distinct words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Is there no word yet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The number of `word`, a new one if it has none.
    #[inline]
    pub fn intern(&mut self, word: &str) -> WordId {
        let hash = rapidhash_v3(word.as_bytes());
        let (words, buffer) = (&self.words, &self.buffer);
        let same = |&id: &WordId| {
            let known = words[id as usize];
            known.hash == hash && known.span.of(buffer) == word
        };
        match self.numbers.find(hash, same) {
            Some(&id) => id,
            None => self.insert(hash, word),
        }
    }

    fn insert(&mut self, hash: u64, word: &str) -> WordId {
        let id = self.words.len() as WordId;
        let start = self.buffer.len() as u32;
        self.buffer.push_str(word);
        let end = self.buffer.len() as u32;
        self.words.push(Word { hash, span: Span { start, end } });
        let words = &self.words;
        self.numbers.insert_unique(hash, id, |&id| words[id as usize].hash);
        id
    }

    /// The number of `word` if it has one.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<WordId> {
        let hash = rapidhash_v3(word.as_bytes());
        self.numbers.find(hash, |&id| self.get(id) == word).copied()
    }

    /// The word with this number.
    ///
    /// # Panics
    /// If no word has it.
    #[must_use]
    pub fn get(&self, id: WordId) -> &str {
        self.words[id as usize].span.of(&self.buffer)
    }

    /// Forgets all words but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        for id in len..self.words.len() {
            if let Ok(entry) = self.numbers.find_entry(self.words[id].hash, |&known| known as usize == id) {
                entry.remove();
            }
        }
        self.buffer.truncate(self.words.get(len).map_or(self.buffer.len(), |word| word.span.start as usize));
        self.words.truncate(len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_word_has_the_same_number() {
        let mut vocabulary = Vocabulary::new();
        let numbers: Vec<_> = ["a", "b", "a", "", "b"].map(|word| vocabulary.intern(word)).into();
        assert_eq!(numbers, [0, 1, 0, 2, 1]);
        assert_eq!(vocabulary.get(1), "b");
        assert_eq!(vocabulary.find("c"), None);
    }

    #[test]
    fn a_truncated_vocabulary_forgets_and_numbers_anew() {
        let mut vocabulary = Vocabulary::new();
        ["old", "older"].iter().for_each(|word| _ = vocabulary.intern(word));
        vocabulary.intern("new");
        vocabulary.truncate(2);
        assert_eq!((vocabulary.len(), vocabulary.find("new"), vocabulary.find("older")), (2, None, Some(1)));
        assert_eq!(vocabulary.intern("newer"), 2);
        assert_eq!(vocabulary.get(2), "newer");
    }
}
