//! At which hours of the week? `mon-fri 09:00-17:00`, `sat,sun`, `22:00-06:00`.

use std::fmt;
use std::str::FromStr;

use driftline::time::Time;
use jiff::civil::{Date, Weekday};

use super::zone::Zone;

/// Hours of some days of the week. Those that end before they begin go over midnight, into the day after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window {
    /// A bit for each day, Monday lowest.
    days: u8,
    /// Minutes after midnight.
    from: u16,
    /// Minutes after midnight, up to 1,440.
    to: u16,
}

/// What is no window.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no window of time\nhint: write days, hours or both: `mon-fri 09:00-17:00`, `sat,sun`, `22:00-06:00`")]
pub struct NotAWindow(String);

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const ALL_DAYS: u8 = 0b111_1111;
const DAY: u16 = 24 * 60;

/// The window that is open at a time, or the one that opens next: when it opens and when it closes. None if there are
/// no windows, which means always.
pub(super) fn next(windows: &[Window], at: Time, zone: &Zone) -> Option<(Time, Time)> {
    let today = zone.civil(at).date();
    // One that began yesterday may still be open; one of today may be past, so that it is a week away; and a day may
    // be skipped by the clock of its zone.
    let days = (-1..=8).filter_map(|offset| today.checked_add(jiff::Span::new().days(offset)).ok());
    let spans = days.flat_map(|day| windows.iter().filter_map(move |window| window.on(day, zone)));
    spans
        .filter(|(opens, closes)| *closes > at && opens < closes)
        .min_by_key(|(opens, closes)| ((*opens).max(at), std::cmp::Reverse(*closes)))
}

impl Window {
    /// When it opens and closes on a day.
    fn on(self, day: Date, zone: &Zone) -> Option<(Time, Time)> {
        if self.days & bit(day.weekday()) == 0 {
            return None;
        }
        let last = if self.to <= self.from { day.tomorrow().ok()? } else { day };
        Some((zone.time(moment(day, self.from)?)?, zone.time(moment(last, self.to)?)?))
    }
}

fn moment(day: Date, minutes: u16) -> Option<jiff::civil::DateTime> {
    let day = if minutes == DAY { day.tomorrow().ok()? } else { day };
    let minutes = minutes % DAY;
    Some(day.at(i8::try_from(minutes / 60).ok()?, i8::try_from(minutes % 60).ok()?, 0, 0))
}

fn bit(day: Weekday) -> u8 {
    1 << day.to_monday_zero_offset()
}

impl FromStr for Window {
    type Err = NotAWindow;

    fn from_str(text: &str) -> Result<Self, NotAWindow> {
        let not = || NotAWindow(text.chars().take(60).collect());
        let lower = text.to_ascii_lowercase();
        let mut words = lower.split_whitespace();
        let (first, second) = (words.next().ok_or_else(not)?, words.next());
        let (days, hours) = match second {
            Some(hours) => (Some(first), Some(hours)),
            None if first.starts_with(|sign: char| sign.is_ascii_digit()) => (None, Some(first)),
            None => (Some(first), None),
        };
        let days = days.map_or(Some(ALL_DAYS), read_days).ok_or_else(not)?;
        let (from, to) = hours.map_or(Some((0, DAY)), read_hours).ok_or_else(not)?;
        if words.next().is_some() { Err(not()) } else { Ok(Self { days, from, to }) }
    }
}

/// `mon-fri`, `sat,sun`, `fri-mon`.
fn read_days(text: &str) -> Option<u8> {
    let mut days = 0;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (mut day, last) = (number(first)?, number(last)?);
        days |= 1 << day;
        while day != last {
            day = (day + 1) % DAYS.len();
            days |= 1 << day;
        }
    }
    Some(days)
}

fn number(day: &str) -> Option<usize> {
    DAYS.iter().position(|known| *known == day)
}

/// `09:00-17:00`; the day ends at `24:00`.
fn read_hours(text: &str) -> Option<(u16, u16)> {
    let (from, to) = text.split_once('-')?;
    let (from, to) = (read_clock(from)?, read_clock(to)?);
    (from < DAY && from != to).then_some((from, to))
}

fn read_clock(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let is_written = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_written(hour) || !is_written(minute) || minute.len() != 2 {
        return None;
    }
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    let minutes = hour * 60 + minute;
    (minute < 60 && minutes <= DAY).then_some(minutes)
}

impl fmt::Display for Window {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all_day = (self.from, self.to) == (0, DAY);
        if self.days != ALL_DAYS || all_day {
            out.write_str(&self.days_text())?;
        }
        if all_day {
            return Ok(());
        }
        if self.days != ALL_DAYS {
            out.write_str(" ")?;
        }
        write!(out, "{:02}:{:02}-{:02}:{:02}", self.from / 60, self.from % 60, self.to / 60, self.to % 60)
    }
}

impl Window {
    /// Runs of days as `mon-fri`, one day as `sat`.
    fn days_text(self) -> String {
        let has = |day: usize| day < DAYS.len() && self.days & (1 << day) != 0;
        let (mut parts, mut day) = (Vec::new(), 0);
        while day < DAYS.len() {
            let first = day;
            while has(day) {
                day += 1;
            }
            match day - first {
                0 => day += 1,
                1 => parts.push(DAYS[first].to_owned()),
                _ => parts.push(format!("{}-{}", DAYS[first], DAYS[day - 1])),
            }
        }
        parts.join(",")
    }
}
