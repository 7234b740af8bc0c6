//! Who links to a page? The same links turned around, in as many passes as the memory asks for.
//!
//! How many links each page gets is known, so each list has its place before it is filled: a pass over the graph
//! puts each source where it belongs, and nothing is sorted on disk. Threads fill the lists at once, so a list is put
//! in order when it is compressed. Where not all lists fit the memory, each pass fills those of as many pages as do:
//! a pass reads tens of millions of links a second on each thread, so that some passes are quicker than a sort.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::compress::Compressor;
use super::lists::Lists;
use super::{Direction, Links, Node};

/// The fewest bytes for lists, whatever the budget: else there would be no end of passes.
const FEWEST: usize = 1 << 20;
/// Parts of the graph for each thread, so that none has to wait long for the others.
const PARTS: usize = 16;

/// Writes `in.*` beside `out.*`; how many bits it has.
pub(super) fn transpose(folder: &Path, in_degrees: &[u32], budget: usize) -> io::Result<u64> {
    let links = Links::open(folder, Direction::Out)?;
    let mut compressor = Compressor::create(folder, Direction::In)?;
    for nodes in passes(in_degrees, budget.max(FEWEST)) {
        compressor.append(&filled(&links, in_degrees, nodes))?;
    }
    compressor.finish()
}

/// Nodes whose lists fit the memory together, at least one at a time: four bytes for a link and for a node, and half
/// as much for what becomes of them.
fn passes(in_degrees: &[u32], budget: usize) -> Vec<Range<Node>> {
    let most = (budget / 6).min(u32::MAX as usize);
    let (mut passes, mut from, mut taken) = (Vec::new(), 0, 0);
    for (node, &degree) in in_degrees.iter().enumerate() {
        let own = degree as usize + 1;
        if taken + own > most && node > from {
            passes.push(Node::new(from as u32)..Node::new(node as u32));
            (from, taken) = (node, 0);
        }
        taken += own;
    }
    if from < in_degrees.len() {
        passes.push(Node::new(from as u32)..Node::new(in_degrees.len() as u32));
    }
    passes
}

/// The lists of some nodes, filled by one pass over all links.
fn filled(links: &Links, in_degrees: &[u32], nodes: Range<Node>) -> Lists {
    let degrees = &in_degrees[nodes.start.index()..nodes.end.index()];
    let mut total = 0;
    // Where the next link of each list goes; where the list ends, in the end.
    let places: Vec<AtomicU32> = degrees
        .iter()
        .map(|degree| {
            total += degree;
            AtomicU32::new(total - degree)
        })
        .collect();
    let filled: Vec<AtomicU32> = (0..total).map(|_| AtomicU32::new(0)).collect();
    let parts = links.ranges(rayon::current_num_threads() * PARTS);
    parts.into_par_iter().for_each(|part| {
        links.scan(part, |source, targets| {
            for target in targets.filter(|target| nodes.contains(target)) {
                let place = places[target.index() - nodes.start.index()].fetch_add(1, Ordering::Relaxed);
                filled[place as usize].store(source.get(), Ordering::Relaxed);
            }
        });
    });
    let links = filled.into_iter().map(|source| Node::new(source.into_inner()));
    let ends = places.into_iter().map(AtomicU32::into_inner);
    Lists { first: nodes.start, ends: ends.collect(), links: links.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_cover_all_nodes_within_the_budget() {
        let degrees = [5, 0, 0, 100, 3, 3, 3, 0];
        for budget in [0, 6, 60, 120, 6000] {
            let passes = passes(&degrees, budget);
            assert!(passes.iter().cloned().flat_map(Node::range).eq(Node::first(8)), "{passes:?}");
            let work = |pass: &Range<Node>| {
                Node::range(pass.clone()).map(|node| degrees[node.index()] as usize + 1).sum::<usize>()
            };
            assert!(passes.iter().all(|pass| pass.end == pass.start.next() || work(pass) <= budget / 6), "{passes:?}");
        }
        assert_eq!(passes(&[], 60), []);
    }
}
