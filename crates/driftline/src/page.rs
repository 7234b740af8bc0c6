//! What does analysis read? The page: words in reading order, elements, tags, links, title.
//!
//! Bytes become a [`Page`] once: charset, parser, zone, words. Everything that compares pages works
//! on this, so a zone or a normaliser is applied here and nowhere else.

mod body;
pub mod charset;
#[cfg(feature = "redesign")]
pub(crate) mod elements;
mod html;
mod json;
mod limits;
mod links;
pub mod markup;
mod node;
mod normalise;
mod read;
mod record;
mod selector;
mod tags;
mod tree;
mod walk;
mod whole;
mod words;
pub mod zone;

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::limit::Limit;
pub use body::BodyKind;
pub use limits::Limits;
pub(crate) use links::is_style_sheet;
pub use links::{Link, LinkKind};
pub use node::{Node, NodeId, WordRange};
pub(crate) use normalise::dates_and_counts;
pub use normalise::{Normaliser, Normalisers, UnknownNormaliser};
pub use record::{RENDERED, ReadRecord};
pub use selector::Selectors;
pub use tags::Tag;
#[cfg(feature = "redesign")]
pub(crate) use tags::is_void;
#[cfg(feature = "redesign")]
pub(crate) use tree::Names;
pub use tree::{NameId, Span};
pub use words::WordRule;

use crate::written::is_usual;
use charset::Charset;
use read::{Parts, Vocabulary};
use tree::Tree;
use whole::{Outline, Whole};
use words::Splitter;
use zone::{Selector, Zones};

/// How a page is made from bytes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadOptions {
    /// The kind of body; recognised if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<BodyKind>,
    /// The charset, whatever the page says; found out if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<Charset>,
    /// What a word is; JSON is data, and split at white space always.
    // Missing, it is `unicode` in every build.
    #[cfg_attr(feature = "segmentation", serde(default, skip_serializing_if = "is_usual"))]
    pub words: WordRule,
    /// The parts that count.
    #[serde(flatten)]
    pub zones: Zones,
    /// The noise that does not.
    #[serde(rename = "normalise", default, skip_serializing_if = "is_usual")]
    pub normalisers: Normalisers,
    /// The most that is read.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub limits: Limits,
}

/// Bytes, and what is known about them.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The body.
    pub bytes: &'a [u8],
    /// The value of the HTTP header `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The address it was fetched from; with [`RENDERED`] before it if a browser made the body.
    pub url: Option<&'a str>,
}

impl<'a> From<&'a [u8]> for Source<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self { bytes, content_type: None, url: None }
    }
}

impl<'a> From<&'a str> for Source<'a> {
    /// Text that is already decoded.
    fn from(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), content_type: Some("; charset=utf-8"), url: None }
    }
}

/// A page as analysis reads it.
#[derive(Debug, Clone)]
pub struct Page {
    kind: BodyKind,
    charset: &'static str,
    words: WordRule,
    fingerprint: u128,
    url: Option<Box<str>>,
    record: Arc<ReadRecord>,
    zone_matches: Option<usize>,
    parts: Parts,
    /// With zones: what stands around them.
    whole: Option<Box<Whole>>,
}

impl Page {
    /// Reads a page. Anything is a page: broken markup, the wrong charset, nothing at all.
    #[must_use]
    pub fn read<'a>(source: impl Into<Source<'a>>, options: &ReadOptions) -> Self {
        Reading::new(source.into(), options).page()
    }

    /// Reads a page, and finds the elements that each selector matches. Without a zone in the options
    /// they are nodes of the page. If the search was cut short, [`Limit::Selectors`] is among the limits.
    #[must_use]
    pub fn read_and_find<'a>(
        source: impl Into<Source<'a>>,
        options: &ReadOptions,
        selectors: &[Selector],
    ) -> (Self, Vec<Vec<NodeId>>) {
        let mut matches = zone::Matches { found: Vec::new(), is_cut: false, steps: 0 };
        let mut page = Reading::new(source.into(), options).page_with(|tree| matches = zone::find(tree, selectors));
        matches.found.resize(selectors.len(), Vec::new());
        page.parts.steps += matches.steps;
        if matches.is_cut && !page.parts.limits.contains(&Limit::Selectors) {
            page.parts.limits.push(Limit::Selectors);
        }
        (page, matches.found)
    }

    /// What the body was read as.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.kind
    }

    /// The charset that the body was decoded from.
    #[must_use]
    pub fn charset(&self) -> &'static str {
        self.charset
    }

    /// Equal for two pages whose bytes are equal; with a zone or a normaliser, for two whose text
    /// in the zone is.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    /// How the page was read.
    #[must_use]
    pub fn record(&self) -> &ReadRecord {
        &self.record
    }

    /// What cut the reading short.
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        &self.parts.limits
    }

    /// The work of reading, in steps: tags and pieces of text that were parsed, hops of selectors, words. The same page
    /// and options always cost the same.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.parts.steps + self.parts.words.len() as u64
    }

    /// How many elements the zone's selectors matched; none if the whole page is the zone.
    #[must_use]
    pub fn zone_matches(&self) -> Option<usize> {
        self.zone_matches
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.parts.title
    }

    /// Does another version have another title, and does the title count? Not with a zone, nor if it is
    /// ignored.
    pub(crate) fn has_other_title(&self, other: &Self) -> bool {
        let counts = |page: &Self| {
            let is_there = || page.node_ids().any(|node| page.tag(node) == "title");
            page.zone_matches.is_none() && (page.title().is_empty() || is_there())
        };
        self.title() != other.title() && counts(self) && counts(other)
    }

    /// The text in reading order: white space collapsed, one line a block.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.parts.text
    }

    /// How many words there are.
    #[must_use]
    pub fn word_count(&self) -> usize {
        self.parts.words.len()
    }

    /// The words in reading order, in the form in which they are compared.
    #[must_use]
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.parts.words.len()).map(|index| match &self.parts.forms {
            Some(forms) => forms.get(index),
            None => self.parts.words[index].of(&self.parts.text),
        })
    }

    /// Where each word stands in the text.
    #[must_use]
    pub fn word_spans(&self) -> &[Span] {
        &self.parts.words
    }

    /// The text from the first of these words to the last, with what is between them; empty if the page does not have
    /// them.
    ///
    /// ```
    /// use driftline::{Page, ReadOptions};
    ///
    /// let page = Page::read("<p>Fish, bread and eggs.", &ReadOptions::default());
    /// assert_eq!(page.slice(0..2), "Fish, bread");
    /// ```
    #[must_use]
    pub fn slice(&self, words: impl Into<WordRange>) -> &str {
        self.text().get(self.span_of(words).range()).unwrap_or_default()
    }

    /// Where [`slice`](Self::slice) is in the text: an empty span at its beginning if the page does not have the words.
    #[must_use]
    pub fn span_of(&self, words: impl Into<WordRange>) -> Span {
        match self.parts.words.get(words.into().range()).unwrap_or_default() {
            [] => Span { start: 0, end: 0 },
            [only] => *only,
            [first, .., last] => Span { start: first.start, end: last.end },
        }
    }

    /// The elements in document order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.parts.nodes
    }

    /// The positions of all elements.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.parts.nodes.len() as u32).map(NodeId)
    }

    /// The elements directly below an element.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let last = self.nodes()[node.index()].last;
        let within = move |child: NodeId| (child <= last).then_some(child);
        let behind = |child: NodeId| NodeId(self.nodes()[child.index()].last.0 + 1);
        std::iter::successors(within(NodeId(node.0 + 1)), move |child| within(behind(*child)))
    }

    /// The name of an element.
    #[must_use]
    pub fn tag(&self, node: NodeId) -> &str {
        self.parts.names.get(self.nodes()[node.index()].name)
    }

    /// The attributes of an element: names and values, as written.
    pub fn attributes(&self, node: NodeId) -> impl Iterator<Item = (&str, &str)> {
        let attributes = &self.parts.attributes[self.nodes()[node.index()].attributes.range()];
        attributes.iter().map(|(name, value)| (self.parts.names.get(*name), value.of(&self.parts.values)))
    }

    /// The attributes of an element, with their names by number.
    pub(crate) fn attributes_by_id(&self, node: NodeId) -> impl Iterator<Item = (NameId, &str)> {
        let attributes = &self.parts.attributes[self.nodes()[node.index()].attributes.range()];
        attributes.iter().map(|(name, value)| (*name, value.of(&self.parts.values)))
    }

    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, node: NodeId, name: &str) -> Option<&str> {
        self.attributes(node).find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// The text of an element and its descendants.
    #[must_use]
    pub fn text_of(&self, node: NodeId) -> &str {
        self.nodes()[node.index()].text.of(&self.parts.text)
    }

    /// The names of the elements from the root down to `node`, each followed by `;` (the "type" of
    /// Artail and Fawaz).
    #[must_use]
    pub fn path(&self, node: NodeId) -> String {
        let mut names: Vec<&str> = std::iter::successors(Some(node), |&node| self.nodes()[node.index()].parent)
            .map(|node| self.tag(node))
            .collect();
        names.reverse();
        names.iter().flat_map(|name| [name, ";"]).collect()
    }

    /// All names of elements and attributes, by number.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.names.iter()
    }

    /// Can text differ that is not part of any word, and does it count? Not if every character is
    /// part of one, nor if normalisers made some of the text not count.
    pub(crate) fn has_punctuation(&self) -> bool {
        self.parts.forms.is_none() && self.words != WordRule::Whitespace
    }

    /// Does the element set its text off from what stands around it?
    #[must_use]
    pub fn is_block(&self, node: NodeId) -> bool {
        self.kind != BodyKind::Html || read::is_block(self.tag(node))
    }

    /// The name with this number.
    #[must_use]
    pub fn name(&self, id: NameId) -> &str {
        self.parts.names.get(id)
    }
}

/// A page being read.
struct Reading<'a> {
    source: Source<'a>,
    options: &'a ReadOptions,
    text: Cow<'a, str>,
    charset: &'static str,
    is_cut: bool,
}

impl<'a> Reading<'a> {
    fn new(source: Source<'a>, options: &'a ReadOptions) -> Self {
        let most = options.limits.bytes.min(Limits::MOST_BYTES);
        let is_cut = source.bytes.len() > most;
        let bytes = &source.bytes[..source.bytes.len().min(most)];
        let decoded = match options.charset {
            Some(charset) => charset.decode(bytes),
            None => charset::decode(bytes, source.content_type),
        };
        Self { source, options, text: decoded.text, charset: decoded.charset, is_cut }
    }

    fn kind(&self) -> BodyKind {
        let declared = || self.source.content_type.and_then(BodyKind::from_content_type);
        self.options.kind.or_else(declared).unwrap_or_else(|| BodyKind::sniff(&self.text))
    }

    fn record(&self, kind: BodyKind) -> ReadRecord {
        let options = ReadOptions { kind: Some(kind), ..self.options.clone() };
        ReadRecord { options, rendered: self.source.url.is_some_and(|url| url.starts_with(RENDERED)) }
    }

    fn page(self) -> Page {
        self.page_with(|_| ())
    }

    /// Reads the page; `look` sees the tree before.
    fn page_with(self, look: impl FnOnce(&Tree)) -> Page {
        let kind = self.kind();
        let (mut parts, zone_matches, outline) = self.parts(kind, look);
        if self.is_cut {
            parts.limits.insert(0, Limit::Bytes);
        }
        let is_whole = self.options.zones.is_everything() && self.options.normalisers.is_empty();
        let fingerprint = if is_whole { xxh3_128(self.source.bytes) } else { fingerprint_of_words(&parts) };
        let words = if kind == BodyKind::Json { WordRule::Whitespace } else { self.options.words };
        let page = Page {
            kind,
            charset: self.charset,
            words,
            fingerprint,
            url: self.source.url.map(|url| url.strip_prefix(RENDERED).unwrap_or(url).into()),
            record: Arc::new(self.record(kind)),
            zone_matches,
            parts,
            whole: None,
        };
        match outline {
            Some(outline) => page.within(outline),
            None => page,
        }
    }

    fn parts(&self, kind: BodyKind, look: impl FnOnce(&Tree)) -> (Parts, Option<usize>, Option<Outline>) {
        let splitter = Splitter::new(self.options.words);
        let zones = &self.options.zones;
        let (tree, vocabulary) = match kind {
            BodyKind::Html => (html::parse(&self.text, &self.options.limits), Vocabulary::Html),
            BodyKind::Xml => (html::parse_xml(&self.text, &self.options.limits), Vocabulary::Xml),
            // There are no elements that a zone could match.
            BodyKind::Json | BodyKind::Text if !zones.include.is_empty() => {
                return (Parts { limits: vec![Limit::Zone], ..Parts::default() }, Some(0), None);
            }
            BodyKind::Json => return (self.json(&splitter), None, None),
            BodyKind::Text => return (self.plain(&*self.text, &splitter), None, None),
        };
        look(&tree);
        let marks = (!zones.is_everything()).then(|| zone::mark(&tree, zones));
        let matched = if zones.include.is_empty() { None } else { marks.as_ref().map(zone::Marks::matched) };
        let outline = marks.as_ref().map(|marks| Outline::of(&tree, vocabulary, marks, &splitter));
        let mut parts = read::read(tree, vocabulary, marks.as_ref(), &splitter, self.options.normalisers);
        parts.limits.extend((matched == Some(0)).then_some(Limit::Zone));
        parts.limits.extend(marks.is_some_and(|marks| marks.is_cut_short()).then_some(Limit::Selectors));
        (parts, matched, outline)
    }

    /// JSON as lines of paths and values; as plain text if it is not JSON after all.
    fn json(&self, splitter: &Splitter) -> Parts {
        let Ok(value) = serde_json::from_str::<json::Tree>(&self.text) else {
            return self.plain(&*self.text, splitter);
        };
        // Data, not prose: every character of a value counts.
        let splitter = &Splitter::new(WordRule::Whitespace);
        let most = self.options.limits.bytes.min(Limits::MOST_BYTES);
        let json::Flat { lines, limit } = json::flatten(&value, self.text.len(), most);
        drop(value);
        let mut parts = self.plain(lines, splitter);
        parts.limits.extend(limit);
        parts
    }

    fn plain(&self, text: impl Into<String>, splitter: &Splitter) -> Parts {
        read::plain(text.into(), splitter, self.options.normalisers)
    }
}

fn fingerprint_of_words(parts: &Parts) -> u128 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for (index, span) in parts.words.iter().enumerate() {
        let word = parts.forms.as_ref().map_or_else(|| span.of(&parts.text), |forms| forms.get(index));
        hasher.update(word.as_bytes());
        hasher.update(b" ");
    }
    hasher.digest128()
}
