//! One comparison: both pages' words become integers once, and all metrics are read off them.
//!
//! A [`Comparer`] keeps its memory from one comparison to the next, and can hold one older page
//! against many newer ones ([`Comparer::hold`]).

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
use crate::page::{Limit, Page};
use crate::region::{self, Found, Input};
use crate::sides::Sides;
use loaded::Loaded;
pub use options::CompareOptions;

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

    /// Measures two pages.
    pub fn measure(&mut self, older: &Page, newer: &Page) -> Measurement {
        self.hold(older);
        self.measure_held(newer)
    }

    /// Measures two pages, and tells which words changed and where.
    pub fn compare(&mut self, older: &Page, newer: &Page) -> Change {
        self.hold(older);
        let mut measurement = self.measure_held(newer);
        let edits = self.edits();
        let input = Input {
            pages: Sides { older, newer },
            words: words(&self.older, &self.newer),
            leftovers: self.phases.leftovers(),
        };
        let Found { changed, regions, resources, importance, is_cut, comparisons, steps } =
            region::detect(&input, &edits, self.options.costs, &self.options.regions);
        self.comparisons = comparisons;
        self.spend(steps);
        measurement.limits.extend(is_cut.then_some(Limit::Regions));
        let title = older
            .has_other_title(newer)
            .then(|| Sides { older: older.title().to_owned(), newer: newer.title().to_owned() });
        Change { measurement, edits, changed, regions, resources, title, importance }
    }

    /// How many similarities of elements the last [`compare`](Self::compare) computed to pair and to
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

    /// Counts work that was done beside comparing pages.
    pub(crate) fn spend(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// Takes in an older page, to be compared with any number of newer ones.
    pub fn hold(&mut self, older: &Page) {
        self.vocabulary.truncate(0);
        self.older.load(older, &[], &mut self.vocabulary);
        self.spend(self.older.words.len() as u64);
    }

    /// Measures a newer page against the one held.
    pub fn measure_held(&mut self, newer: &Page) -> Measurement {
        let known = self.vocabulary.len();
        self.newer.load(newer, &self.older.words, &mut self.vocabulary);
        self.spend(self.newer.words.len() as u64);
        let bounded = self.phases.align(words(&self.older, &self.newer), self.newer_comes_first());
        let measurement = self.read_off(bounded);
        self.vocabulary.truncate(known);
        measurement
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

fn words<'a>(older: &'a Loaded, newer: &'a Loaded) -> Sides<&'a [WordId]> {
    Sides { older: &older.words, newer: &newer.words }
}
