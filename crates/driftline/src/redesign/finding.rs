//! Findings of detectors.

use serde::{Deserialize, Serialize};

use super::{Detector, Parameters};

/// What a detector says about a document after the newest one: that a new design begins with it, how certain
/// that is, or that it was something else after all.
///
/// Documents are numbered from 0 in the order of the stream. The last finding about a document is the one that
/// counts: it confirms or withdraws those before it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Who says it.
    pub detector: Detector,
    /// The first document of what may be a new design.
    pub document: usize,
    /// The document after which this is said.
    pub at: usize,
    /// How probable it is that the design is there to stay, from 0 to 1; none from a detector that
    /// [does not say](Detector::gives_certainty).
    pub certainty: Option<f64>,
    /// What it is, as far as that is known.
    pub verdict: Verdict,
    /// Is it of the design before this one? Then it may be a rollback, but it is no redesign.
    pub is_return: bool,
}

impl Finding {
    /// A redesign, from a detector that says no more than that.
    #[must_use]
    pub fn redesign(detector: Detector, document: usize, at: usize) -> Self {
        Self { detector, document, at, certainty: None, verdict: Verdict::Redesign, is_return: false }
    }

    /// Is it to be reported as a redesign: neither withdrawn nor a return, and certain enough?
    #[must_use]
    pub fn is_report(&self, parameters: &Parameters) -> bool {
        let is_certain = self.certainty.is_none_or(|certainty| certainty >= parameters.certainty);
        is_certain && !self.is_return && self.verdict.may_be_redesign()
    }

    /// The document, and when this was said.
    #[must_use]
    pub fn report(&self) -> Report {
        Report { document: self.document, at: self.at }
    }
}

/// What became of a document that a detector took for the first of a new design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Not known yet.
    Open,
    /// The site was redesigned.
    Redesign,
    /// One document that is unlike all others.
    Outlier,
    /// A part of the site with a template of its own, beside the others.
    Section,
    /// A layout that came and went: the old design is back.
    Temporary,
    /// The design before this one is back.
    Rollback,
}

impl Verdict {
    /// Is it a redesign, or may it still turn out to be one?
    #[must_use]
    pub fn may_be_redesign(self) -> bool {
        matches!(self, Self::Open | Self::Redesign)
    }
}

/// The first document of a new design, and when it was reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The first document of the new design.
    pub document: usize,
    /// The document after which it was reported.
    pub at: usize,
}

impl Report {
    /// How many documents went by until it was reported.
    #[must_use]
    pub fn delay(&self) -> usize {
        self.at.saturating_sub(self.document)
    }
}
