//! Numbers of addresses that name a month, by where it lies (table 3).

use driftline::novelty::dated::Age;
use serde::Serialize;

/// Table 3: how many addresses of `U` have a time string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Ages {
    /// Before the previous crawl.
    pub old: usize,
    /// Between the two.
    pub new: usize,
    /// After this crawl.
    pub future: usize,
}

impl Ages {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> usize {
        self.old + self.new + self.future
    }

    /// The share of `count` in all.
    #[must_use]
    pub fn share(&self, count: usize) -> Option<f64> {
        (self.total() > 0).then(|| count as f64 / self.total() as f64)
    }
}

impl FromIterator<Age> for Ages {
    fn from_iter<T: IntoIterator<Item = Age>>(ages: T) -> Self {
        let mut counts = Self::default();
        for age in ages {
            match age {
                Age::Old => counts.old += 1,
                Age::New => counts.new += 1,
                Age::Future => counts.future += 1,
            }
        }
        counts
    }
}
