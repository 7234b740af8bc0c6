//! Pairs of pages of about the same size, for tables that stay short.

use std::collections::BTreeMap;

use super::{Timing, prose};
use crate::regions::effort::{Effort, Total};
use crate::report::labels;

/// Pairs whose older pages have from a power of two elements to less than the next.
pub(super) struct Bucket<'a, T> {
    smallest: usize,
    largest: usize,
    pub(super) items: Vec<&'a T>,
}

impl<'a, T> Bucket<'a, T> {
    /// All pairs, the smallest pages first.
    pub(super) fn of(items: &'a [T], nodes: impl Fn(&T) -> usize) -> Vec<Self> {
        let mut buckets = BTreeMap::<u32, Self>::new();
        for item in items {
            let count = nodes(item);
            let empty = || Self { smallest: count, largest: count, items: Vec::new() };
            let bucket = buckets.entry(count.max(1).ilog2()).or_insert_with(empty);
            bucket.smallest = bucket.smallest.min(count);
            bucket.largest = bucket.largest.max(count);
            bucket.items.push(item);
        }
        buckets.into_values().collect()
    }

    /// `64`, or `70–120`.
    fn label(&self) -> String {
        if self.smallest == self.largest {
            return labels::grouped(self.smallest);
        }
        format!("{}–{}", labels::grouped(self.smallest), labels::grouped(self.largest))
    }

    /// The mean of what all pairs have; none if one of them has none.
    fn mean(&self, value: impl Fn(&T) -> Option<f64>) -> Option<f64> {
        let values: Option<Vec<f64>> = self.items.iter().map(|item| value(item)).collect();
        values.map(|values| values.iter().sum::<f64>() / values.len().max(1) as f64)
    }
}

impl Bucket<'_, Effort> {
    /// The columns of [`Bucket::cells`].
    pub(super) const COLUMNS: [&'static str; 6] = ["elements", "original", "enhanced", "saved", "driftline", "saved"];

    /// Similarities computed, mean of a pair.
    pub(super) fn cells(&self) -> [String; 6] {
        let total = Total::of(self.items.iter().copied());
        let mean = |sum: u64| labels::grouped(usize::try_from(sum).unwrap_or(usize::MAX) / self.items.len().max(1));
        [
            self.label(),
            mean(total.original),
            mean(total.enhanced),
            prose::saved(total.saved_by_enhanced()),
            mean(total.driftline),
            prose::saved(total.saved_by_driftline()),
        ]
    }
}

impl Bucket<'_, Timing> {
    /// The columns of [`Bucket::cells`].
    pub(super) const COLUMNS: [&'static str; 5] = ["elements", "reading", "original", "enhanced", "driftline"];

    /// Times, mean of a pair; a dash where an approach does not bear all of the pages.
    pub(super) fn cells(&self) -> [String; 5] {
        let time = |value: &dyn Fn(&Timing) -> Option<f64>| self.mean(value).map_or("–".to_owned(), prose::seconds);
        [
            self.label(),
            time(&|timing| Some(timing.reading)),
            time(&|timing| timing.original),
            time(&|timing| Some(timing.enhanced)),
            time(&|timing| Some(timing.driftline)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_about_the_same_size_stand_together() {
        let buckets = Bucket::of(&[100, 64, 1_024, 127, 128, 0], |&nodes| nodes);
        let labels: Vec<String> = buckets.iter().map(Bucket::label).collect();
        assert_eq!(labels, ["0", "64–127", "128", "1,024"]);
    }

    #[test]
    fn a_mean_of_what_is_not_known_is_not_known() {
        let buckets = Bucket::of(&[4, 6], |&nodes| nodes);
        assert_eq!(buckets[0].mean(|&nodes| Some(nodes as f64)), Some(5.0));
        assert_eq!(buckets[0].mean(|&nodes| (nodes == 4).then_some(1.0)), None);
    }
}
