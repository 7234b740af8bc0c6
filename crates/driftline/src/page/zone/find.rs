//! The elements that selectors match, by their positions. The same matcher as for zones.

use selectors::context::SelectorCaches;

use super::element::{MOST_STEPS, Page, in_order};
use super::{Selector, any_matches};
use crate::page::NodeId;
use crate::page::tree::{Content, Tree};

/// What selectors match.
pub(crate) struct Matches {
    /// Of each selector, the elements as the positions that they have in the page read whole.
    pub(crate) found: Vec<Vec<NodeId>>,
    /// Were there too many steps? Then the last selectors match too few elements.
    pub(crate) is_cut: bool,
    /// The steps that matching cost.
    pub(crate) steps: u64,
}

/// The elements that each selector matches; all selectors together have one budget of steps.
pub(crate) fn find(tree: &Tree, selectors: &[Selector]) -> Matches {
    let page = Page::new(tree, MOST_STEPS);
    let mut caches = SelectorCaches::default();
    let mut context = Page::context(&mut caches);
    let elements = in_order(tree).filter(|&node| matches!(tree.content(node), Content::Element { .. }));
    let numbered: Vec<_> = (0..).map(NodeId).zip(elements).collect();
    let found = selectors.iter().map(|selector| {
        let selector = std::slice::from_ref(selector);
        let matched = numbered.iter().filter(|&&(_, node)| any_matches(selector, &page, node, &mut context));
        matched.map(|&(id, _)| id).collect()
    });
    let found = found.collect();
    Matches { found, is_cut: page.is_spent(), steps: page.steps() }
}
