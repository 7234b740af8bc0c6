//! What is a target? A table `[targets.NAME]` of the settings: by which way it is told, what it is told, and when.

mod files;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use driftline::event::{Event, Kind};
use driftline::span::Span;
use serde::Deserialize;
use toml::{Table, Value};

use super::digest::Digest;
use super::way::{self, Way};
use crate::schedule::Zone;
use crate::settings::told;

/// All targets.
#[derive(Debug, Default)]
pub struct Targets {
    all: Vec<Target>,
}

/// Someone to tell.
#[derive(Debug)]
pub struct Target {
    name: String,
    way: Box<dyn Way>,
    settings: Settings,
    digest: Option<Digest>,
    own: Own,
    authorities: Option<PathBuf>,
}

/// A target's own templates, as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Own {
    /// Of the subject.
    pub subject: Option<String>,
    /// Of the text.
    pub text: Option<String>,
    /// Of the web page.
    pub html: Option<String>,
}

impl Own {
    /// These, and others where there is none.
    pub(super) fn or(&self, other: &Self) -> Self {
        let either = |one: &Option<String>, other: &Option<String>| one.clone().or_else(|| other.clone());
        Self {
            subject: either(&self.subject, &other.subject),
            text: either(&self.text, &other.text),
            html: either(&self.html, &other.html),
        }
    }
}

/// What may be set for every target.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Settings {
    tags: Vec<String>,
    kinds: Vec<Kind>,
    least_importance: f64,
    all: Option<bool>,
    digest: Option<String>,
    zone: Option<String>,
    subject: Option<String>,
    template: Option<PathBuf>,
    template_html: Option<PathBuf>,
    most_per_minute: Option<u32>,
    timeout: Option<Span>,
}

/// The names of those.
const SHARED: [&str; 11] = [
    "tags",
    "kinds",
    "least-importance",
    "all",
    "digest",
    "zone",
    "subject",
    "template",
    "template-html",
    "most-per-minute",
    "timeout",
];

/// How long a target may take.
const TIMEOUT: Span = Span::from_seconds(30);
/// The longest that may be set.
const LONGEST: Span = Span::from_seconds(300);
/// No more targets.
const MOST_TARGETS: usize = 1_000;

/// What is wrong with a target's settings. Values are not told: they may be secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`[targets.{target}]` in driftline.toml: {why}")]
pub struct TargetsError {
    target: String,
    why: String,
}

impl Targets {
    /// The targets of the tables `[targets.NAME]`.
    ///
    /// # Errors
    /// If something is not known or cannot be used.
    pub fn read(tables: &Table) -> Result<Self, TargetsError> {
        let wrong = |target: &str, why: String| TargetsError { target: target.to_owned(), why };
        if tables.len() > MOST_TARGETS {
            return Err(wrong("…", "there are more than 1,000 targets".to_owned()));
        }
        let read = |(name, table): (&String, &Value)| match table {
            Value::Table(table) => target(name, table.clone()).map_err(|why| wrong(name, why)),
            _ => Err(wrong(name, "a target is a table\nhint: write `[targets.NAME]` above its settings".to_owned())),
        };
        Ok(Self { all: tables.iter().map(read).collect::<Result<_, _>>()? })
    }

    /// A target by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Target> {
        self.all.iter().find(|target| target.name == name)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Target> {
        self.all.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        self.all.iter_mut()
    }
}

fn target(name: &str, mut table: Table) -> Result<Target, String> {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if name.is_empty() || name.len() > 64 || !name.bytes().all(is_sign) {
        return Err("the name of a target is 1 to 64 letters, digits, `-` or `_`".to_owned());
    }
    let Some(Value::String(kind)) = table.remove("type") else {
        return Err(format!("`type` is missing\nhint: there are {}", way::kinds()));
    };
    let shared: Table = SHARED.iter().filter_map(|key| table.remove_entry(*key)).collect();
    let settings: Settings = shared.try_into().map_err(|error| told(&error, &[]))?;
    let way = way::read(&kind, table);
    let way = way.ok_or_else(|| format!("there is no type `{kind}`\nhint: there are {}", way::kinds()))?;
    let way = way.map_err(|error| told(&error, &[&["type"], &SHARED[..]].concat()))?;
    way.check()?;
    settings.check()?;
    let digest = settings.digest()?;
    Ok(Target { name: name.to_owned(), way, settings, digest, own: Own::default(), authorities: None })
}

impl Settings {
    fn check(&self) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.least_importance) {
            return Err(format!("`least-importance` is from 0 to 1, not {}", self.least_importance));
        }
        if self.most_per_minute == Some(0) {
            return Err("`most-per-minute` is 1 or more, not 0".to_owned());
        }
        if self.timeout.is_some_and(|timeout| timeout > LONGEST || timeout.milliseconds() == 0) {
            return Err(format!("`timeout` is at most {LONGEST}, and more than nothing"));
        }
        Ok(())
    }

    fn digest(&self) -> Result<Option<Digest>, String> {
        let zone =
            self.zone.as_ref().map(|zone| zone.parse::<Zone>()).transpose().map_err(|error| error.to_string())?;
        let Some(written) = &self.digest else {
            let is_lone = zone.is_some();
            return if is_lone {
                Err("`zone` says when a digest goes out; there is no `digest`".to_owned())
            } else {
                Ok(None)
            };
        };
        let digest: Digest = written.parse().map_err(|error: super::NotADigest| error.to_string())?;
        Ok(Some(match zone {
            Some(zone) => digest.in_zone(zone),
            None => digest,
        }))
    }
}

impl Target {
    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// It gets the events of watches with one of these tags.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.settings.tags
    }

    /// Does it get what no watch sends elsewhere? Unless that is set: if it asks for no tags.
    #[must_use]
    pub fn is_for_all(&self) -> bool {
        self.settings.all.unwrap_or(self.settings.tags.is_empty())
    }

    /// When it gets all events of a while in one message; at once, if never.
    #[must_use]
    pub fn digest(&self) -> Option<&Digest> {
        self.digest.as_ref()
    }

    /// Is an event of a kind that it wants to know about, and does it matter enough?
    #[must_use]
    pub fn wants(&self, event: &Event) -> bool {
        let Settings { kinds, least_importance, .. } = &self.settings;
        (kinds.is_empty() || kinds.contains(&event.kind)) && event.importance >= *least_importance
    }

    /// Its own templates.
    #[must_use]
    pub fn own(&self) -> &Own {
        &self.own
    }

    pub(super) fn way(&self) -> &dyn Way {
        &*self.way
    }

    pub(super) fn timeout(&self) -> Span {
        self.settings.timeout.unwrap_or(TIMEOUT)
    }

    pub(super) fn most_a_minute(&self) -> u32 {
        self.settings.most_per_minute.unwrap_or_else(|| self.way.most_a_minute())
    }

    /// The file with whom it trusts.
    pub(super) fn authorities(&self) -> Option<PathBuf> {
        self.authorities.clone()
    }
}
