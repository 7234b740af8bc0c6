//! MAX-AVG-DIFF (T6): is no pair across the border as similar as the documents behind it are on average?
//!
//! The new design has to fill the history, so the report comes h − 1 documents after its first.

use serde::{Deserialize, Serialize};

use super::{Detect, MARGIN, Observation};
use crate::redesign::{Detector, Finding, Parameters};

/// It remembers nothing beyond the stripe.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MaxAvgDiff {}

impl Detect for MaxAvgDiff {
    fn see(&mut self, document: Observation<'_>, _: &Parameters, findings: &mut Vec<Finding>) {
        let Observation { stripe, .. } = document;
        let Some((at, triangles)) = stripe.newest().zip(stripe.triangles()) else { return };
        let indicators = triangles.indicators();
        if indicators.max_lower < indicators.mean_upper - MARGIN {
            findings.push(Finding::redesign(Detector::MaxAvgDiff, at + 1 - stripe.history(), at));
        }
    }
}
