//! The parts that a page falls into: the children of the body (section 3.3.2, rules S3 and S4).

use std::collections::BTreeMap;

use crate::page::{BodyKind, NodeId, Page};

/// A part of a page: a row of the subtree table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subtree {
    /// The tag of its root.
    pub mark: Box<str>,
    /// Its root.
    pub start: NodeId,
    /// Its last element.
    pub end: NodeId,
}

impl Subtree {
    /// How many elements it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.end.index() - self.start.index() + 1
    }
}

/// The subtree table of a page, in document order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subtrees {
    /// Its rows.
    pub rows: Vec<Subtree>,
}

impl Subtrees {
    /// The parts of a page; of XML that is no web page, the children of the root.
    #[must_use]
    pub fn of(page: &Page) -> Self {
        let row = |start| Subtree { mark: page.tag(start).into(), start, end: page.nodes()[start.index()].last };
        Self { rows: body(page).into_iter().flat_map(|body| page.children(body)).map(row).collect() }
    }

    /// The look-up table: the rows with each mark.
    #[must_use]
    pub fn by_mark(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut table = BTreeMap::<_, Vec<_>>::new();
        for (row, subtree) in self.rows.iter().enumerate() {
            table.entry(&*subtree.mark).or_default().push(row);
        }
        table
    }
}

/// The element whose children are the parts of the page.
fn body(page: &Page) -> Option<NodeId> {
    let is_body = |id: &NodeId| page.nodes()[id.index()].level == 2 && page.tag(*id) == "body";
    let root = || (page.kind() == BodyKind::Xml && !page.nodes().is_empty()).then_some(NodeId(0));
    page.node_ids().find(is_body).or_else(root)
}
