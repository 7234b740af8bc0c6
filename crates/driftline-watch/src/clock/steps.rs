//! Changes of the clock by hand, by a time server, or by a second system on the same machine.
//!
//! The time of day and the time that has passed go on together, but for such a change. What they differ by is compared
//! with what it was when times were last planned, so that small changes are not lost one by one.

use std::ops::AddAssign;
use std::time::Duration;

use driftline::time::Time;

/// What a clock shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The time of day.
    pub now: Time,
    /// The time that has passed since some moment, with the time of suspensions.
    pub passed: Duration,
}

/// A change of the clock: forward if it is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step(i64);

/// Smaller changes are let pass until they add up to this: a time server corrects a clock bit by bit.
const LEAST: i64 = 250_000;

/// The changes of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// The time of day less the time that has passed, in microseconds.
    offset: i64,
}

impl Reading {
    fn offset(self) -> i64 {
        let passed = i64::try_from(self.passed.as_micros()).unwrap_or(i64::MAX);
        self.now.microseconds().saturating_sub(passed)
    }
}

impl Step {
    /// A change by this many microseconds.
    #[must_use]
    pub fn by(microseconds: i64) -> Self {
        Self(microseconds)
    }

    /// How far, in microseconds.
    #[must_use]
    pub fn microseconds(self) -> i64 {
        self.0
    }

    /// The time that is as far away after the change as this one was before it.
    #[must_use]
    pub fn of(self, time: Time) -> Time {
        Time::from_microseconds(time.microseconds().saturating_add(self.0))
    }
}

impl AddAssign for Step {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

impl Steps {
    /// The changes from now on.
    #[must_use]
    pub fn since(reading: Reading) -> Self {
        Self { offset: reading.offset() }
    }

    /// The change since the last one, if there was one.
    pub fn see(&mut self, reading: Reading) -> Option<Step> {
        let by = reading.offset().saturating_sub(self.offset);
        (by.abs() >= LEAST).then(|| {
            self.offset = reading.offset();
            Step(by)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Reading, Step, Steps, Time};

    fn reading(now: f64, passed: u64) -> Reading {
        Reading { now: Time::from_microseconds((now * 1e6) as i64), passed: Duration::from_secs(passed) }
    }

    #[test]
    fn time_that_passes_is_no_step_and_a_clock_that_is_set_is_one() {
        let mut steps = Steps::since(reading(1_000.0, 10));
        assert_eq!(steps.see(reading(1_090.0, 100)), None);
        assert_eq!(steps.see(reading(-6_100.0, 110)), Some(Step(-7_200_000_000)));
        assert_eq!(steps.see(reading(-6_090.0, 120)), None, "it is seen once");
        assert_eq!(steps.see(reading(1_120.0, 130)), Some(Step(7_200_000_000)));
    }

    #[test]
    fn small_changes_add_up() {
        let mut steps = Steps::since(reading(0.0, 0));
        assert_eq!([steps.see(reading(0.9, 1)), steps.see(reading(1.8, 2))], [None; 2]);
        assert_eq!(steps.see(reading(2.7, 3)), Some(Step(-300_000)));
        assert_eq!(steps.see(reading(3.7, 4)), None);
    }
}
