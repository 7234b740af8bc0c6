//! ntfy: a telephone, by way of ntfy.sh or a server of one's own.

use std::path::PathBuf;

use driftline_report::summary::{LengthLimit, Markup};
use serde::Deserialize;
use serde_json::json;

use super::webhook::{is_web, revealed};
use super::{Failure, Http, Parcel, Secret, Way};
use crate::tell::http::Post;

/// What ntfy takes as a message: what is longer becomes a file.
const MOST_BYTES: usize = 4_000;
/// What a telephone shows of a title.
const MOST_OF_TITLE: usize = 250;

/// A topic of ntfy.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Ntfy {
    #[serde(default = "usual")]
    url: Secret,
    /// The last part of `url`, if it is not said.
    topic: Option<Secret>,
    token: Option<Secret>,
    ca: Option<PathBuf>,
}

fn usual() -> Secret {
    Secret::from("https://ntfy.sh")
}

impl Way for Ntfy {
    fn markup(&self) -> Markup {
        Markup { limit: LengthLimit::Bytes(MOST_BYTES), ..Markup::PLAIN }
    }

    fn send(&self, parcel: &Parcel<'_>, http: &Http) -> Result<(), Failure> {
        let (url, topic) = self.place()?;
        let mut message = json!({
            "topic": topic,
            "title": LengthLimit::Characters(MOST_OF_TITLE).cut(&parcel.message.subject),
            "message": parcel.message.text,
            "priority": priority(parcel.importance()),
        });
        if let (Some(link), Some(fields)) = (parcel.link(), message.as_object_mut()) {
            fields.insert("click".to_owned(), json!(link));
        }
        let mut headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            ("idempotency-key".to_owned(), parcel.key.clone()),
            // From ntfy 2.16 on, a repeat takes the place of the first.
            ("x-sequence-id".to_owned(), parcel.key.clone()),
        ];
        if let Some(token) = &self.token {
            headers.push(("authorization".to_owned(), format!("Bearer {}", revealed(token)?)));
        }
        let body = message.to_string().into_bytes();
        http.post(Post { parcel, url, headers, body })?;
        Ok(())
    }

    fn secrets(&self) -> Vec<&Secret> {
        [Some(&self.url), self.topic.as_ref(), self.token.as_ref()].into_iter().flatten().collect()
    }

    fn most_a_minute(&self) -> u32 {
        12
    }

    fn authorities(&self) -> Option<&PathBuf> {
        self.ca.as_ref()
    }

    fn check(&self) -> Result<(), String> {
        is_web(&self.url)
    }
}

impl Ntfy {
    /// The server, which JSON is sent to, and the topic.
    fn place(&self) -> Result<(String, String), Failure> {
        let url = revealed(&self.url)?;
        if let Some(topic) = &self.topic {
            return Ok((url, revealed(topic)?));
        }
        let behind = url.find("://").map_or(0, |at| at + 3);
        match url[behind..].trim_end_matches('/').rsplit_once('/') {
            Some((server, topic)) => Ok((format!("{}{server}", &url[..behind]), topic.to_owned())),
            None => Err(Failure::Never("`url` has no topic\nhint: write `topic = \"NAME\"`".to_owned())),
        }
    }
}

/// From 2 (no sound) to 5 (wakes people).
fn priority(importance: f64) -> u8 {
    match importance {
        0.9.. => 5,
        0.6.. => 4,
        0.2.. => 3,
        _ => 2,
    }
}
