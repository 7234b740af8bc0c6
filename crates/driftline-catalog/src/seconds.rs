//! Times compared by whole seconds: ARC files, WARC 1.0 and indexes know nothing finer.

use crate::Time;

/// One second, in microseconds.
pub const SECOND: i64 = 1_000_000;

/// The second of a time, counted from the beginning of 1970.
#[must_use]
pub fn second(time: Time) -> i64 {
    time.microseconds().div_euclid(SECOND)
}

/// Whether a time says no fraction of a second.
#[must_use]
pub fn is_whole(time: Time) -> bool {
    time.microseconds().rem_euclid(SECOND) == 0
}

/// Whether two times may be of the same capture: in the same second, and not with two different fractions of it.
#[must_use]
pub fn may_be_same(one: Time, other: Time) -> bool {
    one == other || second(one) == second(other) && (is_whole(one) || is_whole(other))
}

#[cfg(test)]
mod tests {
    use super::{may_be_same, second};

    #[test]
    fn a_time_without_a_fraction_is_any_of_its_second() {
        let time = |text: &str| text.parse().unwrap();
        let [whole, early, late] = ["", ".25", ".5"].map(|fraction| time(&format!("2024-01-31T12:00:00{fraction}Z")));
        assert!(may_be_same(whole, early) && may_be_same(late, whole) && may_be_same(early, early));
        assert!(!may_be_same(early, late) && !may_be_same(whole, time("2024-01-31T12:00:01Z")));
        assert_eq!(second(crate::Time::from_microseconds(-1)), -1);
    }
}
