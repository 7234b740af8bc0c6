//! How much of a page is kept? Rules by count, by age and by bytes, in the words in which people say them.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// What is kept of a page; what is `None` is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// At most so many captures.
    pub keep: Option<u64>,
    /// None that are older. With `thin`: only older ones may go.
    pub older_than: Option<Age>,
    /// At most so many bytes, as they are packed.
    pub most_bytes: Option<Size>,
    /// Which versions go if some must: those with the smallest changes, or else the oldest ones.
    pub thin: bool,
}

impl Retention {
    /// Does it keep everything?
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.keep.is_none() && self.older_than.is_none() && self.most_bytes.is_none()
    }

    /// Does it say what it means?
    ///
    /// # Errors
    /// If nothing would be left, or thinning knows no end.
    pub fn check(&self) -> Result<(), BadRetention> {
        if self.keep == Some(0) {
            return Err(BadRetention::Nothing);
        }
        if self.thin && self.keep.is_none() && self.most_bytes.is_none() {
            return Err(BadRetention::Endless);
        }
        Ok(())
    }
}

/// Why a rule cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadRetention {
    /// Zero captures.
    #[error("at least 1 capture of a page is kept, not 0")]
    Nothing,
    /// Thinning without a number to thin to.
    #[error("thinning does not say how much is to be left\nhint: add `--keep N` or `--most-bytes SIZE`")]
    Endless,
    /// No span of time.
    #[error("`{0}` is no span of time\nhint: write a number with h, d, w, mo or y, for example 90d or 1y")]
    Age(String),
    /// No size.
    #[error("`{0}` is no size\nhint: write a number with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, for example 10GB")]
    Size(String),
    /// The setting of a watch.
    #[error("the setting `retention` of the watch of `{url}` cannot be read: {why}")]
    Setting {
        /// What is watched.
        url: String,
        /// What is wrong.
        why: String,
    },
}

/// A span of time in microseconds; a year has 365 days, a month 30.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Age(pub i64);

impl FromStr for Age {
    type Err = BadRetention;

    fn from_str(text: &str) -> Result<Self, BadRetention> {
        const HOUR: f64 = 3_600e6;
        let units = [("h", HOUR), ("d", 24.0 * HOUR), ("w", 168.0 * HOUR), ("mo", 720.0 * HOUR), ("y", 8_760.0 * HOUR)];
        let microseconds = amount(text, &units).ok_or_else(|| BadRetention::Age(text.to_owned()))?;
        Ok(Self(microseconds as i64))
    }
}

impl TryFrom<String> for Age {
    type Error = BadRetention;

    fn try_from(text: String) -> Result<Self, BadRetention> {
        text.parse()
    }
}

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "Written")]
pub struct Size(pub u64);

/// As JSON may have it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl FromStr for Size {
    type Err = BadRetention;

    fn from_str(text: &str) -> Result<Self, BadRetention> {
        let units = [
            ("", 1.0),
            ("b", 1.0),
            ("k", 1e3),
            ("kb", 1e3),
            ("m", 1e6),
            ("mb", 1e6),
            ("g", 1e9),
            ("gb", 1e9),
            ("t", 1e12),
            ("tb", 1e12),
            ("kib", 1024.0),
            ("mib", 1_048_576.0),
            ("gib", 1_073_741_824.0),
            ("tib", 1_099_511_627_776.0),
        ];
        let bytes = amount(text, &units).ok_or_else(|| BadRetention::Size(text.to_owned()))?;
        #[expect(clippy::cast_sign_loss, reason = "an amount is not negative")]
        Ok(Self(bytes as u64))
    }
}

impl TryFrom<Written> for Size {
    type Error = BadRetention;

    fn try_from(written: Written) -> Result<Self, BadRetention> {
        match written {
            Written::Number(bytes) => Ok(Self(bytes)),
            Written::Text(text) => text.parse(),
        }
    }
}

/// For people: `1.2 GB`.
impl fmt::Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut value = self.0 as f64;
        let mut units = ["bytes", "kB", "MB", "GB", "TB"].iter();
        let mut unit = units.next().unwrap_or(&"");
        for larger in units {
            if value < 1_000.0 {
                break;
            }
            (value, unit) = (value / 1_000.0, larger);
        }
        let unit = if self.0 == 1 { "byte" } else { unit };
        if self.0 < 1_000 { write!(out, "{} {unit}", self.0) } else { write!(out, "{value:.1} {unit}") }
    }
}

/// A number that is not negative, and a unit behind it.
fn amount(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    let (_, size) = units.iter().find(|(name, _)| *name == unit.trim())?;
    let amount = number * size;
    (amount < 9e18).then_some(amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_sizes_are_read_as_people_write_them() {
        let age = |text: &str| text.parse::<Age>().map(|age| age.0);
        assert_eq!(age("1y"), Ok(365 * 86_400_000_000));
        assert_eq!(age("1.5 d"), Ok(36 * 3_600_000_000));
        assert_eq!(age("6mo"), Ok(180 * 86_400_000_000));
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!((size("10GB"), size("1 KiB"), size("7")), (Ok(10_000_000_000), Ok(1024), Ok(7)));
        for text in ["", "y", "-1d", "1 fortnight", "1m", "999999999999999999999y", "1.2.3d"] {
            assert!(age(text).is_err(), "{text}");
        }
        for text in ["", "GB", "-1", "10 gigabytes", "1e99"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(Size(1).to_string() + " " + &Size(999).to_string(), "1 byte 999 bytes");
        assert_eq!(Size(1_234_567).to_string(), "1.2 MB");
    }

    #[test]
    fn a_watch_has_rules_of_its_own() {
        let json = r#"{"keep": 10, "older_than": "1y", "most_bytes": "1GB", "thin": true}"#;
        let retention: Retention = serde_json::from_str(json).unwrap();
        assert_eq!(retention.keep, Some(10));
        assert_eq!((retention.most_bytes, retention.thin), (Some(Size(1_000_000_000)), true));
        assert!(serde_json::from_str::<Retention>(r#"{"kepp": 10}"#).is_err());
        assert!(serde_json::from_str::<Retention>(r#"{"older_than": "soon"}"#).is_err());
    }

    #[test]
    fn a_rule_that_leaves_nothing_or_knows_no_end_is_refused() {
        let retention = Retention { keep: Some(0), ..Retention::default() };
        assert_eq!(retention.check(), Err(BadRetention::Nothing));
        let thin = Retention { thin: true, older_than: Some(Age(1)), ..Retention::default() };
        assert_eq!(thin.check(), Err(BadRetention::Endless));
        assert_eq!(Retention { most_bytes: Some(Size(1)), ..thin }.check(), Ok(()));
    }
}
