//! Discord: a webhook of a channel.

use std::fmt::Write;
use std::path::PathBuf;

use driftline_report::summary::{LengthLimit, Markup};
use serde::Deserialize;
use serde_json::json;

use super::webhook::{is_web, parsed, revealed};
use super::{Failure, Http, Parcel, Secret, Way};
use crate::tell::http::Post;

/// What Discord takes as a description and as a title.
const MOST_CHARACTERS: usize = 4_096;
const MOST_OF_TITLE: usize = 256;

/// A channel of Discord.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Discord {
    url: Secret,
    ca: Option<PathBuf>,
}

impl Way for Discord {
    fn markup(&self) -> Markup {
        Markup {
            added: ["**", "**"],
            dropped: ["~~", "~~"],
            moved: ["*", "*"],
            heading: ["**", "**"],
            escape,
            limit: LengthLimit::Characters(MOST_CHARACTERS),
        }
    }

    fn send(&self, parcel: &Parcel<'_>, http: &Http) -> Result<(), Failure> {
        let mut embed = json!({
            "title": LengthLimit::Characters(MOST_OF_TITLE).cut(&parcel.message.subject),
            "description": parcel.message.text,
        });
        if let (Some(link), Some(fields)) = (parcel.link(), embed.as_object_mut()) {
            fields.insert("url".to_owned(), json!(link));
        }
        // Whatever stands in a page, nobody is called.
        let message = json!({ "embeds": [embed], "allowed_mentions": { "parse": [] } });
        // Without `wait` Discord answers before it knows whether it takes the message.
        let mut url = parsed(&revealed(&self.url)?).map_err(Failure::Never)?;
        url.query_pairs_mut().append_pair("wait", "true");
        http.post(Post::json(parcel, url.into(), &message))?;
        Ok(())
    }

    fn secrets(&self) -> Vec<&Secret> {
        vec![&self.url]
    }

    fn most_a_minute(&self) -> u32 {
        30
    }

    fn authorities(&self) -> Option<&PathBuf> {
        self.ca.as_ref()
    }

    fn check(&self) -> Result<(), String> {
        is_web(&self.url)
    }
}

/// Signs of Markdown and of mentions mean themselves behind a backslash. An address has to stay one.
fn escape(text: &str) -> String {
    let is_address =
        (text.starts_with("http://") || text.starts_with("https://")) && !text.contains(char::is_whitespace);
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '*' | '~' | '`' | '|' | '<' | '>' if is_address => {
                let _ = write!(safe, "%{:02X}", char as u32);
            }
            '*' | '_' | '~' | '`' | '|' | '>' | '<' | '#' | '[' | ']' | '(' | ')' | '@' | '\\' | ':' if !is_address => {
                safe.extend(['\\', char]);
            }
            _ => safe.push(char),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn nobody_is_mentioned_and_nothing_is_styled_by_a_page() {
        assert_eq!(escape("<@1> @everyone **b** [x](y)"), r"\<\@1\> \@everyone \*\*b\*\* \[x\]\(y\)");
        assert_eq!(escape("https://a.example/b_c?d=*"), "https://a.example/b_c?d=%2A");
    }
}
