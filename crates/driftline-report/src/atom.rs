//! What happened, for feed readers: events as Atom 1.0 (RFC 4287), one entry each, the same for ever.
//!
//! An entry is known by the key of its event, so a reader that saw it does not see it again, whichever feed it comes
//! in and wherever the server moved to. Titles, tags and error messages are written by strangers: all text is escaped
//! by what it becomes, HTML first and XML around it, and only addresses of the web become links.

mod content;
mod xml;

use driftline::event::Event;
use driftline::time::Time;

use crate::summary::safe::is_web;
use xml::Xml;

/// No title is longer, in letters.
const LONGEST_TITLE: usize = 300;

/// A feed.
#[derive(Debug, Clone, Copy)]
pub struct Feed<'a> {
    /// Its name for ever, an IRI.
    pub id: &'a str,
    /// What people call it.
    pub title: &'a str,
    /// Where it is.
    pub url: &'a str,
    /// What happened, the latest first.
    pub events: &'a [Event],
}

/// When something was found last; the beginning of 1970 if nothing was.
fn updated(events: &[Event]) -> Time {
    events.iter().map(|event| event.at).max().unwrap_or_default()
}

/// The feed as Atom. The same events give the same bytes.
///
/// ```
/// use driftline_report::atom::{Feed, write};
///
/// let feed = Feed { id: "urn:driftline:feed:all", title: "driftline", url: "http://127.0.0.1/all.atom", events: &[] };
/// assert!(write(&feed).starts_with("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed"));
/// ```
#[must_use]
pub fn write(feed: &Feed<'_>) -> String {
    let mut xml = Xml::new();
    xml.open("feed", &[("xmlns", "http://www.w3.org/2005/Atom")]);
    xml.leaf("id", &[], feed.id);
    xml.leaf("title", &[("type", "text")], feed.title);
    xml.leaf("updated", &[], &updated(feed.events).to_string());
    xml.empty("link", &[("rel", "self"), ("type", "application/atom+xml"), ("href", feed.url)]);
    xml.open("author", &[]);
    xml.leaf("name", &[], "driftline");
    xml.close("author");
    xml.leaf("generator", &[], "driftline");
    for event in feed.events {
        entry(&mut xml, event);
    }
    xml.close("feed");
    xml.text
}

fn entry(xml: &mut Xml, event: &Event) {
    let time = event.at.to_string();
    xml.open("entry", &[]);
    xml.leaf("id", &[], &format!("urn:driftline:event:{}", event.key));
    xml.leaf("title", &[("type", "text")], &title(event));
    xml.leaf("published", &[], &time);
    xml.leaf("updated", &[], &time);
    if is_web(&event.url) {
        xml.empty("link", &[("rel", "alternate"), ("href", &event.url)]);
    }
    xml.empty("category", &[("scheme", "urn:driftline:kind"), ("term", event.kind.name())]);
    for tag in &event.tags {
        xml.empty("category", &[("scheme", "urn:driftline:tag"), ("term", tag)]);
    }
    xml.leaf("summary", &[("type", "text")], &event.summary);
    xml.leaf("content", &[("type", "html")], &content::html(event));
    xml.close("entry");
}

fn title(event: &Event) -> String {
    let whole = match (event.name.trim(), event.summary.trim()) {
        (name, "") => name.to_owned(),
        ("", summary) => summary.to_owned(),
        (name, summary) => format!("{name}: {summary}"),
    };
    match whole.char_indices().nth(LONGEST_TITLE) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole,
    }
}

#[cfg(test)]
mod tests;
