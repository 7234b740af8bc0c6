//! The kind of watch that fits what an address answers: a feed, a sitemap, a list of feeds, or a page.

use driftline::feed::Feed;
use driftline::page::{BodyKind, LinkKind, Page, ReadOptions, Source};
use driftline_archive::derive::is_readable;

use super::Kind;
use super::lists::{opml, sitemap};

/// Below this many words, a page with scripts says nothing without them.
const FEW_WORDS: usize = 20;

/// At most this many feeds of a page are looked at.
const MOST_FEEDS: usize = 5;

/// What an address answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A feed with this many items.
    Feed(usize),
    /// A sitemap, or an index of sitemaps.
    Sitemap {
        /// How many pages it names itself.
        pages: usize,
        /// How many other sitemaps it names.
        lists: usize,
    },
    /// An OPML list with this many feeds.
    Opml(usize),
    /// JSON.
    Json {
        /// One of its paths, such as `product.price`; empty if it has none.
        path: String,
    },
    /// HTML with scripts, and with hardly any words of its own.
    Scripts {
        /// How many words it has without them.
        words: usize,
    },
    /// Any other page.
    Page {
        /// The feeds that it announces.
        feeds: Vec<String>,
    },
    /// No text.
    File,
}

impl Content {
    /// What an answer is.
    #[must_use]
    pub fn of(source: Source<'_>) -> Self {
        let read_options = ReadOptions::default();
        let feed = Feed::read(source, &read_options);
        if feed.format.is_some() {
            return Self::Feed(feed.items.len());
        }
        if let Ok(listed) = opml::parse(source.bytes) {
            return Self::Opml(listed.members.len());
        }
        if let (true, Ok(listed)) = (may_be_sitemap(source.bytes), sitemap::parse(source.bytes)) {
            return Self::Sitemap { pages: listed.members.len(), lists: listed.lists.len() };
        }
        if !is_readable(&source) {
            return Self::File;
        }
        let page = Page::read(source, &read_options);
        match page.kind() {
            BodyKind::Json => Self::Json { path: page.words().next().unwrap_or_default().to_owned() },
            BodyKind::Html if has_scripts(&page) && own_words(&page) < FEW_WORDS => {
                Self::Scripts { words: own_words(&page) }
            }
            _ => Self::Page { feeds: announced_feeds(&page) },
        }
    }

    /// The kind of watch that fits it.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Feed(_) => Kind::Feed,
            Self::Sitemap { .. } => Kind::Sitemap,
            Self::Opml(_) => Kind::Opml,
            Self::Json { .. } | Self::Scripts { .. } | Self::Page { .. } | Self::File => Kind::Page,
        }
    }
}

/// The addresses of the first feeds that a page announces by `link rel=alternate`, each once.
pub(crate) fn announced_feeds(page: &Page) -> Vec<String> {
    let mut feeds: Vec<String> = Vec::new();
    for link in page.links().filter(|link| link.kind == LinkKind::Feed) {
        if feeds.len() < MOST_FEEDS && !feeds.contains(&link.url) && super::address::address(&link.url).is_ok() {
            feeds.push(link.url);
        }
    }
    feeds
}

/// Whether bytes begin like XML or gzip. A plain list of addresses is a page, unless someone says that it is a sitemap.
fn may_be_sitemap(bytes: &[u8]) -> bool {
    let start = bytes.iter().find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
    start == Some(&b'<') || bytes.starts_with(&[0x1f, 0x8b])
}

fn has_scripts(page: &Page) -> bool {
    page.node_ids().any(|node| page.tag(node) == "script")
}

/// The words that a reader sees without scripts; `noscript` only asks for them.
fn own_words(page: &Page) -> usize {
    let asking = page.node_ids().filter(|&node| page.tag(node) == "noscript");
    let asking: usize = asking.map(|node| page.text_of(node).split_whitespace().count()).sum();
    page.word_count().saturating_sub(asking)
}

#[cfg(test)]
mod tests {
    use super::{Content, Kind, Source};

    fn of(text: &str, content_type: &str) -> Content {
        Content::of(Source {
            bytes: text.as_bytes(),
            content_type: Some(content_type),
            url: Some("https://example.org/a/"),
        })
    }

    #[test]
    fn feeds_and_lists_are_recognised_whatever_the_server_calls_them() {
        let rss = "<rss version='2.0'><channel><title>A</title><item><title>B</title></item></channel></rss>";
        for content_type in ["application/rss+xml", "text/xml", "text/html", "text/plain"] {
            assert_eq!(of(rss, content_type), Content::Feed(1), "{content_type}");
        }
        let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"A","items":[{"id":"1"},{"id":"2"}]}"#;
        assert_eq!(of(json, "application/json"), Content::Feed(2));
        let urls = "<?xml version='1.0'?><urlset><url><loc>https://example.org/b</loc></url></urlset>";
        assert_eq!(of(urls, "application/xml"), Content::Sitemap { pages: 1, lists: 0 });
        let index = "<sitemapindex><sitemap><loc>https://example.org/1.xml</loc></sitemap></sitemapindex>";
        assert_eq!(of(index, "application/xml"), Content::Sitemap { pages: 0, lists: 1 });
        let opml = "<opml><body><outline text='A' xmlUrl='https://example.org/feed'/></body></opml>";
        assert_eq!(of(opml, "text/x-opml"), Content::Opml(1));
        assert_eq!(of("https://example.org/a\nhttps://example.org/b\n", "text/plain").kind(), Kind::Page);
    }

    #[test]
    fn json_is_named_with_one_of_its_paths() {
        let json = of(r#"{"product": {"price": 19.5}}"#, "application/json");
        assert_eq!(json, Content::Json { path: "product.price".to_owned() });
        assert_eq!(json.kind(), Kind::Page);
    }

    #[test]
    fn a_page_that_only_scripts_fill_is_told_from_one_with_words() {
        let app = "<!doctype html><title>Shop</title><body><noscript>You need to enable JavaScript to run this app.</noscript>\
                   <div id=root>Loading</div><script src=/app.js></script>";
        assert_eq!(of(app, "text/html"), Content::Scripts { words: 1 });
        assert_eq!(of("<p>It works", "text/html"), Content::Page { feeds: Vec::new() }, "short, but without scripts");
        let long = format!("<p>{}<script>track()</script>", "word ".repeat(30));
        assert_eq!(of(&long, "text/html"), Content::Page { feeds: Vec::new() });
    }

    #[test]
    fn feeds_that_a_page_announces_are_named_once() {
        let page = "<link rel=alternate type=application/rss+xml href=../feed><p>News\
                    <link rel=alternate type=application/rss+xml href=/feed>\
                    <link rel=alternate type=application/atom+xml href=/atom><link rel=alternate hreflang=de href=/de>";
        let feeds = ["https://example.org/feed", "https://example.org/atom"].map(str::to_owned).to_vec();
        assert_eq!(of(page, "text/html"), Content::Page { feeds });
        assert_eq!(of("\u{0}PNG", "image/png"), Content::File);
    }
}
