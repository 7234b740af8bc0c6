//! How alike are two items? The paper's CS over titles and descriptions, as exact fractions.
//!
//! Words become sorted integers once; an [`Index`] of the newer feed's words counts what an older
//! item has in common with all newer ones at the same time, so items without a common word cost
//! nothing. Fractions are compared as integers: a similarity of exactly 0 decides between modified
//! and removed, and in floating point it is sometimes missed.

use std::cmp::Ordering;

use super::Item;
use super::html::field_options;
use crate::degree::vocabulary::{Vocabulary, WordId};
use crate::page::{Page, ReadOptions, WordRule};

/// The most steps of comparing the items of two feeds: one for each word that two items share, and
/// `STEPS_OF_PAIR` for each two items that share any: one or two seconds. Beyond it items are only
/// compared with those that share a rare word with them.
pub const MOST_STEPS: u64 = 1 << 28;

/// A similarity is computed and ranked in fractions of 128 bits.
const STEPS_OF_PAIR: u64 = 16;

/// The items that each item is still compared with then, and the words of both in all: 10,000 items cost a second.
const ITEMS_BEYOND: usize = 1 << 10;
const WORDS_BEYOND: usize = 1 << 15;

/// Stands for all words of a field that has none, so that two empty fields are equal (rule F3).
const NOTHING: WordId = WordId::new(0);

/// The words of an item: sorted, each once, none of them empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Words {
    title: Vec<WordId>,
    description: Vec<WordId>,
}

/// Numbers the words of two feeds.
#[derive(Debug)]
pub(super) struct Lexicon {
    vocabulary: Vocabulary,
    options: ReadOptions,
}

impl Lexicon {
    pub(super) fn new() -> Self {
        let mut vocabulary = Vocabulary::new();
        vocabulary.intern("");
        let options = field_options(&ReadOptions { words: WordRule::Whitespace, ..ReadOptions::default() });
        Self { vocabulary, options }
    }

    /// The words of an item by rules F1 and F2.
    pub(super) fn words(&mut self, item: &Item) -> Words {
        Words { title: self.set(&item.title), description: self.set(item.description()) }
    }

    fn set(&mut self, field: &str) -> Vec<WordId> {
        let page = Page::read(field, &self.options);
        let mut words: Vec<WordId> = page.words().map(|word| self.vocabulary.intern(word)).collect();
        words.sort_unstable();
        words.dedup();
        if words.is_empty() { vec![NOTHING] } else { words }
    }

    /// One more than the highest number of a word.
    pub(super) fn len(&self) -> usize {
        self.vocabulary.len()
    }
}

impl Words {
    fn fields(&self) -> [&[WordId]; 2] {
        [&self.title, &self.description]
    }

    /// The number of words.
    fn len(&self) -> usize {
        self.title.len() + self.description.len()
    }

    /// How alike the two are.
    pub(super) fn similarity(&self, newer: &Self) -> Similarity {
        Similarity {
            title: Share::of(common(&self.title, &newer.title), &self.title, &newer.title),
            description: Share::of(
                common(&self.description, &newer.description),
                &self.description,
                &newer.description,
            ),
        }
    }
}

/// How many words two sets share.
fn common(older: &[WordId], newer: &[WordId]) -> u32 {
    let (mut older, mut newer, mut count) = (older, newer, 0);
    while let ([one, older_rest @ ..], [other, newer_rest @ ..]) = (older, newer) {
        match one.cmp(other) {
            Ordering::Less => older = older_rest,
            Ordering::Greater => newer = newer_rest,
            Ordering::Equal => {
                count += 1;
                (older, newer) = (older_rest, newer_rest);
            }
        }
    }
    count
}

/// Intersect of the paper: words in both sets, of those in either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Share {
    common: u32,
    all: u32,
}

impl Share {
    fn of(common: u32, older: &[WordId], newer: &[WordId]) -> Self {
        Self { common, all: (older.len() + newer.len()) as u32 - common }
    }

    fn get(self) -> f64 {
        f64::from(self.common) / f64::from(self.all)
    }
}

/// How alike two items are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Similarity {
    title: Share,
    description: Share,
}

impl Similarity {
    /// CS, from -1 (nothing in common) to 1 (same words): the title counts 0.3, the description 0.7.
    pub(super) fn cs(self) -> f64 {
        match self.fraction() {
            (common, all) if 2 * common == all => 0.0,
            (common, all) if common == all => 1.0,
            _ => -1.0 + 2.0 * (0.3 * self.title.get() + 0.7 * self.description.get()),
        }
    }

    /// Is CS exactly 1?
    pub(super) fn is_full(self) -> bool {
        let (common, all) = self.fraction();
        common == all
    }

    /// Is CS at least 0?
    pub(super) fn is_kinship(self) -> bool {
        let (common, all) = self.fraction();
        2 * common >= all
    }

    /// The same without fields that neither item has: two items without descriptions are not alike
    /// for that.
    pub(super) fn spoken(self, older: &Words, newer: &Words) -> Self {
        let is_silent = |at: usize| older.fields()[at] == [NOTHING] && newer.fields()[at] == [NOTHING];
        let none = Share { common: 0, all: 1 };
        match (is_silent(0), is_silent(1)) {
            (false, false) => self,
            (true, false) => Self { title: self.description, ..self },
            (false, true) => Self { description: self.title, ..self },
            (true, true) => Self { title: none, description: none },
        }
    }

    /// (CS + 1) / 2 as a fraction. Sets have fewer than 2^29 words, so that the product of two
    /// of these stays below 2^127.
    fn fraction(self) -> (u128, u128) {
        let [title, description, titles, descriptions] =
            [self.title.common, self.description.common, self.title.all, self.description.all].map(u128::from);
        (3 * title * descriptions + 7 * description * titles, 10 * titles * descriptions)
    }
}

impl PartialOrd for Similarity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let ((common, all), (others_common, others_all)) = (self.fraction(), other.fraction());
        (common * others_all).partial_cmp(&(others_common * all))
    }
}

/// Where each word stands in the newer items.
#[derive(Debug)]
pub(super) struct Index<'a> {
    newer: &'a [Words],
    /// By field and word: the items, in order.
    postings: [Vec<Vec<u32>>; 2],
    /// By field and item: words in common with the older item at hand.
    common: [Vec<u32>; 2],
    steps_left: u64,
    is_cut: bool,
}

impl<'a> Index<'a> {
    /// An index over items whose words have numbers below `words`.
    pub(super) fn new(newer: &'a [Words], words: usize, steps: u64) -> Self {
        let mut postings = [vec![Vec::new(); words], vec![Vec::new(); words]];
        for (at, item) in newer.iter().enumerate() {
            for (postings, field) in postings.iter_mut().zip(item.fields()) {
                field.iter().for_each(|&word| postings[word.index()].push(at as u32));
            }
        }
        let common = [vec![0; newer.len()], vec![0; newer.len()]];
        Self { newer, postings, common, steps_left: steps, is_cut: false }
    }

    /// How many steps are left?
    pub(super) fn steps_left(&self) -> u64 {
        self.steps_left
    }

    /// Were items left out because there were too many steps?
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// All newer items that share a word with the older one, in order.
    pub(super) fn relatives(&mut self, older: &Words) -> Vec<(usize, Similarity)> {
        let lists = |index: &Self| -> u64 {
            let fields = index.postings.iter().zip(older.fields());
            fields
                .map(|(postings, field)| field.iter().map(|&word| postings[word.index()].len() as u64).sum::<u64>())
                .sum()
        };
        let steps = lists(self);
        if steps > self.steps_left {
            self.steps_left = 0;
            return self.close_relatives(older);
        }
        let relatives = self.count(older);
        let pairs = relatives.len() as u64 * STEPS_OF_PAIR;
        self.steps_left = self.steps_left.saturating_sub(steps + pairs);
        relatives
    }

    fn count(&mut self, older: &Words) -> Vec<(usize, Similarity)> {
        let mut touched = Vec::new();
        for (at, field) in older.fields().into_iter().enumerate() {
            for &word in field {
                for &item in &self.postings[at][word.index()] {
                    let item = item as usize;
                    if self.common[0][item] + self.common[1][item] == 0 {
                        touched.push(item);
                    }
                    self.common[at][item] += 1;
                }
            }
        }
        touched.sort_unstable();
        let relatives = touched.into_iter().map(|item| {
            let [title, description] = [0, 1].map(|at| {
                let common = std::mem::take(&mut self.common[at][item]);
                Share::of(common, older.fields()[at], self.newer[item].fields()[at])
            });
            (item, Similarity { title, description })
        });
        relatives.collect()
    }

    /// The newer items that share one of the rarest words with the older one, in order.
    fn close_relatives(&mut self, older: &Words) -> Vec<(usize, Similarity)> {
        self.is_cut = true;
        let mut lists: Vec<&[u32]> = Vec::new();
        for (postings, field) in self.postings.iter().zip(older.fields()) {
            lists.extend(field.iter().map(|&word| postings[word.index()].as_slice()).filter(|list| !list.is_empty()));
        }
        lists.sort_by_key(|list| list.len());
        let mut words_left = WORDS_BEYOND;
        let within = |item: &&u32| {
            let cost = older.len() + self.newer[**item as usize].len();
            let is_within = words_left >= cost;
            words_left = words_left.saturating_sub(cost);
            is_within
        };
        let mut found: Vec<u32> = lists.into_iter().flatten().take(ITEMS_BEYOND).take_while(within).copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|item| (item as usize, older.similarity(&self.newer[item as usize]))).collect()
    }
}
