//! When would cron do it? Five fields, or six with seconds first, or `@daily`.

use std::fmt;
use std::str::FromStr;

use croner::Cron;
use croner::parser::{CronParser, Year};
use driftline::time::Time;

use super::window::{self, Window};
use super::zone::Zone;

/// A line of a crontab, without the command.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    text: Box<str>,
    cron: Cron,
}

/// What is no line of a crontab.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a valid cron line: {why}\nhint: write minute, hour, day, month, weekday, as in `0 9 * * mon-fri`, or @daily"
)]
pub struct NotALine {
    text: String,
    why: String,
}

/// Times outside of all windows that are looked at before the next window is taken instead.
const MOST_TRIES: usize = 400;
/// What the fields are, and what may be in them.
const FIELDS: [(&str, &str); 6] = [
    ("second", "within 0 to 59"),
    ("minute", "within 0 to 59"),
    ("hour", "within 0 to 23"),
    ("day of the month", "within 1 to 31"),
    ("month", "within 1 to 12 or jan to dec"),
    ("day of the week", "within 0 to 7 or sun to sat"),
];
/// In microseconds.
const HALF_HOUR: i64 = 1_800_000_000;
/// No zone ever skipped more than 26 hours.
const MOST_SKIPPED: i64 = 52;
/// No line is longer.
const MOST_BYTES: usize = 256;

impl Line {
    /// The first time after another. Within a window: if the line names none there, when the next window opens.
    pub(super) fn next(&self, after: Time, zone: &Zone, windows: &[Window]) -> Time {
        let mut at = self.after(after, zone);
        for _ in 0..MOST_TRIES {
            match window::next(windows, at, zone) {
                Some((opens, _)) if opens > at => at = self.after(before(opens), zone),
                _ => return at,
            }
        }
        window::next(windows, after, zone).map_or(at, |(opens, _)| opens.max(after))
    }

    /// The first time after another; far away if there is none. A day that the zone skipped, as Samoa did the 30th of
    /// December 2011, is one on which nothing is found: the search goes on after it, by half an hour at a time.
    fn after(&self, time: Time, zone: &Zone) -> Time {
        let find = |from, is_from_included| {
            let next = self.cron.find_next_occurrence(&zone.civil(from), is_from_included).ok()?;
            Some(Time::from_microseconds(next.timestamp().as_microsecond()))
        };
        let start = time.microseconds().div_euclid(HALF_HOUR);
        let behind = |skipped| Time::from_microseconds(start.saturating_add(skipped).saturating_mul(HALF_HOUR));
        let later = || (1..=MOST_SKIPPED).find_map(|skipped| find(behind(skipped), true));
        find(time, false).or_else(later).unwrap_or(Time::from_microseconds(i64::MAX / 2))
    }
}

/// A moment before, so that the time itself comes after it.
fn before(time: Time) -> Time {
    Time::from_microseconds(time.microseconds().saturating_sub(1))
}

impl FromStr for Line {
    type Err = NotALine;

    fn from_str(text: &str) -> Result<Self, NotALine> {
        let text = text.trim();
        let not = |why: &str| NotALine { text: text.chars().take(60).collect(), why: why.to_owned() };
        if text.len() > MOST_BYTES {
            return Err(not("it is longer than 256 characters"));
        }
        let parser = CronParser::builder().year(Year::Disallowed).build();
        let cron = parser.parse(text).map_err(|_| not(&fault(&parser, text)))?;
        let line = Self { text: text.into(), cron };
        let first = Zone::from_str("UTC").ok().map(|zone| line.cron.find_next_occurrence(&zone.civil(START), true));
        match first {
            Some(Err(_)) => Err(not("it names no time at all")),
            _ => Ok(line),
        }
    }
}

/// What is wrong with a line that the parser refuses.
fn fault(parser: &CronParser, text: &str) -> String {
    if text.starts_with('@') {
        return "after @ it has one of yearly, monthly, weekly, daily, hourly".to_owned();
    }
    let written: Vec<&str> = text.split_whitespace().collect();
    let Some(skipped) = FIELDS.len().checked_sub(written.len()).filter(|skipped| *skipped <= 1) else {
        return format!("it has {} fields instead of 5, or 6 with the second first", written.len());
    };
    let fields = &FIELDS[skipped..];
    // The field that is refused where all others are stars.
    let wrong = (0..fields.len()).find(|&wrong| {
        let alone = (0..fields.len()).map(|at| if at == wrong { written[at] } else { "*" });
        parser.parse(&alone.collect::<Vec<_>>().join(" ")).is_err()
    });
    wrong.map_or_else(
        || "its fields do not go together".to_owned(),
        |wrong| format!("the {} `{}` is not {}", fields[wrong].0, written[wrong], fields[wrong].1),
    )
}

/// 2024 has a 29th of February.
const START: Time = Time::from_microseconds(1_704_067_200_000_000);

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}
