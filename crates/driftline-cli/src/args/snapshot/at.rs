//! Which snapshot is meant? A time, or the beginning of one.

use std::str::FromStr;

use driftline::time::{NotATime, Time};
use driftline_graph::Series;
use driftline_graph::series::SeriesError;

/// A time as it was typed: `2024` is every snapshot of that year, so there must be only one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct At {
    asked: String,
    /// As many of the fourteen digits as were typed.
    digits: String,
}

impl At {
    /// The time of the snapshot that it names.
    pub(crate) fn of(&self, series: &Series) -> Result<Time, SeriesError> {
        series.time_of(&self.digits, &self.asked)
    }

    /// The time of the only interrupted add that it names, if there is one.
    pub(crate) fn left_behind(&self, series: &Series) -> Option<Time> {
        let mut left = series.unfinished().iter().filter(|time| time.starts_with(&self.digits));
        left.next().filter(|_| left.next().is_none())?.parse().ok()
    }
}

impl FromStr for At {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Self, NotATime> {
        let mut digits = text.parse::<Time>()?.digits();
        let fields: Vec<_> =
            text.split(|sign: char| !sign.is_ascii_digit()).filter(|field| !field.is_empty()).collect();
        digits.truncate(match *fields.as_slice() {
            [only] => only.len(),
            // A year of four digits, and two for each other field.
            _ => 2 + 2 * fields.len(),
        });
        Ok(Self { asked: text.to_owned(), digits })
    }
}

#[cfg(test)]
mod tests {
    use super::At;

    #[test]
    fn as_many_digits_are_meant_as_were_typed() {
        let digits = |text: &str| text.parse::<At>().unwrap().digits;
        assert_eq!(["2024", "202401", "2024-1", "2024-01-31"].map(digits), ["2024", "202401", "202401", "20240131"]);
        assert_eq!(["2024-01-31 12", "2024-01-31T12:00Z"].map(digits), ["2024013112", "202401311200"]);
        let whole = ["20240131120000", "2024-01-31T12:00:00.5Z", "2024-01-31T14:00:00+02:00", "20240131120000250"];
        assert!(whole.map(digits).iter().all(|digits| digits == "20240131120000"));
        assert!("once".parse::<At>().is_err());
    }
}
