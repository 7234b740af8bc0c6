//! Which subtrees are accounted for? None of them overlaps another.

use std::collections::BTreeMap;

use super::side::Side;
use crate::page::NodeId;

/// Subtrees of one page, none in another.
#[derive(Default)]
pub(super) struct Taken {
    /// The last element of each, by its first.
    lasts: BTreeMap<NodeId, NodeId>,
}

impl Taken {
    /// Does a subtree overlap none that was taken?
    pub(super) fn is_free(&self, side: &Side<'_>, node: NodeId) -> bool {
        let before = self.lasts.range(..=side.node(node).last).next_back();
        before.is_none_or(|(_, &last)| last < node)
    }

    pub(super) fn take(&mut self, side: &Side<'_>, node: NodeId) {
        self.lasts.insert(node, side.node(node).last);
    }
}
