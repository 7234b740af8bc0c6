//! When was it captured? A point in time, in the ways that archives write one.
//!
//! WARC files write `2024-01-31T12:00:00Z`, with a fraction if they like; indexes write fourteen digits,
//! `20240131120000`; people write `2024`. Kept are microseconds, which a database counts in 64 bits.

mod http;
mod stored;

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A point in time, to the microsecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(i64);

/// What cannot be read as a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no time\nhint: write 2024, 2024-01-31, 2024-01-31T12:00:00Z or 20240131120000, from the year 0 to 9999-12-30"
)]
pub struct NotATime(String);

impl Time {
    /// So many microseconds after the beginning of 1970.
    #[must_use]
    pub const fn from_microseconds(microseconds: i64) -> Self {
        Self(microseconds)
    }

    /// Microseconds since the beginning of 1970.
    #[must_use]
    pub fn microseconds(self) -> i64 {
        self.0
    }

    /// Fourteen digits, as indexes write it: `20240131120000`.
    #[must_use]
    pub fn digits(self) -> String {
        self.timestamp().strftime("%Y%m%d%H%M%S").to_string()
    }

    /// How far apart two times are, in microseconds.
    #[must_use]
    pub fn distance(self, other: Self) -> u64 {
        self.0.abs_diff(other.0)
    }

    fn timestamp(self) -> Timestamp {
        Timestamp::from_microsecond(self.0).unwrap_or(if self.0 < 0 { Timestamp::MIN } else { Timestamp::MAX })
    }

    /// Digits alone, as indexes write them: `2024`, `202401`, … `20240131120000`, and a fraction of up to six digits
    /// behind that.
    fn from_digits(text: &str) -> Option<Self> {
        let (time, fraction) = text.split_at_checked(14).unwrap_or((text, ""));
        if time.len() < 4 || !time.len().is_multiple_of(2) {
            return None;
        }
        let fields = [0..4, 4..6, 6..8, 8..10, 10..12, 12..14].map(|place| time.get(place).unwrap_or_default());
        Self::from_fields(fields, fraction)
    }

    /// Fields with signs between them: `2024-1-31`, `2024/01/31 12:00`, `2024-01-31T12:00:00.25Z`.
    fn from_words(text: &str) -> Option<Self> {
        let (date, clock) = text.split_once(['T', 't', ' ']).unwrap_or((text, ""));
        let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
        let sign = if date.contains('/') { '/' } else { '-' };
        let (mut date, mut clock) = (date.split(sign), clock.split(':'));
        let mut next_of_date = || date.next().unwrap_or_default();
        let mut next_of_clock = || clock.next().unwrap_or_default();
        let fields =
            [next_of_date(), next_of_date(), next_of_date(), next_of_clock(), next_of_clock(), next_of_clock()];
        let is_all = date.next().is_none() && clock.next().is_none();
        // A field may only be missing at the end.
        let is_filled = !fields.windows(2).any(|pair| pair[0].is_empty() && !pair[1].is_empty());
        if is_all && is_filled && fields[0].len() == 4 { Self::from_fields(fields, fraction) } else { None }
    }

    /// The beginning of what the fields name; those that are missing are empty.
    fn from_fields(fields: [&str; 6], fraction: &str) -> Option<Self> {
        let is_written = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
        if !fields.iter().all(|field| is_written(field)) || !is_written(fraction) || fraction.len() > 9 {
            return None;
        }
        let small = |place: usize, none| {
            let field: &str = fields[place];
            if field.is_empty() { Some(none) } else { field.parse::<i8>().ok().filter(|_| field.len() <= 2) }
        };
        let date = DateTime::new(
            fields[0].parse().ok()?,
            small(1, 1)?,
            small(2, 1)?,
            small(3, 0)?,
            small(4, 0)?,
            small(5, 0)?,
            0,
        );
        let seconds = date.ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
        let fraction: i64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
        Some(Self(seconds.as_microsecond() + fraction))
    }
}

impl FromStr for Time {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        let text = text.trim();
        let exact = text.parse::<Timestamp>().ok().map(|timestamp| Self(timestamp.as_microsecond()));
        let bare = text.strip_suffix(['Z', 'z']).unwrap_or(text);
        let digits = || if bare.bytes().all(|byte| byte.is_ascii_digit()) { Self::from_digits(bare) } else { None };
        let read = exact.or_else(digits).or_else(|| Self::from_words(bare));
        read.ok_or_else(|| NotATime(text.chars().take(60).collect()))
    }
}

/// As WARC files write it: `2024-01-31T12:00:00Z`, with a fraction if there is one.
impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.timestamp().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    fn time(text: &str) -> Time {
        text.parse().unwrap()
    }

    #[test]
    fn all_ways_to_write_a_time_agree() {
        let same = ["20240131120000", "2024-01-31T12:00:00Z", "2024-01-31 12:00", "2024-01-31T14:00:00+02:00"];
        assert!(same.iter().all(|text| time(text) == time(same[0])));
        assert_eq!(time("2024"), time("2024-01-01T00:00:00Z"));
        assert_eq!(time("2024-02"), time("20240201"));
        assert_eq!(time("2024-01-31T12:00:00.25Z").microseconds() - time(same[0]).microseconds(), 250_000);
        assert_eq!(time(same[1]).digits(), same[0]);
        assert_eq!(time("2024-01-31T12:00:00.25Z").to_string(), "2024-01-31T12:00:00.25Z");
    }

    #[test]
    fn signs_part_fields_and_are_no_noise() {
        assert_eq!(time("2024-1-1"), time("20240101"));
        assert_eq!(time("2024-1-31 1:2:3"), time("20240131010203"));
        assert_eq!(time("2024/11/1"), time("20241101"));
        assert_eq!(time("2024-01-31T12:00:00"), time("20240131120000"));
        assert_eq!(time("2024-01-31T12:00Z"), time("20240131120000Z"));
        assert_eq!(time("20240131120000250"), time("2024-01-31T12:00:00.25Z"));
        assert_eq!(time("2024-01-31T12:00:00-0500"), time("20240131170000"));
        assert_eq!(time("2024-01-31T12:00:00-05:00"), time("20240131170000"));
        assert_eq!(time("2024-01-31T12:00:00.123456789Z").microseconds() % 1_000_000, 123_456);
    }

    #[test]
    fn what_is_no_time_is_told() {
        let odd = [
            "",
            "yesterday",
            "202",
            "20241",
            "2024-13-01",
            "20240230",
            "2024x",
            "2024-1-1-1",
            "2024--1",
            "2024-001-01",
            "24-01-31",
            "2024-01-31T12::00",
            "2024T12:00",
            "20240131120000Z0",
            "2024-01-31T12:00:00-0x00",
            "2024-01-31T12:00:00.0000000000",
            "-2024",
        ];
        let read: Vec<_> = odd.iter().filter(|text| text.parse::<Time>().is_ok()).collect();
        assert!(read.is_empty(), "{read:?}");
    }
}
