//! Slack: an incoming webhook of a channel.

use std::path::PathBuf;

use driftline_report::summary::{LengthLimit, Markup};
use serde::Deserialize;
use serde_json::json;

use super::webhook::{is_web, revealed};
use super::{Failure, Http, Parcel, Secret, Way};
use crate::tell::http::Post;

/// What Slack takes in one section.
const MOST_CHARACTERS: usize = 3_000;

/// A channel of Slack, or of Mattermost and others that take the same.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Slack {
    url: Secret,
    ca: Option<PathBuf>,
}

impl Way for Slack {
    fn markup(&self) -> Markup {
        Markup {
            added: ["*", "*"],
            dropped: ["~", "~"],
            moved: ["_", "_"],
            heading: ["*", "*"],
            escape,
            limit: LengthLimit::Characters(MOST_CHARACTERS),
        }
    }

    fn send(&self, parcel: &Parcel<'_>, http: &Http) -> Result<(), Failure> {
        let section =
            json!({ "type": "section", "text": { "type": "mrkdwn", "text": parcel.message.text, "verbatim": true } });
        let message = json!({
            "text": escape(&parcel.message.subject),
            "blocks": [section],
            "unfurl_links": false,
            "unfurl_media": false,
        });
        http.post(Post::json(parcel, revealed(&self.url)?, &message))?;
        Ok(())
    }

    fn secrets(&self) -> Vec<&Secret> {
        vec![&self.url]
    }

    fn most_a_minute(&self) -> u32 {
        60
    }

    fn authorities(&self) -> Option<&PathBuf> {
        self.ca.as_ref()
    }

    fn check(&self) -> Result<(), String> {
        is_web(&self.url)
    }
}

/// `<` begins a mention or a link, and four signs a style; behind a sign without width they are signs.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '*' | '~' | '`' => safe.extend(['\u{200b}', char]),
            _ => safe.push(char),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nobody_is_mentioned_by_a_page() {
        assert_eq!(escape("<!channel> & *b*"), "&lt;!channel&gt; &amp; \u{200b}*b\u{200b}*");
        assert_eq!(escape("https://a.example/b_c"), "https://a.example/b_c");
    }
}
