//! When is a failure worth telling? When it lasts.
//!
//! A server that does not answer once is tried again, soon, without a word. What lasts is told once, and so is its
//! end. "Not found" is no failure but an answer: if it lasts, the page is gone.

use driftline::time::Time;
use serde::{Deserialize, Serialize};

use driftline::span::Span;

/// When does a failure become an event?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// So many checks must have failed in a row …
    pub failures: u32,
    /// … over so long.
    pub failing: Span,
    /// So many checks must have found no page in a row …
    pub absences: u32,
    /// … over so long.
    pub absent: Span,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            failures: 3,
            failing: Span::from_seconds(30 * 60),
            absences: 3,
            absent: Span::from_seconds(24 * 60 * 60),
        }
    }
}

/// A check that failed is repeated after so long, then after twice as long, and so on …
const FIRST_RETRY: Span = Span::from_seconds(5 * 60);
/// … up to so many times; then the schedule of the watch has its way.
const MOST_DOUBLINGS: u32 = 6;

/// No host asks for a longer wait than this; more is cut when its answer is read.
const MOST_ASKED: Span = Span::from_seconds(86_400);

/// Checks that failed in a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Failures {
    /// How many.
    pub count: u32,
    /// Since when.
    pub since: Time,
    /// Why the last one failed.
    pub why: String,
    /// Was it told?
    pub told: bool,
}

/// Checks in a row that found no page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Absence {
    /// How many.
    pub count: u32,
    /// Since when.
    pub since: Time,
    /// Was it told?
    pub told: bool,
}

/// Hosts that were too busy, in a row, when items of a feed were to be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Refusals {
    /// How many.
    pub count: u32,
    /// No item is asked for before.
    pub until: Time,
}

impl Failures {
    /// One more check failed. `is_lasting`: nothing will help but what people do.
    pub(super) fn add(before: Option<Self>, now: Time, why: String) -> Self {
        let Self { count, since, told, .. } =
            before.unwrap_or(Self { count: 0, since: now, why: String::new(), told: false });
        // A time to come is of a clock that has been set back since.
        Self { count: count.saturating_add(1), since: since.min(now), why, told }
    }

    /// Is it time to tell?
    pub(super) fn is_due(&self, now: Time, is_lasting: bool, patience: &Patience) -> bool {
        let lasts = self.count >= patience.failures && has_passed(self.since, now, patience.failing);
        !self.told && (is_lasting || lasts)
    }

    /// When to try again, if that is sooner than the schedule says.
    pub(super) fn retry(&self, now: Time) -> Option<Time> {
        let doublings = self.count.saturating_sub(1);
        (doublings < MOST_DOUBLINGS).then(|| later(now, FIRST_RETRY.microseconds() << doublings))
    }
}

impl Absence {
    /// One more check found no page.
    pub(super) fn add(before: Option<Self>, now: Time) -> Self {
        let Self { count, since, told } = before.unwrap_or(Self { count: 0, since: now, told: false });
        Self { count: count.saturating_add(1), since: since.min(now), told }
    }

    /// Is it time to tell?
    pub(super) fn is_due(&self, now: Time, patience: &Patience) -> bool {
        !self.told && self.count >= patience.absences && has_passed(self.since, now, patience.absent)
    }
}

impl Refusals {
    /// Whether no item may be asked for now. A time that no host could have asked for is of a clock that has been set
    /// back since.
    pub(super) fn holds(&self, now: Time) -> bool {
        now < self.until && self.until <= later(now, MOST_ASKED.microseconds())
    }

    /// One more host was too busy, and perhaps said for how long.
    pub(super) fn add(before: Option<Self>, now: Time, retry_after: Option<Span>) -> Self {
        let count = before.map_or(0, |before| before.count).saturating_add(1);
        Self { count, until: later(now, retry_after.unwrap_or_default().microseconds()) }
    }
}

fn has_passed(since: Time, now: Time, span: Span) -> bool {
    now.microseconds().saturating_sub(since.microseconds()) >= span.microseconds()
}

fn later(now: Time, microseconds: i64) -> Time {
    Time::from_microseconds(now.microseconds().saturating_add(microseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(minutes: i64) -> Time {
        Time::from_microseconds(minutes * 60_000_000)
    }

    #[test]
    fn a_failure_is_told_when_it_lasts_and_not_again() {
        let patience = Patience::default();
        let mut failures = None;
        let mut told = Vec::new();
        for at in [0, 5, 15, 29, 30, 60] {
            let mut next = Failures::add(failures.take(), minute(at), "503".to_owned());
            if next.is_due(minute(at), false, &patience) {
                next.told = true;
                told.push(at);
            }
            failures = Some(next);
        }
        assert_eq!(told, [30]);
    }

    #[test]
    fn a_clock_that_was_set_back_hides_no_failure_and_holds_up_no_item() {
        let patience = Patience::default();
        let mut failures = Failures::add(None, minute(10_000), "503".to_owned());
        for at in [0, 20, 40] {
            failures = Failures::add(Some(failures), minute(at), "503".to_owned());
        }
        assert!(failures.is_due(minute(40), false, &patience));
        let absence = Absence::add(Some(Absence::add(None, minute(10_000))), minute(0));
        assert_eq!(absence.since, minute(0));
        let refusals = Refusals::add(None, minute(10_000), Some(Span::from_seconds(600)));
        assert!(refusals.holds(minute(10_001)) && !refusals.holds(minute(10_010)) && !refusals.holds(minute(0)));
    }

    #[test]
    fn what_lasts_by_itself_is_told_at_once() {
        let refused = Failures::add(None, minute(0), "refused".to_owned());
        assert!(refused.is_due(minute(0), true, &Patience::default()));
    }

    #[test]
    fn retries_come_later_and_later_and_then_as_scheduled() {
        let retries: Vec<_> = (1..=7)
            .map(|count| Failures { count, since: minute(0), why: String::new(), told: false }.retry(minute(0)))
            .collect();
        let minutes = [5, 10, 20, 40, 80, 160].map(|minutes| Some(minute(minutes)));
        assert_eq!(retries[..6], minutes);
        assert_eq!(retries[6], None);
    }

    #[test]
    fn a_page_is_gone_after_three_checks_and_a_day() {
        let patience = Patience::default();
        let hours = [0, 1, 2, 23, 24];
        let mut absence = None;
        let due: Vec<bool> = hours
            .map(|hour| {
                let next = Absence::add(absence.take(), minute(hour * 60));
                let is_due = next.is_due(minute(hour * 60), &patience);
                absence = Some(next);
                is_due
            })
            .to_vec();
        assert_eq!(due, [false, false, false, false, true]);
        assert!(!Absence { count: 2, since: minute(0), told: false }.is_due(minute(60 * 48), &patience));
    }
}
