//! Which answers of a crawl are pages? The same for archives, their metadata and tables made from either.
//!
//! A crawl holds far more than pages: pictures, scripts, robots.txt, answers that failed. Pages in the sense of the
//! paper are what a reader reads: an answer of the 200s that is HTML, plain text or XML such as a feed.

use super::crawl::SkipReason;
use crate::page::BodyKind;

/// What an answer is, as far as its head tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Answer {
    /// A page.
    Page,
    /// A page that is as it was when it was asked for before: it was crawled now too.
    Unchanged,
    /// What was asked for is elsewhere.
    Redirect,
    /// It failed.
    Error,
    /// It succeeded and is no page: a picture, a script, data.
    NoPage,
    /// A status that servers do not end with.
    Other,
}

impl Answer {
    /// What the answer to a request for an address is; without a type it may be a page, and its body tells.
    #[must_use]
    pub fn of(url: &str, status: u16, content_type: Option<&str>) -> Self {
        match status {
            200..300 if is_read(url, content_type) => Self::Page,
            200..300 => Self::NoPage,
            304 => Self::Unchanged,
            300..400 => Self::Redirect,
            400..600 => Self::Error,
            _ => Self::Other,
        }
    }

    /// Why it does not count: none for a page, and for a redirect, which counts if it leads somewhere.
    #[must_use]
    pub fn skip_reason(self) -> Option<SkipReason> {
        match self {
            Self::Page | Self::Unchanged | Self::Redirect => None,
            Self::NoPage => Some(SkipReason::NOT_A_PAGE),
            // Tables do not tell the two apart.
            Self::Error | Self::Other => Some(SkipReason::ERROR),
        }
    }
}

/// Does a reader read it? HTML, plain text, and XML that is no picture; not what programs read, such as JSON.
#[must_use]
pub fn is_read(url: &str, content_type: Option<&str>) -> bool {
    content_type.is_none_or(is_text) && !is_for_robots(url)
}

/// A type without a name (`; charset=utf-8`) says nothing.
fn is_text(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let is_picture = essence.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("image/"));
    let kind = BodyKind::from_content_type(essence);
    essence.is_empty() || matches!(kind, Some(BodyKind::Html | BodyKind::Text | BodyKind::Xml)) && !is_picture
}

/// Every crawler asks every host for it, and no reader does.
fn is_for_robots(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split_once('/').is_some_and(|(_, path)| path.split(['?', '#']).next() == Some("robots.txt"))
}

#[cfg(test)]
mod tests {
    use super::{Answer, SkipReason};

    fn of(status: u16, content_type: &str) -> Answer {
        Answer::of("https://a.org/", status, Some(content_type))
    }

    #[test]
    fn success_that_is_text_is_a_page() {
        for content_type in ["text/html; charset=utf-8", "TEXT/PLAIN", "application/xhtml+xml", "application/rss+xml"] {
            assert_eq!([200, 203, 206, 299].map(|status| of(status, content_type)), [Answer::Page; 4]);
        }
        for content_type in ["image/svg+xml", " IMAGE/png", "application/json", "application/pdf", "?"] {
            assert_eq!([of(200, content_type), of(203, content_type)], [Answer::NoPage; 2]);
        }
        assert_eq!([Answer::of("https://a.org/", 200, None), of(200, " ; charset=utf-8")], [Answer::Page; 2]);
    }

    #[test]
    fn other_statuses_say_what_an_answer_is() {
        assert_eq!(of(304, "image/png"), Answer::Unchanged);
        assert_eq!([300, 301, 308, 399].map(|status| of(status, "text/html")), [Answer::Redirect; 4]);
        assert_eq!([400, 404, 599].map(|status| of(status, "text/html")), [Answer::Error; 3]);
        assert_eq!([0, 100, 199, 600, 999].map(|status| of(status, "text/html")), [Answer::Other; 5]);
    }

    #[test]
    fn what_is_neither_a_page_nor_a_redirect_says_why_and_lacks_nothing() {
        let reasons = [of(200, "image/png"), of(404, "text/html"), of(0, "text/html")].map(Answer::skip_reason);
        assert_eq!(reasons, [SkipReason::NOT_A_PAGE, SkipReason::ERROR, SkipReason::ERROR].map(Some));
        assert!(reasons.iter().flatten().all(|reason| reason.is_ordinary()));
        assert_eq!([of(200, "text/html"), of(304, ""), of(301, "")].map(Answer::skip_reason), [None; 3]);
    }

    #[test]
    fn what_robots_are_told_is_no_page() {
        let of = |url| Answer::of(url, 200, Some("text/plain"));
        assert_eq!(["https://a.org/robots.txt", "http://a.org:80/robots.txt?x#y"].map(of), [Answer::NoPage; 2]);
        assert_eq!(["https://a.org/b/robots.txt", "https://a.org/?/robots.txt"].map(of), [Answer::Page; 2]);
    }
}
