//! What is a captured version? A feed if it looks like one, else a page.

use std::borrow::Cow;

use driftline::feed::{self, Feed};
use driftline::page::{BodyKind, Page, ReadOptions, Source, charset};

/// A version as analysis reads it.
#[derive(Debug)]
pub(super) enum Version {
    Page(Box<Page>),
    Feed(Feed),
}

impl Version {
    /// Reads what was captured.
    pub(super) fn read(source: Source<'_>, read_options: &ReadOptions) -> Self {
        if may_be_feed(source.content_type) && looks_like_feed(source, read_options) {
            return Self::Feed(Feed::read(source, read_options));
        }
        Self::Page(Box::new(Page::read(source, read_options)))
    }

    /// The version as a page; of a feed, its items one after the other.
    pub(super) fn page(&self, read_options: &ReadOptions) -> Cow<'_, Page> {
        match self {
            Self::Page(page) => Cow::Borrowed(page),
            Self::Feed(feed) => Cow::Owned(feed.page(read_options)),
        }
    }
}

/// Feeds are XML or JSON; some servers say nothing at all.
fn may_be_feed(content_type: Option<&str>) -> bool {
    let kind = content_type.map(BodyKind::from_content_type);
    matches!(kind, None | Some(Some(BodyKind::Xml | BodyKind::Json)))
}

fn looks_like_feed(source: Source<'_>, read_options: &ReadOptions) -> bool {
    let bytes = &source.bytes[..source.bytes.len().min(read_options.limits.bytes)];
    let decoded = match read_options.charset {
        Some(charset) => charset.decode(bytes),
        None => charset::decode(bytes, source.content_type),
    };
    feed::is_feed(&decoded.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_feed(content_type: Option<&str>, body: &str) -> bool {
        let source = Source { bytes: body.as_bytes(), content_type, url: None };
        matches!(Version::read(source, &ReadOptions::default()), Version::Feed(_))
    }

    #[test]
    fn a_feed_is_known_by_its_looks_unless_it_is_served_as_something_else() {
        let rss = "<rss><channel><item><title>Rain</title></item></channel></rss>";
        assert!(is_feed(Some("application/rss+xml; charset=utf-8"), rss));
        assert!(is_feed(Some("text/xml"), rss));
        assert!(is_feed(None, rss));
        assert!(!is_feed(Some("text/html"), rss));
        assert!(!is_feed(Some("application/xml"), "<urlset><url/></urlset>"));
        assert!(is_feed(Some("application/json"), r#"{"version": "https://jsonfeed.org/version/1.1", "items": []}"#));
    }
}
