//! When does a server say that a page was last modified? The three forms of HTTP dates, and what servers make of them.
//!
//! RFC 9110 asks readers to accept `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
//! `Sun Nov  6 08:49:37 1994`. Servers also leave the weekday, the seconds or the zone out, or name another zone. So
//! the words are recognised by what they look like, in any order. A date that no calendar has is none.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

use super::Time;

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Names that servers give to zones, in hours beside Greenwich (RFC 822).
const ZONES: [(&str, i8); 13] = [
    ("gmt", 0),
    ("utc", 0),
    ("ut", 0),
    ("z", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
    ("cet", 1),
];

/// A longer one is no date.
const LONGEST: usize = 64;

/// What was found so far.
#[derive(Default)]
struct Fields {
    clock: Option<[i8; 3]>,
    day: Option<i8>,
    month: Option<i8>,
    year: Option<i16>,
    zone: Option<Offset>,
}

impl Time {
    /// Reads the date of an HTTP header, such as `Last-Modified`; none if it cannot be read.
    #[must_use]
    pub fn from_http(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let mut fields = Fields::default();
        for word in text.split([' ', ',', '\t']).filter(|word| !word.is_empty()) {
            fields.take(word)?;
        }
        fields.time()
    }

    /// As HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    #[must_use]
    pub fn to_http(self) -> String {
        self.timestamp().strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
    }
}

impl Fields {
    fn take(&mut self, word: &str) -> Option<()> {
        let lower = word.to_ascii_lowercase();
        if word.contains(':') {
            return once(&mut self.clock, clock(word)?);
        }
        if let Some(zone) = offset(&lower) {
            return once(&mut self.zone, zone);
        }
        for part in lower.split('-') {
            self.take_part(part)?;
        }
        Some(())
    }

    /// A day, a month, a year or the name of a weekday.
    fn take_part(&mut self, part: &str) -> Option<()> {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            let number: i16 = part.parse().ok()?;
            return if self.day.is_none() && part.len() <= 2 {
                once(&mut self.day, i8::try_from(number).ok()?)
            } else {
                once(&mut self.year, full_year(number, part.len())?)
            };
        }
        let start = part.get(..3)?;
        if let Some(month) = MONTHS.iter().position(|month| *month == start) {
            return once(&mut self.month, i8::try_from(month + 1).ok()?);
        }
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].contains(&start).then_some(())
    }

    fn time(self) -> Option<Time> {
        let [hour, minute, second] = self.clock?;
        let date = DateTime::new(self.year?, self.month?, self.day?, hour, minute, second.min(59), 0).ok()?;
        let zone = TimeZone::fixed(self.zone.unwrap_or(Offset::UTC));
        Some(Time(date.to_zoned(zone).ok()?.timestamp().as_microsecond()))
    }
}

/// Nothing is said twice.
fn once<T>(field: &mut Option<T>, value: T) -> Option<()> {
    field.replace(value).is_none().then_some(())
}

/// `08:49:37` or `08:49`; a leap second counts as the one before it.
fn clock(word: &str) -> Option<[i8; 3]> {
    let mut parts = word.split(':');
    let mut next = |none: Option<i8>| match parts.next() {
        Some(part) if matches!(part.len(), 1 | 2) => part.parse().ok().filter(|number| (0..=60).contains(number)),
        Some(_) => None,
        None => none,
    };
    let clock = [next(None)?, next(None)?, next(Some(0))?];
    parts.next().is_none().then_some(clock)
}

/// `gmt`, `+0200`.
fn offset(word: &str) -> Option<Offset> {
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| *name == word) {
        return Offset::from_hours(*hours).ok();
    }
    let (sign, digits) =
        word.strip_prefix('+').map(|digits| (1, digits)).or(word.strip_prefix('-').map(|digits| (-1, digits)))?;
    let number: i32 = if digits.len() == 4 { digits.parse().ok()? } else { return None };
    Offset::from_seconds(sign * (number / 100 * 3600 + number % 100 * 60)).ok()
}

/// `94` is 1994, `26` is 2026.
fn full_year(year: i16, digits: usize) -> Option<i16> {
    match (digits, year) {
        (2, 70..) => Some(1900 + year),
        (2, _) => Some(2000 + year),
        (4, _) => Some(year),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn the_three_forms_and_what_servers_make_of_them_agree() {
        let same = [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "06 Nov 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37",
            "Sun,06 Nov 1994 08:49:37 UTC",
            "sun, 06 NOV 1994 08:49:37 gmt",
            "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 November 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 10:49:37 +0200",
            "Sun, 06 Nov 1994 03:19:37 -0530",
            "Sun, 06 Nov 1994 03:49:37 EST",
            " Mon, 06 Nov 1994 08:49:37 GMT ",
        ];
        for text in same {
            assert_eq!(Time::from_http(text), "19941106084937".parse().ok(), "{text}");
        }
        assert_eq!(Time::from_http(same[0]).unwrap().to_http(), same[0]);
        assert_eq!(Time::from_http("Tue, 01 Dec 2026 23:59 GMT"), "202612012359".parse().ok());
        assert_eq!(Time::from_http("Sat, 31 Dec 2016 23:59:60 GMT"), "20161231235959".parse().ok());
        assert_eq!(Time::from_http("Thursday, 01-Jan-26 00:00:00 GMT"), "2026".parse().ok());
    }

    #[test]
    fn what_is_no_date_is_none() {
        let odd = [
            "",
            "0",
            "-1",
            "never",
            "GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994",
            "Sun, 06 Nov 08:49:37 GMT",
            "Sun, 06 Nov 1994 25:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37:01 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT GMT",
            "Sun, 06 Nov 1994 08:49:37 Mars",
            "Sun, 06 Nov 199 08:49:37 GMT",
            "Sun, 006 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 ::: GMT",
            "Sun, 06 Nov 1994 08:49:37 +99999",
            "Sun, 06 Nov 1994 08:49:37 --",
            "1994-11-06T08:49:37Z",
            "Di, 06 Dez 1994 08:49:37 GMT",
            "日, 06 Nov 1994 08:49:37 GMT",
            "99999999999999999999",
        ];
        let read: Vec<_> = odd.iter().filter(|text| Time::from_http(text).is_some()).collect();
        assert!(read.is_empty(), "{read:?}");
        assert_eq!(Time::from_http(&"Sun ".repeat(1 << 20)), None);
    }
}
