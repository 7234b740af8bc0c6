//! A reading of an element: digests of its text and its attributes, by which two versions of it are compared.
//!
//! Every reading is made in the same way: of the page as a whole, without what the watch ignores. So a difference between
//! two readings is a difference of the element, whatever else is left out of a comparison.

use driftline::page::zone::Selector;
use driftline::page::{BodyKind, NodeId, Normaliser, Normalisers, Page, ReadOptions, Source};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::{Flicker, Work};

/// Longest text that is read without its dates and numbers, in bytes.
const LONGEST: usize = 16 << 10;

/// The part of the page that belongs to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Extent {
    /// Its own text and attributes, without the elements in it.
    Own,
    /// The same of each element that its selector matches: one cell of each row of a list.
    Each,
    /// All of it.
    Whole,
    /// All of it, and its place among its siblings.
    Placed,
}

/// Digests of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "[u64; 6]", into = "[u64; 6]")]
pub(super) struct Reading {
    text: u64,
    /// Of its words without dates, times and counts.
    undated: u64,
    /// Of its words without numbers either.
    unnumbered: u64,
    attributes: u64,
    /// Of its attributes without digits, but for addresses.
    plain: u64,
    /// Of its tags, the names of its attributes, and addresses without their queries.
    frame: u64,
}

/// What differs between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Difference {
    /// Dates, numbers or words, whichever explains all of it.
    pub(super) text: Option<Flicker>,
    pub(super) has_attributes: bool,
}

impl Difference {
    pub(super) const WORDS: Self = Self { text: Some(Flicker::Words), has_attributes: false };

    pub(super) fn flickers(self) -> impl Iterator<Item = Flicker> {
        self.has_attributes.then_some(Flicker::Attributes).into_iter().chain(self.text)
    }

    pub(super) fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl Reading {
    pub(super) fn difference(self, newer: Self) -> Difference {
        let text = match () {
            () if self.frame != newer.frame => return Difference::WORDS,
            () if self.text == newer.text => None,
            () if self.undated == newer.undated => Some(Flicker::Dates),
            () if self.unnumbered == newer.unnumbered => Some(Flicker::Numbers),
            () => return Difference::WORDS,
        };
        // A clock is often in an attribute too.
        let is_covered = text.is_some() && self.plain == newer.plain;
        Difference { text, has_attributes: self.attributes != newer.attributes && !is_covered }
    }

    /// What is compared to find out whether a kind of content was there before.
    pub(super) fn value(self, flicker: Flicker) -> u64 {
        match flicker {
            Flicker::Attributes => self.attributes,
            Flicker::Dates => self.text,
            Flicker::Numbers => self.undated,
            Flicker::Words => digest([self.undated, self.frame].iter().flat_map(|part| part.to_le_bytes())),
        }
    }

    fn mixed(readings: &[Self]) -> Self {
        let mix = |part: fn(&Self) -> u64| digest(readings.iter().flat_map(|reading| part(reading).to_le_bytes()));
        Self {
            text: mix(|reading| reading.text),
            undated: mix(|reading| reading.undated),
            unnumbered: mix(|reading| reading.unnumbered),
            attributes: mix(|reading| reading.attributes),
            plain: mix(|reading| reading.plain),
            frame: mix(|reading| reading.frame),
        }
    }
}

impl From<[u64; 6]> for Reading {
    fn from([text, undated, unnumbered, attributes, plain, frame]: [u64; 6]) -> Self {
        Self { text, undated, unnumbered, attributes, plain, frame }
    }
}

impl From<Reading> for [u64; 6] {
    fn from(reading: Reading) -> Self {
        let Reading { text, undated, unnumbered, attributes, plain, frame } = reading;
        [text, undated, unnumbered, attributes, plain, frame]
    }
}

/// An answer, with the elements that some selectors match.
pub(super) struct Answer {
    page: Page,
    found: Vec<Vec<NodeId>>,
    /// By element: whether the watch ignores it.
    ignored: Vec<bool>,
}

impl Answer {
    pub(super) fn read(source: Source<'_>, ignore: &[Selector], selectors: &[Selector], work: &mut Work) -> Self {
        let all: Vec<Selector> = ignore.iter().chain(selectors).cloned().collect();
        let (page, mut found) = Page::read_and_find(source, &ReadOptions::default(), &all);
        work.spend(page.work());
        let mut ignored = vec![false; page.nodes().len()];
        for node in found.drain(..ignore.len()).flatten() {
            if !ignored[node.index()] {
                ignored[node.index()..=page.nodes()[node.index()].last.index()].fill(true);
            }
        }
        Self { page, found, ignored }
    }

    pub(super) fn page(&self) -> &Page {
        &self.page
    }

    /// The elements that a selector matches.
    pub(super) fn nodes(&self, selector: usize) -> &[NodeId] {
        &self.found[selector]
    }

    pub(super) fn is_ignored(&self, node: NodeId) -> bool {
        self.ignored[node.index()]
    }

    /// The reading of the element of a selector; none if it is not on the page, or not the only one.
    pub(super) fn reading(&self, selector: usize, extent: Extent) -> Option<Reading> {
        let nodes: Vec<NodeId> = self.found[selector].iter().copied().filter(|node| !self.is_ignored(*node)).collect();
        match (extent, nodes.as_slice()) {
            (_, []) => None,
            (Extent::Each, all) => Some(Reading::mixed(&all.iter().map(|node| self.own(*node)).collect::<Vec<_>>())),
            (_, [node]) => Some(read(&self.page, *node, extent, &|node| self.is_ignored(node))),
            (..) => None,
        }
    }

    pub(super) fn own(&self, node: NodeId) -> Reading {
        read(&self.page, node, Extent::Own, &|_| false)
    }
}

/// The reading of an element, without the elements in it that do not count.
pub(super) fn read(page: &Page, node: NodeId, extent: Extent, is_ignored: &dyn Fn(NodeId) -> bool) -> Reading {
    let text = text(page, node, &|child| extent == Extent::Own || is_ignored(child));
    let last = if extent == Extent::Own { node } else { page.nodes()[node.index()].last };
    let nodes = || (node.0..=last.0).map(NodeId).filter(move |node| !is_ignored(*node));
    let attributes = || nodes().flat_map(move |node| page.attributes(node));
    let undated = Normalisers::default().with(Normaliser::Dates).with(Normaliser::Counters);
    let place = if extent == Extent::Placed { place(page, node).to_string() } else { String::new() };
    let tags = nodes().map(|node| page.tag(node).to_owned());
    let names = attributes().map(|(name, value)| format!("{name}={}", address(name, value)));
    Reading {
        text: digest_of(text.split_whitespace()),
        undated: masked(&text, undated),
        unnumbered: masked(&text, undated.with(Normaliser::Numbers)),
        attributes: digest_of(attributes().flat_map(|(name, value)| [name, value])),
        plain: digest_of(attributes().map(|(name, value)| format!("{name}={}", plain(name, value)))),
        frame: digest_of(tags.chain(names).chain([place])),
    }
}

/// Whether two elements have the same text and attributes of their own.
pub(super) fn are_same(older: (&Page, NodeId), newer: (&Page, NodeId)) -> bool {
    let own = |(page, node): (&Page, NodeId)| {
        text(page, node, &|_| true).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    older.0.tag(older.1) == newer.0.tag(newer.1)
        && older.0.attributes(older.1).eq(newer.0.attributes(newer.1))
        && own(older) == own(newer)
}

/// Number of words in the own text of an element.
pub(super) fn own_words(page: &Page, node: NodeId) -> usize {
    text(page, node, &|_| true).split_whitespace().count()
}

/// The place of an element among its siblings.
fn place(page: &Page, node: NodeId) -> usize {
    let parent = page.nodes()[node.index()].parent;
    parent.and_then(|parent| page.children(parent).position(|child| child == node)).unwrap_or_default()
}

/// The text of an element without some of those in it.
fn text(page: &Page, node: NodeId, is_left_out: &dyn Fn(NodeId) -> bool) -> String {
    let (nodes, all) = (page.nodes(), page.text());
    let around = nodes[node.index()];
    let (mut kept, mut from, mut next) = (String::new(), around.text.start as usize, node.0 + 1);
    while next <= around.last.0 {
        let inner = nodes[next as usize];
        if is_left_out(NodeId(next)) {
            kept.push_str(all.get(from..inner.text.start as usize).unwrap_or_default());
            kept.push(' ');
            from = from.max(inner.text.end as usize);
            next = inner.last.0 + 1;
        } else {
            next += 1;
        }
    }
    kept.push_str(all.get(from..around.text.end as usize).unwrap_or_default());
    kept
}

/// A digest of the words of a text, with some of them made equal. A long text is compared as it is.
fn masked(text: &str, normalisers: Normalisers) -> u64 {
    if text.len() > LONGEST {
        return digest_of(text.split_whitespace());
    }
    let read_options = ReadOptions { kind: Some(BodyKind::Text), normalisers, ..ReadOptions::default() };
    digest_of(Page::read(text, &read_options).words())
}

fn is_address(name: &str) -> bool {
    matches!(name, "href" | "src" | "srcset" | "action" | "poster" | "data")
}

/// The part of an attribute that a reader would miss: an address without its query.
fn address<'a>(name: &str, value: &'a str) -> &'a str {
    if is_address(name) { value.split(['?', '#']).next().unwrap_or_default() } else { "" }
}

fn plain(name: &str, value: &str) -> String {
    value.chars().filter(|sign| is_address(name) || !sign.is_ascii_digit()).collect()
}

fn digest_of(texts: impl IntoIterator<Item = impl AsRef<str>>) -> u64 {
    let mut hasher = Xxh3::new();
    for text in texts {
        hasher.update(text.as_ref().as_bytes());
        hasher.update(&[0]);
    }
    hasher.digest()
}

fn digest(bytes: impl Iterator<Item = u8>) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&bytes.collect::<Vec<u8>>());
    hasher.digest()
}
