//! Whose clock is meant? A time zone by its name, or the machine's own.

use std::str::FromStr;

use driftline::time::Time;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// A time zone.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// As it was written; none is the machine's own.
    name: Option<Box<str>>,
    rules: TimeZone,
}

/// What is no time zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no time zone `{0}`\nhint: write a name of the tz database: Europe/Berlin, America/New_York, UTC")]
pub struct NotAZone(String);

impl Zone {
    /// Its name, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(super) fn civil(&self, time: Time) -> Zoned {
        let of = Timestamp::from_microsecond(time.microseconds());
        of.unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(self.rules.clone())
    }

    /// When the clock shows it. A time that a clock skips is as much later; of one that it shows twice, the first.
    pub(super) fn time(&self, civil: DateTime) -> Option<Time> {
        let zoned = self.rules.to_ambiguous_zoned(civil).compatible().ok()?;
        Some(Time::from_microseconds(zoned.timestamp().as_microsecond()))
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self { name: None, rules: TimeZone::system() }
    }
}

impl FromStr for Zone {
    type Err = NotAZone;

    fn from_str(name: &str) -> Result<Self, NotAZone> {
        let rules = TimeZone::get(name).map_err(|_| NotAZone(name.chars().take(60).collect()))?;
        Ok(Self { name: Some(name.into()), rules })
    }
}
