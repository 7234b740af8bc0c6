//! How much of a page is kept? Rules by count, by age and by bytes, in the words in which people say them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What is kept of a page; what is `None` is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Retention {
    /// At most this many captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<u64>,
    /// None that are older. With `thin`: only older ones may go.
    #[serde(skip_serializing_if = "Option::is_none", alias = "older_than")]
    pub older_than: Option<Age>,
    /// At most this many bytes, as they are packed.
    #[serde(skip_serializing_if = "Option::is_none", alias = "most_bytes")]
    pub most_bytes: Option<Size>,
    /// Which versions go if some must: those with the smallest changes, or else the oldest ones.
    #[serde(skip_serializing_if = "is_false")]
    pub thin: bool,
    /// Whether versions that an event shows may go too.
    #[serde(skip_serializing_if = "is_false")]
    pub reported_too: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
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

/// As an option says it: `keep=50,older-than=1y,thin`; a comma before each further rule.
impl FromStr for Retention {
    type Err = BadRetention;

    fn from_str(text: &str) -> Result<Self, BadRetention> {
        let mut retention = Self::default();
        if text.trim() == "all" {
            return Ok(retention);
        }
        for rule in text.split(',').map(str::trim) {
            let (name, value) = rule.split_once('=').map_or((rule, None), |(name, value)| (name, Some(value.trim())));
            match (name.trim(), value) {
                ("keep", Some(value)) => {
                    let count = value.parse().map_err(|_| BadRetention::Count(value.to_owned()))?;
                    retention.keep = Some(count);
                }
                ("older-than", Some(value)) => retention.older_than = Some(value.parse()?),
                ("most-bytes", Some(value)) => retention.most_bytes = Some(value.parse()?),
                ("thin", None) => retention.thin = true,
                ("reported-too", None) => retention.reported_too = true,
                _ => return Err(BadRetention::Rule(rule.to_owned())),
            }
        }
        retention.check()?;
        Ok(retention)
    }
}

/// In words: `at most 50 captures, none older than 1y`.
impl fmt::Display for Retention {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_everything() {
            return out.write_str("everything is kept");
        }
        let captures = |count: u64| if count == 1 { "capture" } else { "captures" };
        let rules = [
            self.keep.map(|count| format!("at most {count} {}", captures(count))),
            self.most_bytes.map(|most| format!("at most {}", most.written())),
            self.older_than.map(|age| {
                let thins = if self.thin { "only those older than" } else { "none older than" };
                format!("{thins} {age}{}", if self.thin { " go" } else { "" })
            }),
            self.thin.then(|| "the smallest changes go first".to_owned()),
            self.reported_too.then(|| "versions that an event shows may go too".to_owned()),
        ];
        out.write_str(&rules.into_iter().flatten().collect::<Vec<_>>().join(", "))
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
    #[error("thinning does not say how much is to be left\nhint: add `keep` or `most-bytes`")]
    Endless,
    /// Not a number of captures.
    #[error("`keep={0}` is not a number of captures\nhint: write a number from 1 on, for example `keep=50`")]
    Count(String),
    /// Not a rule.
    #[error(
        "`{0}` is not a rule of retention\nhint: write `keep=N`, `older-than=AGE`, `most-bytes=SIZE`, `thin` or \
         `reported-too`, with a comma between two, or `all` to keep everything"
    )]
    Rule(String),
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Age(pub i64);

/// The units of an age, the largest first, in hours.
const AGES: [(&str, i64); 5] = [("y", 8_760), ("mo", 720), ("w", 168), ("d", 24), ("h", 1)];
const HOUR: i64 = 3_600_000_000;

/// As it is read: in years, days or hours, whichever says it in whole numbers; what is finer is in parts of an hour.
impl fmt::Display for Age {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut units = AGES.iter().filter(|(unit, _)| ["y", "d", "h"].contains(unit));
        match units.find(|(_, hours)| self.0 % (hours * HOUR) == 0 && self.0 != 0) {
            Some((unit, hours)) => write!(out, "{}{unit}", self.0 / (hours * HOUR)),
            None => write!(out, "{}h", self.0 as f64 / HOUR as f64),
        }
    }
}

impl From<Age> for String {
    fn from(age: Age) -> Self {
        age.to_string()
    }
}

impl FromStr for Age {
    type Err = BadRetention;

    fn from_str(text: &str) -> Result<Self, BadRetention> {
        let units = AGES.map(|(unit, hours)| (unit, (hours * HOUR) as f64));
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "String")]
pub struct Size(pub u64);

impl Size {
    /// As it is read, exactly: `10GB`, `1500B`.
    #[must_use]
    pub fn written(self) -> String {
        let units = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
        match units.iter().find(|(_, size)| self.0 >= *size && self.0.is_multiple_of(*size)) {
            Some((unit, size)) => format!("{}{unit}", self.0 / size),
            None => format!("{}B", self.0),
        }
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.written()
    }
}

/// As JSON may have it.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a size such as 10GB, or a number of bytes")]
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
        let kebab = r#"{"keep":10,"older-than":"1y","most-bytes":"1GB","thin":true}"#;
        assert_eq!(serde_json::from_str::<Retention>(kebab).unwrap(), retention);
        assert_eq!(serde_json::to_string(&retention).unwrap(), kebab);
        assert!(serde_json::from_str::<Retention>(r#"{"kepp": 10}"#).is_err());
        assert!(serde_json::from_str::<Retention>(r#"{"older_than": "soon"}"#).is_err());
        let wrong = serde_json::from_str::<Retention>(r#"{"most-bytes": true}"#).unwrap_err().to_string();
        assert!(wrong.starts_with("expected a size such as 10GB, or a number of bytes"), "{wrong}");
    }

    #[test]
    fn rules_are_read_as_an_option_says_them() {
        let read = |text: &str| text.parse::<Retention>();
        let retention = read("keep=50, older-than=90d,most-bytes=1500kB,thin,reported-too").unwrap();
        let words = "at most 50 captures, at most 1500kB, only those older than 90d go, the smallest changes go first, \
                     versions that an event shows may go too";
        assert_eq!((retention.keep, retention.to_string().as_str()), (Some(50), words));
        assert_eq!(read("all"), Ok(Retention::default()));
        assert_eq!(read("keep=0"), Err(BadRetention::Nothing));
        for text in ["", "keep", "thin=true,keep=1", "keep=many", "older-than=soon", "most=1GB"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn ages_and_sizes_are_read_back_as_they_are_written(hours in 0_i64..1_000_000, bytes in 0_u64..u64::from(u32::MAX)) {
            let age = Age(hours * HOUR);
            proptest::prop_assert_eq!(age.to_string().parse::<Age>(), Ok(age));
            proptest::prop_assert_eq!(Size(bytes).written().parse::<Size>(), Ok(Size(bytes)));
        }
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
