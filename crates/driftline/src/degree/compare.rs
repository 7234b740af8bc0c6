//! One comparison: both pages' words become integers once, and all metrics are read off them.
//!
//! A [`Comparer`] keeps its memory from one comparison to the next, and can hold one older page
//! against many newer ones ([`Comparer::hold`]).

use serde::{Deserialize, Serialize};

use super::bag::{Bag, word_distance};
use super::cosine::{Idf, cosine_distance};
use super::edit::{Edit, edits};
use super::ied::{self, Costs, Operations, Phases, Variant};
use super::shingle::Shingler;
use super::vocabulary::{Vocabulary, WordId};
use super::{Degree, Degrees};
use crate::change::{Change, Sides};
use crate::page::{Limit, Page};
use crate::region::{self, Detector, Found, Input};

/// What the papers leave to the user.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// The prices of copy and move.
    pub costs: Costs,
    /// The words in a shingle, `k`; at least 1.
    pub shingle_length: usize,
    /// The weights of words in COS.
    pub idf: Idf,
    /// The variant of IED whose operations and edits are told.
    pub variant: Variant,
    /// How changed regions are paired, graded and weighed.
    pub detector: Detector,
}

impl Parameters {
    /// The papers' shingles have ten words.
    pub const SHINGLE_LENGTH: usize = 10;
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            costs: Costs::PAPER,
            shingle_length: Self::SHINGLE_LENGTH,
            idf: Idf::None,
            variant: Variant::Phases,
            detector: Detector::default(),
        }
    }
}

/// What all metrics say about two pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The pages' lengths in words.
    pub words: Sides<usize>,
    /// The degree of change by every metric.
    pub degree: Degrees,
    /// The variants of IED before they are held to 1.
    pub raw: Raw,
    /// How many words were changed in which way, by the chosen variant of IED.
    pub operations: Operations,
    /// The chosen variant.
    #[serde(default, skip_serializing_if = "Variant::is_default")]
    pub variant: Variant,
    /// What cut the work short.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limit>,
}

impl Measurement {
    /// The degree by the chosen variant of IED: the one to tell people.
    #[must_use]
    pub fn headline(&self) -> Degree {
        match self.variant {
            Variant::Phases => self.degree.ied,
            Variant::Refined => self.degree.ied_refined,
            Variant::Gap => self.degree.ied_gap,
        }
    }
}

/// The variants of IED before they are held to 1 (rule R9).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Raw {
    /// By the papers' phases.
    pub ied: f64,
    /// Refined.
    pub ied_refined: f64,
    /// Refined, with gap pairing.
    pub ied_gap: f64,
}

/// Compares pages; reuse it to reuse its memory.
#[derive(Debug, Default)]
pub struct Comparer {
    parameters: Parameters,
    vocabulary: Vocabulary,
    older: Loaded,
    newer: Loaded,
    phases: Phases,
    shingler: Shingler,
    comparisons: u64,
    /// The steps of everything but alignments.
    steps: u64,
}

/// A page whose words are integers.
#[derive(Debug, Default)]
struct Loaded {
    words: Vec<WordId>,
    bag: Bag,
    fingerprint: u128,
    limits: Vec<Limit>,
}

impl Comparer {
    /// A comparer with the given parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self { parameters, ..Self::default() }
    }

    /// The parameters in force; changing them affects the next comparison.
    pub fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
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
            region::detect(&input, &edits, self.parameters.costs, &self.parameters.detector);
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
        let Parameters { costs, shingle_length, variant, .. } = self.parameters;
        let bags = Sides { older: &self.older.bag, newer: &self.newer.bag };
        self.phases.assign(self::words(&self.older, &self.newer), bags, self.vocabulary.len(), costs);
        let verdicts = Variant::ALL.map(|variant| self.phases.judge(variant, costs).operations);
        let [ied, ied_refined, ied_gap] =
            verdicts.map(|operations| ied::raw_degree(&operations, costs, words.older, words.newer));
        Measurement {
            degree: Degrees {
                bw: if self.older.fingerprint == self.newer.fingerprint { Degree::NONE } else { Degree::FULL },
                cos: cosine_distance(&self.older.bag, &self.newer.bag, &self.vocabulary, &self.parameters.idf),
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
        let verdict = self.phases.judge(self.parameters.variant, self.parameters.costs);
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

impl Loaded {
    /// Takes in a page. `guide` is a page whose words are already numbered: where the two pages run
    /// alike, its numbers are taken over word by word, which is five times faster than looking up.
    fn load(&mut self, page: &Page, guide: &[WordId], vocabulary: &mut Vocabulary) {
        let mut expected = 0;
        self.words.clear();
        self.words.extend(page.words().map(|word| {
            if let Some(&id) = guide.get(expected)
                && vocabulary.get(id) == word
            {
                expected += 1;
                return id;
            }
            let id = vocabulary.intern(word);
            expected = resume(guide, expected, id);
            id
        }));
        self.bag.count(&self.words, vocabulary.len());
        self.fingerprint = page.fingerprint();
        self.limits.clear();
        self.limits.extend_from_slice(page.limits());
    }
}

/// Where the guide goes on after it was left at `at` and the word `id` came instead: behind the next
/// occurrence of the word if that is near (words were dropped), else one further (replaced).
fn resume(guide: &[WordId], at: usize, id: WordId) -> usize {
    const NEAR: usize = 16;
    let start = at.min(guide.len());
    let ahead = &guide[start..guide.len().min(start + NEAR)];
    ahead.iter().position(|&word| word == id).map_or(at + 1, |skipped| start + skipped + 1)
}
