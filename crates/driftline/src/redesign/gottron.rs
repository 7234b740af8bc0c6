//! Which of Gottron's four detectors says what? Each reads the similarity stripe after every document.
//!
//! They are kept as the paper has them, with its weaknesses, to be measured against. Where it is silent,
//! rules T5 to T8 decide. Each remembers only what the stripe does not hold, and can be saved between two
//! documents.

pub mod cluster;
pub mod max_avg_diff;
pub mod new_avg_drop;
pub mod statistics;

use serde::{Deserialize, Serialize};

use self::cluster::Cluster;
use self::max_avg_diff::MaxAvgDiff;
use self::new_avg_drop::NewAvgDrop;
use self::statistics::Statistics;
use super::stripe::Stripe;
use super::{Detector, Parameters, Report};

/// Averages that differ by less are equal (T6).
pub(crate) const MARGIN: f64 = 1e-12;

/// A detector of the paper: it looks at the stripe after each document.
pub trait Rule {
    /// Adds to `reports` what the newest document shows. Every document has to be seen, in order.
    fn see(&mut self, stripe: &Stripe, parameters: &Parameters, reports: &mut Vec<Report>);
}

/// One of the four, by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnyRule {
    /// NEW-AVG-DROP.
    NewAvgDrop(NewAvgDrop),
    /// MAX-AVG-DIFF.
    MaxAvgDiff(MaxAvgDiff),
    /// STATISTICS.
    Statistics(Statistics),
    /// CLUSTER.
    Cluster(Cluster),
}

impl AnyRule {
    /// A detector that has seen nothing; none for driftline's own, which is no rule of the paper.
    #[must_use]
    pub fn new(detector: Detector) -> Option<Self> {
        match detector {
            Detector::NewAvgDrop => Some(Self::NewAvgDrop(NewAvgDrop::default())),
            Detector::MaxAvgDiff => Some(Self::MaxAvgDiff(MaxAvgDiff {})),
            Detector::Statistics => Some(Self::Statistics(Statistics {})),
            Detector::Cluster => Some(Self::Cluster(Cluster::default())),
            Detector::Driftline => None,
        }
    }

    /// Which it is.
    #[must_use]
    pub fn detector(&self) -> Detector {
        match self {
            Self::NewAvgDrop(_) => Detector::NewAvgDrop,
            Self::MaxAvgDiff(_) => Detector::MaxAvgDiff,
            Self::Statistics(_) => Detector::Statistics,
            Self::Cluster(_) => Detector::Cluster,
        }
    }
}

impl Rule for AnyRule {
    fn see(&mut self, stripe: &Stripe, parameters: &Parameters, reports: &mut Vec<Report>) {
        match self {
            Self::NewAvgDrop(rule) => rule.see(stripe, parameters, reports),
            Self::MaxAvgDiff(rule) => rule.see(stripe, parameters, reports),
            Self::Statistics(rule) => rule.see(stripe, parameters, reports),
            Self::Cluster(rule) => rule.see(stripe, parameters, reports),
        }
    }
}
