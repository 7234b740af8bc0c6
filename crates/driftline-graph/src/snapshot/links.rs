//! Who links to whom? A graph in both directions, in Boldi and Vigna's format, compressed and still quick to read.
//!
//! `out.*` has a page's targets, `in.*` the pages that link to a target. The files are those of WebGraph (`.graph`,
//! `.offsets`, `.properties`, with its default codes), which reads them too, with an Elias–Fano index of the offsets
//! (`.ef`) of the `webgraph` crate. Nothing here needs addresses or a series.

mod build;
mod compress;
mod deferred_errors;
mod lists;
mod transpose;

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;

use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::traits::BE;
use webgraph::graphs::bvgraph::{BvGraph, CompFlags, ConstCodesDecoderFactory, EF, Static, parse_properties};
use webgraph::traits::{RandomAccessGraph, RandomAccessLabeling, SequentialLabeling};
use webgraph::utils::MmapHelper;

use super::Node;
use super::mapped::{damaged, other};

pub use build::{Built, build};

type Graph = BvGraph<ConstCodesDecoderFactory<BE, MmapHelper<u32>, EF>>;

/// From a page to its targets, or from a target to the pages that link to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From a page to its targets (`out.*`).
    Out,
    /// From a target to the pages that link to it (`in.*`).
    In,
}

impl Direction {
    /// What its files are called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
        }
    }

    /// Its files.
    #[must_use]
    pub fn files(self) -> [String; 4] {
        ["graph", "offsets", "properties", "ef"].map(|kind| format!("{}.{kind}", self.name()))
    }
}

/// Links in one direction, opened: mapped, not read.
pub struct Links {
    nodes: u32,
    count: u64,
    /// None without nodes: an empty file cannot be mapped.
    graph: Option<Graph>,
}

impl Links {
    /// Opens `out.*` or `in.*` of a folder. Not for others: codes are followed blindly, so what is opened has to be
    /// checked first, as [`Snapshot::links`](super::Snapshot::links) does, or to be what this process has just built,
    /// as the benchmark's is, for which it is public.
    ///
    /// # Errors
    /// If a file is missing or plainly damaged.
    #[doc(hidden)]
    pub fn open(folder: &Path, direction: Direction) -> io::Result<Self> {
        let base = folder.join(direction.name());
        let (nodes, count, flags) = parse_properties::<BE>(base.with_added_extension("properties")).map_err(other)?;
        let nodes = u32::try_from(nodes).map_err(|_| damaged("it has too many nodes"))?;
        if codes(&flags) != codes(&compress::flags()) {
            return Err(damaged("its links are coded in another way"));
        }
        let load = || BvGraph::with_basename(&base).dispatch::<Static>().load().map_err(other);
        let graph = (nodes > 0).then(load).transpose()?;
        Ok(Self { nodes, count, graph })
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// How many links there are.
    #[must_use]
    pub fn links(&self) -> u64 {
        self.count
    }

    /// How many links a node has.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn degree(&self, node: Node) -> usize {
        self.admit(node).outdegree(node.index())
    }

    /// The links of one node, in order.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn of(&self, node: Node) -> Vec<Node> {
        self.admit(node).successors(node.index()).map(|other| Node::new(other as u32)).collect()
    }

    /// The links of each node of a range, in order: by far the fastest way to read many. Ranges may be read by many
    /// threads at once; each costs a few random reads to begin with.
    ///
    /// # Panics
    /// If the range ends behind the last node.
    pub fn scan(&self, range: Range<Node>, mut each: impl FnMut(Node, Successors<'_>)) {
        if range.is_empty() {
            return;
        }
        let graph = self.admit(Node::new(range.end.get() - 1));
        let mut lists = graph.iter_from(range.start.index());
        for node in Node::range(range) {
            // An error is one of the coding, which webgraph does not report but panics at; the files were checked.
            let successors = lists.next_successors().expect("the links of a snapshot that was checked");
            each(node, Successors(successors.iter()));
        }
    }

    /// All nodes in this many ranges of equal length, for this many threads or more.
    #[must_use]
    pub fn ranges(&self, parts: usize) -> Vec<Range<Node>> {
        Node::ranges(self.nodes, self.nodes.div_ceil(parts.max(1) as u32).max(1)).collect()
    }

    fn admit(&self, node: Node) -> &Graph {
        assert!(node.get() < self.nodes, "there is no node {node}: there are {}", self.nodes);
        self.graph.as_ref().expect("where there are nodes there is a graph")
    }
}

/// What the parts of a list are coded in; the reader knows one way.
fn codes(flags: &CompFlags) -> [Codes; 5] {
    [flags.outdegrees, flags.references, flags.blocks, flags.intervals, flags.residuals]
}

impl fmt::Debug for Links {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Links").field("nodes", &self.nodes).field("links", &self.count).finish_non_exhaustive()
    }
}

/// The links of a node, in order.
#[derive(Debug, Clone)]
pub struct Successors<'a>(std::slice::Iter<'a, usize>);

impl Iterator for Successors<'_> {
    type Item = Node;

    #[inline]
    fn next(&mut self) -> Option<Node> {
        self.0.next().map(|&node| Node::new(node as u32))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, Node) -> B>(self, start: B, mut each: F) -> B {
        self.0.fold(start, |so_far, &node| each(so_far, Node::new(node as u32)))
    }
}

impl ExactSizeIterator for Successors<'_> {}

#[cfg(test)]
mod tests;
