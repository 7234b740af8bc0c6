//! In which order do tags stand in a page? Start and end tags as a sequence, made from the table of elements:
//! what was left open or closed twice in the source does not show.

use super::Page;
use super::tree::NameId;
use super::walk::Step;

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
        self.steps().filter_map(|step| match step {
            Step::Enter(node) => Some(Tag::Start(self.nodes()[node.index()].name)),
            Step::Leave(node) => (!is_void(self.tag(node))).then(|| Tag::End(self.nodes()[node.index()].name)),
        })
    }
}

/// Elements that HTML writes without an end tag.
pub(crate) fn is_void(name: &str) -> bool {
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
