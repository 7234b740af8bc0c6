//! A comparison of what is learned with two versions: which elements differ by nothing else.

use std::collections::HashMap;

use driftline::change::Sides;
use driftline::page::zone::Selector;
use driftline::page::{NodeId, Page};

use super::reading::{self, Answer, Difference, Extent};
use super::{Depth, Element, Flicker, difference};

/// A comparison of the elements that are learned with what they are on two versions.
pub(super) struct Folder<'a> {
    answers: Sides<&'a Answer>,
    elements: &'a [&'a Element],
    selectors: &'a [Selector],
    depth: Depth,
    /// By element of the newer page: that of the older one, and what is learned of it.
    own: HashMap<NodeId, Vec<(NodeId, usize)>>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(
        answers: Sides<&'a Answer>,
        elements: &'a [&'a Element],
        selectors: &'a [Selector],
        depth: Depth,
    ) -> Self {
        let mut own: HashMap<NodeId, Vec<(NodeId, usize)>> = HashMap::new();
        for (at, element) in elements.iter().enumerate() {
            let (older, newer) = (answers.older.nodes(at), answers.newer.nodes(at));
            if matches!(element.extent, Extent::Own | Extent::Each) && older.len() == newer.len() {
                let pairs = newer.iter().zip(older);
                pairs.for_each(|(newer, older)| own.entry(*newer).or_default().push((*older, at)));
            }
        }
        Self { answers, elements, selectors, depth, own }
    }

    /// Whether an element is left out: nothing in it differs but what is learned.
    pub(super) fn is_folded(&self, at: usize) -> bool {
        let element = self.elements[at];
        let (older, newer) = (self.answers.older.nodes(at), self.answers.newer.nodes(at));
        // What is counted among its siblings is another element once one of them is added or removed.
        let is_counted = self.selectors[at].as_str().contains(":nth-");
        let is_placed = |older: &NodeId, newer: &NodeId| {
            !is_counted || siblings(self.answers.older.page(), *older) == siblings(self.answers.newer.page(), *newer)
        };
        if matches!(element.extent, Extent::Whole | Extent::Placed) {
            let readings = [self.answers.older, self.answers.newer].map(|answer| answer.reading(at, element.extent));
            let is_there = older.len() <= 1 && newer.len() <= 1 && !(older.is_empty() && newer.is_empty());
            let is_in_place = match (older, newer) {
                ([older], [newer]) => is_placed(older, newer),
                _ => !is_counted,
            };
            return is_there && is_in_place && element.explains(difference(readings[0], readings[1]), self.depth);
        }
        let is_one = element.extent == Extent::Each || older.len() == 1;
        is_one
            && !older.is_empty()
            && older.len() == newer.len()
            && older
                .iter()
                .zip(newer)
                .all(|(older, newer)| is_placed(older, newer) && self.are_explained(*older, *newer))
    }

    /// Whether all that differs in two elements, and in those in them, is left out.
    fn are_explained(&self, older: NodeId, newer: NodeId) -> bool {
        let Sides { older: before, newer: after } = self.answers;
        let nodes = |answer: &'a Answer, node: NodeId| {
            let last = answer.page().nodes()[node.index()].last;
            (node.0..=last.0).map(NodeId).filter(move |node| !answer.is_ignored(*node))
        };
        let (mut olders, mut newers) = (nodes(before, older), nodes(after, newer));
        loop {
            match (olders.next(), newers.next()) {
                (None, None) => return true,
                (Some(older), Some(newer)) if self.is_explained(older, newer) => {}
                _ => return false,
            }
        }
    }

    fn is_explained(&self, older: NodeId, newer: NodeId) -> bool {
        let Sides { older: before, newer: after } = self.answers;
        if reading::are_same((before.page(), older), (after.page(), newer)) {
            return true;
        }
        let difference = before.own(older).difference(after.own(newer));
        let of = self.own.get(&newer).into_iter().flatten().filter(|(known, _)| *known == older);
        let elements: Vec<&Element> = of.map(|(_, at)| self.elements[*at]).collect();
        let is_left_out = |flicker: Flicker| {
            let one = match flicker {
                Flicker::Attributes => Difference { text: None, has_attributes: true },
                text => Difference { text: Some(text), has_attributes: false },
            };
            elements.iter().any(|element| element.explains(one, self.depth))
        };
        difference.flickers().all(is_left_out)
    }
}

fn siblings(page: &Page, node: NodeId) -> usize {
    page.nodes()[node.index()].parent.map_or(0, |parent| page.children(parent).count())
}
