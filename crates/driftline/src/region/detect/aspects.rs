//! Which aspects of a page changed? Exactly, by comparing all of it in order.
//!
//! Whatever the detector pairs and grades, this is the verdict: a page changed if and only if its
//! words, its elements, its attributes or its other text differ in order (rule S10).

use super::side::Side;
use crate::page::NodeId;
use crate::region::finding::Aspects;
use crate::sides::Sides;

/// The aspects in which two pages differ.
pub(super) fn of_pages(sides: &Sides<Side<'_>>) -> Aspects {
    let Sides { older, newer } = sides;
    let content = older.words != newer.words;
    let has_same_tree = has_same_tree(older, newer);
    let is_placed_alike = || has_same_places(older, newer);
    Aspects {
        content,
        structure: !has_same_tree || (!content && !is_placed_alike()),
        attributes: !has_same_attributes(older, newer, has_same_tree),
        punctuation: !content && has_same_tree && is_placed_alike() && !has_same_text(older, newer),
    }
}

fn has_same_tree(older: &Side<'_>, newer: &Side<'_>) -> bool {
    let shapes = |side: &Side<'_>| -> Vec<(u32, u32)> {
        let shape = |(id, root): (NodeId, NodeId)| (side.name(id), side.node(id).level - side.node(root).level);
        side.elements().map(shape).collect()
    };
    shapes(older) == shapes(newer)
}

/// Do the words stand in the same elements?
fn has_same_places(older: &Side<'_>, newer: &Side<'_>) -> bool {
    let places = |side: &Side<'_>| side.elements().map(|(id, _)| side.node(id).words).collect::<Vec<_>>();
    places(older) == places(newer)
}

/// Are the attributes the same? Element by element where the elements are the same, else as a bag:
/// one new element must not shift all others.
fn has_same_attributes(older: &Side<'_>, newer: &Side<'_>, has_same_tree: bool) -> bool {
    if has_same_tree {
        let mut pairs = older.elements().zip(newer.elements());
        return pairs.all(|((left, _), (right, _))| older.has_same_attributes(left, newer, right));
    }
    attribute_bag(older) == attribute_bag(newer)
}

fn attribute_bag<'a>(side: &Side<'a>) -> Vec<(u32, &'a str)> {
    let mut bag: Vec<_> = side.elements().flat_map(|(id, _)| side.attributes(id)).collect();
    bag.sort_unstable();
    bag
}

/// Is the text that is not part of any word the same? Only asked of pages of the same shape.
fn has_same_text(older: &Side<'_>, newer: &Side<'_>) -> bool {
    let mut roots = older.roots().zip(newer.roots()).peekable();
    if roots.peek().is_none() {
        return older.page.text().split_whitespace().eq(newer.page.text().split_whitespace());
    }
    roots.all(|(left, right)| older.has_same_punctuation(left, newer, right))
}
