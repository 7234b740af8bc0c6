//! What came out? A class for every page crawled, a score for every one that is unidentified.

use std::sync::Arc;

use driftline::novelty::{Delta, Novelty};

use crate::snapshot::Node;

use super::Classes;
use super::jacobi::Solution;
use super::members::Members;

/// The novelty of the pages of one snapshot, for one δ.
#[derive(Debug, Clone)]
pub struct Scores {
    pages: Arc<Pages>,
    values: Vec<f64>,
    changes: Vec<f64>,
    is_settled: Option<bool>,
    delta: Delta,
}

/// What is the same for every δ.
#[derive(Debug)]
pub(super) struct Pages {
    pub(super) classes: Classes,
    pub(super) unidentified: Members,
    pub(super) in_links: Arc<[u32]>,
}

impl Scores {
    pub(super) fn new(pages: &Arc<Pages>, delta: Delta, solution: Solution) -> Self {
        let Solution { scores, changes, is_settled } = solution;
        Self { pages: Arc::clone(pages), values: scores, changes, is_settled, delta }
    }

    /// The class of every page.
    #[must_use]
    pub fn classes(&self) -> &Classes {
        &self.pages.classes
    }

    /// δ.
    #[must_use]
    pub fn delta(&self) -> Delta {
        self.delta
    }

    /// The novelty of a page; nothing if it was only linked to.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn of(&self, node: Node) -> Option<Novelty> {
        self.classes().of(node)?;
        Some(match self.pages.unidentified.place(node) {
            Some(place) => Novelty::Unidentified(self.values[place as usize]),
            None => Novelty::Old,
        })
    }

    /// |I(p)| of an unidentified page; nothing for any other.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn in_links(&self, node: Node) -> Option<u32> {
        self.pages.unidentified.place(node).map(|place| self.pages.in_links[place as usize])
    }

    /// All unidentified pages in the order of nodes, with |I(p)| and N(p).
    pub fn unidentified(&self) -> impl Iterator<Item = (Node, u32, f64)> {
        let counts = self.pages.in_links.iter().copied();
        let scored = self.pages.unidentified.iter().zip(counts).zip(&self.values);
        scored.map(|((node, in_links), &score)| (node, in_links, score))
    }

    /// Whether they settled within the tolerance; none after a fixed number of rounds.
    #[must_use]
    pub fn is_settled(&self) -> Option<bool> {
        self.is_settled
    }

    /// By how much the scores moved in each round, summed (Fig. 1).
    #[must_use]
    pub fn changes(&self) -> &[f64] {
        &self.changes
    }
}
