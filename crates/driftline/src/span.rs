//! How long? `10m`, `1h30m`, `2d`, as people write spans of time in files.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A span of time, to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(u64);

/// What is no span of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no span of time\nhint: write 30s, 10m, 1h30m, 2d or 1w")]
pub struct NotASpan(String);

/// The units, the largest first, in milliseconds.
const UNITS: [(&str, u64); 6] =
    [("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

impl Span {
    /// So many seconds.
    #[must_use]
    pub const fn from_seconds(seconds: u64) -> Self {
        Self(seconds * 1_000)
    }

    /// So many milliseconds.
    #[must_use]
    pub const fn from_milliseconds(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// So many seconds and parts of one; what is no span of time is none.
    #[must_use]
    pub fn from_fraction(seconds: f64) -> Self {
        let longest = u64::MAX as f64 / 1e4;
        Duration::try_from_secs_f64(seconds.min(longest)).map_or(Self(0), |span| Self(span.as_millis() as u64))
    }

    /// In milliseconds.
    #[must_use]
    pub const fn milliseconds(self) -> u64 {
        self.0
    }

    /// In microseconds, as times are counted.
    #[must_use]
    pub const fn microseconds(self) -> i64 {
        self.0.cast_signed().saturating_mul(1_000)
    }

    /// As the standard library has it.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.0)
    }
}

impl FromStr for Span {
    type Err = NotASpan;

    fn from_str(text: &str) -> Result<Self, NotASpan> {
        let not = || NotASpan(text.to_owned());
        let (mut rest, mut sum) = (text.trim(), 0_u64);
        if rest.is_empty() {
            return Err(not());
        }
        while !rest.is_empty() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let number: u64 = rest[..digits].parse().map_err(|_| not())?;
            let letters = rest[digits..].bytes().take_while(u8::is_ascii_alphabetic).count();
            let unit = &rest[digits..digits + letters];
            let (_, size) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(not)?;
            sum = number.checked_mul(*size).and_then(|part| sum.checked_add(part)).ok_or_else(not)?;
            rest = rest[digits + letters..].trim_start();
        }
        Ok(Self(sum))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return out.write_str("0s");
        }
        let mut left = self.0;
        for (name, size) in UNITS {
            if left >= size {
                write!(out, "{}{name}", left / size)?;
                left %= size;
            }
        }
        Ok(())
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn a_span_is_read_as_it_is_written() {
        for text in ["30s", "10m", "1h30m", "2d", "1w", "250ms", "0s"] {
            assert_eq!(text.parse::<Span>().unwrap().to_string(), text);
        }
        assert_eq!("90m".parse::<Span>().unwrap().to_string(), "1h30m");
    }

    #[test]
    fn what_is_no_span_is_told_with_what_is() {
        for text in ["", "10", "m", "1x", "-5m", "99999999999999999999w", "99999999999999999w"] {
            assert!(text.parse::<Span>().unwrap_err().to_string().contains("write 30s"), "{text}");
        }
    }
}
