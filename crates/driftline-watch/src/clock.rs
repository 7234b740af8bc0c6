//! What time is it, and how does one wait? The machine's clock, or one that is set.
//!
//! Nothing here sleeps but a clock, so that tests and simulations run a week in a moment: they bring a
//! [`ManualClock`], on which time passes only while nobody works.

mod bell;
mod manual;

use std::fmt::Debug;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use driftline::span::Span;
use driftline::time::Time;

pub use bell::Bell;
pub use manual::ManualClock;

/// Tells the time, and waits.
pub trait Clock: Debug + Send + Sync {
    /// Now.
    fn now(&self) -> Time;

    /// Waits until the bell rings, or until a time if one is given. `is_busy`: work is under way that will ring the
    /// bell. A clock of tests goes forward at once if nobody is busy.
    fn wait(&self, until: Option<Time>, is_busy: bool, bell: &Bell);

    /// Waits in the midst of work. On a clock of tests no time passes.
    fn pause(&self, span: Span);
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time::from_microseconds(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    fn wait(&self, until: Option<Time>, _is_busy: bool, bell: &Bell) {
        let left = until.map(|until| until.microseconds().saturating_sub(self.now().microseconds()).max(0));
        bell.wait(left.map(|left| Duration::from_micros(left.cast_unsigned())));
    }

    fn pause(&self, span: Span) {
        thread::sleep(Duration::from_millis(span.milliseconds()));
    }
}
