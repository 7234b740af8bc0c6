//! The result of all metrics on two pages.

use serde::{Deserialize, Serialize};

use super::ied::{Operations, Variant};
use super::{Degree, Degrees, Metric};
use crate::limit::Limit;
use crate::sides::Sides;

/// What all metrics say about two pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Measurement {
    /// The pages' lengths in words.
    pub words: Sides<usize>,
    /// The degree of change by every metric.
    pub degree: Degrees,
    /// The variants of IED before they are capped at 1.
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

/// The variants of IED before they are capped at 1 (rule R9).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Raw {
    /// By the papers' phases.
    pub ied: f64,
    /// Refined.
    pub ied_refined: f64,
    /// Refined, with gap pairing.
    pub ied_gap: f64,
}

impl Raw {
    /// The degree by one metric before it is capped at 1; none of a metric that is never above.
    #[must_use]
    pub fn by(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Ied => Some(self.ied),
            Metric::IedRefined => Some(self.ied_refined),
            Metric::IedGap => Some(self.ied_gap),
            _ => None,
        }
    }
}
