//! What a detector with a certainty said about a document, first and last.
//!
//! It says something with every document until it has decided. Nobody needs what it said in between, so only
//! the first, the reported and the last moment are kept.

use driftline::redesign::template::difference::Difference;
use driftline::redesign::{Finding, Parameters, Verdict};
use serde::{Deserialize, Serialize};

/// A document that a detector took for the first of a new design, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suspected {
    /// The document.
    pub document: usize,
    /// What it is called.
    pub name: Option<String>,
    /// What was said first.
    pub first: Moment,
    /// When its certainty first sufficed for a report.
    pub reported: Option<Moment>,
    /// What was said last: what counts.
    pub latest: Moment,
    /// How the template changed, if that is known; not of what turned out to be no new design.
    pub template: Option<Difference>,
}

/// What was said about a document at a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// After which document.
    pub at: usize,
    /// From 0 to 1.
    pub certainty: f64,
    /// What it is, as far as that was known.
    pub verdict: Verdict,
}

impl Moment {
    fn of(finding: &Finding, certainty: f64) -> Self {
        Self { at: finding.at, certainty, verdict: finding.verdict }
    }
}

impl Suspected {
    /// A document of which nothing was said before.
    pub(super) fn new(finding: &Finding, certainty: f64, name: Option<String>) -> Self {
        let moment = Moment::of(finding, certainty);
        Self { document: finding.document, name, first: moment, reported: None, latest: moment, template: None }
    }

    /// Takes in what is said now.
    pub(super) fn add(&mut self, finding: &Finding, certainty: f64, parameters: &Parameters) {
        self.latest = Moment::of(finding, certainty);
        if finding.is_report(parameters) {
            self.reported.get_or_insert(self.latest);
        }
        if self.is_innocent() {
            self.template = None;
        }
    }

    /// What it is, as far as that is known.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.latest.verdict
    }

    /// Was it reported as a redesign, and is it one as far as is known?
    #[must_use]
    pub fn is_redesign(&self) -> bool {
        self.reported.is_some() && self.verdict().may_be_redesign()
    }

    /// Is the design before it back for good?
    #[must_use]
    pub fn is_rollback(&self) -> bool {
        self.verdict() == Verdict::Rollback
    }

    /// Is there something to tell: was it reported, or is it a rollback?
    pub(crate) fn is_told(&self) -> bool {
        self.reported.is_some() || self.is_rollback()
    }

    /// Did it turn out to be a single document?
    pub(crate) fn is_outlier(&self) -> bool {
        self.verdict() == Verdict::Outlier
    }

    /// Did it turn out to be no new design?
    pub(super) fn is_innocent(&self) -> bool {
        matches!(self.verdict(), Verdict::Outlier | Verdict::Section | Verdict::Temporary)
    }
}
