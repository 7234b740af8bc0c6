//! Does a page only say what an older page said? Copies, moves and mirrors, by content.
//!
//! N tells when an address appeared. A page with a new address may still be an old one: moved, copied, or a mirror of
//! it (the paper's closing section). Where pages came with their content, their sketches are compared: each
//! unidentified page with all pages crawled before, and with the old ones crawled with it. Two pages are taken for the
//! same if at least nine in ten of their word shingles are. Tags do not count: pages of one template share them, and
//! say different things. Where there are few words chance and boilerplate make pages alike; then words and tags must
//! be the same throughout.
//!
//! N stays as it is. What this adds is a [`Verdict`]: a copy is not called new, however likely its address is.

mod index;
mod relation;

use std::io;

use driftline::novelty::sketch::Sketch;
use driftline::novelty::url::Canonical;
use driftline::novelty::{Class, Novelty};

use crate::snapshot::{Node, Sketches};
use crate::{Series, Snapshot};

use super::calibration::Calibration;
use super::{Classes, NoveltyError, Scores, classify};
use index::Index;

pub use relation::Relation;

/// Pages whose words are this alike say the same.
pub const ALIKE: f64 = 0.9;

/// Pages with fewer words must be the same, words and tags.
pub const FEW_WORDS: u32 = 40;

/// The older page that a page says again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CopyOf {
    /// The snapshot that holds the older page: its place in the series, from 0.
    pub place: usize,
    /// The older page in it.
    pub node: Node,
    /// How alike their words are, from [`ALIKE`] to 1.
    pub likeness: f64,
    /// What the one is to the other.
    pub relation: Relation,
}

impl CopyOf {
    /// The address of the older page.
    ///
    /// # Errors
    /// If the addresses of the series cannot be read.
    pub fn url(&self, series: &Series) -> io::Result<Canonical> {
        series.snapshots()[self.place].url(self.node, series)
    }
}

/// The unidentified pages of a snapshot that say what older pages said.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Copies {
    all: Vec<(Node, CopyOf)>,
    compared: usize,
}

impl Copies {
    /// What a page is a copy of, if it is one.
    #[must_use]
    pub fn of(&self, node: Node) -> Option<&CopyOf> {
        let place = self.all.binary_search_by_key(&node, |(copy, _)| *copy).ok()?;
        Some(&self.all[place].1)
    }

    /// All of them, in the order of nodes.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &(Node, CopyOf)> {
        self.all.iter()
    }

    /// How many unidentified pages have a content that is known; of the others nothing can be said.
    #[must_use]
    pub fn compared(&self) -> usize {
        self.compared
    }
}

/// What is to be made of a page, all taken together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict<'a> {
    /// By the paper's rules.
    Old,
    /// Its address may be new; what it says is not.
    Copy(&'a CopyOf),
    /// It may be new.
    New {
        /// N(p).
        novelty: f64,
        /// How likely it is.
        probability: f64,
    },
}

impl<'a> Verdict<'a> {
    /// The verdict on a page; nothing if it was only linked to.
    #[must_use]
    pub fn on(node: Node, scores: &Scores, calibration: &Calibration, copies: &'a Copies) -> Option<Self> {
        let Novelty::Unidentified(novelty) = scores.of(node)? else { return Some(Self::Old) };
        let probability = calibration.probability(node)?;
        Some(copies.of(node).map_or(Self::New { novelty, probability }, Self::Copy))
    }

    /// How likely the page is new: a copy is not.
    #[must_use]
    pub fn probability(&self) -> f64 {
        match self {
            Self::Old | Self::Copy(_) => 0.0,
            Self::New { probability, .. } => *probability,
        }
    }
}

/// Looks for the unidentified pages of the `place`-th snapshot (from 0, in the order of time) among older pages.
///
/// Holds the sketches of as many pages at a time as `memory` bytes take, and passes over those of all snapshots once
/// for each lot.
///
/// # Errors
/// If there is no such snapshot, or the addresses of copies cannot be read.
pub fn find(series: &Series, place: usize, classes: &Classes, memory: usize) -> Result<Copies, NoveltyError> {
    let (snapshot, before) = classify::at(series, place)?;
    let is_unidentified = |node: &Node| classes.of(*node) == Some(Class::Unidentified);
    let mut sought = sketches(snapshot).filter(|(node, _)| is_unidentified(node));
    let mut copies = Copies::default();
    loop {
        let mut index = Index::of(&mut sought, memory);
        if index.is_empty() {
            break;
        }
        copies.compared += index.len();
        for (place, earlier) in before.iter().enumerate() {
            sketches(earlier).for_each(|(node, sketch)| index.meet(place, node, &sketch));
        }
        let old = sketches(snapshot).filter(|(node, _)| classes.of(*node).is_some() && !is_unidentified(node));
        old.for_each(|(node, sketch)| index.meet(place, node, &sketch));
        copies.all.extend(index.found());
    }
    relation::tell(series, place, &mut copies.all)?;
    Ok(copies)
}

fn sketches(snapshot: &Snapshot) -> impl Iterator<Item = (Node, Sketch)> {
    snapshot.sketches().into_iter().flat_map(Sketches::iter)
}
