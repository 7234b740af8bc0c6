//! How many pages are there, and how fast do they change? In little memory, and kept up to date check by check.
//!
//! Pages are counted by rate in bins, four to each doubling, with the sum of the rates in each: the sum of all
//! frequencies is then exact but for the bins that a bound cuts through.

use driftline::span::Span;

use super::{ENOUGH, Pacing, interval};

/// Pages with `schedule = "auto"`, by how often they change.
#[derive(Debug, Clone)]
pub struct Demand {
    bins: Vec<Bin>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    count: u64,
    sum: f64,
}

/// Rates from 2^-36 (once in two thousand years) to 2^4 a second, four bins to each doubling.
const BINS: usize = 160;
const LOWEST: f32 = -36.0;
const BINS_OF_ONE: f32 = 4.0;
/// Nobody waits for more than so many changes.
const MOST_EXPECTED: f64 = 1e9;
const HALVINGS: usize = 64;

impl Default for Demand {
    fn default() -> Self {
        Self { bins: vec![Bin::default(); BINS] }
    }
}

impl Demand {
    /// A page that changes so often.
    pub fn add(&mut self, per_second: f32) {
        let bin = &mut self.bins[place(per_second)];
        bin.count += 1;
        bin.sum += f64::from(per_second);
    }

    /// A page that was added, and is not there any more.
    pub fn remove(&mut self, per_second: f32) {
        let bin = &mut self.bins[place(per_second)];
        bin.count = bin.count.saturating_sub(1);
        bin.sum = if bin.count == 0 { 0.0 } else { bin.sum - f64::from(per_second) };
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    /// How many changes are to be expected before a check, and the longest interval, so that so many checks an hour
    /// are enough. If even the longest interval takes more, it gets longer: the budget is kept.
    pub(super) fn solve(&self, pacing: &Pacing, per_hour: f64) -> (f64, Span) {
        let even = Span::from_fraction(self.count() as f64 / per_hour * 3600.0);
        let most = pacing.most.max(pacing.least).max(even);
        let spent = |expected: f64| self.spent(expected, pacing.least, most);
        if spent(ENOUGH) <= per_hour {
            return (ENOUGH, most);
        }
        let (mut low, mut high) = (ENOUGH.ln(), MOST_EXPECTED.ln());
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if spent(middle.exp()) > per_hour { low = middle } else { high = middle }
        }
        (high.exp(), most)
    }

    /// Checks an hour, if a page is checked when so many changes are expected.
    pub(super) fn spent(&self, expected: f64, least: Span, most: Span) -> f64 {
        let of = |bin: &Bin| {
            let rate = bin.sum.max(0.0) / bin.count as f64;
            bin.count as f64 * 3600.0 / interval(rate, expected, least, most)
        };
        self.bins.iter().filter(|bin| bin.count > 0).map(of).sum()
    }
}

fn place(per_second: f32) -> usize {
    let place = ((per_second.log2() - LOWEST) * BINS_OF_ONE).floor() as i32;
    usize::try_from(place).map_or(0, |place| place.min(BINS - 1))
}
