//! Where in its interval is a watch checked? At a place of its own, made of its id.
//!
//! The same id has the same place on every machine and after every restart, and ids that differ in one letter have
//! places far apart: nothing has to be stored, and nothing comes in a herd.

use driftline::time::Time;
use xxhash_rust::xxh3::xxh3_64;

use driftline::span::Span;

/// Watches that all want to be checked at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crowd(pub usize);

/// Of a crowd, ten are checked in a second.
const ONE_EACH: u64 = 100_000;

impl Crowd {
    /// A crowd that takes at most so many checks an hour, as if it were so much bigger.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "the factor is at least 1")]
    pub fn at_most(self, per_hour: f64) -> Self {
        let each = 3.6e9 / per_hour.max(f64::MIN_POSITIVE);
        let factor = (each / ONE_EACH as f64).max(1.0);
        Self((self.0 as f64 * factor) as usize)
    }

    /// When one of them is checked: they come one by one, but none waits longer than this.
    pub(super) fn place(self, id: &str, now: Time, most: Span) -> Time {
        let all = ONE_EACH.saturating_mul(self.0 as u64).cast_signed().max(0);
        within(id, now, all.min(most.microseconds()))
    }
}

/// A time in so many microseconds from the beginning, which is the watch's own.
pub(super) fn within(id: &str, from: Time, length: i64) -> Time {
    Time::from_microseconds(from.microseconds().saturating_add(share(id, length)))
}

/// The next time of the watch's own grid. It is at least half an interval after the last check: a check that was late
/// is not followed by another one at once.
pub(super) fn next(id: &str, last: Time, interval: Span) -> Time {
    let step = interval.microseconds().max(1);
    let earliest = last.microseconds().saturating_add(step / 2);
    let phase = share(id, step);
    let past = earliest.saturating_sub(phase).rem_euclid(step);
    let wait = if past == 0 { 0 } else { step - past };
    Time::from_microseconds(earliest.saturating_add(wait))
}

/// From 0 to below the length, by the hash of the id.
fn share(id: &str, length: i64) -> i64 {
    let product = u128::from(xxh3_64(id.as_bytes())) * u128::from(length.max(0).cast_unsigned());
    ((product >> 64) as u64).cast_signed()
}
