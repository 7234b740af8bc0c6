//! How often does a page change? Estimated from its own history of checks.
//!
//! A check only says whether the page changed since the one before, not how often, so changes per check are too few:
//! a page that changes ten times a day and is checked daily changes "once" a day. If changes come at random (a Poisson
//! process of rate λ), a check after the time t finds one with probability 1 − exp(−λt). Cho and Garcia-Molina
//! ("Estimating frequency of change", 2003) give for n checks at equal intervals I, of which X̄ found no change,
//!
//! ```text
//! λ = −log((X̄ + 0.5) / (n + 0.5)) / I                                                (their section 4)
//! ```
//!
//! which is finite even if every check found a change, and nearly without bias. Checks here come at all intervals, for
//! which they maximise the likelihood (their section 5): Σ t/(exp(λt) − 1) over checks that found a change equals Σ t
//! over those that found none. The 0.5 above is the same as half a check more that found none; adding that half, of
//! the average interval, to the equation of section 5 gives a rule for all intervals that is the formula of section 4
//! for equal ones.
//!
//! Intervals are kept in bins, each twice as long as the one before, and old checks fade.

use serde::{Deserialize, Serialize};

use driftline::span::Span;

/// What the checks of a page found, in short.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Rate {
    /// Checks that followed another one.
    pub checks: u64,
    /// How many of them found a change.
    pub changes: u64,
    bins: Vec<Bin>,
}

/// Checks after intervals of about the same length.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "(f64, f64, f64)", into = "(f64, f64, f64)")]
struct Bin {
    /// Their average interval, in seconds.
    interval: f64,
    /// How many there are, old ones counting less.
    checks: f64,
    /// How many of them found a change.
    changes: f64,
}

/// How often a page changes, as far as can be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Changes in a second.
    pub per_second: f64,
    /// It is hardly less than this.
    pub low: f64,
    /// It is hardly more than this.
    pub high: f64,
}

/// With each check, earlier ones count so much: the last two hundred or so decide.
const FADING: f64 = 0.995;
/// Bins that have faded to this are dropped.
const FADED: f64 = 0.01;
/// Intervals are taken as from a second to three years: no more than 27 bins.
const INTERVALS: (f64, f64) = (1.0, 1e8);
/// Half a check that found no change, against the bias.
const HALF: f64 = 0.5;
/// Before there is any history, a page is taken to have changed half a time in half a day.
const PRIOR_CHANGES: f64 = 0.5;
const PRIOR_SECONDS: f64 = 43_200.0;
/// Rates are looked for between these, in changes a second: once in 30,000 years, and a thousand times a second.
const RATES: (f64, f64) = (1e-12, 1e3);
/// Enough to halve that range to the last bit that matters.
const HALVINGS: usize = 80;
/// Standard errors of an interval that holds the truth in 95 of 100 cases.
const ERRORS: f64 = 1.96;

impl Rate {
    /// A check was made, so long after the one before.
    pub fn update(&mut self, interval: Span, changed: bool) {
        let seconds = (interval.milliseconds() as f64 / 1e3).clamp(INTERVALS.0, INTERVALS.1);
        let change = f64::from(u8::from(changed));
        self.checks = self.checks.saturating_add(1);
        self.changes = self.changes.saturating_add(u64::from(changed));
        for bin in &mut self.bins {
            bin.checks *= FADING;
            bin.changes *= FADING;
        }
        self.bins.retain(|bin| bin.checks > FADED);
        if let Some(bin) = self.bins.iter_mut().find(|bin| octave(bin.interval) == octave(seconds)) {
            bin.interval = (bin.interval * bin.checks + seconds) / (bin.checks + 1.0);
            bin.checks += 1.0;
            bin.changes += change;
        } else {
            self.bins.push(Bin { interval: seconds, checks: 1.0, changes: change });
        }
    }

    /// The estimate, by the formula above. None if the page was checked only once.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let checks: f64 = self.bins.iter().map(|bin| bin.checks).sum();
        if checks <= 0.0 {
            return None;
        }
        let watched: f64 = self.bins.iter().map(|bin| bin.checks * bin.interval).sum();
        if self.bins.iter().all(|bin| bin.changes <= 0.0) {
            // No change in the time T: the rate is below 3/T in 95 of 100 cases.
            return Some(Estimate { per_second: 0.0, low: 0.0, high: 3.0 / watched });
        }
        let per_second = self.solve(0.0, HALF * watched / checks);
        let factor = (ERRORS / (per_second * self.information(per_second).sqrt())).exp();
        Some(Estimate { per_second, low: per_second / factor, high: per_second * factor })
    }

    /// What the next checks are planned by, in changes a second: the estimate, held back by what is usual as long as
    /// there is little history. It is never zero: the longer nothing happens, the lower it gets.
    #[must_use]
    pub fn expected(&self) -> f64 {
        self.solve(PRIOR_CHANGES, PRIOR_SECONDS)
    }

    /// The rate at which as much change is expected as was found, with so much more change in so many more seconds.
    fn solve(&self, changes: f64, seconds: f64) -> f64 {
        let quiet = seconds + self.bins.iter().map(|bin| (bin.checks - bin.changes) * bin.interval).sum::<f64>();
        let found = |rate: f64| {
            let of = |bin: &Bin| bin.changes * bin.interval / (rate * bin.interval).exp_m1();
            changes / rate + self.bins.iter().filter(|bin| bin.changes > 0.0).map(of).sum::<f64>()
        };
        let (mut low, mut high) = (RATES.0.ln(), RATES.1.ln());
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if found(middle.exp()) > quiet { low = middle } else { high = middle }
        }
        low.exp()
    }

    /// Fisher's information about the rate: how sharply the checks speak.
    fn information(&self, rate: f64) -> f64 {
        let of = |bin: &Bin| bin.checks * bin.interval.powi(2) / (rate * bin.interval).exp_m1();
        self.bins.iter().map(of).sum::<f64>().max(f64::MIN_POSITIVE)
    }
}

fn octave(seconds: f64) -> i32 {
    seconds.log2().floor() as i32
}

impl From<(f64, f64, f64)> for Bin {
    /// What is stored may have been altered: nothing in it may break the arithmetic.
    fn from((interval, checks, changes): (f64, f64, f64)) -> Self {
        let checks = if checks.is_finite() { checks.clamp(0.0, 1e6) } else { 0.0 };
        let interval = if interval.is_finite() { interval.clamp(INTERVALS.0, INTERVALS.1) } else { INTERVALS.0 };
        let changes = if changes.is_finite() { changes.clamp(0.0, checks) } else { 0.0 };
        Self { interval, checks, changes }
    }
}

impl From<Bin> for (f64, f64, f64) {
    fn from(bin: Bin) -> Self {
        (bin.interval, bin.checks, bin.changes)
    }
}

#[cfg(test)]
mod tests;
