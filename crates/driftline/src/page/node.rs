//! The elements of a page, in document order: a table, not a tree of pointers.
//!
//! A node's descendants follow it up to [`Node::last`], and so do their words and their text: a
//! subtree is three ranges. `node_id` of Artail and Fawaz is the position plus one.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::tree::{NameId, Span};

/// The position of a node in the table of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A run of words of a page, by their positions among all its words.
///
/// Where the words are in the text of the page is a [`Span`], in bytes: see [`Page::span_of`](super::Page::span_of).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WordRange {
    /// The position of the first word.
    pub start: u32,
    /// The position after the last word.
    pub end: u32,
}

impl WordRange {
    /// The same as a range of indices.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many words there are.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether there is no word.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

impl From<Range<u32>> for WordRange {
    fn from(range: Range<u32>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// An element of a page.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Its tag, by number; [`Page::tag`](super::Page::tag) spells it.
    pub name: NameId,
    /// The element around it; the root has none.
    pub parent: Option<NodeId>,
    /// Its last descendant, itself if it has none.
    pub last: NodeId,
    /// How deep it stands; the root is 1.
    pub level: u32,
    /// Its words and its descendants'.
    pub words: WordRange,
    /// Its text and its descendants', as a span of the page's text.
    pub text: Span,
    /// Does it count? An element outside the zones is kept only because a zone stands in it.
    pub in_zone: bool,
    pub(crate) attributes: Span,
}
