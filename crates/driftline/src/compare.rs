//! The comparison of two pages: their words become integers once, and everything is computed from these.
//!
//! [`compare()`] takes two texts. A [`Comparer`] takes pages and options, keeps its memory from one comparison to the
//! next, and compares one older page with many newer ones ([`Comparer::hold`]).

mod loaded;
mod options;

use crate::change::Change;
use crate::degree::bag::word_distance;
use crate::degree::cosine::cosine_distance;
use crate::degree::edit::{Edit, edits};
use crate::degree::ied::{self, Phases, Variant};
use crate::degree::shingle::Shingler;
use crate::degree::vocabulary::{Vocabulary, WordId};
use crate::degree::{Degree, Degrees, Measurement, Raw};
use crate::limit::Limit;
use crate::page::{BodyKind, Page, ReadOptions};
use crate::region::{self, Found, Input};
use crate::sides::Sides;
use loaded::Loaded;
pub use options::CompareOptions;

/// Two HTML texts compared with the default options. Anything is a page, so this cannot fail.
///
/// ```
/// let change = driftline::compare("<p>Open from nine to five.", "<p>Open from nine to six.");
/// assert_eq!(change.degree().get(), 0.2);
/// ```
///
/// For bytes, other options, or the changed words, read the pages yourself: [`Page::read`], [`Comparer::compare`].
#[must_use]
pub fn compare(older: &str, newer: &str) -> Change {
    let options = ReadOptions { kind: Some(BodyKind::Html), ..ReadOptions::default() };
    Comparer::default().compare(&Page::read(older, &options), &Page::read(newer, &options))
}

/// Compares pages; reuse it to reuse its memory.
#[derive(Debug, Default)]
pub struct Comparer {
    options: CompareOptions,
    vocabulary: Vocabulary,
    older: Loaded,
    newer: Loaded,
    phases: Phases,
    shingler: Shingler,
    comparisons: u64,
    /// The steps of everything but alignments.
    steps: u64,
}

impl Comparer {
    /// A comparer with the given options.
    #[must_use]
    pub fn new(options: CompareOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The options in force; changing them affects the next comparison.
    pub fn options_mut(&mut self) -> &mut CompareOptions {
        &mut self.options
    }

    /// Measures two pages: how much changed, and in which ways.
    pub fn measure(&mut self, older: &Page, newer: &Page) -> Measurement {
        self.hold(older).measure(newer)
    }

    /// Compares two pages: how much changed, in which ways, which words, where, and how much it matters.
    pub fn compare(&mut self, older: &Page, newer: &Page) -> Change {
        self.hold(older).compare(newer)
    }

    /// Reads an older page in, to compare it with any number of newer ones.
    ///
    /// ```
    /// use driftline::{Comparer, Page, ReadOptions};
    ///
    /// let page = |html: &str| Page::read(html, &ReadOptions::default());
    /// let older = page("<p>Open from nine to five.");
    /// let mut comparer = Comparer::default();
    /// let mut held = comparer.hold(&older);
    /// let degrees = ["<p>Open from nine to six.", "<p>Closed."].map(|html| held.compare(&page(html)).degree().get());
    /// assert_eq!(degrees, [0.2, 1.0]);
    /// ```
    pub fn hold<'a>(&'a mut self, older: &'a Page) -> Held<'a> {
        self.vocabulary.truncate(0);
        self.older.load(older, &[], &mut self.vocabulary);
        self.spend(self.older.words.len() as u64);
        Held { comparer: self, older }
    }

    /// How many similarities of elements the last comparison computed to pair and to
    /// grade regions.
    #[must_use]
    pub fn comparisons(&self) -> u64 {
        self.comparisons
    }

    /// The work of all comparisons so far, in steps: words that were numbered, blocks of alignments, elements and words
    /// that were looked at to pair and to grade, words that items of feeds share. The same pages always cost the same.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.steps + self.phases.steps()
    }

    /// Counts work that was done apart from comparing pages.
    pub(crate) fn spend(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Measures a newer page against the one that was loaded.
    fn measure_loaded(&mut self, newer: &Page) -> Measurement {
        let known = self.vocabulary.len();
        self.newer.load(newer, &self.older.words, &mut self.vocabulary);
        self.spend(self.newer.words.len() as u64);
        let bounded = self.phases.align(words(&self.older, &self.newer), self.newer_comes_first());
        let measurement = self.read_off(bounded);
        self.vocabulary.truncate(known);
        measurement
    }

    fn compare_loaded(&mut self, pages: Sides<&Page>) -> Change {
        let mut measurement = self.measure_loaded(pages.newer);
        let edits = self.edits();
        let input = Input { pages, words: words(&self.older, &self.newer), leftovers: self.phases.leftovers() };
        let Found { changed, regions, resources, importance, is_cut, comparisons, steps } =
            region::detect(&input, &edits, self.options.costs, &self.options.regions);
        self.comparisons = comparisons;
        self.spend(steps);
        measurement.limits.extend(is_cut.then_some(Limit::Regions));
        let title = pages
            .older
            .has_other_title(pages.newer)
            .then(|| Sides { older: pages.older.title().to_owned(), newer: pages.newer.title().to_owned() });
        let read = Sides { older: pages.older.record().clone(), newer: pages.newer.record().clone() };
        let compared = self.options.record();
        Change { measurement, edits, changed, regions, resources, title, importance, read, compared }
    }

    /// Rule R5: the shorter page comes first, or the one that is smaller as a list of words.
    fn newer_comes_first(&self) -> bool {
        let (older, newer) = (&self.older.words, &self.newer.words);
        match older.len().cmp(&newer.len()) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal => older
                .iter()
                .zip(newer)
                .find(|(older, newer)| older != newer)
                .is_some_and(|(&older, &newer)| self.vocabulary.get(newer) < self.vocabulary.get(older)),
        }
    }

    fn read_off(&mut self, bounded: bool) -> Measurement {
        let words = Sides { older: self.older.words.len(), newer: self.newer.words.len() };
        let CompareOptions { costs, shingle_length, variant, .. } = self.options;
        let bags = Sides { older: &self.older.bag, newer: &self.newer.bag };
        self.phases.assign(self::words(&self.older, &self.newer), bags, self.vocabulary.len(), costs);
        let verdicts = Variant::ALL.map(|variant| self.phases.judge(variant, costs).operations);
        let [ied, ied_refined, ied_gap] =
            verdicts.map(|operations| ied::raw_degree(&operations, costs, words.older, words.newer));
        Measurement {
            degree: Degrees {
                bw: if self.older.fingerprint == self.newer.fingerprint { Degree::NONE } else { Degree::FULL },
                cos: cosine_distance(&self.older.bag, &self.newer.bag, &self.vocabulary, &self.options.idf),
                wd: word_distance(&self.older.bag, &self.newer.bag, words.older, words.newer),
                ed: self.edit_distance(),
                shingle: self.shingler.distance(&self.older.words, &self.newer.words, shingle_length),
                ied: Degree::clamped(ied),
                ied_refined: Degree::clamped(ied_refined),
                ied_gap: Degree::clamped(ied_gap),
            },
            raw: Raw { ied, ied_refined, ied_gap },
            operations: verdicts[variant as usize],
            variant,
            limits: self.limits(bounded),
            words,
        }
    }

    /// Edit distance with insertions and deletions only (ED, equation 3).
    fn edit_distance(&self) -> Degree {
        let leftovers = self.phases.leftovers();
        let changed = leftovers.older.len() + leftovers.newer.len();
        match self.older.words.len() + self.newer.words.len() {
            0 => Degree::NONE,
            total => Degree::clamped(changed as f64 / total as f64),
        }
    }

    fn edits(&self) -> Vec<Edit> {
        let verdict = self.phases.judge(self.options.variant, self.options.costs);
        edits(&verdict, self.phases.leftovers(), words(&self.older, &self.newer))
    }

    fn limits(&self, bounded: bool) -> Vec<Limit> {
        let mut limits = [self.older.limits.as_slice(), &self.newer.limits].concat();
        limits.extend(bounded.then_some(Limit::Alignment));
        limits.sort_unstable();
        limits.dedup();
        limits
    }
}

/// A comparer that has read an older page in: see [`Comparer::hold`].
#[derive(Debug)]
#[must_use]
pub struct Held<'a> {
    comparer: &'a mut Comparer,
    older: &'a Page,
}

impl Held<'_> {
    /// Measures a newer page against the older one.
    pub fn measure(&mut self, newer: &Page) -> Measurement {
        self.comparer.measure_loaded(newer)
    }

    /// Compares a newer page with the older one.
    pub fn compare(&mut self, newer: &Page) -> Change {
        self.comparer.compare_loaded(Sides { older: self.older, newer })
    }
}

fn words<'a>(older: &'a Loaded, newer: &'a Loaded) -> Sides<&'a [WordId]> {
    Sides { older: &older.words, newer: &newer.words }
}
