//! When is a message sent again that was not taken? After a minute, then after twice as long each time, up to four hours;
//! or when the target asks for it.
//!
//! Twelve attempts take most of a day. A little earlier or later than that by chance, so that a thousand messages to a
//! target that was down do not all come at once; the chance is made of the key, so that it is the same each time.

use driftline::time::Time;

use driftline::span::Span;

/// After so many attempts a message is given up.
pub const MOST_ATTEMPTS: u32 = 12;

const FIRST: i64 = 60_000_000;
const LONGEST: i64 = 4 * 3_600_000_000;
/// A target may not ask for longer.
const MOST_ASKED: i64 = 24 * 3_600_000_000;

/// When to try again after an attempt, the first being 1.
#[must_use]
pub fn back_off(now: Time, attempt: u32, key: &str, asked: Option<Span>) -> Time {
    let doubled = FIRST.saturating_mul(1_i64.checked_shl(attempt.saturating_sub(1).min(30)).unwrap_or(i64::MAX));
    let wait = doubled.min(LONGEST);
    // From -1/4 to +1/4 of it.
    let chance = xxhash_rust::xxh3::xxh3_64_with_seed(key.as_bytes(), u64::from(attempt)) % 1_001;
    let jitter = (wait / 2_000).saturating_mul(chance.cast_signed() - 500);
    let asked = asked.map_or(0, |asked| asked.microseconds().min(MOST_ASKED));
    Time::from_microseconds(now.microseconds().saturating_add((wait + jitter).max(asked)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_attempts_take_most_of_a_day() {
        let mut now = Time::from_microseconds(0);
        for attempt in 1..MOST_ATTEMPTS {
            now = back_off(now, attempt, "key", None);
        }
        let hours = now.microseconds() / 3_600_000_000;
        assert!((12..=24).contains(&hours), "{hours}");
    }

    #[test]
    fn a_target_may_ask_for_more_time_but_not_for_ever() {
        let now = Time::from_microseconds(0);
        assert_eq!(back_off(now, 1, "", Some(Span::from_seconds(3_600))).microseconds(), 3_600_000_000);
        assert!(back_off(now, 1, "", Some(Span::from_seconds(1))).microseconds() > 40_000_000);
        assert_eq!(back_off(now, 1, "", Some(Span::from_seconds(u64::from(u32::MAX)))).microseconds(), MOST_ASKED);
    }

    proptest! {
        #[test]
        fn a_wait_is_the_same_each_time_and_within_limits(attempt in 0_u32..100, key in "[a-f0-9]{0,32}") {
            let now = Time::from_microseconds(1_000);
            let due = back_off(now, attempt, &key, None);
            prop_assert_eq!(due, back_off(now, attempt, &key, None));
            let wait = due.microseconds() - now.microseconds();
            prop_assert!((FIRST * 3 / 4..=LONGEST * 5 / 4).contains(&wait), "{wait}");
        }
    }
}
