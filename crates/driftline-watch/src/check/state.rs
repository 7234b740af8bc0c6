//! What does a check have to know about the ones before it? A few hundred bytes in the catalog.
//!
//! Most checks find nothing new and write this again, so what is not set is not written. It carries the number of its
//! format; a format that is too new is refused rather than guessed at.

use std::collections::VecDeque;

use driftline::time::Time;
use driftline_archive::settings::plain_json;
use driftline_fetch::Validators;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::failures::{Absence, Failures, Refusals};
use super::feeds::AnnouncedFeed;
use super::history::History;
use super::learned::Learned;
use super::zones::ZoneState;
use crate::schedule::rate::Rate;

/// The newest format that this driftline knows.
const FORMAT: u32 = 2;

/// What is known of a watch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct State {
    pub(super) format: u32,
    /// Of which address it is, as a digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<u64>,
    /// The newest capture of its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<Seen>,
    /// The capture that the next one is compared with, if it is an earlier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<Seen>,
    /// A digest of the newest answer, if it is not kept because it differs only by what flickers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unkept: Option<String>,
    /// A digest of what decided that it is only flicker. Under anything else it is compared again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unkept_under: Option<u64>,
    /// The elements that flicker.
    #[serde(skip_serializing_if = "Learned::is_empty")]
    pub learned: Learned,
    /// The title of the page.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What the page may be asked for again with.
    #[serde(skip_serializing_if = "is_default")]
    pub validators: Validators,
    /// When the page last came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered: Option<Time>,
    /// How often it changes.
    #[serde(skip_serializing_if = "is_default")]
    pub rate: Rate,
    /// Checks that failed in a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<Failures>,
    /// Checks in a row that found no page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absence: Option<Absence>,
    /// The states in which the page was.
    #[serde(skip_serializing_if = "is_default")]
    pub history: History,
    /// Where the zones are now.
    #[serde(skip_serializing_if = "is_default")]
    pub zones: ZoneState,
    /// Items of a feed that are to be fetched.
    #[serde(skip_serializing_if = "VecDeque::is_empty")]
    pub waiting: VecDeque<String>,
    /// The feeds that the page announces; none as long as nobody looked for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feeds: Option<Vec<AnnouncedFeed>>,
    /// Hosts that were too busy to show items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusals: Option<Refusals>,
    /// Pages that are missing in a list, and since when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<(String, Time)>,
    /// What cut the last reading of a list short, by the names of limits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Files of a list that never came: their pages will not be new.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
}

/// A capture that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Seen {
    /// Its number in the catalog.
    pub capture: i64,
    /// The address of what was compared: behind all redirects, or of the rendered page.
    pub url: String,
    /// When it was captured.
    pub at: Time,
    /// A digest of its body, decoded.
    pub digest: String,
}

/// Why a state cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnreadableState {
    /// A newer driftline wrote it.
    #[error("it has the format {0}, this driftline reads up to {FORMAT}\nhint: use the newer driftline that wrote it")]
    Newer(u32),
    /// It is damaged.
    #[error("it is damaged: {0}\nhint: `driftline watch remove` and add the watch again; its captures stay")]
    Damaged(String),
}

impl State {
    /// Reads a state; nothing at all is the state of a watch that was never checked.
    ///
    /// # Errors
    /// If it is damaged, or of a newer format.
    pub fn read(body: &Value) -> Result<Self, UnreadableState> {
        if body.is_null() {
            return Ok(Self { format: FORMAT, ..Self::default() });
        }
        let format = body.get("format").and_then(Value::as_u64).unwrap_or_default();
        if format > u64::from(FORMAT) {
            return Err(UnreadableState::Newer(u32::try_from(format).unwrap_or(u32::MAX)));
        }
        let read = if format == 1 { Self::deserialize(without_learned(body)) } else { Self::deserialize(body) };
        let state = read.map_err(|error| UnreadableState::Damaged(plain_json(&error)))?;
        Ok(Self { format: FORMAT, ..state })
    }

    /// The state of a watch of this address. Whoever gave the watch another address wants to hear of what happens there
    /// from now on, not of how it differs from the page before.
    pub(crate) fn of(self, url: &str) -> Self {
        let of = Some(xxh3_64(url.as_bytes()));
        if self.of.is_none() || self.of == of {
            Self { of, ..self }
        } else {
            Self { format: FORMAT, of, ..Self::default() }
        }
    }

    /// For the catalog.
    #[must_use]
    pub fn write(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// What the next capture is compared with.
    #[must_use]
    pub fn base(&self) -> Option<&Seen> {
        self.base.as_ref().or(self.seen.as_ref())
    }
}

/// A state of format 1 without what was learned: its evidence is not enough today. It is learned anew, and the next answer is
/// compared with the last kept version, whatever was left out before.
fn without_learned(body: &Value) -> Value {
    let mut body = body.clone();
    if let Some(members) = body.as_object_mut() {
        members.remove("learned");
    }
    body
}

pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_watch_that_was_never_checked_has_a_state() {
        let state = State::read(&Value::Null).unwrap();
        assert_eq!(state.write(), json!({ "format": 2 }));
    }

    #[test]
    fn a_state_is_read_as_it_was_written_by_format_1() {
        let written = json!({
            "format": 1,
            "of": 7,
            "seen": { "capture": 7, "url": "http://example.org/", "at": "2024-01-31T12:00:00Z", "digest": "abc" },
            "title": "Example",
            "validators": { "etag": "\"1\"", "last-modified": null },
            "answered": "2024-01-31T12:10:00Z",
            "rate": { "checks": 1, "changes": 0, "bins": [[600.0, 1.0, 0.0]] },
            "failures": { "count": 2, "since": "2024-01-31T12:20:00Z", "why": "503", "told": false },
            "absence": { "count": 1, "since": "2024-01-31T12:20:00Z", "told": false },
            "history": { "states": [["2024-01-31T12:00:00Z", "00ff"]], "returns": "01", "quiet": 1 },
            "zones": { "lost": "2024-01-31T12:00:00Z" },
            "waiting": ["http://example.org/item"],
            "feeds": [{ "url": "http://example.org/feed",
                "seen": { "capture": 8, "url": "http://example.org/feed", "at": "2024-01-31T12:00:00Z", "digest": "def" },
                "validators": { "etag": "\"2\"", "last-modified": null },
                "failures": { "count": 1, "since": "2024-01-31T12:20:00Z", "why": "503", "told": false } }],
            "refusals": { "count": 1, "until": "2024-01-31T12:30:00Z" },
            "missing": [["http://example.org/page", "2024-01-31T12:00:00Z"]],
            "limits": ["files", "unread"],
            "unread": ["http://example.org/2.xml"],
        });
        let state = State::read(&written).unwrap();
        assert_eq!(state.base().unwrap().capture, 7);
        let newer = |mut state: Value| {
            state["format"] = json!(FORMAT);
            state
        };
        assert_eq!(state.write(), newer(written));
    }

    #[test]
    fn what_format_1_learned_is_read_and_learned_anew() {
        let learned = json!([{
            "selector": ".price", "flicker": "numbers", "content": 7, "is-certain": true, "answers": 9, "changes": 9,
            "still": 0, "is-reported": true,
        }]);
        let state = State::read(&json!({ "format": 1, "unkept": "abc", "learned": learned })).unwrap();
        assert_eq!((state.learned.folded().count(), state.unkept.as_deref()), (0, Some("abc")));
        assert_eq!(state.unkept_under, None, "the answer that was not kept is compared again");
    }

    #[test]
    fn what_a_newer_driftline_wrote_is_refused() {
        let error = State::read(&json!({ "format": 3 })).unwrap_err();
        assert!(error.to_string().contains("the format 3"), "{error}");
        assert!(matches!(State::read(&json!({ "seen": 5 })), Err(UnreadableState::Damaged(_))));
    }
}
