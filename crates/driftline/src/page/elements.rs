//! Element-only parsing, for callers that need neither text nor words.
//!
//! The fast way in: bytes become a tree without text, and a visitor meets its elements once, where they begin
//! and where they end. A page that was read already shows the same elements to the same visitor.

use super::html;
use super::tree::{Content, NameId, Names, Tree, TreeId};
use super::walk::{Step, Walk, walk};
use super::{BodyKind, Page, ReadOptions, Reading, Source};

/// Meets the elements of a document in document order.
pub(crate) trait Visit {
    /// An element begins.
    fn enter<'a>(&mut self, name: NameId, attributes: impl Iterator<Item = (NameId, &'a str)>);

    /// It ends.
    fn leave(&mut self, name: NameId);
}

/// Shows the elements of a document to a visitor that is made for its names. JSON and plain text have none.
pub(crate) fn visit<V: Visit>(source: Source<'_>, options: &ReadOptions, visitor: impl FnOnce(&Names) -> V) -> V {
    if !options.zones.is_everything() {
        return Page::read(source, options).visit(visitor);
    }
    let reading = Reading::new(source, options);
    let tree = match reading.kind() {
        BodyKind::Html => html::parse_elements(&reading.text, &options.limits),
        BodyKind::Xml => html::parse_xml_elements(&reading.text, &options.limits),
        BodyKind::Json | BodyKind::Text => return visitor(&Names::default()),
    };
    let mut shown = Shown { tree: &tree, visitor: visitor(&tree.names) };
    walk(&tree, &mut shown);
    shown.visitor
}

impl Page {
    /// Shows the elements to a visitor that is made for their names.
    pub(crate) fn visit<V: Visit>(&self, visitor: impl FnOnce(&Names) -> V) -> V {
        let mut visitor = visitor(&self.parts.names);
        for step in self.steps() {
            match step {
                Step::Enter(node) => visitor.enter(self.nodes()[node.index()].name, self.attributes_by_id(node)),
                Step::Leave(node) => visitor.leave(self.nodes()[node.index()].name),
            }
        }
        visitor
    }
}

/// A tree that is shown to a visitor.
struct Shown<'a, V> {
    tree: &'a Tree,
    visitor: V,
}

impl<V: Visit> Walk for Shown<'_, V> {
    fn enter(&mut self, id: TreeId) -> bool {
        let Content::Element { name, attributes } = self.tree.content(id) else {
            return false;
        };
        let attributes = self.tree.attributes(attributes).iter();
        self.visitor.enter(name, attributes.map(|own| (own.name, own.value.of(&self.tree.values))));
        true
    }

    fn leave(&mut self, id: TreeId) {
        if let Content::Element { name, .. } = self.tree.content(id) {
            self.visitor.leave(name);
        }
    }
}
