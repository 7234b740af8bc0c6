//! When was a record captured? WARC says it in full; ARC in fourteen digits, or as many as its crawler wrote.

use crate::Time;
use crate::warc::{Format, Record};

/// When it was captured; none if that cannot be read.
#[must_use]
pub fn time_of(record: &Record) -> Option<Time> {
    let date = record.date.as_deref()?;
    if record.format == Format::Arc { of_arc(date) } else { date.parse().ok() }
}

/// Digits that lack or make no sense are those of the latest time that they may stand for, as in warcio.
fn of_arc(date: &str) -> Option<Time> {
    // A place is a character, be it long or short.
    let mut padded: String = date.chars().map(|own| if own.is_ascii() { own } else { '?' }).collect();
    // A year or a month by half is filled up to the largest.
    padded.push_str("299912".get(padded.len()..).unwrap_or_default());
    let number = |from: usize, to: usize, least: u32, most: u32| {
        padded.get(from..to).and_then(|digits| digits.parse().ok()).map_or(most, |own: u32| own.clamp(least, most))
    };
    let (year, month) = (number(0, 4, 1900, 2999), number(4, 6, 1, 12));
    let days = jiff::civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?.days_in_month();
    let day = number(6, 8, 1, u32::try_from(days).ok()?);
    let (hour, minute, second) = (number(8, 10, 0, 23), number(10, 12, 0, 59), number(12, 14, 0, 59));
    format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::of_arc;

    #[test]
    fn what_lacks_is_filled_up_to_the_latest() {
        for (date, expected) in [
            ("20141226095010", "20141226095010"),
            ("2014122609501011", "20141226095010"),
            ("2014122609501", "20141226095059"),
            ("201402", "20140228235959"),
            ("20141", "20141231235959"),
            ("2", "29991231235959"),
            ("20131709005601", "20131209005601"),
            ("40001965252477", "29991231232459"),
            ("2010abc", "20101231235959"),
            ("20é41226095010", "29991226095010"),
        ] {
            assert_eq!(of_arc(date).unwrap().digits(), expected, "{date}");
        }
    }
}
