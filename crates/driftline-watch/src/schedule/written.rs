//! How does a schedule stand in a file? `auto`, `10m`, a cron line, or a table of those with windows and a zone.

use std::fmt;
use std::str::FromStr;

use driftline::span::Span;
use serde::de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{LEAST, Line, MOST, Pace, Schedule, Window};

/// What is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotASchedule(String);

/// A schedule as a table.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Table {
    #[serde(skip_serializing_if = "Option::is_none")]
    every: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cron: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    windows: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
}

/// More are a mistake.
const MOST_WINDOWS: usize = 100;

fn not(error: impl fmt::Display) -> NotASchedule {
    NotASchedule(error.to_string())
}

impl FromStr for Pace {
    type Err = NotASchedule;

    /// `auto`, `10m`, or a cron line.
    fn from_str(text: &str) -> Result<Self, NotASchedule> {
        let text = text.trim();
        if text == "auto" {
            return Ok(Self::Auto);
        }
        if text.starts_with('@') || text.split_whitespace().count() >= 5 {
            return text.parse::<Line>().map(|line| Self::Cron(Box::new(line))).map_err(not);
        }
        let unknown = |_| {
            let shown: String = text.chars().take(60).collect();
            not(format!(
                "`{shown}` is no schedule\nhint: write auto, 10m, 1h30m, 2d, or a cron line such as `0 9 * * mon-fri`"
            ))
        };
        let span: Span = text.parse().map_err(unknown)?;
        if !(LEAST..=MOST).contains(&span) {
            return Err(not(format!("a watch is checked every 1s to 520w, not every {span}")));
        }
        Ok(Self::Every(span))
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => out.write_str("auto"),
            Self::Every(span) => span.fmt(out),
            Self::Cron(line) => line.fmt(out),
        }
    }
}

impl FromStr for Schedule {
    type Err = NotASchedule;

    fn from_str(text: &str) -> Result<Self, NotASchedule> {
        Ok(Self { pace: text.parse()?, ..Self::default() })
    }
}

/// For people: `10m, mon-fri 09:00-17:00, Europe/Berlin`.
impl fmt::Display for Schedule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pace.fmt(out)?;
        self.windows.iter().try_for_each(|window| write!(out, ", {window}"))?;
        self.zone.name().map_or(Ok(()), |zone| write!(out, ", {zone}"))
    }
}

impl TryFrom<Table> for Schedule {
    type Error = NotASchedule;

    fn try_from(table: Table) -> Result<Self, NotASchedule> {
        let pace = match (table.every, table.cron) {
            (Some(_), Some(_)) => {
                return Err(not("a schedule has `every` or `cron`, not both\nhint: remove one of them"));
            }
            (None, None) => Pace::Auto,
            (Some(every), None) => every.parse()?,
            (None, Some(line)) => Pace::Cron(Box::new(line.parse().map_err(not)?)),
        };
        if table.windows.len() > MOST_WINDOWS {
            return Err(not("a schedule has at most 100 windows"));
        }
        let windows = table.windows.iter().map(|window| window.parse::<Window>());
        let windows = windows.collect::<Result<_, _>>().map_err(not)?;
        let zone = table.zone.map(|zone| zone.parse()).transpose().map_err(not)?;
        Ok(Self { pace, windows, zone: zone.unwrap_or_default() })
    }
}

impl Serialize for Schedule {
    /// As a string if that says all.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.windows.is_empty() && self.zone.name().is_none() {
            return serializer.collect_str(&self.pace);
        }
        let windows = self.windows.iter().map(ToString::to_string).collect();
        let mut table = Table { windows, zone: self.zone.name().map(str::to_owned), ..Table::default() };
        match &self.pace {
            Pace::Auto => {}
            Pace::Every(span) => table.every = Some(span.to_string()),
            Pace::Cron(line) => table.cron = Some(line.to_string()),
        }
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Schedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Schedule;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(
                    "a schedule: `auto`, `10m`, a cron line, or a table with `every` or `cron`, `windows` and `zone`",
                )
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Schedule, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Schedule, A::Error> {
                Table::deserialize(MapAccessDeserializer::new(map))?.try_into().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(Either)
    }
}
