//! Why did the last crawl miss a page that was there? The three reasons of the paper's introduction.
//!
//! A page that is known to be old and was not crawled last time was missed: its site did not answer, or the crawler
//! knew of the page and did not come to it, or nothing that was crawled linked to it. The first is told from the
//! others by the site: if not one page of a known site was crawled, the site was down, or left out as a whole.

use driftline::novelty::Class;

use crate::Series;
use crate::snapshot::Node;

use super::classify::{self, Numbers};
use super::hosts::Hosts;
use super::{Classes, NoveltyError};

/// Why a page was missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Why {
    /// The site was known, and no page of it was crawled.
    SiteDown,
    /// The page was linked to, but not crawled.
    NotCrawled,
    /// No page crawled last time linked to it, though its site was crawled or not known at all.
    NotLinked,
}

impl Why {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::SiteDown, Self::NotCrawled, Self::NotLinked];

    /// As tables have it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::SiteDown => "site-down",
            Self::NotCrawled => "not-crawled",
            Self::NotLinked => "not-linked",
        }
    }
}

/// A page that was missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missed {
    /// The page, in the snapshot that found it.
    pub node: Node,
    /// Why the one before did not.
    pub why: Why,
}

/// Pages of a snapshot that the previous one missed, in the order of nodes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Misses(Vec<Missed>);

impl Misses {
    /// All of them.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Missed> {
        self.0.iter().copied()
    }

    /// Why a page was missed; nothing if it was not, or nobody knows.
    #[must_use]
    pub fn of(&self, node: Node) -> Option<Why> {
        let place = self.0.binary_search_by_key(&node, |missed| missed.node).ok()?;
        Some(self.0[place].why)
    }

    /// How many were missed for a reason.
    #[must_use]
    pub fn count(&self, why: Why) -> usize {
        self.0.iter().filter(|missed| missed.why == why).count()
    }
}

/// What the snapshot before the `place`-th one (from 0, in the order of time) missed, by the classes of this one.
///
/// # Errors
/// If there is none before it, or addresses cannot be read.
pub fn find(series: &Series, place: usize, classes: &Classes) -> Result<Misses, NoveltyError> {
    let (snapshot, before) = classify::at(series, place)?;
    let Some((previous, earlier)) = before.split_last() else {
        return Err(NoveltyError::First { at: snapshot.about().at.clone() });
    };
    let mut crawled = Hosts::default();
    crawled.add_crawled(series, previous)?;
    let mut known = Hosts::default();
    known.add_named(series, previous)?;
    for snapshot in earlier {
        known.add_crawled(series, snapshot)?;
    }
    let named = Numbers::of(series.next_number(), std::slice::from_ref(previous), |_, _| true);
    let mut missed = Vec::new();
    for (node, url) in Node::first(snapshot.nodes()).zip(snapshot.urls(series)) {
        let url = url?;
        if classes.of(node) == Some(Class::Old) {
            let why = if !crawled.contains(url.key()) && known.contains(url.key()) {
                Why::SiteDown
            } else if named.contains(snapshot.number(node)) {
                Why::NotCrawled
            } else {
                Why::NotLinked
            };
            missed.push(Missed { node, why });
        }
    }
    Ok(Misses(missed))
}
