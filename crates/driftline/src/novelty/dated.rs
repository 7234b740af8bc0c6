//! When does an address say that its page was written? The time strings of section 4.5 (`N5`).
//!
//! The first `YYYYMM`, `YYYY/MM` or `YYYY-MM` in the path counts, in a year of the web. No digit stands before it, and
//! behind it none or, for `YYYYMM`, a day and perhaps a time: `20190115` is a date, `201901154` is a number. Against the
//! nominal times of two crawls whole months are compared, as the expected counts of the snapshots have it.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::time::Time;

/// The paper's first year; before it there was no web to speak of.
const FIRST_YEAR: i16 = 1993;

/// The paper's last year was six after its last crawl. This one lasts for the crawls of two decades; what names a later
/// one is a number and no year.
const LAST_YEAR: i16 = 2049;

/// The month that an address names, as a span of time: `[beginning, beginning of the next month)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    /// Its first moment.
    pub begins: Time,
    /// The first moment after it.
    pub ends: Time,
}

/// Where a month lies, seen from two crawls (Table 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Age {
    /// Before the month of the previous crawl.
    Old,
    /// From the month of the previous crawl up to that of this one.
    New,
    /// After the month of this crawl.
    Future,
}

impl Month {
    fn of(year: i16, month: i8) -> Option<Self> {
        let begins = Date::new(year, month, 1).ok()?;
        let ends = begins.last_of_month().tomorrow().ok()?;
        let time = |date: Date| {
            let moment = date.to_zoned(TimeZone::UTC).ok()?;
            Some(Time::from_microseconds(moment.timestamp().as_microsecond()))
        };
        Some(Self { begins: time(begins)?, ends: time(ends)? })
    }

    /// Is it old, new or to come for a crawl at `now` that followed one at `previous`?
    #[must_use]
    pub fn age(self, previous: Time, now: Time) -> Age {
        if self.ends <= previous {
            Age::Old
        } else if self.begins > now {
            Age::Future
        } else {
            Age::New
        }
    }
}

/// The first `YYYYMM`, `YYYY/MM` or `YYYY-MM` in the path of an address (or of its key), in a plausible year.
#[must_use]
pub fn month_of(url: &str) -> Option<Month> {
    let rest = without_scheme(url);
    let path = &rest[rest.find('/')?..];
    let path = path.split(['?', '#']).next()?.as_bytes();
    let is_start = |place: &usize| !path[place - 1].is_ascii_digit();
    let (year, month) = (1..path.len()).filter(is_start).find_map(|place| written_at(&path[place..]))?;
    Month::of(year, month)
}

/// A key has none; what stands in its path may look like one.
fn without_scheme(url: &str) -> &str {
    let begins = |scheme: &&str| url.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    ["http://", "https://"].iter().find(|scheme| begins(scheme)).map_or(url, |scheme| &url[scheme.len()..])
}

/// The year and the month at the beginning of the text.
fn written_at(text: &[u8]) -> Option<(i16, i8)> {
    let year = i16::from(number(text)?) * 100 + i16::from(number(text.get(2..)?)?);
    let rest = &text[4..];
    let (month, may_go_on) = match rest.first()? {
        b'/' | b'-' => (&rest[1..], false),
        _ => (rest, true),
    };
    let digits = month.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_whole = digits == 2 || (may_go_on && is_day_and_time(&month[2.min(digits)..digits]));
    let month = number(month)?;
    let is_date = is_whole && (FIRST_YEAR..=LAST_YEAR).contains(&year) && (1..=12).contains(&month);
    is_date.then_some((year, month))
}

/// `DD`, `DDhh`, `DDhhmm` or `DDhhmmss`.
fn is_day_and_time(digits: &[u8]) -> bool {
    matches!(digits.len(), 2 | 4 | 6 | 8) && number(digits).is_some_and(|day| (1..=31).contains(&day))
}

/// Two digits.
fn number(text: &[u8]) -> Option<i8> {
    match text {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9', ..] => i8::try_from((tens - b'0') * 10 + (ones - b'0')).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Age, month_of};
    use crate::time::Time;

    fn time(text: &str) -> Time {
        text.parse().unwrap()
    }

    #[track_caller]
    fn assert_month(url: &str, begins: &str, ends: &str) {
        let month = month_of(url).unwrap_or_else(|| panic!("{url} names no month"));
        assert_eq!((month.begins, month.ends), (time(begins), time(ends)), "{url}");
    }

    #[test]
    fn the_first_month_of_the_path_counts() {
        let same = [
            "https://foo.com/2004/05/",
            "https://bar.com/200405/",
            "https://bar.com/a-2004-05",
            "https://bar.com/20040531-title.html",
            "https://bar.com/v200405311259.html",
            "com.bar/20040531125959/",
            "org.archive.web/web/200405/http://foo.com/",
            "https://web.archive.org/web/200405/http://foo.com/",
            "HTTP://web.archive.org/web/200405/https://foo.com/2003/01",
            "org.archive.web/http://foo.com/200405/",
            "https://foo-2003-01.com/200405/",
            "https://1999.12.org/2004/05/2003/01/",
            "https://bar.com/199913/2004/05",
            "https://bar.com/2004/2004/05",
            "https://bar.com/1200311/2004-05",
        ];
        for url in same {
            assert_month(url, "2004-05", "2004-06");
        }
        assert_month("https://foo.com/1999-12", "1999-12", "2000-01");
    }

    #[test]
    fn a_number_is_no_month() {
        let odd = [
            "",
            "https://foo.com",
            "https://foo.com/",
            "https://foo.com/2004",
            "https://foo.com/2004/5/",
            "https://foo.com/2004/051/",
            "https://foo.com/2004/0512/",
            "https://foo.com/2004055/",
            "https://foo.com/20040532/",
            "https://foo.com/200413/",
            "https://foo.com/200400/",
            "https://foo.com/199205/",
            "https://foo.com/208201/",
            "https://foo.com/12004/05/",
            "https://foo.com/2004051212121212/",
            "https://foo.com/2004_05/",
            "https://foo.com/?d=2004-05",
            "https://foo.com/#2004-05",
            "https://foo-2004-05.com/",
            "2004-05",
            "https://foo.com/２００４/05",
        ];
        let read: Vec<_> = odd.iter().filter(|url| month_of(url).is_some()).collect();
        assert!(read.is_empty(), "{read:?}");
    }

    #[test]
    fn months_of_the_crawls_themselves_are_new() {
        let (previous, now) = (time("2019-01-15"), time("2019-07-15"));
        let age = |month: &str| month_of(&format!("https://a.org/{month}/")).unwrap().age(previous, now);
        assert_eq!([age("2018/12"), age("2004/05")], [Age::Old; 2]);
        assert_eq!([age("2019/01"), age("2019/03"), age("2019/07")], [Age::New; 3]);
        assert_eq!([age("2019/08"), age("2049/12")], [Age::Future; 2]);
        let at_midnight = month_of("https://a.org/2018/12/").unwrap().age(time("2019-01"), now);
        assert_eq!(at_midnight, Age::Old);
    }
}
