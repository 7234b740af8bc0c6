//! Which template is a document made from? The set of its tag shingles, and how much two sets share (CTSS).
//!
//! Tags are taken from the parsed document, start and end tags (rule T1); a shingle is a run of `k` of them
//! (T2). Only hashes are kept, sorted, so that two sets are compared in one pass over both. The paths of the
//! elements (Buttler's) say the same in another way, and the names of the blocks say it to people
//! ([`difference`]).

mod blocks;
pub mod difference;
mod hash;

use serde::{Deserialize, Serialize};

use crate::page::elements::{self, Visit};
use crate::page::{NameId, Names, Page, ReadOptions, Source, is_void};
use blocks::Blocks;

/// What is kept of a document: hashed sets, and the names of its blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Template {
    /// ts(D), sorted.
    shingles: Box<[u64]>,
    /// The paths of its elements from the root, sorted.
    paths: Box<[u64]>,
    /// Its blocks: elements by tag, id and classes; sorted.
    blocks: Box<[Box<str>]>,
}

impl Template {
    /// The number of tags in a shingle, if nobody asks for another.
    pub const SHINGLE_LENGTH: usize = 6;

    /// Reads the template of a document with shingles of so many tags, and nothing else of it. Anything is a
    /// document; JSON and plain text have no tags.
    #[must_use]
    pub fn read<'a>(source: impl Into<Source<'a>>, options: &ReadOptions, shingle_length: usize) -> Self {
        elements::visit(source.into(), options, Builder::new).finish(shingle_length)
    }

    /// The template of a page that was read already.
    #[must_use]
    pub fn of(page: &Page, shingle_length: usize) -> Self {
        page.visit(Builder::new).finish(shingle_length)
    }

    /// How many shingles there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shingles.len()
    }

    /// Is there nothing?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shingles.is_empty()
    }

    /// The names of its blocks, such as `nav.navbar` or `div#content`, in alphabetical order; of a document
    /// with very many, the first ones.
    #[must_use]
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = &str> {
        self.blocks.iter().map(|block| &**block)
    }

    /// How many shingles both have.
    #[must_use]
    pub fn common(&self, other: &Self) -> usize {
        common(&self.shingles, &other.shingles)
    }

    /// CTSS: the share of the larger set that both have (T3).
    #[must_use]
    pub fn similarity(&self, other: &Self) -> f64 {
        similarity(self.common(other), self.len(), other.len())
    }

    /// How likely both are of one design: what CTSS says without the contents, which make documents of one
    /// template unlike (see [`adaptive`](super::detectors::adaptive)).
    #[must_use]
    pub fn likeness(&self, other: &Self) -> f64 {
        self.similarity_and_likeness(other).1
    }

    /// Both at once: the shingles are counted once.
    pub(super) fn similarity_and_likeness(&self, other: &Self) -> (f64, f64) {
        let shingles = self.common(other);
        let paths = overlap(common(&self.paths, &other.paths), self.paths.len(), other.paths.len());
        let likeness = f64::midpoint(overlap(shingles, self.len(), other.len()), paths);
        (similarity(shingles, self.len(), other.len()), likeness)
    }
}

/// The share of the larger of two sets that both have.
fn similarity(common: usize, one: usize, other: usize) -> f64 {
    let most = one.max(other);
    if most == 0 { 1.0 } else { common as f64 / most as f64 }
}

/// The share of the smaller of two sets that both have. A set of less than a quarter of the other's size is
/// a stub, and what it shares is held against a quarter.
fn overlap(common: usize, one: usize, other: usize) -> f64 {
    let (least, most) = (one.min(other), one.max(other));
    if most == 0 { 1.0 } else { common as f64 / (least as f64).max(most as f64 / 4.0) }
}

/// How many values two sorted sets share.
fn common(one: &[u64], other: &[u64]) -> usize {
    let (mut at, mut behind, mut count) = (0, 0, 0);
    while at < one.len() && behind < other.len() {
        let (left, right) = (one[at], other[behind]);
        count += usize::from(left == right);
        at += usize::from(left <= right);
        behind += usize::from(right <= left);
    }
    count
}

/// The tag of a name, hashed once for all elements that bear it.
struct Tag {
    name: Box<str>,
    start: u64,
    /// None for elements that cannot have an end tag.
    end: Option<u64>,
}

impl Tag {
    fn new(name: &str) -> Self {
        Self { name: name.into(), start: hash::start(name), end: (!is_void(name)).then(|| hash::end(name)) }
    }
}

/// A template being made, element by element.
struct Builder {
    names: Vec<Tag>,
    /// The tag sequence so far.
    tags: Vec<u64>,
    /// The paths of the elements that are open.
    open: Vec<u64>,
    paths: Vec<u64>,
    blocks: Blocks,
}

impl Builder {
    fn new(names: &Names) -> Self {
        Self {
            names: names.iter().map(Tag::new).collect(),
            tags: Vec::new(),
            open: Vec::new(),
            paths: Vec::new(),
            blocks: Blocks::new(names),
        }
    }

    fn finish(self, shingle_length: usize) -> Template {
        Template {
            shingles: set(hash::runs(&self.tags, shingle_length)),
            paths: set(self.paths),
            blocks: self.blocks.finish(),
        }
    }
}

impl Visit for Builder {
    fn enter<'a>(&mut self, name: NameId, attributes: impl Iterator<Item = (NameId, &'a str)>) {
        let tag = &self.names[name.index()];
        self.tags.push(tag.start);
        let path = hash::push(self.open.last().copied().unwrap_or_default(), tag.start);
        self.open.push(path);
        self.paths.push(path);
        self.blocks.add(&tag.name, tag.start, attributes);
    }

    fn leave(&mut self, name: NameId) {
        self.open.pop();
        self.tags.extend(self.names[name.index()].end);
    }
}

/// Values as a sorted set.
fn set(mut values: Vec<u64>) -> Box<[u64]> {
    values.sort_unstable();
    values.dedup();
    values.into()
}
