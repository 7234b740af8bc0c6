//! In-links by node: all that the measure needs of a graph.

use std::ops::Range;

use crate::snapshot::{Links, Node, Successors};

/// A graph that can be read by target, in ranges, on many threads at once.
///
/// [`Links`] of [`Direction::In`](crate::snapshot::Direction::In) are one.
pub trait InLinks: Sync {
    /// The pages that link to one.
    type Sources<'a>: ExactSizeIterator<Item = Node>;

    /// How many nodes there are.
    fn nodes(&self) -> u32;

    /// Shows each node of a range, in order, with the sources of its in-links: ascending, each once, never itself.
    fn scan(&self, range: Range<Node>, visit: impl for<'a> FnMut(Node, Self::Sources<'a>));
}

impl InLinks for Links {
    type Sources<'a> = Successors<'a>;

    fn nodes(&self) -> u32 {
        self.nodes()
    }

    fn scan(&self, range: Range<Node>, visit: impl for<'a> FnMut(Node, Successors<'a>)) {
        self.scan(range, visit);
    }
}

/// How far apart two wanted nodes may be, and still be read in one go: to begin anew costs a few random reads.
const NEAR: u32 = 24;

/// Shows the wanted nodes of a range, and perhaps some between them.
pub(super) fn scan_wanted<L: InLinks>(
    links: &L,
    range: Range<Node>,
    is_wanted: impl Fn(Node) -> bool,
    mut visit: impl for<'a> FnMut(Node, L::Sources<'a>),
) {
    let mut run: Option<Range<Node>> = None;
    for node in Node::range(range) {
        if !is_wanted(node) {
            continue;
        }
        run = Some(match run.take() {
            Some(run) if node.get() - run.end.get() < NEAR => run.start..node.next(),
            Some(run) => {
                links.scan(run, &mut visit);
                node..node.next()
            }
            None => node..node.next(),
        });
    }
    if let Some(run) = run {
        links.scan(run, &mut visit);
    }
}
