//! The vocabulary of a comparison set: each distinct word gets one integer.
//!
//! All measures compare integers. The words are kept in one buffer, so that reading a page of
//! 10,000 words allocates a handful of times, and the table can forget what came after a mark:
//! one old version can be compared with any number of new ones in bounded memory.

use hashbrown::HashTable;
use rapidhash::v3::rapidhash_v3;

use crate::page::Span;

/// The number of a distinct word in its [`Vocabulary`], from 0.
///
/// It is not the position of a word on its page, which counts every occurrence and is a plain `u32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct WordId(u32);

impl WordId {
    /// The word with this number.
    #[must_use]
    #[inline]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Its number as the index of a slice that has an item for each word of the vocabulary.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether two runs have the same words in the same order.
///
/// Whole blocks are compared without a branch for each word: `==` of slices becomes wide instructions only for plain
/// integers.
pub(crate) fn are_same(one: &[WordId], other: &[WordId]) -> bool {
    const BLOCK: usize = 64;
    let differs =
        |(one, other): (&[WordId], &[WordId])| one.iter().zip(other).fold(0, |bits, (a, b)| bits | (a.0 ^ b.0)) != 0;
    one.len() == other.len() && !one.chunks(BLOCK).zip(other.chunks(BLOCK)).any(differs)
}

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
            let known = words[id.index()];
            known.hash == hash && known.span.of(buffer) == word
        };
        match self.numbers.find(hash, same) {
            Some(&id) => id,
            None => self.insert(hash, word),
        }
    }

    fn insert(&mut self, hash: u64, word: &str) -> WordId {
        let id = WordId(self.words.len() as u32);
        let start = self.buffer.len() as u32;
        self.buffer.push_str(word);
        let end = self.buffer.len() as u32;
        self.words.push(Word { hash, span: Span { start, end } });
        let words = &self.words;
        self.numbers.insert_unique(hash, id, |&id| words[id.index()].hash);
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
        self.words[id.index()].span.of(&self.buffer)
    }

    /// Forgets all words but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        for id in len..self.words.len() {
            if let Ok(entry) = self.numbers.find_entry(self.words[id].hash, |&known| known.index() == id) {
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
        assert_eq!(numbers, [0, 1, 0, 2, 1].map(WordId));
        assert_eq!(vocabulary.get(WordId(1)), "b");
        assert_eq!(vocabulary.find("c"), None);
    }

    #[test]
    fn runs_of_words_are_the_same_if_every_word_is() {
        let words: Vec<_> = (0..200).map(WordId).collect();
        assert!(are_same(&words, &words.clone()) && are_same(&[], &[]));
        assert!(!are_same(&words, &words[1..]) && !are_same(&words[..199], &words[1..]));
        for at in 0..words.len() {
            let mut other = words.clone();
            other[at] = WordId(200);
            assert!(!are_same(&words, &other), "{at}");
        }
    }

    #[test]
    fn a_truncated_vocabulary_forgets_and_numbers_anew() {
        let mut vocabulary = Vocabulary::new();
        ["old", "older"].iter().for_each(|word| _ = vocabulary.intern(word));
        vocabulary.intern("new");
        vocabulary.truncate(2);
        assert_eq!((vocabulary.len(), vocabulary.find("new"), vocabulary.find("older")), (2, None, Some(WordId(1))));
        assert_eq!(vocabulary.intern("newer"), WordId(2));
        assert_eq!(vocabulary.get(WordId(2)), "newer");
    }
}
