//! Due times after the clock was set.
//!
//! An interval is a span of time: what is left of it stays left, whatever the clock shows. A cron line names times of
//! day: they are looked up anew, so one that comes round again is checked again, and one that was left out is made up for.

use driftline::span::Span;
use driftline::time::Time;

use super::{Pace, Schedule};
use crate::clock::Step;

impl Schedule {
    /// When a watch is due after the clock was set to `now` that was due at a later time before. `auto` is as for
    /// [`due`](Self::due).
    #[must_use]
    pub fn after_step(&self, id: &str, due: Time, step: Step, now: Time, auto: Span) -> Time {
        let rest = step.of(due);
        match &self.pace {
            Pace::Cron(line) => {
                let next = |after: Time| line.next(after, &self.zone, &self.windows);
                let is_of_line = next(Time::from_microseconds(due.microseconds().saturating_sub(1))) == due;
                // Else a check that failed is repeated: that is a span of time.
                if is_of_line { due.min(next(now)) } else { rest.min(next(now)) }
            }
            // A window may be open now that was not to open for hours; half an interval has passed by then.
            Pace::Every(_) if !self.windows.is_empty() => self.open(id, rest, auto).min(self.due(id, now, auto)),
            Pace::Every(_) | Pace::Auto => self.open(id, rest, auto),
        }
    }
}

#[cfg(test)]
mod tests;
