//! How do bytes become a feed? By a library if it is well formed, else as far as it makes sense.
//!
//! feed-rs reads well-formed feeds of all formats, and knows their habits: bases of addresses,
//! XHTML, dates. It gives up at the first error, though, and leaves out without a word what it does
//! not expect: RSS 1.0 items without a link, text after a tag in a description, all of a feed without
//! a version. So every feed is also read leniently ([`xml`], [`json`]): the library's answer is
//! taken if it has as many items, and what it left out is filled in; else the lenient one stands,
//! and the feed is called broken. A feed beyond a limit is kept from the library, which has none.

use feed_rs::model;
use feed_rs::parser::Builder;

use super::{Feed, FeedFormat, Item, json, xml};
use crate::limit::Limit;
use crate::page::charset::{self, Decoded};
use crate::page::{Limits, ReadOptions, Source};

impl Feed {
    /// The most items that are read. Feeds of whole archives have some thousands.
    pub const MOST_ITEMS: usize = 10_000;

    /// Reads a feed. Anything is a feed, if only one without items: broken XML, a web page, nothing.
    ///
    /// Of the options, the charset and the limits count.
    #[must_use]
    pub fn read<'a>(source: impl Into<Source<'a>>, options: &ReadOptions) -> Self {
        let source = source.into();
        let most = options.limits.bytes.min(Limits::MOST_BYTES);
        let bytes = &source.bytes[..source.bytes.len().min(most)];
        let Decoded { text, .. } = match options.charset {
            Some(charset) => charset.decode(bytes),
            None => charset::decode(bytes, source.content_type),
        };
        let mut feed = read(&text, &options.limits);
        feed.is_broken |= feed.format.is_some() && bytes.len() < source.bytes.len();
        feed.limits.extend((bytes.len() < source.bytes.len()).then_some(Limit::Bytes));
        if feed.items.len() > Self::MOST_ITEMS {
            feed.items.truncate(Self::MOST_ITEMS);
            feed.limits.push(Limit::Items);
        }
        feed.limits.sort_unstable();
        feed.limits.dedup();
        feed
    }
}

/// Is this text a feed? RSS, RDF with items, or Atom by its root element, JSON Feed by its version.
#[must_use]
pub fn is_feed(text: &str) -> bool {
    json::is_feed(text) || xml::root(text).is_some()
}

fn read(text: &str, limits: &Limits) -> Feed {
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return match json::read(text) {
            Some((lenient, clean)) => settle(lenient, clean.as_deref()),
            None => Feed::default(),
        };
    }
    let Some(root) = xml::root(text) else {
        return Feed::default();
    };
    // What stands before the root is not needed, and may be wrong: the charset, for one.
    let body = &text[root.start..];
    let (lenient, is_tame) = xml::read(body, root.format, limits);
    settle(lenient, is_tame.then_some(body.as_bytes()))
}

/// The library's answer, if it may have the `body` and lost no item, with all that the lenient one has
/// more.
fn settle(lenient: Feed, body: Option<&[u8]>) -> Feed {
    let Some(body) = body else {
        return lenient;
    };
    let Some(parsed) = parse(body).filter(|parsed| parsed.entries.len() == lenient.items.len()) else {
        return Feed { is_broken: true, ..lenient };
    };
    let items = parsed.entries.into_iter().zip(lenient.items).map(|(entry, lenient)| fill(item(entry), lenient));
    Feed {
        format: lenient.format,
        title: fuller(text(parsed.title), lenient.title),
        link: link(&parsed.links).or(lenient.link),
        items: items.collect(),
        is_broken: lenient.is_broken,
        limits: lenient.limits,
    }
}

/// By the library. Its generated ids would be random, and it has nothing to sanitise with.
fn parse(body: &[u8]) -> Option<model::Feed> {
    let parser = Builder::new().id_generator(|_, _, _| String::new()).sanitize_content(false).build();
    parser.parse(body).ok()
}

fn item(entry: model::Entry) -> Item {
    Item {
        guid: Some(entry.id).filter(|id| !id.is_empty()),
        link: link(&entry.links),
        title: text(entry.title),
        summary: text(entry.summary),
        content: entry.content.and_then(|content| content.body).unwrap_or_default(),
        published: entry.published.or(entry.updated).map(|time| time.to_rfc3339()),
    }
}

fn text(text: Option<model::Text>) -> String {
    text.map(|text| text.content).unwrap_or_default()
}

/// The address of the page, not of the comments, an enclosure or the feed itself.
fn link(links: &[model::Link]) -> Option<String> {
    let is_page = |link: &&model::Link| {
        link.target.is_none() && link.rel.as_deref().is_none_or(|rel| rel == "alternate") && !link.href.is_empty()
    };
    links.iter().find(is_page).map(|link| link.href.trim().to_owned())
}

fn fill(item: Item, lenient: Item) -> Item {
    Item {
        guid: item.guid.or(lenient.guid),
        link: item.link.or(lenient.link),
        title: fuller(item.title, lenient.title),
        summary: fuller(item.summary, lenient.summary),
        content: fuller(item.content, lenient.content),
        published: item.published.or(lenient.published),
    }
}

/// What says more, white space apart: the library stops at the first tag inside a text.
fn fuller(parsed: String, lenient: String) -> String {
    let says = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    if says(&lenient) > says(&parsed) { lenient } else { parsed }
}

/// Where the root element of a feed begins, and which format it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) start: usize,
    pub(super) format: FeedFormat,
}
