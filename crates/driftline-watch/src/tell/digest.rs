//! When does a digest go out? `daily 08:00`, `weekly mon 08:00`, `hourly`, a span, or a cron line.

use std::fmt;
use std::str::FromStr;

use driftline::span::Span;
use driftline::time::Time;

use crate::schedule::{Pace, Schedule, Zone};

/// When a digest goes out.
#[derive(Debug, Clone, PartialEq)]
pub struct Digest {
    written: String,
    schedule: Schedule,
}

/// What is no time for a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time for a digest\nhint: write `daily 08:00`, `weekly mon 08:00`, `hourly`, `6h` or a cron line")]
pub struct NotADigest(String);

/// No digest is more frequent.
const LEAST: Span = Span::from_seconds(60);

impl Digest {
    /// The same by the clock of a zone.
    #[must_use]
    pub fn in_zone(mut self, zone: Zone) -> Self {
        self.schedule.zone = zone;
        self
    }

    /// The first one after a time.
    #[must_use]
    pub fn next(&self, after: Time) -> Time {
        match &self.schedule.pace {
            Pace::Cron(_) => self.schedule.due("", after, LEAST),
            Pace::Every(span) => {
                let span = span.microseconds().max(1);
                Time::from_microseconds((after.microseconds().div_euclid(span) + 1).saturating_mul(span))
            }
            Pace::Auto => after,
        }
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let not = || NotADigest(text.chars().take(60).collect());
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = match words.as_slice() {
            ["hourly"] => "0 * * * *".to_owned(),
            ["daily", clock] => format!("{} * * *", cron_clock(clock).ok_or_else(not)?),
            ["weekly", day, clock] => format!("{} * * {day}", cron_clock(clock).ok_or_else(not)?),
            _ => text.to_owned(),
        };
        let pace: Pace = line.parse().map_err(|_| not())?;
        match pace {
            Pace::Auto => return Err(not()),
            Pace::Every(span) if span < LEAST => return Err(not()),
            Pace::Every(_) | Pace::Cron(_) => {}
        }
        Ok(Self { written: text.to_owned(), schedule: Schedule { pace, ..Schedule::default() } })
    }
}

/// `08:30` as cron has it: `30 8`.
fn cron_clock(text: &str) -> Option<String> {
    let (hour, minute) = text.split_once(':')?;
    let is_number = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(hour) || !is_number(minute) {
        return None;
    }
    let (hour, minute): (u8, u8) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then(|| format!("{minute} {hour}"))
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(digest: &str, zone: &str, after: &str) -> String {
        let digest = digest.parse::<Digest>().unwrap().in_zone(zone.parse().unwrap());
        digest.next(after.parse().unwrap()).to_string()
    }

    #[test]
    fn a_digest_goes_out_by_the_clock_of_its_zone() {
        assert_eq!(next("daily 08:00", "UTC", "2026-11-16T07:59:00Z"), "2026-11-16T08:00:00Z");
        assert_eq!(next("daily 08:00", "UTC", "2026-11-16T08:00:00Z"), "2026-11-17T08:00:00Z");
        assert_eq!(next("daily 08:00", "Europe/Berlin", "2026-11-16T07:00:00Z"), "2026-11-17T07:00:00Z");
        assert_eq!(next("daily 08:00", "Europe/Berlin", "2026-07-01T00:00:00Z"), "2026-07-01T06:00:00Z");
        assert_eq!(next("weekly mon 18:30", "UTC", "2026-11-17T00:00:00Z"), "2026-11-23T18:30:00Z");
        assert_eq!(next("hourly", "UTC", "2026-11-17T00:10:00Z"), "2026-11-17T01:00:00Z");
        assert_eq!(next("0 9 1 * *", "UTC", "2026-11-17T00:10:00Z"), "2026-12-01T09:00:00Z");
        assert_eq!(next("6h", "UTC", "2026-11-17T00:10:00Z"), "2026-11-17T06:00:00Z");
    }

    #[test]
    fn what_is_no_time_for_a_digest_is_told_with_what_is() {
        for text in
            ["", "daily", "daily 25:00", "daily 8", "weekly 08:00", "weekly day 08:00", "auto", "1s", "sometimes"]
        {
            let error = text.parse::<Digest>().unwrap_err().to_string();
            assert!(error.contains("daily 08:00"), "{text}: {error}");
        }
    }
}
