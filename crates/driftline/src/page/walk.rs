//! Walks in document order: through a parsed tree, and through the elements of a page.

use super::tree::{Tree, TreeId};
use super::{NodeId, Page};

/// Walks through a tree.
pub(super) trait Walk {
    /// Takes in a node; are its children to be visited?
    fn enter(&mut self, id: TreeId) -> bool;

    /// All children of an entered node were visited.
    fn leave(&mut self, id: TreeId);
}

/// Visits every node in document order, without recursion: a tree may be a hundred thousand deep.
pub(super) fn walk(tree: &Tree, walker: &mut impl Walk) {
    let mut next = tree.first_child(TreeId::DOCUMENT);
    while let Some(id) = next {
        let entered = walker.enter(id);
        next = if entered { tree.first_child(id) } else { None };
        if entered && next.is_none() {
            walker.leave(id);
        }
        let mut at = id;
        while next.is_none() {
            next = tree.next(at);
            if next.is_some() {
                break;
            }
            match tree.parent(at) {
                Some(parent) if parent != TreeId::DOCUMENT => {
                    walker.leave(parent);
                    at = parent;
                }
                _ => return,
            }
        }
    }
}

/// The begin or the end of an element.
pub(super) enum Step {
    Enter(NodeId),
    Leave(NodeId),
}

impl Page {
    /// Where each element begins and ends.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        let mut open: Vec<NodeId> = Vec::new();
        let mut next = 0;
        std::iter::from_fn(move || {
            if let Some(node) = open.pop_if(|node| self.nodes()[node.index()].last.index() < next) {
                return Some(Step::Leave(node));
            }
            let node = NodeId(next as u32);
            self.nodes().get(next)?;
            open.push(node);
            next += 1;
            Some(Step::Enter(node))
        })
    }
}
