//! What did another monitor keep? Versions of pages, and the watches that brought them.
//!
//! Every reader of a foreign format says it in these words, one thing after the other, so that a history
//! of any length passes through in little memory.

use serde_json::Value;

use super::Error;
use super::summary::Skip;
use crate::Time;

/// One thing that was kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Kept {
    /// What a page said.
    Version(Version),
    /// What was looked at.
    Watch(Watched),
    /// What cannot be used.
    Skipped(Skip),
}

/// What a page said at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The address of the page.
    pub url: String,
    /// When it said so.
    pub at: Time,
    /// What the body is, such as `text/plain; charset=utf-8`.
    pub content_type: String,
    /// What it said.
    pub body: Vec<u8>,
    /// The text that the monitor made of the body, where it kept both.
    pub text: Option<Vec<u8>>,
}

/// What was looked at. Nothing in it is secret: passwords, tokens and addresses of notifications stay behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Watched {
    /// Its name for ever: a UUID.
    pub id: String,
    /// The address of the page.
    pub url: String,
    /// What people call it.
    pub title: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Since when; the beginning of 1970 if nobody knows.
    pub since: Time,
    /// Its other settings, by the names that they have there.
    pub settings: Value,
}

/// Who takes what is read. An error of it ends the reading.
pub type Take<'a> = dyn FnMut(Kept) -> Result<(), Error> + 'a;

/// So many seconds after the beginning of 1970, if a calendar has that moment. Monitors did not exist before.
pub(super) fn moment(seconds: f64) -> Option<Time> {
    /// The beginning of the year 10000.
    const END: f64 = 253_402_300_800.0;
    let is_sound = seconds.is_finite() && seconds > 0.0 && seconds < END;
    #[expect(clippy::cast_possible_truncation, reason = "2.5e17 microseconds at most")]
    is_sound.then(|| Time::from_microseconds((seconds * 1e6).round() as i64))
}

/// An address of the web that may be kept: without a user's name and password.
pub(super) fn address(text: &str) -> Option<String> {
    // With `source:` in front, changedetection.io compares the source of the page.
    let text = text.trim();
    let text = text.strip_prefix("source:").unwrap_or(text);
    let mut url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    if url.username().is_empty() && url.password().is_none() {
        return Some(text.to_owned());
    }
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::{address, moment};

    #[test]
    fn a_moment_is_one_of_the_calendar() {
        assert_eq!(moment(1_794_812_488.25).unwrap().to_string(), "2026-11-16T07:01:28.25Z");
        for seconds in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e18] {
            assert_eq!(moment(seconds), None, "{seconds}");
        }
    }

    #[test]
    fn an_address_is_kept_as_it_is_but_for_passwords() {
        assert_eq!(address("source:http://example.org").as_deref(), Some("http://example.org"));
        assert_eq!(address("https://me:secret@example.org/a").as_deref(), Some("https://example.org/a"));
        for text in ["", "example.org", "file:///etc/passwd", "javascript:alert(1)"] {
            assert_eq!(address(text), None, "{text}");
        }
    }
}
