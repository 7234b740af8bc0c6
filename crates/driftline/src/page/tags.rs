//! In which order do tags stand in a page? Start and end tags as a sequence, made from the table of elements:
//! what was left open or closed twice in the source does not show.

use super::tree::NameId;
use super::{NodeId, Page};

/// A tag of the tag sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Where an element begins.
    Start(NameId),
    /// Where it ends.
    End(NameId),
}

impl Page {
    /// The tags in document order, start and end tags, no end for elements that cannot have one
    /// (Gottron's tag sequence).
    pub fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        let mut open: Vec<NodeId> = Vec::new();
        let mut next = 0;
        std::iter::from_fn(move || {
            loop {
                if let Some(&node) = open.last()
                    && self.nodes()[node.index()].last.index() < next
                {
                    open.pop();
                    if is_void(self.tag(node)) {
                        continue;
                    }
                    return Some(Tag::End(self.nodes()[node.index()].name));
                }
                let node = self.nodes().get(next)?;
                open.push(NodeId(next as u32));
                next += 1;
                return Some(Tag::Start(node.name));
            }
        })
    }
}

/// Elements that HTML writes without an end tag.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}
