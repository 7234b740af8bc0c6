//! What did the stream show so far? Collected document by document, in bounded memory.
//!
//! A stream may run for years. So a course keeps the names of the last documents (one that is reported lies
//! among them), for each stretch of the stream the lowest average similarity, and the newest findings: of
//! each detector the last 10,000 reports, rollbacks among those of detectors with a certainty, and of what
//! these took for no new design without a report the last 1,000. Of earlier ones only the number is known.
//! What only the figures need is kept if [`with_figures`](Course::with_figures) asks for it.

pub(crate) mod kept;
mod newest;
mod suspected;
pub(crate) mod thinned;

use std::collections::{BTreeMap, VecDeque};

use driftline::redesign::detectors::new_avg_drop::NewAvgDrop;
use driftline::redesign::detectors::{Detect, Observation};
use driftline::redesign::stripe::Stripe;
use driftline::redesign::template::Template;
use driftline::redesign::template::difference::Difference;
use driftline::redesign::{Detector, Finding, Parameters, Report};
use serde::{Deserialize, Serialize};

use self::kept::{Kept, lowest};
use self::newest::Newest;
pub use self::suspected::{Moment, Suspected};
use self::thinned::{Merge, Thinned};

/// The most stretches of the average similarity for a terminal: more than it has columns.
const MOST_STRETCHES: usize = 1_024;
/// The most reports that are kept of a detector.
const MOST_REPORTS: usize = 10_000;
/// The most suspicions that are kept of those that came to nothing.
const MOST_INNOCENT: usize = 1_000;

/// What a stream showed. It can be saved and read back, all but what the figures need.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Course {
    name: String,
    parameters: Parameters,
    first: Option<usize>,
    documents: usize,
    skipped: usize,
    truth: Vec<usize>,
    /// Of the last documents, the newest last.
    names: VecDeque<Option<String>>,
    averages: Thinned<Lowest>,
    detectors: Vec<Detector>,
    reports: BTreeMap<Detector, Newest<Reported>>,
    /// Of detectors with a certainty, by document.
    suspected: BTreeMap<Detector, BTreeMap<usize, Suspected>>,
    earlier: BTreeMap<Detector, Earlier>,
    /// Which documents NEW-AVG-DROP finds low, whether it was asked or not.
    low: NewAvgDrop,
    #[serde(skip)]
    kept: Option<Kept>,
}

/// What a detector without a certainty reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    /// The document, and when.
    pub report: Report,
    /// What the document is called.
    pub name: Option<String>,
}

/// How many documents that a detector suspected are no longer kept.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Earlier {
    told: usize,
    innocent: usize,
}

impl Course {
    /// The course of a stream before its first document.
    pub fn new(name: impl Into<String>, parameters: &Parameters, detectors: &[Detector]) -> Self {
        Self {
            name: name.into(),
            parameters: *parameters,
            first: None,
            documents: 0,
            skipped: 0,
            truth: Vec::new(),
            names: VecDeque::new(),
            averages: Thinned::new(MOST_STRETCHES),
            detectors: Detector::chosen(detectors).collect(),
            reports: BTreeMap::new(),
            suspected: BTreeMap::new(),
            earlier: BTreeMap::new(),
            low: NewAvgDrop::default(),
            kept: None,
        }
    }

    /// Keeps what the figures need: the similarities of every document, and the templates that
    /// [`keep`](Self::keep) is given. Beyond 2,048 documents neighbours share a column of the stripe;
    /// beyond 1,000 the matrix has every second document only, and so on.
    #[must_use]
    pub fn with_figures(self) -> Self {
        Self { kept: Some(Kept::new()), ..self }
    }

    /// Marks the first documents of redesigns that are known to have happened.
    #[must_use]
    pub fn with_truth(self, truth: &[usize]) -> Self {
        Self { truth: truth.to_vec(), ..self }
    }

    /// Keeps the template of the next document for the matrix (figure 1), if there are to be figures.
    /// Without the templates of all documents there is no matrix.
    pub fn keep(&mut self, template: &Template) {
        if let Some(kept) = &mut self.kept {
            kept.add_template(template.clone());
        }
    }

    /// Adds a document: its name, the stripe that ends with it, and what the detectors found.
    pub fn add(&mut self, name: Option<String>, stripe: &Stripe, findings: &[Finding]) {
        let Some(newest) = stripe.newest() else { return };
        self.first.get_or_insert(newest);
        self.documents = stripe.documents();
        if self.names.len() == 2 * self.parameters.history {
            self.names.pop_front();
        }
        self.names.push_back(name);
        self.averages.push(Lowest(stripe.average()));
        self.low.see(Observation::of_similarities(stripe), &self.parameters, &mut Vec::new());
        if let Some(kept) = &mut self.kept {
            kept.add(stripe, self.low.is_low());
        }
        for finding in findings {
            if let Some(certainty) = finding.certainty {
                self.suspect(finding, certainty);
            } else {
                let (report, name) = (finding.report(), self.name_of(finding.document));
                self.reports.entry(finding.detector).or_default().push(Reported { report, name }, MOST_REPORTS);
            }
        }
    }

    /// Was it said how the template changed with a document that this detector suspected?
    #[must_use]
    pub fn is_explained(&self, detector: Detector, document: usize) -> bool {
        let suspected = self.suspected.get(&detector).and_then(|suspected| suspected.get(&document));
        suspected.is_some_and(|suspected| suspected.template.is_some())
    }

    /// Says how the template changed with a document that this detector suspected, unless it turned out to be
    /// no new design.
    pub fn explain(&mut self, detector: Detector, document: usize, difference: Difference) {
        let suspected = self.suspected.get_mut(&detector).and_then(|suspected| suspected.get_mut(&document));
        if let Some(suspected) = suspected.filter(|suspected| !suspected.is_innocent()) {
            suspected.template = Some(difference);
        }
    }

    /// Counts a document that could not be read.
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    fn suspect(&mut self, finding: &Finding, certainty: f64) {
        let name = self.name_of(finding.document);
        let all = self.suspected.entry(finding.detector).or_default();
        let suspected = all.entry(finding.document).or_insert_with(|| Suspected::new(finding, certainty, name));
        suspected.add(finding, certainty, &self.parameters);
        let (is_told, is_innocent) = (suspected.is_told(), suspected.is_innocent());
        let earlier = self.earlier.entry(finding.detector).or_default();
        if is_told {
            earlier.told += forget(all, MOST_REPORTS, Suspected::is_told);
        } else if is_innocent {
            let is_quiet = |suspected: &Suspected| suspected.is_innocent() && !suspected.is_told();
            earlier.innocent += forget(all, MOST_INNOCENT, is_quiet);
        }
    }

    fn name_of(&self, document: usize) -> Option<String> {
        let back = self.documents.checked_sub(document)?;
        self.names.get(self.names.len().checked_sub(back)?)?.clone()
    }

    /// What the stream is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the detectors depended on.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// How many documents there were.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// The first document that was added: not 0 if the stream was read back.
    pub(crate) fn first_document(&self) -> usize {
        self.first.unwrap_or(0)
    }

    /// The lowest average similarity in each stretch of the stream, in order, and how many documents a
    /// stretch has.
    pub(crate) fn averages(&self) -> (Vec<Option<f64>>, usize) {
        (self.averages.items().iter().map(|lowest| lowest.0).collect(), self.averages.each())
    }

    /// What was kept for the figures.
    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// How many could not be read.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// The first documents of redesigns that are known to have happened.
    #[must_use]
    pub fn truth(&self) -> &[usize] {
        &self.truth
    }

    /// Who was asked, in the paper's order.
    #[must_use]
    pub fn detectors(&self) -> &[Detector] {
        &self.detectors
    }

    /// The detector that the headline is about: the first that was asked of those with a certainty.
    #[must_use]
    pub fn main_detector(&self) -> Option<Detector> {
        self.detectors.iter().copied().find(|detector| detector.gives_certainty())
    }

    /// What a detector without a certainty reported.
    pub fn reports(&self, detector: Detector) -> impl Iterator<Item = &Reported> {
        self.reports.get(&detector).into_iter().flat_map(Newest::items)
    }

    /// How many earlier reports of a detector are no longer kept.
    #[must_use]
    pub fn earlier_reports(&self, detector: Detector) -> usize {
        let told = self.earlier.get(&detector).map_or(0, |earlier| earlier.told);
        told + self.reports.get(&detector).map_or(0, Newest::earlier)
    }

    /// How many earlier documents that were suspected for nothing are no longer kept.
    #[must_use]
    pub fn earlier_suspicions(&self) -> usize {
        self.earlier.values().map(|earlier| earlier.innocent).sum()
    }

    /// What the [main detector](Self::main_detector) suspected.
    pub fn suspected(&self) -> impl Iterator<Item = &Suspected> {
        self.main_detector().into_iter().flat_map(|detector| self.suspected_by(detector))
    }

    /// What a detector with a certainty suspected, whether it was certain enough or not, in the order of the
    /// documents.
    pub fn suspected_by(&self, detector: Detector) -> impl Iterator<Item = &Suspected> {
        self.suspected.get(&detector).into_iter().flat_map(BTreeMap::values)
    }

    /// What a detector with a certainty reported, and what it said then.
    pub fn found_by(&self, detector: Detector) -> impl Iterator<Item = (&Suspected, Moment)> {
        self.suspected_by(detector).filter_map(|suspected| Some((suspected, suspected.reported?)))
    }
}

/// The lowest average similarity of a stretch of the stream.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Lowest(pub(crate) Option<f64>);

impl Merge for Lowest {
    fn merge(&mut self, next: Self) {
        self.0 = lowest(self.0, next.0);
    }
}

/// Forgets the first of more than `most` of a kind, and says how many.
fn forget(suspected: &mut BTreeMap<usize, Suspected>, most: usize, is_kind: impl Fn(&Suspected) -> bool) -> usize {
    if suspected.len() <= most {
        return 0;
    }
    let kind: Vec<usize> = suspected.values().filter(|one| is_kind(one)).map(|one| one.document).collect();
    let old = &kind[..kind.len().saturating_sub(most)];
    old.iter().for_each(|document| _ = suspected.remove(document));
    old.len()
}

#[cfg(test)]
mod tests;
