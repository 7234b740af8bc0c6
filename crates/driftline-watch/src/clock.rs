//! Clocks: the machine's, and one that tests set.
//!
//! A clock has two readings: the time of day, which people and programs set, and the time that has passed, which nobody
//! can. Times of checks are times of day; what is between two of them is judged by the time that has passed, so that a
//! clock that is set neither stops the daemon nor lets it hurry ([`Steps`]).
//!
//! Nothing here sleeps but a clock, so that tests and simulations run a week in a moment: they bring a
//! [`ManualClock`], on which time passes only while nobody works.

mod bell;
mod latch;
mod manual;
mod passed;
mod steps;

use std::fmt::Debug;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use driftline::span::Span;
use driftline::time::Time;

pub use bell::Bell;
pub use latch::Latch;
pub use manual::ManualClock;
pub use steps::{Reading, Step, Steps};

/// The longest single sleep of the machine's clock: within it a change of the clock and the end of a suspension are
/// noticed.
const LONGEST_SLEEP: Duration = Duration::from_secs(10);

/// Readings more than this apart were interrupted, and are taken again.
const LONGEST_READING: Duration = Duration::from_millis(50);

/// The time of day, the time that has passed, and a way to wait.
pub trait Clock: Debug + Send + Sync {
    /// Now, by both measures.
    fn read(&self) -> Reading;

    /// Now.
    fn now(&self) -> Time {
        self.read().now
    }

    /// Waits until the bell rings, or until a time if one is given. It may return earlier: the caller looks at the
    /// clock and waits again. `is_busy`: work is under way that will ring the bell. A clock of tests goes forward at
    /// once if nobody is busy.
    fn wait(&self, until: Option<Time>, is_busy: bool, bell: &Bell);

    /// Waits in the midst of work, until it is to stop. Says whether the work may go on. On a clock of tests no time passes.
    fn pause(&self, span: Span, stop: &Latch) -> bool;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn read(&self) -> Reading {
        let mut reading = Reading { now: today(), passed: passed::passed() };
        for _ in 0..3 {
            let after = passed::passed();
            if after.saturating_sub(reading.passed) < LONGEST_READING {
                break;
            }
            reading = Reading { passed: after, now: today() };
        }
        reading
    }

    fn now(&self) -> Time {
        today()
    }

    fn wait(&self, until: Option<Time>, _is_busy: bool, bell: &Bell) {
        let left = until.map(|until| until.microseconds().saturating_sub(self.now().microseconds()).max(0));
        let left = left.map_or(LONGEST_SLEEP, |left| Duration::from_micros(left.cast_unsigned()));
        bell.wait(Some(left.min(LONGEST_SLEEP)));
    }

    fn pause(&self, span: Span, stop: &Latch) -> bool {
        !stop.wait(Duration::from_millis(span.milliseconds()))
    }
}

/// The time of day.
fn today() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time::from_microseconds(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Bell, Clock as _, Steps, SystemClock};

    #[test]
    fn both_readings_of_the_machine_go_on_together() {
        let first = SystemClock.read();
        let mut steps = Steps::since(first);
        std::thread::sleep(Duration::from_millis(20));
        let second = SystemClock.read();
        assert!(second.passed.checked_sub(first.passed).unwrap() >= Duration::from_millis(20));
        assert!(second.now > first.now && steps.see(second).is_none());
    }

    #[test]
    fn a_wait_ends_at_its_time_and_with_the_bell() {
        let (began, bell) = (Instant::now(), Bell::default());
        let soon = SystemClock.now().microseconds() + 20_000;
        SystemClock.wait(Some(driftline::time::Time::from_microseconds(soon)), false, &bell);
        assert!(began.elapsed() >= Duration::from_millis(20));
        bell.ring();
        SystemClock.wait(None, false, &bell);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}
