//! Which elements does a selector match? The same matcher as for zones, asked for positions.

use selectors::context::SelectorCaches;

use super::element::{MOST_STEPS, Page, in_order};
use super::{Selector, any_matches};
use crate::page::NodeId;
use crate::page::tree::{Content, Tree};

/// The elements that a selector matches, as the positions that they have in the page read whole.
pub(crate) fn find(tree: &Tree, selector: &Selector) -> Vec<NodeId> {
    let page = Page::new(tree, MOST_STEPS);
    let mut caches = SelectorCaches::default();
    let mut context = Page::context(&mut caches);
    let elements = in_order(tree).filter(|&node| matches!(tree.content(node), Content::Element { .. }));
    let numbered = (0..).map(NodeId).zip(elements);
    let matched = numbered.filter(|&(_, node)| any_matches(std::slice::from_ref(selector), &page, node, &mut context));
    matched.map(|(id, _)| id).collect()
}
