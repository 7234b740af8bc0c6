//! COS: how far apart do the pages' words point? TF-IDF cosine distance (equation 1, rule R2).
//!
//! Plain `ln(N / df)` is useless on two pages alone, as every common word would weigh nothing; the
//! smoothed `1 + ln((1 + N) / (1 + df))` is used instead, over the pair or over a corpus.
//!
//! Products of counts are summed as integers, one sum for each document frequency, and only then
//! weighed in order of frequency: swapping the pages gives the same bits.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use hashbrown::HashMap;

use super::Degree;
use super::bag::Bag;
use super::vocabulary::Vocabulary;

/// Where the weight of a word comes from.
#[derive(Debug, Clone, Default)]
pub enum Idf {
    /// Every word weighs 1.
    #[default]
    None,
    /// A word on both pages weighs less than a word on one of them.
    Pair,
    /// A word that many documents of a corpus hold weighs less.
    Corpus(Arc<Corpus>),
}

impl Idf {
    fn documents(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::Pair => 2,
            Self::Corpus(corpus) => corpus.documents,
        }
    }

    fn weight(&self, frequency: u64) -> f64 {
        match self {
            Self::None => 1.0,
            _ => 1.0 + ((1 + self.documents()) as f64 / (1 + frequency) as f64).ln(),
        }
    }
}

/// In how many documents of a collection each word stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Corpus {
    documents: u64,
    frequencies: HashMap<String, u64>,
}

/// Why a corpus file cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CorpusError {
    /// The first line is not the one that this version writes.
    #[error("not a driftline corpus: the first line is `{found}`, not `{}`", Corpus::HEADER)]
    Header {
        /// What the first line says.
        found: String,
    },
    /// A line is not `number TAB word`.
    #[error("line {line} of the corpus is not `number TAB word`")]
    Line {
        /// The line, from 1.
        line: usize,
    },
}

impl Corpus {
    /// The first line of a corpus file, with the version of its format.
    pub const HEADER: &'static str = "driftline-corpus 1";

    /// Counts one document: each of its distinct words once.
    pub fn add<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.documents += 1;
        let mut seen = hashbrown::HashSet::<&str>::new();
        for word in words {
            if seen.insert(word) {
                *self.frequencies.entry_ref(word).or_insert(0) += 1;
            }
        }
    }

    /// Adds the counts of another corpus, of other documents.
    pub fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        for (word, frequency) in other.frequencies {
            *self.frequencies.entry(word).or_insert(0) += frequency;
        }
    }

    /// How many documents were counted.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// How many distinct words they hold.
    #[must_use]
    pub fn words(&self) -> usize {
        self.frequencies.len()
    }

    /// In how many documents `word` stands.
    #[must_use]
    pub fn frequency(&self, word: &str) -> u64 {
        self.frequencies.get(word).copied().unwrap_or(0)
    }

    /// The corpus as a text file: the header, the number of documents, then a line for each word,
    /// most frequent first.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut lines: Vec<_> = self.frequencies.iter().collect();
        lines.sort_unstable_by(|(word, count), (other, more)| more.cmp(count).then(word.cmp(other)));
        let mut text = format!("{}\n{}\n", Self::HEADER, self.documents);
        for (word, count) in lines {
            // A word holds no white space, so a line is never broken.
            let _ = writeln!(text, "{count}\t{word}");
        }
        text
    }

    /// Reads what [`to_text`](Self::to_text) wrote.
    ///
    /// # Errors
    /// If the text is not a corpus of this version.
    pub fn from_text(text: &str) -> Result<Self, CorpusError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        match lines.next() {
            Some((_, Self::HEADER)) => {}
            other => return Err(CorpusError::Header { found: other.map_or("", |(_, line)| line).to_owned() }),
        }
        let documents = lines.next().and_then(|(_, line)| line.parse().ok()).ok_or(CorpusError::Line { line: 2 })?;
        let frequencies = lines
            .map(|(line, text)| {
                let (count, word) = text.split_once('\t').ok_or(CorpusError::Line { line })?;
                Ok((word.into(), count.parse().map_err(|_| CorpusError::Line { line })?))
            })
            .collect::<Result<_, CorpusError>>()?;
        Ok(Self { documents, frequencies })
    }
}

/// Sums over the words of one document frequency: the inner product and the two squared lengths.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    product: u64,
    older: u64,
    newer: u64,
}

/// The cosine distance of two pages.
#[must_use]
pub fn cosine_distance(older: &Bag, newer: &Bag, vocabulary: &Vocabulary, idf: &Idf) -> Degree {
    match (older.distinct().is_empty(), newer.distinct().is_empty()) {
        (true, true) => return Degree::NONE,
        (true, false) | (false, true) => return Degree::FULL,
        (false, false) => {}
    }
    let mut by_frequency = BTreeMap::<u64, Sums>::new();
    let mut flat = Sums::default();
    let mut same_bag = true;
    let mut visit = |word, older_count: u32, newer_count: u32| {
        same_bag &= older_count == newer_count;
        let sums = match idf {
            Idf::None => &mut flat,
            Idf::Pair => by_frequency.entry(1 + u64::from(older_count > 0 && newer_count > 0)).or_default(),
            Idf::Corpus(corpus) => by_frequency.entry(corpus.frequency(vocabulary.get(word))).or_default(),
        };
        let (older_count, newer_count) = (u64::from(older_count), u64::from(newer_count));
        sums.product += older_count * newer_count;
        sums.older += older_count * older_count;
        sums.newer += newer_count * newer_count;
    };
    older.distinct().iter().for_each(|&word| visit(word, older.of(word), newer.of(word)));
    newer.distinct().iter().filter(|&&word| older.of(word) == 0).for_each(|&word| visit(word, 0, newer.of(word)));
    if same_bag {
        return Degree::NONE;
    }
    if matches!(idf, Idf::None) {
        by_frequency.insert(0, flat);
    }
    distance(&by_frequency, idf)
}

fn distance(by_frequency: &BTreeMap<u64, Sums>, idf: &Idf) -> Degree {
    let (mut product, mut older, mut newer) = (0.0, 0.0, 0.0);
    for (&frequency, sums) in by_frequency {
        let weight = idf.weight(frequency).powi(2);
        product += weight * sums.product as f64;
        older += weight * sums.older as f64;
        newer += weight * sums.newer as f64;
    }
    Degree::clamped(1.0 - product / (older * newer).sqrt())
}
