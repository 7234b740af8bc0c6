//! One version of a page, ready to be compared: one hash a subtree, words and names as numbers that
//! both versions share.
//!
//! The hash takes in everything that a change can be made of, in order: names, attributes, words,
//! and where the words stand between the elements. Equal hashes are a guess, never a verdict:
//! [`Side::is_same`] compares what they stand for, so that no collision, chance or malice, can hide
//! a change.

use hashbrown::HashMap;
use rapidhash::v3::rapidhash_v3;

use crate::degree::lcs::Leftover;
use crate::degree::vocabulary::{WordId, are_same};
use crate::page::{NameId, Node, NodeId, Page, Span, WordRange};
use crate::sides::Sides;

/// One of two versions.
pub(crate) struct Side<'a> {
    pub(crate) page: &'a Page,
    pub(crate) words: &'a [WordId],
    /// Does text between words count as well?
    has_punctuation: bool,
    /// The number that a name has on both versions, by its number on this one.
    names: Vec<u32>,
    hashes: Vec<u64>,
    /// How many of the words before each position have a counterpart on the other version.
    common: Vec<u32>,
}

/// A child of an element: another element, or text of its own between two of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    /// Equal items have equal hashes.
    pub(crate) hash: u64,
    pub(crate) what: What,
    pub(crate) words: WordRange,
}

/// What an [`Item`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Element(NodeId),
    /// Text, as a span of the page's text.
    Text(Span),
}

/// What is compared: both pages, their words as numbers, and the words without a counterpart.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) pages: Sides<&'a Page>,
    pub(crate) words: Sides<&'a [WordId]>,
    pub(crate) leftovers: &'a Sides<Vec<Leftover>>,
}

/// Prepares both versions.
pub(crate) fn sides<'a>(input: &Input<'a>) -> Sides<Side<'a>> {
    let mut numbers = HashMap::new();
    let has_punctuation = input.pages.older.has_punctuation() && input.pages.newer.has_punctuation();
    let mut side = |page: &'a Page, words: &'a [WordId], leftovers: &[Leftover]| {
        let names = page.names().map(|name| {
            let next = numbers.len() as u32;
            *numbers.entry(name).or_insert(next)
        });
        let names = names.collect();
        let common = common_before(words.len(), leftovers);
        Side { page, words, has_punctuation, names, hashes: Vec::new(), common }
    };
    let mut older = side(input.pages.older, input.words.older, &input.leftovers.older);
    let mut newer = side(input.pages.newer, input.words.newer, &input.leftovers.newer);
    older.hash_all();
    newer.hash_all();
    Sides { older, newer }
}

fn common_before(words: usize, leftovers: &[Leftover]) -> Vec<u32> {
    let mut common = Vec::with_capacity(words + 1);
    let (mut count, mut leftovers) = (0, leftovers.iter().peekable());
    common.push(0);
    for index in 0..words as u32 {
        match leftovers.next_if(|leftover| leftover.index == index) {
            Some(_) => {}
            None => count += 1,
        }
        common.push(count);
    }
    common
}

/// One step of a hash: a multiplication to 128 bits, folded.
fn mix(hash: u64, value: u64) -> u64 {
    let product = u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(value ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ ((product >> 64) as u64) ^ hash.rotate_left(23)
}

impl<'a> Side<'a> {
    /// An element of the page.
    pub(crate) fn node(&self, id: NodeId) -> &'a Node {
        &self.page.nodes()[id.index()]
    }

    /// The hash of an element and everything in it.
    pub(crate) fn hash(&self, id: NodeId) -> u64 {
        self.hashes[id.index()]
    }

    /// How many elements a subtree has.
    pub(crate) fn size(&self, id: NodeId) -> usize {
        (self.node(id).last.0 - id.0 + 1) as usize
    }

    /// The words of an element and its descendants.
    pub(crate) fn words_of(&self, id: NodeId) -> &'a [WordId] {
        &self.words[self.node(id).words.range()]
    }

    /// Its words as a set: sorted numbers, each once.
    pub(crate) fn word_set(&self, id: NodeId) -> Vec<WordId> {
        let mut words = self.words_of(id).to_vec();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// How many of these words have a counterpart.
    pub(crate) fn common_words(&self, words: WordRange) -> u32 {
        self.common[words.end as usize] - self.common[words.start as usize]
    }

    /// Is one of these words without a counterpart?
    pub(crate) fn has_lone_words(&self, words: WordRange) -> bool {
        words.len() > self.common_words(words)
    }

    /// The number that an element's name has on both versions.
    pub(crate) fn name(&self, id: NodeId) -> u32 {
        self.number(self.node(id).name)
    }

    fn number(&self, name: NameId) -> u32 {
        self.names[name.index()]
    }

    /// The outermost elements that count: one, unless there are zones, or the page is broken XML or
    /// no markup at all.
    pub(crate) fn roots(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.page.nodes();
        let from = move |index: usize| nodes[index..].iter().position(|node| node.in_zone).map(|more| index + more);
        std::iter::successors(from(0), move |root| from(nodes[*root].last.index() + 1)).map(|root| NodeId(root as u32))
    }

    /// All elements that count, with the outermost one around each.
    pub(crate) fn elements(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        self.roots().flat_map(|root| (root.0..=self.node(root).last.0).map(move |node| (NodeId(node), root)))
    }

    /// The outermost elements as if they were the children of one.
    pub(crate) fn root_items(&self) -> Vec<Item> {
        let item = |root| Item { hash: self.hash(root), what: What::Element(root), words: self.node(root).words };
        self.roots().map(item).collect()
    }

    /// The children of an element with its own text between them.
    pub(crate) fn items(&self, id: NodeId) -> Vec<Item> {
        let mut items = Vec::new();
        self.each_item(id, |item| items.push(item));
        items
    }

    fn each_item(&self, id: NodeId, mut take: impl FnMut(Item)) {
        let node = self.node(id);
        let (mut word, mut byte) = (node.words.start, node.text.start);
        for child in self.page.children(id) {
            let Node { words, text, .. } = *self.node(child);
            self.text_item(
                WordRange { start: word, end: words.start },
                Span { start: byte, end: text.start },
                &mut take,
            );
            take(Item { hash: self.hash(child), what: What::Element(child), words });
            (word, byte) = (words.end, text.end.max(text.start));
        }
        self.text_item(
            WordRange { start: word, end: node.words.end },
            Span { start: byte, end: node.text.end },
            &mut take,
        );
    }

    fn text_item(&self, words: WordRange, text: Span, take: &mut impl FnMut(Item)) {
        let mut hash = self.words[words.range()].iter().fold(1, |hash, &word| mix(hash, u64::from(word.get())));
        if self.has_punctuation {
            let tokens = tokens(self.text(text)).map(|token| rapidhash_v3(token.as_bytes()));
            let empty = hash;
            hash = tokens.fold(hash, mix);
            if hash == empty {
                return;
            }
        } else if words.is_empty() {
            return;
        }
        take(Item { hash, what: What::Text(text), words });
    }

    fn text(&self, span: Span) -> &'a str {
        self.page.text().get(span.start as usize..span.end.max(span.start) as usize).unwrap_or_default()
    }

    fn hash_all(&mut self) {
        let count = self.page.nodes().len();
        self.hashes = vec![0; count];
        for index in (0..count as u32).rev() {
            let id = NodeId(index);
            // Attributes in any order: no browser shows it.
            let attribute = |(name, value): (u32, &str)| mix(u64::from(name), rapidhash_v3(value.as_bytes()));
            let attributes = self.attributes(id).map(attribute).fold(0, u64::wrapping_add);
            let mut hash = mix(u64::from(self.name(id)), attributes);
            self.each_item(id, |item| {
                let is_text = matches!(item.what, What::Text(_));
                hash = mix(hash, item.hash ^ u64::from(is_text));
            });
            // The end: what stands before and behind it differs.
            self.hashes[id.index()] = mix(hash, u64::MAX);
        }
    }

    /// The attributes of an element: the number of the name, and the value.
    pub(crate) fn attributes(&self, id: NodeId) -> impl Iterator<Item = (u32, &'a str)> {
        self.page.attributes_by_id(id).map(|(name, value)| (self.number(name), value))
    }

    /// Are the attributes of two elements the same, in whatever order?
    pub(crate) fn has_same_attributes(&self, id: NodeId, other: &Side<'_>, theirs: NodeId) -> bool {
        if self.attributes(id).eq(other.attributes(theirs)) {
            return true;
        }
        let sorted = |side: &Side<'_>, id| {
            let mut names: Vec<u32> = side.attributes(id).map(|(name, _)| name).collect();
            names.sort_unstable();
            names
        };
        // A tag names an attribute once: the same names, and the same value for each.
        sorted(self, id) == sorted(other, theirs)
            && self.attributes(id).all(|own| other.attributes(theirs).any(|their| own == their))
    }

    /// Are two subtrees the same, word for word, tag for tag, attribute for attribute?
    pub(crate) fn is_same(&self, id: NodeId, other: &Side<'_>, theirs: NodeId) -> bool {
        self.hash(id) == other.hash(theirs)
            && self.size(id) == other.size(theirs)
            && are_same(self.words_of(id), other.words_of(theirs))
            && (0..self.size(id) as u32).all(|offset| {
                let (own, their) = (NodeId(id.0 + offset), NodeId(theirs.0 + offset));
                self.shape(own, id) == other.shape(their, theirs) && self.has_same_attributes(own, other, their)
            })
            && self.has_same_punctuation(id, other, theirs)
    }

    /// An element as seen from the root of a subtree: name, depth, last descendant, words.
    fn shape(&self, id: NodeId, root: NodeId) -> (u32, u32, u32, u32, u32) {
        let (node, root_node) = (self.node(id), self.node(root));
        let first = root_node.words.start;
        (
            self.name(id),
            node.level - root_node.level,
            node.last.0 - root.0,
            node.words.start - first,
            node.words.end - first,
        )
    }

    /// Is the text that is not part of any word the same? Only asked of subtrees of the same shape.
    pub(crate) fn has_same_punctuation(&self, id: NodeId, other: &Side<'_>, theirs: NodeId) -> bool {
        // Text can differ in white space alone; then piece by piece.
        !self.has_punctuation
            || self.page.text_of(id) == other.page.text_of(theirs)
            || (0..self.size(id) as u32).all(|offset| {
                let (own, their) = (self.own_texts(NodeId(id.0 + offset)), other.own_texts(NodeId(theirs.0 + offset)));
                own.len() == their.len() && own.iter().zip(&their).all(|(own, their)| tokens(own).eq(tokens(their)))
            })
    }

    /// Are two pieces of text the same, word for word, sign for sign?
    pub(crate) fn is_same_text(&self, own: &Item, other: &Side<'_>, theirs: &Item) -> bool {
        let (What::Text(text), What::Text(their)) = (own.what, theirs.what) else {
            return false;
        };
        are_same(&self.words[own.words.range()], &other.words[theirs.words.range()])
            && (!self.has_punctuation || tokens(self.text(text)).eq(tokens(other.text(their))))
    }

    /// The pieces of text directly in an element.
    fn own_texts(&self, id: NodeId) -> Vec<&'a str> {
        let mut texts = Vec::new();
        self.each_item(id, |item| {
            if let What::Text(span) = item.what {
                texts.push(self.text(span));
            }
        });
        texts
    }
}

/// Text as runs without white space, as a reader sees it.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}
