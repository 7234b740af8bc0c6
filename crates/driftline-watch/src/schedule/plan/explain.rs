//! Why is a page checked so often? What is known, what follows from it, and what stood in the way.

use driftline::span::Span;
use driftline_report::summary::percent;
use serde::Serialize;

use super::{ENOUGH, Pacing};
use crate::schedule::rate::Rate;

/// Why `auto` chose an interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Explanation {
    /// Changes a day, estimated; none before the second check.
    pub changes_per_day: Option<f64>,
    /// Bounds of the estimate, 95 %.
    pub between: Option<(f64, f64)>,
    /// Changes a day that are expected: the estimate, held back while there is little history.
    pub expected_per_day: f64,
    /// Checks so far.
    pub checks: u64,
    /// How many found a change.
    pub changes: u64,
    /// What the interval became.
    pub interval: Span,
    /// How likely a check finds a change, from 0 to 1.
    pub chance: f64,
    /// What decided.
    pub reason: Reason,
}

/// What decided an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Checking more often would find little more.
    Enough,
    /// The budget has no more checks for it.
    Budget,
    /// No page is checked more often.
    Least,
    /// Every page is checked at least that often.
    Most,
}

const DAY: f64 = 86_400.0;
/// So many changes a day; more are not told apart. A few checks in a row say no more than that a page changes often.
const EVERY_MINUTE: f64 = 1_440.0;
/// Intervals within this factor are the same: the plan moves.
const ABOUT: f64 = 1.05;
/// The next time on a watch's grid is up to this many intervals after a check.
const GRID: f64 = 1.5;

impl Explanation {
    /// For a page with this history, checked this often.
    #[must_use]
    pub fn of(rate: &Rate, interval: Span, pacing: &Pacing) -> Self {
        let estimate = rate.estimate();
        let expected = rate.expected();
        let changes = expected * seconds(interval);
        Self {
            changes_per_day: estimate.map(|estimate| estimate.per_second * DAY),
            between: estimate.map(|estimate| (estimate.low * DAY, estimate.high * DAY)),
            expected_per_day: expected * DAY,
            checks: rate.checks,
            changes: rate.changes,
            interval,
            chance: -(-changes).exp_m1(),
            reason: reason(seconds(interval), seconds(pacing.least), seconds(pacing.most), ENOUGH / expected),
        }
    }

    /// What is known of the page: `changes every 2h32m (…)`.
    #[must_use]
    pub fn known(&self) -> String {
        let (Some(rate), Some((low, high))) = (self.changes_per_day, self.between) else {
            return format!("nothing is known yet; taken to change every {}", apart(self.expected_per_day));
        };
        if self.changes == 0 {
            return format!("no change in {} so far", checks(self.checks));
        }
        if rate <= 0.0 {
            return format!("no change of late ({} of {} found a change)", self.changes, checks(self.checks));
        }
        let bounds = match (low <= EVERY_MINUTE, high <= EVERY_MINUTE) {
            (_, true) => format!("from {} to {}; ", apart(high), apart(low)),
            (true, false) => format!("perhaps every minute, hardly less than every {}; ", apart(low)),
            (false, false) => String::new(),
        };
        let often = if rate <= EVERY_MINUTE { apart(rate).to_string() } else { "minute or more often".to_owned() };
        format!("changes every {often} ({bounds}{} of {} found a change)", self.changes, checks(self.checks))
    }

    /// What follows from it, and what decided: `checked every 2h, when …`.
    #[must_use]
    pub fn why(&self) -> String {
        let decided = match self.reason {
            Reason::Enough => "more often would find little more",
            Reason::Budget => "the budget has no more checks for it",
            Reason::Least => "`least-interval` allows no more",
            Reason::Most => "`most-interval` asks for it",
        };
        format!("checked every {}, when a change is {} likely: {decided}", self.interval, percent(self.chance))
    }
}

/// What decided a wait, all in seconds; `enough` is the interval that an ample budget would give.
fn reason(wait: f64, least: f64, most: f64, enough: f64) -> Reason {
    let is_within = |interval: f64| wait <= interval * GRID * ABOUT;
    if wait <= least * ABOUT || enough <= least && is_within(least) {
        Reason::Least
    } else if enough < most && is_within(enough) {
        Reason::Enough
    } else if (most / ABOUT..=most).contains(&wait) || enough >= most && is_within(most) {
        Reason::Most
    } else {
        Reason::Budget
    }
}

fn seconds(span: Span) -> f64 {
    span.milliseconds() as f64 / 1e3
}

fn checks(count: u64) -> String {
    format!("{count} {}", if count == 1 { "check" } else { "checks" })
}

/// The time between two changes, to two units.
fn apart(per_day: f64) -> Span {
    let seconds = (DAY / per_day.max(1e-9)).min(1e12);
    let unit =
        [604_800.0, DAY, 3_600.0, 60.0].into_iter().find(|unit| seconds >= *unit).map_or(1.0, |unit| unit / 60.0);
    Span::from_fraction((seconds / unit).round() * unit)
}
