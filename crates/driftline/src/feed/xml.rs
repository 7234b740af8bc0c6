//! How is a broken feed read? As a page of XML: xml5ever makes a tree of anything, and items are
//! looked for in it by name, wherever they stand.

use super::read::Root;
use super::{Feed, FeedFormat, Item};
use crate::page::{BodyKind, Limits, NodeId, Page, ReadOptions, WordRule};

/// The longest `xml:base` with which the library is trusted: it copies the address for every element.
const LONGEST_BASE: usize = 2048;

/// Finds the root element of a feed: behind comments, declarations and rubbish.
pub(super) fn root(text: &str) -> Option<Root> {
    let mut at = 0;
    loop {
        let start = at + text[at..].find('<')?;
        let rest = &text[start..];
        let skipped = if rest.starts_with("<?") {
            behind(rest, "?>")
        } else if rest.starts_with("<!--") {
            behind(rest, "-->")
        } else if rest.starts_with("<!") {
            behind(rest, doctype_end(rest))
        } else if rest[1..].starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            return format(rest).map(|format| Root { start, format });
        } else {
            Some(1)
        };
        at = start + skipped?;
    }
}

fn behind(text: &str, end: &str) -> Option<usize> {
    text.find(end).map(|at| at + end.len())
}

/// A document type may hold declarations in brackets.
fn doctype_end(text: &str) -> &'static str {
    let is_bracketed = text.find(['[', '>']).is_some_and(|at| text.as_bytes()[at] == b'[');
    if is_bracketed { "]>" } else { ">" }
}

/// The format that a start tag shows.
fn format(text: &str) -> Option<FeedFormat> {
    let tag = &text[1..text.find('>').unwrap_or(text.len())];
    let name = tag.split(|end: char| end.is_whitespace() || end == '/').next()?;
    let local = name.rsplit(':').next()?;
    let is_rss = || ["purl.org/rss/", "purl.org/net/rss", "netscape.com/rdf/simple"].iter().any(|ns| tag.contains(ns));
    match local.to_ascii_lowercase().as_str() {
        "rss" => Some(FeedFormat::Rss),
        "feed" => Some(FeedFormat::Atom),
        "rdf" if is_rss() => Some(FeedFormat::Rdf),
        _ => None,
    }
}

/// Reads a feed from its root element on; may the library read it too?
pub(super) fn read(body: &str, format: FeedFormat, limits: &Limits) -> (Feed, bool) {
    let options = ReadOptions {
        kind: Some(BodyKind::Xml),
        words: WordRule::Whitespace,
        limits: Limits { bytes: Limits::MOST_BYTES, ..*limits },
        ..ReadOptions::default()
    };
    let page = Page::read(body, &options);
    let mut feed = Feed { format: Some(format), limits: page.limits().to_vec(), ..Feed::default() };
    let mut next = 0;
    while let Some(node) = page.nodes().get(next) {
        let id = NodeId(next as u32);
        next += 1;
        match page.tag(id) {
            // One more than allowed, so that the cut is noticed.
            "item" | "entry" if feed.items.len() <= Feed::MOST_ITEMS => {
                feed.items.push(item(&page, id));
                next = node.last.index() + 1;
            }
            "title" if feed.title.is_empty() && stands_at_top(&page, id) => {
                page.text_of(id).clone_into(&mut feed.title);
            }
            "link" if feed.link.is_none() && stands_at_top(&page, id) => feed.link = link(&page, id),
            _ => {}
        }
    }
    let is_tame = feed.limits.is_empty() && feed.items.len() <= Feed::MOST_ITEMS && has_short_bases(&page);
    (feed, is_tame)
}

/// Is it a child of the feed or of its channel, not of an image?
fn stands_at_top(page: &Page, id: NodeId) -> bool {
    let parent = page.nodes()[id.index()].parent;
    parent.is_some_and(|parent| matches!(page.tag(parent), "channel" | "feed"))
}

fn has_short_bases(page: &Page) -> bool {
    let is_short = |(name, value): (&str, &str)| name != "base" || value.len() <= LONGEST_BASE;
    page.node_ids().all(|id| page.attributes(id).all(is_short))
}

/// The fields of an item, by the first child of the right name that says anything.
fn item(page: &Page, id: NodeId) -> Item {
    let mut item = Item::default();
    let (mut description, mut summary) = (String::new(), String::new());
    let (mut content, mut encoded) = (String::new(), String::new());
    let mut updated = None;
    for child in page.children(id) {
        let text = || page.text_of(child).trim();
        match page.tag(child) {
            "title" => set(&mut item.title, text()),
            "description" => set(&mut description, text()),
            "summary" => set(&mut summary, text()),
            "content" => set(&mut content, text()),
            "encoded" => set(&mut encoded, text()),
            "guid" | "id" => set_option(&mut item.guid, text()),
            "link" if item.link.is_none() => item.link = link(page, child),
            "pubDate" | "published" | "date" | "issued" => set_option(&mut item.published, text()),
            "updated" | "modified" => set_option(&mut updated, text()),
            _ => {}
        }
    }
    item.summary = if description.is_empty() { summary } else { description };
    item.content = if content.is_empty() { encoded } else { content };
    item.published = item.published.or(updated);
    item
}

fn set(field: &mut String, text: &str) {
    if field.is_empty() {
        text.clone_into(field);
    }
}

fn set_option(field: &mut Option<String>, text: &str) {
    if field.is_none() && !text.is_empty() {
        *field = Some(text.to_owned());
    }
}

/// RSS writes the address as text, Atom as an attribute.
fn link(page: &Page, id: NodeId) -> Option<String> {
    let is_page = page.attribute(id, "rel").is_none_or(|rel| rel == "alternate");
    let written = page.attribute(id, "href").unwrap_or_else(|| page.text_of(id)).trim();
    (is_page && !written.is_empty()).then(|| written.to_owned())
}
