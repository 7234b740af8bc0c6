//! Numbers of node comparisons that each approach needs: figure 6 of Artail and Fawaz, by rule S9.
//!
//! Counted, not done: the numbers follow from the sizes of subtrees and the tags in them.

use std::collections::BTreeMap;

use driftline::page::{NodeId, Page};
use driftline::region::{Subtree, Subtrees};
use serde::Serialize;

/// Numbers of node comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Every node below one body with every node below the other.
    pub all_pairs: u64,
    /// The original approach: a part's nodes with the nodes of all subtrees of less than four times
    /// its size, each node once.
    pub original_distinct: u64,
    /// The same, each node as often as a subtree holds it.
    pub original_with_repeats: u64,
    /// The enhanced approach: the rows of its table, the nodes of parts with the same mark.
    pub enhanced_rows: u64,
    /// Those of them with the same tag: what it computes.
    pub enhanced_same_tag: u64,
}

impl Counts {
    /// Counts for two pages.
    #[must_use]
    pub fn of(older: &Page, newer: &Page) -> Self {
        let (parts, others) = (Subtrees::of(older), Subtrees::of(newer));
        let size = |rows: &[Subtree]| rows.iter().map(Subtree::size).sum::<usize>() as u64;
        let sizes = Sizes::of(newer, &others);
        let original = |count: fn(&Sizes, usize) -> u64| {
            parts.rows.iter().map(|part| part.size() as u64 * count(&sizes, SIZE_FACTOR * part.size())).sum()
        };
        let any = |_| "";
        Self {
            all_pairs: size(&parts.rows) * size(&others.rows),
            original_distinct: original(Sizes::nodes_below),
            original_with_repeats: original(Sizes::sum_below),
            enhanced_rows: product(&tally(&parts, any), &tally(&others, any)),
            enhanced_same_tag: product(&tally(&parts, |node| older.tag(node)), &tally(&others, |node| newer.tag(node))),
        }
    }
}

/// The original approach looks at subtrees of less than this times the nodes of a part: "deduced
/// from experimental results".
pub(crate) const SIZE_FACTOR: usize = 4;

/// The sizes of all subtrees of a page, and how much is in the smaller ones.
struct Sizes {
    sorted: Vec<usize>,
    sums: Vec<u64>,
}

impl Sizes {
    fn of(page: &Page, subtrees: &Subtrees) -> Self {
        let nodes = subtrees.rows.iter().flat_map(|part| part.start.index()..=part.end.index());
        let mut sorted: Vec<usize> = nodes.map(|node| page.nodes()[node].last.index() - node + 1).collect();
        sorted.sort_unstable();
        let mut sum = 0;
        let sums = std::iter::once(0).chain(sorted.iter().map(|&size| {
            sum += size as u64;
            sum
        }));
        Self { sums: sums.collect(), sorted }
    }

    /// How many nodes are in subtrees smaller than `limit`: a node's own subtree is the smallest
    /// that holds it.
    fn nodes_below(&self, limit: usize) -> u64 {
        self.sorted.partition_point(|&size| size < limit) as u64
    }

    /// The same, each node as often as such a subtree holds it.
    fn sum_below(&self, limit: usize) -> u64 {
        self.sums[self.sorted.partition_point(|&size| size < limit)]
    }
}

/// How many nodes there are of each kind in the parts with each mark.
fn tally<'a>(subtrees: &'a Subtrees, kind: impl Fn(NodeId) -> &'a str) -> BTreeMap<(&'a str, &'a str), u64> {
    let mut counts = BTreeMap::new();
    for part in &subtrees.rows {
        for node in part.start.0..=part.end.0 {
            *counts.entry((&*part.mark, kind(NodeId(node)))).or_default() += 1;
        }
    }
    counts
}

fn product<K: Ord>(older: &BTreeMap<K, u64>, newer: &BTreeMap<K, u64>) -> u64 {
    older.iter().map(|(key, count)| count * newer.get(key).copied().unwrap_or(0)).sum()
}
