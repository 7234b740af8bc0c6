//! The miss rate: how often a page is called new that is known to be old (section 4.6).

use serde::Serialize;

use super::Threshold;

/// How many of the pages that are known to be old have a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct MissRate {
    /// Pages that are known to be old, and not identified.
    pub old: usize,
    /// Those with a score above 0.
    pub positive: usize,
    /// Those with one of at least 0.1.
    pub at_least_0_1: usize,
    /// Those with one of at least 0.5.
    pub at_least_0_5: usize,
}

impl MissRate {
    /// A count as a share of the old pages; none without old pages.
    #[must_use]
    pub fn share(&self, count: usize) -> Option<f64> {
        (self.old > 0).then(|| count as f64 / self.old as f64)
    }
}

impl FromIterator<f64> for MissRate {
    fn from_iter<T: IntoIterator<Item = f64>>(scores: T) -> Self {
        let mut rate = Self::default();
        for score in scores {
            let reaches = |threshold: Threshold| usize::from(threshold.admits(score));
            rate.old += 1;
            rate.positive += reaches(Threshold::Positive);
            rate.at_least_0_1 += reaches(Threshold::AtLeast(0.1));
            rate.at_least_0_5 += reaches(Threshold::AtLeast(0.5));
        }
        rate
    }
}
