//! STATISTICS (T7): does a t-test tell the two triangles apart?
//!
//! The paper does not say which test. It is Welch's, one-sided: the triangles have unequal sizes and, after
//! a redesign, very unequal variances. A shift of the triangles by a document or two passes the test as
//! well, so it fires in runs around a redesign; every document at which it does is reported.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Detect, MARGIN, Observation};
use crate::redesign::stripe::{Triangles, mean};
use crate::redesign::{Detector, Finding, InvalidParameters, Parameters};

/// Parameters of STATISTICS.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StatisticsParameters {
    /// How sure the test has to be.
    pub level: f64,
}

impl StatisticsParameters {
    /// The paper's.
    pub const GOTTRON: Self = Self { level: 0.999 };

    pub(in crate::redesign) fn check(self) -> Result<(), InvalidParameters> {
        InvalidParameters::unless_share("level", self.level)
    }
}

impl Default for StatisticsParameters {
    fn default() -> Self {
        Self::GOTTRON
    }
}

/// It remembers nothing beyond the stripe.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Statistics {}

impl Detect for Statistics {
    fn see(&mut self, document: Observation<'_>, parameters: &Parameters, findings: &mut Vec<Finding>) {
        let Observation { stripe, .. } = document;
        let Some((at, triangles)) = stripe.newest().zip(stripe.triangles()) else { return };
        if Welch::of(triangles).is_some_and(|test| test.p < 1.0 - parameters.statistics.level) {
            findings.push(Finding::redesign(Detector::Statistics, at + 1 - stripe.history(), at));
        }
    }
}

/// Welch's test of whether the mean of the upper triangle is the larger one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Welch {
    /// t, and the degrees of freedom; none if neither triangle varies.
    pub t: Option<(f64, f64)>,
    /// How likely means so far apart would be, were the upper not the larger one.
    pub p: f64,
}

impl Welch {
    /// The test; none if a triangle has fewer than two values (h = 2).
    #[must_use]
    pub fn of(triangles: Triangles<'_>) -> Option<Self> {
        let (upper, lower) = (Sample::of(triangles.upper())?, Sample::of(triangles.lower())?);
        let difference = upper.mean - lower.mean;
        if upper.variance < MARGIN * MARGIN && lower.variance < MARGIN * MARGIN {
            return Some(Self { t: None, p: if difference > MARGIN { 0.0 } else { 1.0 } });
        }
        let [first, second] = [upper, lower].map(|sample| sample.variance / sample.count);
        let t = difference / (first + second).sqrt();
        let freedom =
            (first + second).powi(2) / (first * first / (upper.count - 1.0) + second * second / (lower.count - 1.0));
        let p = StudentsT::new(0.0, 1.0, freedom).ok()?.sf(t);
        Some(Self { t: Some((t, freedom)), p })
    }
}

/// What the test needs to know of a triangle.
#[derive(Debug, Clone, Copy)]
struct Sample {
    count: f64,
    mean: f64,
    /// Of the sample: divided by one less than the count.
    variance: f64,
}

impl Sample {
    fn of<'a>(slices: impl Iterator<Item = &'a [f64]> + Clone) -> Option<Self> {
        let count = slices.clone().map(<[f64]>::len).sum::<usize>();
        if count < 2 {
            return None;
        }
        let mean = mean(slices.clone());
        let squares = slices.map(|slice| slice.iter().map(|value| (value - mean).powi(2)).sum::<f64>()).sum::<f64>();
        Some(Self { count: count as f64, mean, variance: squares / (count - 1) as f64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redesign::stripe::Stripe;

    /// Six documents; those after the third are as similar to each other, and to the older ones, as said.
    fn stripe(behind: f64, across: f64) -> Stripe {
        let mut stripe = Stripe::new(3);
        for document in 0..6_usize {
            let within = document.saturating_sub(3);
            let row = (0..document).map(|nearness| if nearness < within { behind } else { across });
            stripe.push(row.collect());
        }
        stripe
    }

    fn p(stripe: &Stripe) -> Option<f64> {
        stripe.triangles().and_then(Welch::of).map(|test| test.p)
    }

    #[test]
    fn without_variance_the_means_decide() {
        assert_eq!(p(&stripe(0.9, 0.1)), Some(0.0));
        assert_eq!(p(&stripe(0.1, 0.9)), Some(1.0));
        assert_eq!(p(&stripe(0.3, 0.1 + 0.2)), Some(1.0));
    }

    #[test]
    fn one_value_cannot_be_tested() {
        let mut stripe = Stripe::new(2);
        for row in [vec![], vec![0.1], vec![0.1, 0.1], vec![0.9, 0.1]] {
            stripe.push(row);
        }
        assert!(stripe.triangles().is_some());
        assert_eq!(p(&stripe), None);
    }
}
