//! MAX-AVG-DIFF (T6): is no pair across the border as similar as the documents behind it are on average?
//!
//! The new design has to fill the history, so the report comes h − 1 documents after its first.

use serde::{Deserialize, Serialize};

use super::{MARGIN, Rule};
use crate::redesign::stripe::Stripe;
use crate::redesign::{Parameters, Report};

/// It remembers nothing beyond the stripe.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct MaxAvgDiff {}

impl Rule for MaxAvgDiff {
    fn see(&mut self, stripe: &Stripe, _: &Parameters, reports: &mut Vec<Report>) {
        let Some((at, triangles)) = stripe.newest().zip(stripe.triangles()) else { return };
        let indicators = triangles.indicators();
        if indicators.max_lower < indicators.mean_upper - MARGIN {
            reports.push(Report { document: at + 1 - stripe.history(), at });
        }
    }
}
