//! The smallest elements in which a page changed.
//!
//! A clock is learned, not the paragraph around it. Where dates changed in several rows of a list, one selector stands for
//! the same cell of each row.

use driftline::change::{Change, Sides};
use driftline::page::{NodeId, Page, Selectors};
use driftline::region::{Place, Region, RegionKind};

use super::Flicker;
use super::reading::{Extent, are_same, own_words, read};

/// Rows whose dates changed until a selector stands for all of them.
const LEAST_ROWS: usize = 3;

/// An element in which a page changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leaf {
    pub(super) selector: String,
    pub(super) extent: Extent,
}

/// The elements in which a page changed, as far as they can be learned: not the page, nor most of it.
pub(super) fn leaves(pages: Sides<&Page>, change: &Change) -> Vec<Leaf> {
    let mut selectors = None;
    let (mut leaves, mut dated) = (Vec::new(), Vec::new());
    for region in &change.regions {
        let pairs = pairs(pages, region);
        if pairs.is_empty() {
            leaves.extend(whole(pages, region));
        }
        for (older, newer) in pairs.into_iter().filter(|(_, newer)| is_part(pages.newer, *newer)) {
            let selectors = selectors.get_or_insert_with(|| Selectors::of(pages.newer));
            let selector = selectors.selector(newer);
            if is_dated(pages, older, newer) {
                dated.push(selector);
            } else {
                leaves.push(Leaf { selector, extent: Extent::Own });
            }
        }
    }
    leaves.extend(rows(&dated));
    leaves
}

/// The elements of a region whose own text or attributes differ, if both versions of it have the same elements.
fn pairs(pages: Sides<&Page>, region: &Region) -> Vec<(NodeId, NodeId)> {
    let node = |place: Option<&Place>| place?.node;
    let (Some(older), Some(newer)) = (node(region.older()), node(region.newer())) else { return Vec::new() };
    let subtree = |page: &Page, node: NodeId| (node.0..=page.nodes()[node.index()].last.0).map(NodeId);
    let tags = |page: &'_ Page, node: NodeId| -> Vec<String> {
        subtree(page, node).map(|node| page.tag(node).to_owned()).collect()
    };
    if region.kind() != RegionKind::Changed || tags(pages.older, older) != tags(pages.newer, newer) {
        return Vec::new();
    }
    let all = subtree(pages.older, older).zip(subtree(pages.newer, newer));
    all.filter(|(older, newer)| !are_same((pages.older, *older), (pages.newer, *newer))).collect()
}

/// The element of a region that changed as a whole: other elements, or another place.
fn whole(pages: Sides<&Page>, region: &Region) -> Option<Leaf> {
    let (page, place) = region.shown_on(pages);
    let node = place.node?;
    let words = (place.words.end - place.words.start) as usize;
    let is_part = page.nodes()[node.index()].level > 2 && words * 2 <= page.word_count();
    let is_moved = matches!(region.kind(), RegionKind::Moved | RegionKind::Reordered);
    let extent = if is_moved { Extent::Placed } else { Extent::Whole };
    is_part.then(|| Leaf { selector: place.selector.clone(), extent })
}

fn is_part(page: &Page, node: NodeId) -> bool {
    page.nodes()[node.index()].level > 2 && own_words(page, node) * 2 <= page.word_count()
}

fn is_dated(pages: Sides<&Page>, older: NodeId, newer: NodeId) -> bool {
    let own = |page, node| read(page, node, Extent::Own, &|_| false);
    own(pages.older, older).difference(own(pages.newer, newer)).text == Some(Flicker::Dates)
}

/// Elements whose dates changed. Those of several rows of a list are one.
fn rows(selectors: &[String]) -> Vec<Leaf> {
    let mut leaves: Vec<Leaf> = Vec::new();
    let counted: Vec<_> = selectors.iter().map(|selector| counts(selector)).collect();
    for (selector, (frame, own)) in selectors.iter().zip(&counted) {
        let others: Vec<&Vec<&str>> = counted.iter().filter(|(other, _)| other == frame).map(|(_, it)| it).collect();
        let varied: Vec<usize> =
            (0..own.len()).filter(|at| others.iter().any(|other| other[*at] != own[*at])).collect();
        let leaf = match varied[..] {
            [row] if others.len() >= LEAST_ROWS => Leaf { selector: without(frame, own, row), extent: Extent::Each },
            _ => Leaf { selector: selector.clone(), extent: Extent::Own },
        };
        if !leaves.contains(&leaf) {
            leaves.push(leaf);
        }
    }
    leaves
}

/// A selector without the places that it counts (`li:nth-of-type(3)`), cut there, and these places.
fn counts(selector: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut frame, mut places, mut rest) = (Vec::new(), Vec::new(), selector);
    while let Some(start) = rest.find(":nth-") {
        let end = rest[start..].find(')').map_or(rest.len(), |end| start + end + 1);
        frame.push(&rest[..start]);
        places.push(&rest[start..end]);
        rest = &rest[end..];
    }
    frame.push(rest);
    (frame, places)
}

/// The selector with all of its places but one.
fn without(frame: &[&str], places: &[&str], row: usize) -> String {
    let place = |at: usize| places.get(at).filter(|_| at != row).copied().unwrap_or_default();
    frame.iter().enumerate().flat_map(|(at, part)| [*part, place(at)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(leaves: &[Leaf]) -> Vec<(&str, Extent)> {
        leaves.iter().map(|leaf| (leaf.selector.as_str(), leaf.extent)).collect()
    }

    #[test]
    fn the_same_cell_of_three_rows_is_one_element() {
        let row = |row: usize| format!("#posts > tr:nth-of-type({row}) > td:nth-of-type(2)");
        let leaves = rows(&[row(1), row(2), row(5), ".clock".to_owned()]);
        assert_eq!(selectors(&leaves), [("#posts > tr > td:nth-of-type(2)", Extent::Each), (".clock", Extent::Own)]);
    }

    #[test]
    fn two_rows_and_cells_of_other_columns_are_elements_of_their_own() {
        let cell = |row: usize, column: usize| format!("#t > tr:nth-of-type({row}) > td:nth-of-type({column})");
        let leaves = rows(&[cell(1, 2), cell(2, 2), cell(3, 1)]);
        assert!(leaves.iter().all(|leaf| leaf.extent == Extent::Own) && leaves.len() == 3, "{leaves:?}");
    }
}
