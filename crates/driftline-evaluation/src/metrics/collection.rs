//! Collections of real pages in numbers: kinds of change, page sizes, and how far apart the metrics are.
//!
//! Kwon, Lee and Kim measure two versions of 41,469 pages (section 5.1): the change degree of a
//! collection is the mean over its pairs, changed or not. Of each pair only the numbers are kept,
//! never the pages, so that a collection of any size fits in memory.

use driftline::change::Sides;
use driftline::degree::Measurement;
use driftline::degree::edit::EditKind;
use driftline::degree::ied::Operations;
use driftline::degree::{Degree, Degrees, Metric};
use serde::{Serialize, Serializer};

/// What is kept of two versions of a real page.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// The pages' lengths in words.
    pub words: Sides<usize>,
    /// What the metrics say.
    pub degree: Degrees,
    /// How many words changed in which way.
    pub operations: Operations,
}

impl From<&Measurement> for Sample {
    fn from(measured: &Measurement) -> Self {
        Self { words: measured.words, degree: measured.degree, operations: measured.operations }
    }
}

impl Sample {
    /// Does a byte differ?
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.degree.bw == Degree::FULL
    }

    /// The operations of one kind as a share of the longer page.
    fn share(&self, kind: EditKind) -> f64 {
        let longer = self.words.older.max(self.words.newer).max(1);
        self.operations.of(kind) as f64 / longer as f64
    }
}

/// How the change of a collection is spread over the six kinds; together 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares([f64; 6]);

impl Shares {
    /// Every kind as often as any other.
    pub const EVEN: Self = Self([1.0 / 6.0; 6]);

    /// The spread of these pairs' operations; none if no word changed.
    ///
    /// With `x_k(p)` operations of kind `k` on the pair `p` of pages of `m` and `n` words,
    /// `share_k ∝ Σ_p x_k(p) / max(m, n)`: the same denominator as in IED (equation 6), so that a
    /// long page counts no more than a short one of which the same part changed.
    #[must_use]
    pub fn of_samples(samples: &[Sample]) -> Option<Self> {
        let sums = EditKind::ALL.map(|kind| samples.iter().map(|sample| sample.share(kind)).sum::<f64>());
        let total: f64 = sums.iter().sum();
        (total > 0.0).then(|| Self(sums.map(|sum| sum / total)))
    }

    /// The share of one kind.
    #[must_use]
    pub fn of(&self, kind: EditKind) -> f64 {
        self.0[kind as usize]
    }
}

impl Serialize for Shares {
    /// As an object: `{"add": 0.25, …}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(EditKind::ALL.map(|kind| (kind, self.of(kind))))
    }
}

/// A collection in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// Pairs of versions.
    pub pairs: usize,
    /// Those of which a byte differs.
    pub changed: usize,
    /// Half of the older pages have no more words.
    pub median_words: usize,
    /// The change degree of the collection, by each metric (figure 5).
    pub mean: Degrees,
    /// The kinds of change; none if no word changed.
    pub shares: Option<Shares>,
}

impl Summary {
    /// The summary of at least one pair; none of none.
    #[must_use]
    pub fn of(samples: &[Sample]) -> Option<Self> {
        let mut words: Vec<usize> = samples.iter().map(|sample| sample.words.older).collect();
        words.sort_unstable();
        Some(Self {
            pairs: samples.len(),
            changed: samples.iter().filter(|sample| sample.is_changed()).count(),
            median_words: *words.get(words.len().checked_sub(1)? / 2)?,
            mean: mean_degrees(samples),
            shares: Shares::of_samples(samples),
        })
    }
}

/// How far apart two metrics are on the pairs that changed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Distance {
    /// On average.
    pub mean: f64,
    /// At most.
    pub largest: f64,
}

impl Distance {
    /// Between two metrics.
    #[must_use]
    pub fn between(one: Metric, other: Metric, samples: &[Sample]) -> Self {
        let apart = |sample: &Sample| (sample.degree.by(one).get() - sample.degree.by(other).get()).abs();
        let distances = || samples.iter().filter(|sample| sample.is_changed()).map(apart);
        Self { mean: mean(distances()), largest: distances().fold(0.0, f64::max) }
    }
}

fn mean_degrees(samples: &[Sample]) -> Degrees {
    Degrees::from_fn(|metric| Degree::clamped(mean(samples.iter().map(|sample| sample.degree.by(metric).get()))))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0_usize, 0.0), |(count, sum), value| (count + 1, sum + value));
    sum / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(words: usize, operations: Operations, shingle: f64) -> Sample {
        let changed = if operations.total() > 0 { Degree::FULL } else { Degree::NONE };
        let degree = Degrees::from_fn(|metric| match metric {
            Metric::Bw => changed,
            Metric::Shingle => Degree::clamped(shingle),
            _ => Degree::NONE,
        });
        Sample { words: Sides { older: words, newer: words }, degree, operations }
    }

    fn collection() -> [Sample; 4] {
        [
            sample(1_000, Operations { add: 100, ..Operations::default() }, 0.2),
            sample(10, Operations { moved: 1, ..Operations::default() }, 1.0),
            sample(300, Operations::default(), 0.0),
            sample(200, Operations { add: 10, drop: 10, ..Operations::default() }, 0.4),
        ]
    }

    #[test]
    fn a_long_page_counts_no_more_than_a_short_one() {
        let shares = Shares::of_samples(&collection()).unwrap();
        let expected = [0.5, 1.0 / 6.0, 0.0, 0.0, 0.0, 1.0 / 3.0];
        for (kind, expected) in EditKind::ALL.into_iter().zip(expected) {
            assert!((shares.of(kind) - expected).abs() < 1e-12, "{kind:?}: {}", shares.of(kind));
        }
    }

    #[test]
    fn unchanged_pages_count_in_the_mean_but_have_no_shares() {
        let summary = Summary::of(&collection()).unwrap();
        assert_eq!((summary.pairs, summary.changed, summary.median_words), (4, 3, 200));
        assert_eq!((summary.mean.bw.get(), summary.mean.shingle.get()), (0.75, 0.4));
        let same = [sample(10, Operations::default(), 0.0)];
        assert_eq!(Summary::of(&same).unwrap().shares, None);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn metrics_are_compared_on_changed_pages_only() {
        let distance = Distance::between(Metric::Bw, Metric::Shingle, &collection());
        assert!((distance.mean - 1.4 / 3.0).abs() < 1e-12);
        assert_eq!(distance.largest, 0.8);
    }
}
