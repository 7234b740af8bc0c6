//! Advice on which metric to use: the one that the criteria say fits the changes that pages show.
//!
//! With `share_k` the part of a collection's change that is of kind `k` ([`Shares`]) and
//! `deviation_k(M)` how far metric `M` is from the criterion of `k` on average ([`Curve::mean_deviation`]
//! over figure 7, changes of 5 % to 95 % of a page), the expected deviation is
//!
//! `expected(M) = Σ_k share_k · deviation_k(M)`
//!
//! and the smallest is best (ours: the papers judge each kind on its own, and leave mixed changes to
//! further research). It ranks metrics; the deviation on pages of which less changes is smaller for all.
//! Of equal metrics the cheapest comes first: WD counts words, COS multiplies the counts, 10SH hashes
//! every run, ED aligns the pages, IED judges every word that the alignment left over.

use driftline::degree::Metric;
use driftline::degree::edit::EditKind;

use super::collection::{Distance, Sample, Shares, Summary};
use super::experiment::Curve;
use super::{EFFECTIVE_WITHIN, Sensitivity};

/// Below this many words shingling is oversensitive to any change: in figure 8 it gives a quarter of a
/// page of 64 words 0.38 to 0.58, where the criteria say 0.15 to 0.25.
pub const SMALL_PAGE: usize = 1 << 7;

/// From this mean distance on the variants of IED are told apart: half a percent of a page.
pub const VARIANTS_DIFFER: f64 = 0.005;

/// How well a metric fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The metric.
    pub metric: Metric,
    /// Its expected deviation from the criteria.
    pub expected: f64,
    /// The kinds of change on which it is effective.
    pub effective: Vec<EditKind>,
}

/// Which metric fits best, and which others do.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The kinds of change that it is for.
    pub shares: Shares,
    /// All metrics, the best first.
    pub ranking: Vec<Ranked>,
}

impl Advice {
    /// Ranks all metrics by figure 7 for a collection with these shares.
    #[must_use]
    pub fn of(figure_7: &[Curve], shares: Shares) -> Self {
        let ranked = Metric::cheapest_first().into_iter().map(|metric| Ranked::of(metric, figure_7, &shares));
        let mut ranking: Vec<Ranked> = ranked.collect();
        // Sums that differ by rounding only are equal; the sort is stable.
        ranking.sort_by(|one, other| rounded(one.expected).total_cmp(&rounded(other.expected)));
        Self { shares, ranking }
    }

    /// The metric that fits best.
    #[must_use]
    pub fn best(&self) -> &Ranked {
        &self.ranking[0]
    }

    /// The next best; variants of IED count as one metric.
    #[must_use]
    pub fn runner_up(&self) -> &Ranked {
        let another = |ranked: &&Ranked| family(ranked.metric) != family(self.best().metric);
        self.ranking.iter().find(another).unwrap_or(self.best())
    }

    /// The cheapest metric that is as good as the best: expected to deviate by no more than
    /// [`EFFECTIVE_WITHIN`] beyond it. None if the best is the cheapest such metric.
    #[must_use]
    pub fn cheaper(&self) -> Option<&Ranked> {
        let best = self.best();
        Metric::cheapest_first()
            .into_iter()
            .take_while(|&metric| metric != best.metric)
            .filter_map(|metric| self.ranking.iter().find(|ranked| ranked.metric == metric))
            .find(|ranked| ranked.expected <= best.expected + EFFECTIVE_WITHIN)
    }

    /// The part of the change on which a metric is effective.
    #[must_use]
    pub fn covered(&self, ranked: &Ranked) -> f64 {
        ranked.effective.iter().map(|&kind| self.shares.of(kind)).sum()
    }
}

impl Ranked {
    fn of(metric: Metric, figure_7: &[Curve], shares: &Shares) -> Self {
        let weighed = |curve: &Curve| shares.of(curve.kind) * curve.mean_deviation(metric);
        let effective = figure_7.iter().filter(|curve| is_effective(curve, metric));
        Self {
            metric,
            expected: figure_7.iter().map(weighed).sum(),
            effective: effective.map(|curve| curve.kind).collect(),
        }
    }
}

/// Is the metric effective on every point of the curve?
#[must_use]
pub fn is_effective(curve: &Curve, metric: Metric) -> bool {
    curve.sensitivity(metric) == Sensitivity::Effective
}

/// The words of the smallest page of figure 8 from which on the metric stays near the criterion.
#[must_use]
pub fn effective_from(curve: &Curve, metric: Metric) -> Option<usize> {
    let near = |deviation: &f64| deviation.abs() <= EFFECTIVE_WITHIN;
    let far = curve.deviations(metric).iter().rposition(|deviation| !near(deviation));
    curve.points.get(far.map_or(0, |last| last + 1)).map(|point| point.words)
}

/// What to beware of on a collection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warning {
    /// The median page has fewer words than [`SMALL_PAGE`].
    SmallPages {
        /// The words of the median page.
        median_words: usize,
        /// How much too high shingling is on such a page of which a quarter changes, on average over
        /// the six kinds.
        excess: f64,
    },
    /// The variants of IED differ, although they are equal on the synthesised pages: a replaced word
    /// that also stands elsewhere costs `1 + α` by the papers' phases (rules R9, R10).
    Variants {
        /// Between the papers' phases and the refined variant.
        distance: Distance,
    },
}

impl Warning {
    /// The warnings that a collection calls for.
    #[must_use]
    pub fn of(summary: &Summary, samples: &[Sample], figure_8: &[Curve]) -> Vec<Self> {
        let median_words = summary.median_words;
        let excess = shingling_excess(figure_8, median_words);
        let distance = Distance::between(Metric::Ied, Metric::IedRefined, samples);
        let small = (median_words < SMALL_PAGE).then_some(Self::SmallPages { median_words, excess });
        let variants = (distance.mean >= VARIANTS_DIFFER).then_some(Self::Variants { distance });
        small.into_iter().chain(variants).collect()
    }
}

/// The mean deviation of shingling at the size of figure 8 that is nearest to `words`.
fn shingling_excess(figure_8: &[Curve], words: usize) -> f64 {
    let excess = |curve: &Curve| {
        let nearest = curve.points.iter().min_by_key(|point| point.words.abs_diff(words));
        nearest.map_or(0.0, |point| point.degree.shingle.get() - point.criterion)
    };
    figure_8.iter().map(excess).sum::<f64>() / figure_8.len().max(1) as f64
}

/// Variants of one metric are one family.
fn family(metric: Metric) -> Metric {
    match metric {
        Metric::IedRefined | Metric::IedGap => Metric::Ied,
        other => other,
    }
}

fn rounded(expected: f64) -> f64 {
    (expected * 1e9).round()
}

#[cfg(test)]
mod tests;
