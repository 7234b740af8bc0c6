//! How is the budget of checks spent? Where most change is expected.
//!
//! A check that comes t after the one before finds a change with probability 1 − exp(−λt). With f checks an hour of a
//! page, f·(1 − exp(−λ/f)) checks an hour find one. The sum of that over all pages, under a sum of all f that is the
//! budget, is greatest where one check more would bring the same for every page (Lagrange): where λ/f is the same for
//! all. So all pages are checked when the same number of changes is expected since the last check, and the
//! budget decides that number, x.
//!
//! Cho and Garcia-Molina ("Effective page refresh policies", 2003) maximise the freshness of copies instead. That gives
//! up pages which change faster than they can be copied, as a search engine may; who watches a page wants to hear of
//! it. Their warning stands, though, and is why x has a lower bound: checks that find nothing are spent on nobody.
//!
//! Pages are counted by their rates in [`Demand`], so that a check costs the same however many pages there are.

mod demand;
mod explain;

use std::sync::atomic::{AtomicU64, Ordering};

pub use demand::Demand;
pub use explain::{Explanation, Reason};

use driftline::span::Span;
use driftline::time::Time;

use super::Schedule;
use super::rate::Rate;

/// What `auto` may spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pacing {
    /// Checks an hour, of all watches together.
    pub budget: f64,
    /// No page is checked more often by itself.
    pub least: Span,
    /// Nor less often, as long as the budget lasts.
    pub most: Span,
}

impl Default for Pacing {
    fn default() -> Self {
        Self { budget: 600.0, least: Span::from_seconds(300), most: Span::from_seconds(86_400) }
    }
}

/// A page is not checked before so many changes are expected: a change is then known after a twentieth of the time
/// between two, on average.
pub const ENOUGH: f64 = 0.1;

/// The intervals that the budget allows. Shared by all who check.
#[derive(Debug)]
pub struct Plan {
    pacing: Pacing,
    /// x above, as bits.
    expected: AtomicU64,
    /// The longest interval, in milliseconds.
    most: AtomicU64,
}

impl Plan {
    /// A plan for few pages; see [`refresh`](Self::refresh).
    #[must_use]
    pub fn new(pacing: Pacing) -> Self {
        Self {
            pacing,
            expected: AtomicU64::new(ENOUGH.to_bits()),
            most: AtomicU64::new(pacing.most.max(pacing.least).milliseconds()),
        }
    }

    /// What it may spend.
    #[must_use]
    pub fn pacing(&self) -> &Pacing {
        &self.pacing
    }

    /// So many changes are expected when a page is checked.
    #[must_use]
    pub fn expectation(&self) -> f64 {
        f64::from_bits(self.expected.load(Ordering::Relaxed))
    }

    /// The budget is spent on these pages; watches with a schedule of their own take so many checks an hour of it.
    pub fn refresh(&self, demand: &Demand, fixed: f64) {
        let left = (self.pacing.budget - fixed).max(self.pacing.budget * LEFT).max(f64::MIN_POSITIVE);
        let (expected, most) = demand.solve(&self.pacing, left);
        self.expected.store(expected.to_bits(), Ordering::Relaxed);
        self.most.store(most.milliseconds(), Ordering::Relaxed);
    }

    /// The interval of a page that changes so often, in changes a second.
    #[must_use]
    pub fn interval(&self, per_second: f64) -> Span {
        let most = Span::from_milliseconds(self.most.load(Ordering::Relaxed));
        Span::from_fraction(interval(per_second, self.expectation(), self.pacing.least, most))
    }

    /// When a watch is due that was checked then and has changed so often; see [`Schedule::due`].
    #[must_use]
    pub fn next(&self, schedule: &Schedule, id: &str, rate: &Rate, checked: Time) -> Time {
        schedule.due(id, checked, self.auto(schedule, rate))
    }

    /// The interval for a schedule that leaves it open; what an hour is for cron lines, whose own is not known.
    #[must_use]
    pub fn auto(&self, schedule: &Schedule, rate: &Rate) -> Span {
        if schedule.is_auto() { self.interval(rate.expected()) } else { Span::from_seconds(3_600) }
    }
}

/// However much the others take, `auto` has a tenth of the budget.
const LEFT: f64 = 0.1;

/// Seconds until so many changes are expected, within bounds.
fn interval(per_second: f64, expected: f64, least: Span, most: Span) -> f64 {
    let seconds = |span: Span| span.milliseconds() as f64 / 1e3;
    let (least, most) = (seconds(least), seconds(most));
    (expected / per_second.max(f64::MIN_POSITIVE)).clamp(least, most.max(least))
}

#[cfg(test)]
mod tests;
