//! The elements of a page that change by themselves, as far as it is known.

use driftline::page::{NodeId, Page, ReadOptions, Source};

use super::evidence::Evidence;
use super::reading::{self, Extent, Reading};
use super::{Element, Flicker, Learned, contents, value};

/// An element of a page that changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) struct FlickeringElement {
    pub(in crate::check) node: NodeId,
    /// Whether the elements in it are no part of it.
    pub(in crate::check) is_own: bool,
    /// What of it changes.
    pub(in crate::check) flicker: Flicker,
}

/// The version of a page whose elements are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Age {
    /// The one before, in which elements were learned.
    Older,
    /// The one of this check. A selector may match another element there, so that its content decides too.
    Newer,
}

impl Learned {
    /// The elements of a page whose text changes by itself: by their selectors, and by what they said before, in whatever
    /// design. The options have no zones.
    pub(in crate::check) fn flickering(
        &self,
        source: Source<'_>,
        read_options: &ReadOptions,
        age: Age,
    ) -> Vec<FlickeringElement> {
        let (places, selectors) =
            self.selectors(|element| element.evidence.iter().any(|evidence| is_known(evidence, age)));
        if places.is_empty() && self.contents.is_empty() {
            return Vec::new();
        }
        let (page, found) = Page::read_and_find(source, read_options, &selectors);
        let of_content = contents::known(&self.contents, &page).into_iter().filter(|node| is_part(&page, *node, false));
        let words = |node| FlickeringElement { node, is_own: false, flicker: Flicker::Words };
        let mut all: Vec<FlickeringElement> = of_content.map(words).collect();
        for (at, nodes) in places.into_iter().zip(found) {
            let element = &self.elements[at];
            let is_each = element.extent == Extent::Each;
            let is_own = is_each || element.extent == Extent::Own;
            for node in nodes.iter().copied().filter(|_| is_each || nodes.len() == 1) {
                let flicker = element.flicker_of(&page, node, age).filter(|_| is_part(&page, node, is_own));
                all.extend(flicker.map(|flicker| FlickeringElement { node, is_own, flicker }));
            }
        }
        all
    }
}

impl Element {
    /// What of an element of a page changes by itself.
    fn flicker_of(&self, page: &Page, node: NodeId, age: Age) -> Option<Flicker> {
        let now =
            reading::read(page, node, if self.extent == Extent::Each { Extent::Own } else { self.extent }, &|_| false);
        let is_it = |evidence: &&Evidence| age == Age::Older || self.has_content(now, evidence);
        let known = self.evidence.iter().filter(|evidence| is_known(evidence, age)).filter(is_it);
        known.map(|evidence| evidence.flicker).filter(|flicker| *flicker != Flicker::Attributes).max()
    }

    /// Whether content is that of this element, but for what flickers.
    fn has_content(&self, now: Reading, evidence: &Evidence) -> bool {
        match evidence.flicker {
            Flicker::Words => evidence.has(value(Some(now), Flicker::Words)),
            Flicker::Attributes => false,
            Flicker::Dates | Flicker::Numbers => !self.has_other_words,
        }
    }
}

/// Whether it is learned, or known from this check alone: an edit that reaches all servers meanwhile is one of two contents,
/// not of three.
fn is_known(evidence: &Evidence, age: Age) -> bool {
    evidence.is_learned || age == Age::Newer && evidence.is_varied()
}

/// Whether an element has at most half of the words of its page.
fn is_part(page: &Page, node: NodeId, is_own: bool) -> bool {
    let words = if is_own { reading::own_words(page, node) } else { page.nodes()[node.index()].words.range().len() };
    words * 2 <= page.word_count()
}
