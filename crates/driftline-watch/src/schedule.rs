//! When is a watch checked next?
//!
//! Checks of a fixed interval stand on a grid of times that begins at a place of its own for each watch, made of its
//! id: so a thousand watches of `10m` are spread over the ten minutes, in the same way after every restart. Who missed
//! a time, because the machine slept or the host was slow, is checked once and not once for each time that it missed.

mod cron;
pub mod hosts;
pub mod plan;
pub mod queue;
pub mod rate;
mod spread;
mod step;
mod window;
mod written;
mod zone;

use driftline::time::Time;

pub use cron::Line;
pub use spread::Crowd;
pub use window::Window;
pub use written::NotASchedule;
pub use zone::Zone;

use driftline::span::Span;

/// When a watch is checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schedule {
    /// How often.
    pub pace: Pace,
    /// Only within one of these; always, if there are none.
    pub windows: Vec<Window>,
    /// Whose clock the windows and the cron line mean; the machine's own, if none is named.
    pub zone: Zone,
}

/// How often a watch is checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Pace {
    /// As often as its page is expected to change, within the budget.
    #[default]
    Auto,
    /// Every so often.
    Every(Span),
    /// When cron would.
    Cron(Box<Line>),
}

/// No watch is checked more often.
pub const LEAST: Span = Span::from_seconds(1);
/// Nor less often: ten years.
pub const MOST: Span = Span::from_seconds(10 * 365 * 86_400);

impl Schedule {
    /// Every so often, at any time.
    #[must_use]
    pub fn every(span: Span) -> Self {
        Self { pace: Pace::Every(span), ..Self::default() }
    }

    /// Is the interval for the [plan](plan::Plan) to choose?
    #[must_use]
    pub fn is_auto(&self) -> bool {
        self.pace == Pace::Auto
    }

    /// The interval that is set, or this one.
    fn interval(&self, auto: Span) -> Span {
        match self.pace {
            Pace::Auto | Pace::Cron(_) => auto,
            Pace::Every(span) => span.clamp(LEAST, MOST),
        }
    }

    /// When the watch is due that was last checked then. It may be past. `auto` is the interval for whoever has none
    /// of its own.
    #[must_use]
    pub fn due(&self, id: &str, last: Time, auto: Span) -> Time {
        match &self.pace {
            Pace::Cron(line) => line.next(last, &self.zone, &self.windows),
            Pace::Auto | Pace::Every(_) => self.open(id, spread::next(id, last, self.interval(auto)), auto),
        }
    }

    /// When a watch is checked that was never checked, or that should have been by now. It has its place in a crowd of
    /// those whom it happens to at the same time, and at most half of its interval is waited.
    #[must_use]
    pub fn catch_up(&self, id: &str, now: Time, auto: Span, crowd: Crowd) -> Time {
        let most = Span::from_milliseconds(self.interval(auto).milliseconds() / 2);
        self.open(id, crowd.place(id, now, most), auto)
    }

    /// May the watch be checked at this time? Only within a window, if there are any.
    #[must_use]
    pub fn is_open(&self, at: Time) -> bool {
        window::next(&self.windows, at, &self.zone).is_none_or(|(opens, _)| opens <= at)
    }

    /// This time, or when a window opens: spread over the window or the interval, whichever is shorter.
    fn open(&self, id: &str, at: Time, auto: Span) -> Time {
        let Some((opens, closes)) = window::next(&self.windows, at, &self.zone) else { return at };
        if opens <= at {
            return at;
        }
        let length = closes.microseconds().saturating_sub(opens.microseconds());
        spread::within(id, opens, length.min(self.interval(auto).microseconds()))
    }
}

#[cfg(test)]
mod tests;
