//! Was the site redesigned? A stream of documents, and detectors that watch how alike their templates are.
//!
//! A redesign is a lasting shift from one template to another. Gottron looks for it in the similarity
//! stripe: every new document is compared with the `h` before it ([`template`], [`stripe`]), and four
//! detectors read what comes out ([`gottron`]). driftline's own detector ([`learned`]) learns how alike
//! the documents of this site are, says how certain it is, and tells a redesign from what only looks like
//! one. A [`Stream`](stream::Stream) puts them together: documents go in one at a time, findings come
//! out, and it can be saved between two documents.
//!
//! Gottron's evaluation of the detectors is in `driftline-evaluation`.
//!
//! Rules T1 to T9: `docs/reference/rules.md`.

pub mod gottron;
pub mod learned;
pub mod stream;
pub mod stripe;
pub mod template;

use serde::{Deserialize, Serialize};

/// What the detectors depend on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// h: with how many documents before it a document is compared.
    pub history: usize,
    /// h2: the newest documents, in which CLUSTER looks for the new template.
    pub horizon: usize,
    /// From which similarity on CLUSTER puts a document with another one.
    pub cluster_threshold: f64,
    /// The share of the history that a cluster has at least to count.
    pub cluster_rate: f64,
    /// NEW-AVG-DROP: which share of the usual average similarity is too little.
    pub drop: f64,
    /// STATISTICS: how sure the test has to be.
    pub level: f64,
    /// From which certainty on driftline's detector reports.
    pub certainty: f64,
}

impl Parameters {
    /// The values of Gottron's paper, and of the rules where it is silent.
    pub const GOTTRON: Self = Self {
        history: 20,
        horizon: 4,
        cluster_threshold: 0.15,
        cluster_rate: 0.15,
        drop: 0.5,
        level: 0.999,
        certainty: 0.5,
    };

    /// The longest history: every document is compared with so many.
    pub const MOST_HISTORY: usize = 1_000;

    /// The same with another history; a horizon that does not fit into it is cut.
    #[must_use]
    pub fn with_history(self, history: usize) -> Self {
        Self { history, horizon: self.horizon.min(history.saturating_sub(1)), ..self }
    }

    /// The same parameters, if they make sense.
    ///
    /// # Errors
    /// If a share is not from 0 to 1, or the history is too short for a triangle, too long, or not longer
    /// than the horizon.
    pub fn checked(self) -> Result<Self, InvalidParameters> {
        let shares = [
            ("cluster threshold", self.cluster_threshold),
            ("cluster rate", self.cluster_rate),
            ("drop", self.drop),
            ("level", self.level),
            ("certainty", self.certainty),
        ];
        if let Some(&(name, share)) = shares.iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            return Err(InvalidParameters::Share { name, share });
        }
        if !(2..=Self::MOST_HISTORY).contains(&self.history) {
            return Err(InvalidParameters::History { history: self.history });
        }
        if !(1..self.history).contains(&self.horizon) {
            return Err(InvalidParameters::Horizon { horizon: self.horizon, history: self.history });
        }
        Ok(self)
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self::GOTTRON
    }
}

/// Why parameters make no sense.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidParameters {
    /// A share that is none.
    #[error("the {name} must be from 0 to 1, not {share}")]
    Share {
        /// Which.
        name: &'static str,
        /// Its value.
        share: f64,
    },
    /// A history of a length that cannot be.
    #[error("the history must be from 2 to {} documents, not {history}", Parameters::MOST_HISTORY)]
    History {
        /// What was asked for.
        history: usize,
    },
    /// A horizon that leaves nothing before it.
    #[error("the horizon must be at least 1 and shorter than the history ({history}), not {horizon}")]
    Horizon {
        /// What was asked for.
        horizon: usize,
        /// The history.
        history: usize,
    },
}

/// Who detects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detector {
    /// Gottron: the average similarity of a new document drops.
    NewAvgDrop,
    /// Gottron: no document is as similar to older ones as the new ones are on average.
    MaxAvgDiff,
    /// Gottron: a t-test tells the two triangles apart.
    Statistics,
    /// Gottron: one cluster of documents ends where another begins.
    Cluster,
    /// driftline's own.
    Driftline,
}

impl Detector {
    /// All, in the paper's order.
    pub const ALL: [Self; 5] = [Self::NewAvgDrop, Self::MaxAvgDiff, Self::Statistics, Self::Cluster, Self::Driftline];

    /// Its name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewAvgDrop => "new-avg-drop",
            Self::MaxAvgDiff => "max-avg-diff",
            Self::Statistics => "statistics",
            Self::Cluster => "cluster",
            Self::Driftline => "driftline",
        }
    }
}

/// What a detector says: the document that is the first of a new design, and when it said so.
///
/// Documents are numbered from 0 in the order of the stream.
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
