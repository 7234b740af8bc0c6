//! What stands around a zone? All elements of the page, so that a selector for one of them can count
//! its neighbours, ignored ones too.

use super::Page;
use super::node::{Node, NodeId};
use super::read::{self, Parts, Vocabulary};
use super::tree::Tree;
use super::words::Splitter;
use super::zone::Marks;

/// All elements of a page that was read with zones, without their words.
#[derive(Debug, Clone)]
pub(crate) struct Whole {
    page: Page,
    /// The number among all elements, by the number in the zones.
    ids: Vec<NodeId>,
}

/// The elements of a tree, and which of them stand in the zones.
pub(crate) struct Outline {
    nodes: Vec<Node>,
    ids: Vec<NodeId>,
}

impl Outline {
    pub(crate) fn of(tree: &Tree, vocabulary: Vocabulary, marks: &Marks, splitter: &Splitter) -> Self {
        let (nodes, all) = read::elements(tree, vocabulary, None, splitter);
        let (_, kept) = read::elements(tree, vocabulary, Some(marks), splitter);
        // Both in document order, and every kept one is among all.
        let mut numbered = all.into_iter().zip(0..);
        let ids = kept.into_iter().filter_map(|kept| numbered.find(|(id, _)| *id == kept).map(|(_, at)| NodeId(at)));
        Self { ids: ids.collect(), nodes }
    }
}

impl Page {
    /// The same page with all its elements around it.
    pub(super) fn within(mut self, outline: Outline) -> Self {
        let Outline { nodes, ids } = outline;
        let Parts { attributes, values, names, .. } = &self.parts;
        let parts = Parts {
            nodes,
            attributes: attributes.clone(),
            values: values.clone(),
            names: names.clone(),
            ..Parts::default()
        };
        let page = Self { parts, whole: None, ..self.clone() };
        self.whole = Some(Box::new(Whole { page, ids }));
        self
    }

    /// The page with all its elements, and the number that an element of this page has there.
    pub(super) fn whole(&self) -> (&Self, impl Fn(NodeId) -> NodeId) {
        let ids = self.whole.as_ref().map(|whole| whole.ids.as_slice());
        let number = move |node: NodeId| ids.and_then(|ids| ids.get(node.index()).copied()).unwrap_or(node);
        (self.whole.as_ref().map_or(self, |whole| &whole.page), number)
    }
}
