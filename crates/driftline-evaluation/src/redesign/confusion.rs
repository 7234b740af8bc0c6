//! Confusion matrix and delays: reports compared with the redesigns that are known, as in Gottron's table 2.

use std::collections::{HashMap, HashSet};
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use driftline::redesign::Report;
use serde::Serialize;

/// One decision a document: is it the first of a new design (T9)?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Confusion {
    /// Redesigns that were reported.
    pub true_positives: usize,
    /// Documents of an old design that were not.
    pub true_negatives: usize,
    /// False alarms.
    pub false_positives: usize,
    /// Redesigns that were missed.
    pub false_negatives: usize,
}

impl Confusion {
    /// Counts, for a stream of so many documents. A document that is reported again counts once; one that
    /// the stream does not have counts nothing.
    #[must_use]
    pub fn of(documents: usize, redesigns: &[usize], reports: &[Report]) -> Self {
        let redesigns = within(documents, redesigns);
        let reported: HashSet<_> = first_reports(documents, reports).into_keys().collect();
        let true_positives = redesigns.intersection(&reported).count();
        Self {
            true_positives,
            true_negatives: documents + true_positives - redesigns.len() - reported.len(),
            false_positives: reported.len() - true_positives,
            false_negatives: redesigns.len() - true_positives,
        }
    }

    /// The share of the reports that were right; 1 if there were none, as none was wrong.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of the redesigns that were reported; 1 if there were none, as none was missed.
    #[must_use]
    pub fn recall(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The harmonic mean of precision and recall; 1 if there was nothing to report and nothing was.
    #[must_use]
    pub fn f1(&self) -> f64 {
        let right = 2 * self.true_positives;
        share(right, right + self.false_positives + self.false_negatives)
    }
}

impl Add for Confusion {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            true_positives: self.true_positives + other.true_positives,
            true_negatives: self.true_negatives + other.true_negatives,
            false_positives: self.false_positives + other.false_positives,
            false_negatives: self.false_negatives + other.false_negatives,
        }
    }
}

impl AddAssign for Confusion {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Confusion {
    fn sum<I: Iterator<Item = Self>>(streams: I) -> Self {
        streams.fold(Self::default(), Add::add)
    }
}

/// How many documents went by from the first of a new design until it was reported, for every redesign.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Delays {
    found: Vec<usize>,
    missed: usize,
}

impl Delays {
    /// The delays in a stream of so many documents. The first report of a document counts.
    #[must_use]
    pub fn of(documents: usize, redesigns: &[usize], reports: &[Report]) -> Self {
        let redesigns = within(documents, redesigns);
        let reports = first_reports(documents, reports);
        let mut found: Vec<_> =
            redesigns.iter().filter_map(|document| reports.get(document)).map(Report::delay).collect();
        found.sort_unstable();
        Self { missed: redesigns.len() - found.len(), found }
    }

    /// Of the redesigns that were found, in ascending order.
    #[must_use]
    pub fn found(&self) -> &[usize] {
        &self.found
    }

    /// How many redesigns were not found.
    #[must_use]
    pub fn missed(&self) -> usize {
        self.missed
    }

    /// The median of those that were found; none if none was. It flatters who only finds the easy ones.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.median_among(self.found.len())
    }

    /// The median over all redesigns, where one that was missed is found never: none if that is the
    /// median, or if there are no redesigns.
    #[must_use]
    pub fn median_of_all(&self) -> Option<f64> {
        self.median_among(self.found.len() + self.missed)
    }

    /// The median of so many delays, of which those that are not among the found are endless.
    fn median_among(&self, count: usize) -> Option<f64> {
        let upper = *self.found.get(count / 2)?;
        let lower = self.found[count.saturating_sub(1) / 2];
        Some(f64::midpoint(lower as f64, upper as f64))
    }
}

impl Add for Delays {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl AddAssign for Delays {
    fn add_assign(&mut self, other: Self) {
        self.found.extend(other.found);
        self.found.sort_unstable();
        self.missed += other.missed;
    }
}

impl Sum for Delays {
    fn sum<I: Iterator<Item = Self>>(streams: I) -> Self {
        streams.fold(Self::default(), Add::add)
    }
}

/// Those that the stream has.
fn within(documents: usize, redesigns: &[usize]) -> HashSet<usize> {
    redesigns.iter().copied().filter(|&document| document < documents).collect()
}

/// The first report of every document that was reported.
fn first_reports(documents: usize, reports: &[Report]) -> HashMap<usize, Report> {
    let mut first = HashMap::<usize, Report>::new();
    for &report in reports.iter().filter(|report| report.document < documents) {
        let known = first.entry(report.document).or_insert(report);
        known.at = known.at.min(report.at);
    }
    first
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports(pairs: &[(usize, usize)]) -> Vec<Report> {
        pairs.iter().map(|&(document, at)| Report { document, at }).collect()
    }

    fn cells(confusion: Confusion) -> [usize; 4] {
        let Confusion { true_positives, true_negatives, false_positives, false_negatives } = confusion;
        [true_positives, true_negatives, false_positives, false_negatives]
    }

    #[test]
    fn every_document_is_one_decision() {
        let found = reports(&[(3, 5), (7, 9), (3, 4), (99, 99)]);
        let confusion = Confusion::of(10, &[8, 3, 3, 50], &found);
        assert_eq!(cells(confusion), [1, 7, 1, 1]);
        assert_eq!((confusion.precision(), confusion.recall(), confusion.f1()), (0.5, 0.5, 0.5));
        assert_eq!(cells([confusion; 3].into_iter().sum()), [3, 21, 3, 3]);
    }

    #[test]
    fn silence_is_right_where_nothing_happened_and_only_there() {
        let quiet = Confusion::of(10, &[], &[]);
        assert_eq!((quiet.precision(), quiet.recall(), quiet.f1()), (1.0, 1.0, 1.0));
        let asleep = Confusion::of(10, &[4], &[]);
        assert_eq!((asleep.precision(), asleep.recall(), asleep.f1()), (1.0, 0.0, 0.0));
        let nervous = Confusion::of(10, &[], &reports(&[(4, 4)]));
        assert_eq!((nervous.precision(), nervous.recall(), nervous.f1()), (0.0, 1.0, 0.0));
        assert_eq!(cells(Confusion::of(0, &[0], &reports(&[(0, 0)]))), [0; 4]);
    }

    #[test]
    fn the_first_report_of_a_redesign_counts() {
        let delays = Delays::of(50, &[30, 10, 20], &reports(&[(10, 19), (12, 12), (10, 14), (30, 30)]));
        assert_eq!((delays.found(), delays.missed()), ([0, 4].as_slice(), 1));
        assert_eq!((delays.median(), delays.median_of_all()), (Some(2.0), Some(4.0)));
    }

    #[test]
    fn a_redesign_that_was_missed_is_found_never() {
        let found = Delays::of(50, &[10], &reports(&[(10, 13)]));
        let missed = Delays::of(50, &[10], &[]);
        let both = found.clone() + missed.clone();
        assert_eq!((missed.median(), missed.median_of_all()), (None, None));
        assert_eq!((both.median(), both.median_of_all()), (Some(3.0), None));
        let most: Delays = [found.clone(), missed, found].into_iter().sum();
        assert_eq!(most.median_of_all(), Some(3.0));
        assert_eq!(Delays::default().median_of_all(), None);
    }
}
