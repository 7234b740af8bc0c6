//! The records of a WAT file: metadata of each record of a WARC file, as JSON, with status, headers and links.
//!
//! Common Crawl and the Internet Archive give them out in place of the pages: a tenth of the bytes, and no HTML to be
//! parsed. Addresses stand there as in the HTML, relative and at times with its references (`&amp;`).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::answer::{self, Answer, last_modified};
use super::records::{PageTimes, is_web};
use super::{Extracted, LinkedPage, skip_reason};
use crate::warc::Record;

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "Envelope")]
    envelope: Envelope,
}

/// What programs write here differs, so members are taken as they are: one that is odd says nothing, and no more.
#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "WARC-Header-Metadata", default)]
    warc: Value,
    #[serde(rename = "ARC-Header-Metadata", default)]
    arc: Value,
    #[serde(rename = "Payload-Metadata", default)]
    payload: Option<Payload>,
}

#[derive(Deserialize)]
struct Payload {
    #[serde(rename = "HTTP-Response-Metadata")]
    response: Option<Response>,
}

#[derive(Deserialize)]
struct Response {
    #[serde(rename = "Response-Message", default)]
    message: Value,
    #[serde(rename = "Headers", default)]
    headers: Value,
    #[serde(rename = "HTML-Metadata", default)]
    html: Value,
}

/// A link that says where it leads and what it is.
struct Link<'a> {
    path: &'a str,
    url: &'a str,
    rel: &'a str,
}

/// `&#x10FFFF;` and zeros before it.
const LONGEST_REFERENCE: usize = 12;

/// Is this record metadata of another one, in JSON?
pub(super) fn is_meant(record: &Record) -> bool {
    record.content_type().is_some_and(|own| own.trim_start().starts_with("application/json"))
}

/// What the metadata of a record say; none if they are about no answer.
pub(super) fn found(json: &[u8]) -> Option<Extracted> {
    match serde_json::from_slice::<Metadata>(json) {
        Ok(metadata) => metadata.envelope.found(),
        Err(_) => Some(Extracted::Skipped(skip_reason::BAD_METADATA)),
    }
}

impl Envelope {
    fn found(&self) -> Option<Extracted> {
        let named = |name: &str| text(&self.warc, name).or_else(|| text(&self.arc, name.trim_start_matches("WARC-")));
        let url = named("WARC-Target-URI").filter(|url| is_web(url))?;
        let fetched = named("WARC-Date").and_then(|date| date.parse().ok());
        let is_revisit = match text(&self.warc, "WARC-Type") {
            Some("response") | None => false,
            Some("revisit") => true,
            Some(_) => return None,
        };
        let Some(response) = self.payload.as_ref().and_then(|payload| payload.response.as_ref()) else {
            return is_revisit.then(|| PageTimes { fetched, last_modified: None }.without_body(url));
        };
        let last_modified = last_modified(text(&response.headers, "Last-Modified"));
        let times = PageTimes { fetched, last_modified };
        Some(if is_revisit { times.without_body(url) } else { response.found(url, &times) })
    }
}

impl Response {
    fn found(&self, url: &str, times: &PageTimes) -> Extracted {
        let status = text(&self.message, "Status").and_then(|status| status.trim().parse::<u16>().ok());
        match answer::classify(url, status.unwrap_or(0), |name| text(&self.headers, name)) {
            Answer::Page => self.page(url, times),
            Answer::Unchanged => times.without_body(url),
            Answer::Redirect(to) => Extracted::Redirect { from: url.to_owned(), to },
            Answer::Skipped(reason) => Extracted::Skipped(reason),
        }
    }

    fn page(&self, url: &str, times: &PageTimes) -> Extracted {
        let own = Url::parse(url).ok();
        let declared = self.html["Head"]["Base"].as_str().map(unescaped);
        let base = match (declared, own) {
            (Some(declared), Some(own)) => own.join(&declared).ok().or(Some(own)),
            (_, own) => own,
        };
        let resolve =
            |link: Link<'_>| Some(String::from(base.as_ref()?.join(unescaped(link.url.trim()).as_ref()).ok()?));
        let lists = [&self.html["Links"], &self.html["Head"]["Link"]];
        let links = lists.into_iter().filter_map(Value::as_array).flatten().map(Link::of).filter(Link::is_wanted);
        Extracted::Page(Box::new(LinkedPage {
            url: url.to_owned(),
            fetched: times.fetched,
            last_modified: times.last_modified,
            sketch: None,
            links: links.filter_map(resolve).filter(|link| is_web(link)).collect(),
            lacks: None,
        }))
    }
}

impl<'a> Link<'a> {
    fn of(members: &'a Value) -> Self {
        let text = |name| members[name].as_str().unwrap_or_default();
        Self { path: text("path"), url: text("url"), rel: text("rel") }
    }

    /// Anchors, areas, frames and the preferred address.
    fn is_wanted(&self) -> bool {
        let is_one_of = |paths: &[&str]| paths.iter().any(|path| self.path.eq_ignore_ascii_case(path));
        let is_canonical = || self.rel.split_ascii_whitespace().any(|own| own.eq_ignore_ascii_case("canonical"));
        !self.url.trim().is_empty()
            && (is_one_of(&["A@/href", "AREA@/href", "FRAME@/src", "IFRAME@/src"])
                || is_one_of(&["LINK@/href"]) && is_canonical())
    }
}

/// A member by its name, be it a list of which the first counts.
fn text<'a>(members: &'a Value, name: &str) -> Option<&'a str> {
    let value = members.as_object()?.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)?;
    match value {
        Value::String(text) => Some(text),
        Value::Array(list) => list.first().and_then(Value::as_str),
        _ => None,
    }
}

/// Without the character references of HTML.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.bytes().take(LONGEST_REFERENCE).position(|byte| byte == b';');
        let reference = end.and_then(|end| Some((character(&rest[1..end])?, end + 1)));
        let (character, length) = reference.unwrap_or(('&', 1));
        plain.push(character);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The character that a reference names.
fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let hexadecimal = number.strip_prefix(['x', 'X']).map(|digits| u32::from_str_radix(digits, 16));
            char::from_u32(hexadecimal.unwrap_or_else(|| number.parse()).ok()?)
        }
    }
}
