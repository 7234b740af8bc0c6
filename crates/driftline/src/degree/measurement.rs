//! The result of all metrics on two pages.

use serde::{Deserialize, Serialize};

use super::ied::{Operations, Variant};
use super::{Degree, Degrees};
use crate::page::Limit;
use crate::sides::Sides;

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
