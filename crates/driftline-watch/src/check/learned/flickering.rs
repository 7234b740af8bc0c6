//! The elements of a page that change by themselves, as far as it is known.

use driftline::page::{NodeId, Page, Recipe, Source};

use super::reading::Extent;
use super::{Element, Flicker, Learned};

/// An element of a page that changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) struct Spot {
    pub(in crate::check) node: NodeId,
    /// Whether the elements in it are no part of it.
    pub(in crate::check) is_own: bool,
    /// What of it changes.
    pub(in crate::check) flicker: Flicker,
}

/// What is known to change by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Known {
    /// What is learned.
    Learned,
    /// What differs between the fetches of this check, too.
    Seen,
}

impl Learned {
    /// The elements of a page whose text changes by itself. The recipe has no zones.
    pub(in crate::check) fn spots(&self, source: Source<'_>, recipe: &Recipe, known: Known) -> Vec<Spot> {
        let flicker = |element: &Element| {
            let is_known = |is_learned: bool, is_unstable: bool| is_learned || known == Known::Seen && is_unstable;
            let own = element.evidence.iter().filter(|it| is_known(it.is_learned, it.is_unstable));
            own.map(|evidence| evidence.flicker).filter(|flicker| *flicker != Flicker::Attributes).max()
        };
        let (places, selectors) = self.selectors(|element| flicker(element).is_some());
        if places.is_empty() {
            return Vec::new();
        }
        let (_, found) = Page::read_and_find(source, recipe, &selectors);
        let mut spots = Vec::new();
        for (at, nodes) in places.into_iter().zip(found) {
            let element = &self.elements[at];
            let is_own = matches!(element.extent, Extent::Own | Extent::Each);
            let flicker = flicker(element);
            spots.extend(nodes.into_iter().filter_map(|node| Some(Spot { node, is_own, flicker: flicker? })));
        }
        spots
    }
}
