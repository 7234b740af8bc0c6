//! What does a visitor get? A page as it is now, or "not modified", or trouble.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::story::{self, State, Trouble};
use crate::{date, feed, page};

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) path: &'a str,
    pub(crate) if_none_match: Option<&'a str>,
    pub(crate) if_modified_since: Option<&'a str>,
    /// How often this path was asked for before, in all and in this step.
    pub(crate) visits: (usize, usize),
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    media_type: &'static str,
    body: String,
    /// `ETag` and `Last-Modified`, of what can be asked for again.
    validators: Option<(String, String)>,
}

struct Content {
    body: String,
    media_type: &'static str,
    is_restless: bool,
}

/// The answer; none if the connection is closed without one.
pub(crate) fn answer(step: usize, asked: &Asked<'_>, origin: &str) -> Option<Answer> {
    let state = story::state(step);
    match state.trouble {
        Trouble::Silent => return None,
        Trouble::Busy => return Some(Answer::plain(503, "The server has too much to do.")),
        Trouble::Once if asked.visits.1 == 0 => return Some(Answer::plain(503, "One moment.")),
        Trouble::Once | Trouble::None => {}
    }
    let Some(content) = content(state, asked.path, asked.visits.0, origin) else {
        return Some(Answer::plain(404, "There is no such page on this island."));
    };
    let Content { body, media_type, is_restless } = content;
    if is_restless {
        return Some(Answer { status: 200, media_type, body, validators: None });
    }
    let validators = (etag(&body), date::http(changed(step, asked.path, &body, origin)));
    let is_same = match (asked.if_none_match, asked.if_modified_since) {
        (Some(etag), _) => etag == validators.0,
        (None, Some(date)) => date == validators.1,
        (None, None) => false,
    };
    let (status, body) = if is_same { (304, String::new()) } else { (200, body) };
    Some(Answer { status, media_type, body, validators: Some(validators) })
}

fn content(state: State, path: &str, visit: usize, origin: &str) -> Option<Content> {
    let plain = |body, media_type| Some(Content { body, media_type, is_restless: false });
    match path {
        "/robots.txt" => plain(feed::ROBOTS.to_owned(), "text/plain"),
        "/feed.atom" => plain(feed::atom(state, origin), "application/atom+xml"),
        "/sitemap.xml" => plain(feed::sitemap(state, origin), "application/xml"),
        _ => {
            let page = page::pages(state).find(|page| page.path == path)?;
            let body = page.html(state, visit);
            Some(Content { body, media_type: "text/html; charset=utf-8", is_restless: page.is_restless(state) })
        }
    }
}

/// Since which step it is as it is now.
fn changed(step: usize, path: &str, body: &str, origin: &str) -> usize {
    let was_other = |step: &usize| {
        content(story::state(*step), path, 0, origin).is_none_or(|content| content.is_restless || content.body != body)
    };
    (0..step).rev().find(was_other).map_or(0, |step| step + 1)
}

fn etag(body: &str) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}

impl Answer {
    fn plain(status: u16, body: &str) -> Self {
        Self { status, media_type: "text/plain; charset=utf-8", body: body.to_owned(), validators: None }
    }

    /// As it is sent.
    pub(crate) fn bytes(&self, is_head: bool) -> Vec<u8> {
        let reason = match self.status {
            200 => "OK",
            304 => "Not Modified",
            404 => "Not Found",
            _ => "Service Unavailable",
        };
        let mut head = format!("HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\n", self.status, self.media_type);
        match &self.validators {
            Some((etag, date)) => head += &format!("ETag: {etag}\r\nLast-Modified: {date}\r\n"),
            None => head += "Cache-Control: no-store\r\n",
        }
        if self.status != 304 {
            head += &format!("Content-Length: {}\r\n", self.body.len());
        }
        let body = if is_head { "" } else { &self.body };
        [head.as_str(), "\r\n", body].concat().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str) -> Asked<'_> {
        Asked { path, if_none_match: None, if_modified_since: None, visits: (0, 1) }
    }

    fn at(name: &str) -> usize {
        story::step(name).unwrap()
    }

    #[test]
    fn an_unchanged_page_costs_a_304_by_either_validator() {
        let first = answer(0, &asked("/prices"), "").unwrap();
        let (etag, date) = first.validators.clone().unwrap();
        let by_etag = Asked { if_none_match: Some(&etag), ..asked("/prices") };
        let by_date = Asked { if_modified_since: Some(&date), ..asked("/prices") };
        for again in [by_etag, by_date] {
            assert_eq!(answer(at("quiet"), &again, "").unwrap().status, 304);
            assert_eq!(answer(at("price"), &again, "").unwrap().status, 200);
        }
        assert!(String::from_utf8(first.bytes(false)).unwrap().contains("Last-Modified: Mon, 02 Mar 2026"));
    }

    #[test]
    fn a_page_that_returns_is_the_same_but_of_another_day() {
        let (first, back) =
            (answer(0, &asked("/prices"), "").unwrap(), answer(at("return"), &asked("/prices"), "").unwrap());
        let ((etag, date), (etag_back, date_back)) = (first.validators.unwrap(), back.validators.unwrap());
        assert_eq!(etag, etag_back);
        assert_ne!(date, date_back);
    }

    #[test]
    fn trouble_is_as_the_story_tells() {
        assert_eq!(answer(at("busy"), &asked("/"), "").unwrap().status, 503);
        assert_eq!(answer(at("silence"), &asked("/"), ""), None);
        assert_eq!(answer(at("gone"), &asked("/people"), "").unwrap().status, 404);
        let first = Asked { visits: (9, 0), ..asked("/") };
        assert_eq!(answer(at("hiccup"), &first, "").unwrap().status, 503);
        assert_eq!(answer(at("hiccup"), &asked("/"), "").unwrap().status, 200);
    }
}
