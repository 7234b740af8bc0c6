//! Why did a page get this score? Its in-links, and what makes it old if it is.

use driftline::novelty::{Class, Novelty};
use driftline::time::Time;

use crate::Series;
use crate::snapshot::{Node, Number, Snapshot};

use super::classify::at;
use super::{NoveltyError, Scores};

/// What is known of one page of a snapshot.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Its novelty.
    pub novelty: Novelty,
    /// Its class.
    pub class: Class,
    /// Who links to it, in the order of nodes.
    pub in_links: Vec<InLink>,
    /// Rule 1: where it was seen before, in the order of time.
    pub seen: Vec<Sighting>,
    /// Rule 2: its Last-Modified, if that is before the previous snapshot.
    pub last_modified: Option<Time>,
}

/// A link to the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InLink {
    /// The page that it stands on.
    pub source: Node,
    /// What that page is.
    pub class: Class,
    /// n(q, p): what the link counts for, from 0 to 1.
    pub contribution: f64,
    /// Rule 3: the Last-Modified of that page, if it is before the previous snapshot and so makes this one old.
    pub unmodified_since: Option<Time>,
}

/// An earlier snapshot that knew of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    /// The place of the snapshot in the series, from 0.
    pub place: usize,
    /// Whether the page was crawled then, or only linked to.
    pub is_crawled: bool,
}

impl Evidence {
    /// Links that are known to have appeared since the previous snapshot: those on pages of L2, if this page is
    /// unidentified and so was not linked to before.
    pub fn new_links(&self) -> impl Iterator<Item = &InLink> {
        let is_unidentified = self.class == Class::Unidentified;
        self.in_links.iter().filter(move |link| is_unidentified && link.class == Class::SeenTwice)
    }
}

/// What is known of a page of the `place`-th snapshot of a series, by the scores of that snapshot; nothing if it was
/// only linked to.
///
/// # Errors
/// If there is no such snapshot, or the files of the series cannot be read.
pub fn evidence(series: &Series, place: usize, node: Node, scores: &Scores) -> Result<Option<Evidence>, NoveltyError> {
    let (snapshot, earlier) = at(series, place)?;
    let (Some(class), Some(novelty)) = (scores.classes().of(node), scores.of(node)) else { return Ok(None) };
    let unmodified = |node: Node| {
        let last_time = earlier.last().map(Snapshot::at);
        snapshot.last_modified(node).filter(|&time| last_time.is_some_and(|last_time| time < last_time))
    };
    let in_links = snapshot.in_links(node)?.into_iter().filter_map(|source| {
        let class = scores.classes().of(source)?;
        let contribution = match scores.of(source)? {
            Novelty::Unidentified(score) => score,
            Novelty::Old if class == Class::SeenTwice => 1.0,
            Novelty::Old => 0.0,
        };
        Some(InLink { source, class, contribution, unmodified_since: unmodified(source) })
    });
    let in_links = in_links.collect();
    let number = snapshot.number(node);
    Ok(Some(Evidence { novelty, class, in_links, seen: sightings(earlier, number), last_modified: unmodified(node) }))
}

/// The snapshots that knew of an address: one pass over the numbers of each.
fn sightings(earlier: &[Snapshot], number: Number) -> Vec<Sighting> {
    let sighting = |(place, snapshot): (usize, &Snapshot)| {
        let node = Node::new(snapshot.numbers().iter().position(|&own| own == number)? as u32);
        Some(Sighting { place, is_crawled: snapshot.is_crawled(node) })
    };
    earlier.iter().enumerate().filter_map(sighting).collect()
}
