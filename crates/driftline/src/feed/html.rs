//! What does a field of an item say? It is HTML, and read as a small page.

use xxhash_rust::xxh3::Xxh3;

use super::{Feed, Item};
use crate::page::zone::Zones;
use crate::page::{BodyKind, Page, ReadOptions};

/// How fields are read when pages are read by `options`: ignored parts are ignored here too, zones
/// cannot be, since an item is no page.
pub(super) fn field_options(options: &ReadOptions) -> ReadOptions {
    ReadOptions {
        kind: Some(BodyKind::Html),
        charset: None,
        zones: Zones { include: Vec::new(), ignore: options.zones.ignore.clone() },
        ..options.clone()
    }
}

impl Feed {
    /// The items as one page, an `article` with a heading for each: what a degree and regions of a
    /// whole feed are measured on.
    #[must_use]
    pub fn page(&self, options: &ReadOptions) -> Page {
        let options = field_options(options);
        let articles = self.items.iter().map(|item| {
            let [title, text] = [&item.title, item.description()].map(|field| escaped(field, &options));
            format!("<article><h2>{title}</h2><p>{text}</p></article>")
        });
        Page::read(articles.collect::<String>().as_str(), &options)
    }
}

/// What a field says, as HTML without markup.
fn escaped(field: &str, options: &ReadOptions) -> String {
    Page::read(field, options).text().trim().replace('&', "&amp;").replace('<', "&lt;")
}

/// An item as it reads.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) title: Page,
    pub(super) summary: Page,
    pub(super) content: Page,
}

impl Fields {
    pub(super) fn read(item: &Item, options: &ReadOptions) -> Self {
        let [title, summary, content] =
            [&item.title, &item.summary, &item.content].map(|field| Page::read(field.as_str(), options));
        Self { title, summary, content }
    }

    /// The whole item as one page: a line for the title, then the text. Many feeds have the same
    /// text as summary and as content; it counts once.
    pub(super) fn page(&self, options: &ReadOptions) -> Page {
        let mut text = String::new();
        let content = if self.content.text() == self.summary.text() { "" } else { self.content.text() };
        for part in [self.title.text(), self.summary.text(), content] {
            let part = part.trim();
            if !part.is_empty() {
                text.push_str(part);
                text.push('\n');
            }
        }
        Page::read(
            text.as_str(),
            &ReadOptions { kind: Some(BodyKind::Text), zones: Zones::default(), ..options.clone() },
        )
    }

    /// Equal for two items with the same elements and attributes in the same order.
    pub(super) fn markup(&self) -> u128 {
        let mut hasher = Xxh3::new();
        for page in [&self.title, &self.summary, &self.content] {
            for id in page.node_ids() {
                let node = page.nodes()[id.index()];
                hasher.update(&node.level.to_le_bytes());
                hasher.update(page.tag(id).as_bytes());
                for (name, value) in page.attributes(id) {
                    for part in [name, value] {
                        hasher.update(&(part.len() as u64).to_le_bytes());
                        hasher.update(part.as_bytes());
                    }
                }
            }
        }
        hasher.digest128()
    }
}

/// A title as people read it.
pub(super) fn plain(title: &str) -> String {
    let page = Page::read(title, &field_options(&ReadOptions::default()));
    let text = page.text().trim();
    // A title such as `<br>` in plain text is no markup.
    let shown = if text.is_empty() { title.trim() } else { text };
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}
