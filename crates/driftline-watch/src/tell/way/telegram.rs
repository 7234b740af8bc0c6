//! Telegram: a bot that writes to a chat.

use std::path::PathBuf;

use driftline_report::summary::{LengthLimit, Markup};
use serde::Deserialize;
use serde_json::json;

use super::webhook::{is_web, revealed};
use super::{Failure, Http, Parcel, Secret, Way};
use crate::tell::http::Post;

/// What Telegram takes as a message.
const MOST_CHARACTERS: usize = 4_096;
/// Less important messages come without a sound.
const SILENT: f64 = 0.2;

/// A chat of Telegram.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Telegram {
    #[serde(default = "usual")]
    url: Secret,
    token: Secret,
    chat: String,
    thread: Option<i64>,
    ca: Option<PathBuf>,
}

fn usual() -> Secret {
    Secret::from("https://api.telegram.org")
}

impl Way for Telegram {
    fn markup(&self) -> Markup {
        Markup {
            added: ["<u>", "</u>"],
            dropped: ["<s>", "</s>"],
            moved: ["<i>", "</i>"],
            heading: ["<b>", "</b>"],
            escape,
            limit: LengthLimit::Characters(MOST_CHARACTERS),
        }
    }

    fn send(&self, parcel: &Parcel<'_>, http: &Http) -> Result<(), Failure> {
        let mut message = json!({
            "chat_id": self.chat,
            "text": parcel.message.text,
            "parse_mode": "HTML",
            "link_preview_options": { "is_disabled": true },
            "disable_notification": parcel.importance() < SILENT,
        });
        if let (Some(thread), Some(fields)) = (self.thread, message.as_object_mut()) {
            fields.insert("message_thread_id".to_owned(), json!(thread));
        }
        let url = format!("{}/bot{}/sendMessage", revealed(&self.url)?.trim_end_matches('/'), revealed(&self.token)?);
        let answer = http.post(Post::json(parcel, url, &message))?;
        if answer.json().get("ok").and_then(serde_json::Value::as_bool) == Some(true) {
            return Ok(());
        }
        // Perhaps the page of a network that wants a login first, which is over tomorrow.
        Err(Failure::again("answered, but not as Telegram does\nhint: is `url` right?".to_owned()))
    }

    fn secrets(&self) -> Vec<&Secret> {
        vec![&self.token]
    }

    fn most_a_minute(&self) -> u32 {
        20
    }

    fn authorities(&self) -> Option<&PathBuf> {
        self.ca.as_ref()
    }

    fn check(&self) -> Result<(), String> {
        is_web(&self.url)
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
