//! NEW-AVG-DROP (T5): is the newest document much less like those before it than they were?
//!
//! It needs no second document of the new design, so it is the earliest of the four; and as every outlier is
//! a drop too, each is a false alarm.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Detect, MARGIN, Observation};
use crate::redesign::stripe::mean;
use crate::redesign::{Detector, Finding, InvalidParameters, Parameters};

/// Parameters of NEW-AVG-DROP.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewAvgDropParameters {
    /// Which share of the usual average similarity is too little.
    pub drop: f64,
}

impl NewAvgDropParameters {
    /// The paper's.
    pub const GOTTRON: Self = Self { drop: 0.5 };

    pub(in crate::redesign) fn check(self) -> Result<(), InvalidParameters> {
        InvalidParameters::unless_share("drop", self.drop)
    }
}

impl Default for NewAvgDropParameters {
    fn default() -> Self {
        Self::GOTTRON
    }
}

/// The average similarities of the last `h` documents, and whether the newest one is low.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NewAvgDrop {
    /// avgsim, the newest last.
    averages: VecDeque<f64>,
    is_low: bool,
}

impl Detect for NewAvgDrop {
    fn see(&mut self, document: Observation<'_>, parameters: &Parameters, findings: &mut Vec<Finding>) {
        let Observation { stripe, .. } = document;
        let Some((at, average)) = stripe.newest().zip(stripe.average()) else { return };
        let was_low = self.is_low;
        self.is_low =
            self.averages.len() >= stripe.history() && average < parameters.new_avg_drop.drop * self.usual() - MARGIN;
        if self.is_low && !was_low {
            findings.push(Finding::redesign(Detector::NewAvgDrop, at, at));
        }
        self.averages.push_back(average);
        while self.averages.len() > stripe.history() {
            self.averages.pop_front();
        }
    }
}

impl NewAvgDrop {
    /// Is the newest document much less like those before it than they were?
    #[must_use]
    pub fn is_low(&self) -> bool {
        self.is_low
    }

    /// The mean of the averages.
    fn usual(&self) -> f64 {
        let (front, back) = self.averages.as_slices();
        mean([front, back].into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redesign::stripe::Stripe;

    fn reports(rows: impl IntoIterator<Item = [f64; 2]>) -> Vec<usize> {
        let (mut rule, mut stripe, mut findings) = (NewAvgDrop::default(), Stripe::new(2), Vec::new());
        for row in rows {
            stripe.push(row.to_vec());
            let parameters = Parameters::GOTTRON.with_history(2);
            rule.see(Observation::of_similarities(&stripe), &parameters, &mut findings);
        }
        findings.iter().map(|finding| finding.document).collect()
    }

    #[test]
    fn a_drop_is_reported_once_as_long_as_it_lasts() {
        let rows = [0.8, 0.8, 0.8, 0.8, 0.3, 0.2, 0.2, 0.05].map(|average| [average; 2]);
        assert_eq!(reports(rows), [4, 7]);
    }

    #[test]
    fn half_of_the_usual_is_no_drop() {
        assert_eq!(reports([0.6, 0.6, 0.6, 0.6, 0.3].map(|average| [average; 2])).len(), 0);
    }

    #[test]
    fn nothing_is_usual_before_the_history_has_averages_of_its_own() {
        assert_eq!(reports([0.8, 0.8, 0.8, 0.1, 0.3].map(|average| [average; 2])).len(), 0);
    }
}
