//! Which pages are old, and why? The three rules (`N2`), and their answers in one byte a node.

use driftline::novelty::Class;
use rayon::prelude::*;

use crate::snapshot::Node;

use super::InLinks;
use super::in_links::scan_wanted;
use super::members::Members;

/// What is known of each node of a snapshot: its [`Class`] if it was crawled, and why it is old.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    codes: Vec<u8>,
}

/// Why a page is old (`N2`); more than one rule may say so. Nothing for an unidentified page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reasons(u8);

/// What is known of a node without a look at its links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Whether it was crawled now, or only linked to.
    pub is_crawled: bool,
    /// What earlier snapshots say of it.
    pub before: Before,
    /// Whether it was crawled now with a Last-Modified before the previous snapshot.
    pub is_unmodified: bool,
}

/// What earlier snapshots say of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Nothing.
    Unknown,
    /// One of them crawled it, or a page that linked to it.
    Seen,
    /// The previous one crawled it.
    CrawledLastTime,
}

const CRAWLED: u8 = 1;
const CRAWLED_LAST_TIME: u8 = 1 << 1;
const SEEN_BEFORE: u8 = 1 << 2;
const NOT_MODIFIED: u8 = 1 << 3;
const LINKED_UNMODIFIED: u8 = 1 << 4;

impl Reasons {
    /// Rule 1: crawled or linked to in an earlier snapshot.
    pub const SEEN: Self = Self(SEEN_BEFORE);
    /// Rule 2: its own Last-Modified is before the previous snapshot.
    pub const LAST_MODIFIED: Self = Self(NOT_MODIFIED);
    /// Rule 3: linked to by another page whose Last-Modified is before the previous snapshot. Not asked of a page
    /// that was seen before.
    pub const LINKED: Self = Self(LINKED_UNMODIFIED);

    /// Are all of the others among these?
    #[must_use]
    pub fn contains(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// Is there none: is the page unidentified?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// How many pages there are of each class (Table 2), and what the Last-Modified times did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// |W|: pages crawled.
    pub crawled: u64,
    /// |O \ L2|.
    pub old: u64,
    /// |L2|.
    pub seen_twice: u64,
    /// |U|.
    pub unidentified: u64,
    /// Pages that are old by their own Last-Modified, and by no other rule.
    pub only_last_modified: u64,
    /// Pages that are old because an unmodified page links to them, and by no other rule.
    pub only_linked: u64,
    /// Pages that are old by both of these, but were never seen before.
    pub only_both: u64,
}

/// Nodes that are judged at a time.
const PIECE: usize = 1 << 15;

impl Classes {
    /// Applies the rules to all nodes of a graph, on all cores. If no page is unmodified, its links are not read.
    #[must_use]
    pub fn judge(links: &impl InLinks, facts: impl Fn(Node) -> Facts + Sync) -> Self {
        let mut codes: Vec<u8> =
            (0..links.nodes()).into_par_iter().map(|rank| code_of(facts(Node::new(rank)))).collect();
        let unmodified = Members::of(links.nodes(), |node| codes[node.index()] & NOT_MODIFIED != 0);
        if unmodified.len() > 0 {
            let pieces = codes.par_chunks_mut(PIECE).enumerate();
            pieces.for_each(|(piece, codes)| follow(links, &unmodified, Node::new((piece * PIECE) as u32), codes));
        }
        Self { codes }
    }

    /// How many nodes there are, crawled or not.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.codes.len() as u32
    }

    /// The class of a node; nothing if it was only linked to.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn of(&self, node: Node) -> Option<Class> {
        class_of(self.codes[node.index()])
    }

    /// Why a page is old.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn reasons(&self, node: Node) -> Reasons {
        reasons_of(self.codes[node.index()])
    }

    /// Is it in L2? A page crawled last time was seen before, so this asks no more.
    #[inline]
    pub(super) fn is_seen_twice(&self, node: Node) -> bool {
        self.codes[node.index()] & (CRAWLED | CRAWLED_LAST_TIME) == CRAWLED | CRAWLED_LAST_TIME
    }

    /// All pages crawled, in the order of nodes.
    pub fn iter(&self) -> impl Iterator<Item = (Node, Class)> {
        Node::first(self.nodes()).zip(&self.codes).filter_map(|(node, code)| Some((node, class_of(*code)?)))
    }

    /// Table 2.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for code in &self.codes {
            counts.add(*code);
        }
        counts
    }
}

impl Counts {
    fn add(&mut self, code: u8) {
        let Some(class) = class_of(code) else { return };
        self.crawled += 1;
        *match class {
            Class::Old => &mut self.old,
            Class::SeenTwice => &mut self.seen_twice,
            Class::Unidentified => &mut self.unidentified,
        } += 1;
        match reasons_of(code).0 {
            NOT_MODIFIED => self.only_last_modified += 1,
            LINKED_UNMODIFIED => self.only_linked += 1,
            both if both == NOT_MODIFIED | LINKED_UNMODIFIED => self.only_both += 1,
            _ => (),
        }
    }
}

fn code_of(facts: Facts) -> u8 {
    let before = match facts.before {
        Before::Unknown => 0,
        Before::Seen => SEEN_BEFORE,
        Before::CrawledLastTime => SEEN_BEFORE | CRAWLED_LAST_TIME,
    };
    let is_unmodified = facts.is_crawled && facts.is_unmodified;
    before | if facts.is_crawled { CRAWLED } else { 0 } | if is_unmodified { NOT_MODIFIED } else { 0 }
}

/// Rule 3, for crawled pages that were not seen before: does an unmodified page link to them? Not iterated.
fn follow(links: &impl InLinks, unmodified: &Members, first: Node, codes: &mut [u8]) {
    let is_open: Vec<bool> = codes.iter().map(|code| code & (CRAWLED | SEEN_BEFORE) == CRAWLED).collect();
    let place = |node: Node| node.index() - first.index();
    let is_wanted = |node: Node| is_open[place(node)];
    scan_wanted(links, first..Node::new(first.get() + codes.len() as u32), is_wanted, |node, mut sources| {
        if is_wanted(node) && sources.any(|source| unmodified.contains(source)) {
            codes[place(node)] |= LINKED_UNMODIFIED;
        }
    });
}

fn class_of(code: u8) -> Option<Class> {
    if code & CRAWLED == 0 {
        return None;
    }
    Some(match (reasons_of(code).is_empty(), code & CRAWLED_LAST_TIME != 0) {
        (true, _) => Class::Unidentified,
        (false, true) => Class::SeenTwice,
        (false, false) => Class::Old,
    })
}

fn reasons_of(code: u8) -> Reasons {
    Reasons(code & (SEEN_BEFORE | NOT_MODIFIED | LINKED_UNMODIFIED))
}
