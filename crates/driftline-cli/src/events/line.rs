//! How does an event read on one line, or as JSON?

use driftline::event::Event;
use driftline_catalog::StoredEvent;
use driftline_report::summary::safe::for_terminal;
use serde_json::{Value, json};

/// So much of a key is shown: enough to tell a million events apart.
pub(super) const SHOWN: usize = 12;

/// What is to be told about it; none if an earlier format kept something else.
pub(super) fn told(body: &Value) -> Option<Event> {
    serde_json::from_value(body.clone()).ok()
}

/// `3f2a91c0d4e1  2026-01-31T12:00:00Z  0.83  changed          Opening hours: 9–17 → 9–18`
pub(crate) fn text(event: &StoredEvent) -> String {
    let mut line = format!(
        "{:<SHOWN$}  {:<27}  {:.2}  {:<15}  {}",
        short(&event.key),
        event.at.to_string(),
        event.importance,
        for_terminal(&event.kind),
        for_terminal(&headline(&event.body, &event.url)),
    );
    if let Some(until) = event.held_until {
        line += &format!(" (held until {until})");
    }
    if let Some(key) = &event.folded_into {
        line += &format!(" (explained by {})", short(key));
    }
    line
}

/// What it is about and what happened, in one line.
pub(super) fn headline(body: &Value, url: &str) -> String {
    match told(body) {
        Some(event) if event.summary.is_empty() => event.name,
        Some(event) => format!("{}: {}", event.name, event.summary),
        None => url.to_owned(),
    }
}

/// The event as it is sent, and what became of it.
pub(crate) fn json(event: &StoredEvent) -> Value {
    let mut body = told(&event.body).and_then(|event| serde_json::to_value(event).ok()).unwrap_or_else(
        || json!({ "key": event.key, "at": event.at, "kind": event.kind, "url": event.url, "body": event.body }),
    );
    if let Some(until) = event.held_until {
        body["held_until"] = json!(until);
    }
    if let Some(key) = &event.folded_into {
        body["explained_by"] = json!(key);
    }
    body
}

/// The beginning of a key.
pub(super) fn short(key: &str) -> String {
    for_terminal(&key[..key.floor_char_boundary(SHOWN)]).into_owned()
}
