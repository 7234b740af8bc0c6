//! How are links written? Collected list by list and compressed, while they come; then turned around.

use std::io;
use std::iter::Peekable;
use std::path::Path;

use super::compress::Compressor;
use super::lists::Lists;
use super::transpose::transpose;
use super::{Direction, Node};

/// The fewest and the most links that are collected before they are compressed.
const COLLECTED: std::ops::RangeInclusive<usize> = 1 << 16..=1 << 25;

/// What was built.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Built {
    /// How many links there are.
    pub links: u64,
    /// Bits on disk for each link, from page to its targets.
    pub out_bits_per_link: f64,
    /// Bits on disk for each link, from target to the pages that link to it.
    pub in_bits_per_link: f64,
}

/// Writes `out.*` and `in.*` into a folder, synced, on all threads of the current rayon pool.
///
/// `arcs` are (source, target), sorted, without repetitions. It takes about `budget` bytes and four bytes a node; with
/// a small budget it takes longer, as the links are read once for each part of the turned graph that fits it.
///
/// # Errors
/// If an arc is out of order or names no node, or a file cannot be written.
pub fn build(
    folder: &Path,
    nodes: u32,
    arcs: impl Iterator<Item = io::Result<(Node, Node)>> + Send,
    budget: usize,
) -> io::Result<Built> {
    let mut collector = Collector {
        arcs: arcs.peekable(),
        nodes,
        next: Node::new(0),
        last: None,
        // Two collections and what becomes of one are in memory at once; a node takes as much as a link.
        most: (budget / 12).clamp(*COLLECTED.start(), *COLLECTED.end()),
        in_degrees: vec![0; nodes as usize],
    };
    let mut compressor = Compressor::create(folder, Direction::Out)?;
    let mut links = 0;
    let mut lists = collector.collect()?;
    while !lists.ends.is_empty() {
        links += lists.links.len() as u64;
        let (next, appended) = rayon::join(|| collector.collect(), || compressor.append(&lists));
        appended?;
        lists = next?;
    }
    if collector.arcs.next().transpose()?.is_some() {
        return Err(io::Error::other("a link of a page that there is not"));
    }
    let out_bits = compressor.finish()?;
    let in_bits = transpose(folder, &collector.in_degrees, budget)?;
    let per_link = |bits: u64| if links == 0 { 0.0 } else { bits as f64 / links as f64 };
    Ok(Built { links, out_bits_per_link: per_link(out_bits), in_bits_per_link: per_link(in_bits) })
}

struct Collector<I: Iterator<Item = io::Result<(Node, Node)>>> {
    arcs: Peekable<I>,
    nodes: u32,
    next: Node,
    last: Option<(Node, Node)>,
    most: usize,
    in_degrees: Vec<u32>,
}

impl<I: Iterator<Item = io::Result<(Node, Node)>>> Collector<I> {
    /// The lists of the next nodes; none behind the last.
    fn collect(&mut self) -> io::Result<Lists> {
        let mut lists = Lists { first: self.next, ..Lists::default() };
        while self.next.get() < self.nodes && lists.links.len() + lists.ends.len() < self.most {
            while let Some(arc) = self.arcs.next_if(|arc| arc.as_ref().is_ok_and(|arc| arc.0 == self.next)) {
                let target = self.admit(arc?)?;
                lists.links.push(target);
            }
            if let Some(error) = self.arcs.next_if(Result::is_err) {
                error?;
            }
            lists.ends.push(lists.links.len() as u32);
            self.next = self.next.next();
        }
        Ok(lists)
    }

    /// The target of an arc that is in order.
    fn admit(&mut self, arc: (Node, Node)) -> io::Result<Node> {
        if self.last.is_some_and(|last| last >= arc) {
            return Err(io::Error::other("links are out of order"));
        }
        self.last = Some(arc);
        let degree = self.in_degrees.get_mut(arc.1.index());
        *degree.ok_or_else(|| io::Error::other("a link to a page that there is not"))? += 1;
        Ok(arc.1)
    }
}
