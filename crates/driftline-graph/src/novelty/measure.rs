//! How is it computed at the size of a crawl? Folded once, then iterated over what is left.

use std::io;
use std::sync::Arc;

use driftline::novelty::{Class, Delta, Rounds};

use super::fold::{Folded, fold};
use super::members::Members;
use super::scores::Pages;
use super::{Classes, InLinks, NoveltyError, Scores, jacobi, relax};

/// A snapshot made ready: solved for any δ without another look at its graph.
#[derive(Debug)]
pub struct Measure {
    pages: Arc<Pages>,
    system: Folded,
}

/// Nodes whose links are folded at a time, and whose scores are relaxed at a time: a few sites.
const PIECE: u32 = 1 << 15;

impl Measure {
    /// Folds the links of a snapshot, in one pass on all cores. Links among unidentified pages take `memory` bytes
    /// at most, or go to a temporary file.
    ///
    /// # Errors
    /// If the temporary file cannot be written.
    ///
    /// # Panics
    /// If the classes are not those of this graph.
    pub fn prepare(links: &impl InLinks, classes: Classes, memory: usize) -> Result<Self, NoveltyError> {
        Self::prepare_in(links, classes, memory, PIECE).map_err(NoveltyError::Aside)
    }

    pub(super) fn prepare_in(links: &impl InLinks, classes: Classes, memory: usize, piece: u32) -> io::Result<Self> {
        assert_eq!(links.nodes(), classes.nodes(), "a class for each node");
        let unidentified = Members::of(classes.nodes(), |node| classes.of(node) == Some(Class::Unidentified));
        let system = fold(links, &classes, &unidentified, memory, piece)?;
        Ok(Self { pages: Arc::new(Pages { classes, unidentified, in_links: Arc::clone(&system.in_links) }), system })
    }

    /// The class of every page.
    #[must_use]
    pub fn classes(&self) -> &Classes {
        &self.pages.classes
    }

    /// How many bytes the links among unidentified pages take, in memory or on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.system.store.size()
    }

    /// The scores for one δ.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn solve(&self, delta: Delta, rounds: Rounds) -> Result<Scores, NoveltyError> {
        let solution = match rounds {
            Rounds::Exactly(rounds) => jacobi::iterate(&self.system, delta.get(), rounds),
            Rounds::Until(tolerance) => relax::until(&self.system, delta.get(), tolerance),
        };
        let solution = solution.map_err(NoveltyError::Aside)?;
        Ok(Scores::new(&self.pages, delta, solution))
    }
}

#[cfg(test)]
mod tests;
