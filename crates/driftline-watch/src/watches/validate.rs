//! Can settings be used? What serde cannot know: selectors, regular expressions, normalisers, targets, ranges.

use std::collections::BTreeSet;

use driftline::page::Normaliser;
use driftline::page::zone::Selector;

use super::{Kind, Settings, pattern};

/// No watch has more selectors, tags, expressions or targets of one kind.
const MOST_VALUES: usize = 1_000;
/// The longest tag.
const MOST_TAG: usize = 100;

/// What is wrong, and at which key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) key: &'static str,
    pub(super) what: String,
}

impl Wrong {
    /// The key, part by part.
    pub(super) fn path(&self) -> Vec<&'static str> {
        self.key.split('.').collect()
    }
}

/// Checks settings; `targets` are those that there are.
pub(super) fn check(settings: &Settings, targets: &BTreeSet<String>) -> Result<(), Wrong> {
    let Settings { counts, members, .. } = settings;
    each("zone", &settings.zone, |text| Selector::parse(text).map(|_| ()).map_err(|error| error.to_string()))?;
    each("ignore", &settings.ignore, |text| Selector::parse(text).map(|_| ()).map_err(|error| error.to_string()))?;
    each("normalise", &settings.normalise, |text| {
        text.parse::<Normaliser>().map(|_| ()).map_err(|error| error.to_string())
    })?;
    each("tags", &settings.tags, tag)?;
    each("targets", &settings.targets, |name| known(name, targets))?;
    let expressions = [
        ("counts.trigger", &counts.trigger),
        ("counts.contains", &counts.contains),
        ("counts.not-contains", &counts.not_contains),
        ("counts.ignore-text", &counts.ignore_text),
        ("counts.ignore-lines", &counts.ignore_lines),
        ("counts.only-text", &counts.only_text),
        ("counts.only-lines", &counts.only_lines),
        ("members.include", &members.include),
        ("members.exclude", &members.exclude),
    ];
    for (key, texts) in expressions {
        each(key, texts, |text| pattern(text).map(|_| ()).map_err(String::from))?;
    }
    if settings.feeds && matches!(settings.kind, Kind::Feed | Kind::Opml) {
        let what = "it is for pages, which announce feeds; feeds are compared item by item anyway".to_owned();
        return Err(Wrong { key: "feeds", what });
    }
    settings.retention.check().map_err(|error| Wrong { key: "retention", what: error.to_string() })?;
    share("counts.degree", counts.degree)?;
    share("counts.importance", counts.importance)?;
    if let Some(selector) = &settings.fetch.wait.selector {
        Selector::parse(selector).map_err(|error| Wrong { key: "fetch.wait", what: error.to_string() })?;
    }
    Ok(())
}

fn each(key: &'static str, values: &[String], check: impl Fn(&str) -> Result<(), String>) -> Result<(), Wrong> {
    let wrong = |what| Wrong { key, what };
    if values.len() > MOST_VALUES {
        return Err(wrong(format!("there are more than {MOST_VALUES}")));
    }
    values.iter().try_for_each(|value| check(value)).map_err(wrong)
}

/// A tag is a word or some: what stands in lists and in addresses of feeds.
pub(super) fn tag(text: &str) -> Result<(), String> {
    let is_plain = |character: char| !character.is_control() && !matches!(character, '#' | ',' | '/' | '\\');
    let is_sound = !text.trim().is_empty() && text.trim() == text && text.len() <= MOST_TAG;
    if is_sound && text.chars().all(is_plain) {
        return Ok(());
    }
    Err(format!("a tag is 1 to {MOST_TAG} bytes without `#`, `,`, `/`, `\\` and blanks at its ends"))
}

fn known(name: &str, targets: &BTreeSet<String>) -> Result<(), String> {
    if targets.contains(name) {
        return Ok(());
    }
    let there: Vec<String> = targets.iter().take(20).map(|name| format!("`{name}`")).collect();
    let hint = if there.is_empty() {
        format!("write a table `[targets.{name}]` into driftline.toml")
    } else {
        format!("there are {}", there.join(", "))
    };
    Err(format!("there is no target `{name}`\nhint: {hint}"))
}

fn share(key: &'static str, value: Option<f64>) -> Result<(), Wrong> {
    match value {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(Wrong { key, what: format!("it is from 0 to 1, not {value}") })
        }
        _ => Ok(()),
    }
}
