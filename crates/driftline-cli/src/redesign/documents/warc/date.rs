//! When was a record captured? `WARC-Date`s in order, whatever their precision and their offset.

/// A point in time. Of two that are the same, the one that is less precise comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Date {
    nanoseconds: i128,
    digits: usize,
}

impl Date {
    /// The digits of seconds, and nine behind the point.
    const DIGITS: usize = 14 + 9;

    /// A year, or a second, or a fraction of it, with whatever signs between the digits.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (local, offset) = split(text);
        let written: Vec<u8> = local.bytes().filter(u8::is_ascii_digit).take(Self::DIGITS).collect();
        let number = |from: usize, to: usize| {
            let digit = |at: usize| written.get(at).map_or(0, |digit| i64::from(digit - b'0'));
            (from..to).fold(0, |number, at| number * 10 + digit(at))
        };
        let days = days(number(0, 4), number(4, 6).max(1), number(6, 8).max(1));
        let minutes = (days * 24 + number(8, 10)) * 60 + number(10, 12) - offset;
        let seconds = minutes * 60 + number(12, 14);
        let nanoseconds = i128::from(seconds) * 1_000_000_000 + i128::from(number(14, Self::DIGITS));
        (written.len() >= 4).then_some(Self { nanoseconds, digits: written.len() })
    }
}

/// A date, and by how many minutes its place is ahead of Greenwich: `+02:00` behind the time.
fn split(text: &str) -> (&str, i64) {
    let time = text.find(['T', 't', ' ']).unwrap_or(text.len());
    let Some(sign) = text[time..].find(['+', '-']).map(|at| time + at) else { return (text, 0) };
    let digits: Vec<u8> = text[sign..].bytes().filter(u8::is_ascii_digit).take(4).collect();
    let digit = |at: usize| digits.get(at).map_or(0, |digit| i64::from(digit - b'0'));
    let minutes = (digit(0) * 10 + digit(1)) * 60 + digit(2) * 10 + digit(3);
    (&text[..sign], if text[sign..].starts_with('-') { -minutes } else { minutes })
}

/// The days from some day to this one. A year begins in March here, so that the leap day is its last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn dates_of_any_precision_are_in_order() {
        let dates = ["2019", "2020", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5Z", "20200101000001", "2020-02"];
        let dates = dates.map(|date| Date::of(date).unwrap());
        assert!(dates.is_sorted());
        assert!(dates[1] < dates[2], "a date without a day is before the first day");
        assert_eq!(Date::of("yesterday"), None);
        assert!(Date::of("9999-99-99T99:99:99.999999999999+99:99").is_some());
    }

    #[test]
    fn offsets_count() {
        let [one, same, other] =
            ["2024-03-01T01:30:00+02:00", "2024-02-29T23:30:00Z", "2024-02-29T18:00:00-05:45"].map(Date::of);
        assert_eq!(one, same);
        assert!(other > same);
    }
}
