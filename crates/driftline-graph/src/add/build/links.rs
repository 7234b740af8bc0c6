//! Which links are there? Those of each block in places of the list, led through redirects, sorted, each once.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::addresses::Addresses;
use super::bits::Ranked;
use super::redirects::Redirects;
use super::{Block, Build, STEPS};
use crate::add::Step;
use crate::add::block::{pair, parts};
use crate::snapshot::Node;
use crate::sort::varint::Summed;
use crate::sort::{Buffer, Sorted, Sorter};

const PHASE: &str = "sorting links";

/// Links that count.
pub(super) struct Led {
    pub(super) sorted: Sorted,
    /// How many did not, as their source was not crawled.
    pub(super) not_crawled: u64,
}

/// Reads the links of all blocks; their targets get into V.
pub(super) fn led(
    build: &Build<'_>,
    work: &Path,
    blocks: &[Block],
    addresses: &Addresses,
    redirects: &Redirects,
) -> io::Result<Led> {
    let sorter = Sorter::new(work, build.budget / 2, rayon::current_num_threads());
    let total = blocks.iter().map(|block| block.written.links.items).sum();
    let (done, not_crawled) = (AtomicU64::new(0), AtomicU64::new(0));
    build.tell(PHASE, 0, total);
    // One after the other, so that a thread has one block's places in memory.
    blocks.par_iter().enumerate().with_max_len(1).try_for_each(|(number, block)| {
        let links = Links { block, number, addresses, redirects };
        let skipped = links.lead(&mut sorter.buffer(), |more| {
            let done = done.fetch_add(more, Ordering::Relaxed) + more;
            build.tell(PHASE, done, total);
        })?;
        not_crawled.fetch_add(skipped, Ordering::Relaxed);
        io::Result::Ok(())
    })?;
    Ok(Led { sorted: sorter.sorted()?, not_crawled: not_crawled.into_inner() })
}

/// The links of one block.
struct Links<'a> {
    block: &'a Block,
    number: usize,
    addresses: &'a Addresses,
    redirects: &'a Redirects,
}

impl Links<'_> {
    /// Puts them where they are sorted; how many do not count.
    fn lead(&self, to: &mut Buffer<'_>, advance: impl Fn(u64)) -> io::Result<u64> {
        let section = self.block.written.links;
        if section.items == 0 {
            return Ok(0);
        }
        let places = self.addresses.places(self.number)?;
        let mut skipped = 0;
        for (count, link) in (1..).zip(Summed::new(section.open(&self.block.path)?, section.items)) {
            let (source, target) = parts(link?);
            let source = places[source as usize];
            if self.addresses.crawled.contains(source) {
                let target = self.redirects.follow(places[target as usize]);
                if target != source {
                    self.addresses.in_v.insert(target);
                    to.push(pair(source, target))?;
                }
            } else {
                skipped += 1;
            }
            if count % STEPS == 0 {
                advance(STEPS);
            }
        }
        advance(section.items % STEPS);
        Ok(skipped)
    }
}

/// The same links between nodes.
pub(super) struct Arcs<'a> {
    sorted: Sorted,
    nodes: &'a Ranked,
    progress: &'a (dyn Fn(Step) + Sync),
    /// The last source as a place and as a node: mostly the next one's too.
    last: (u32, Node),
    done: u64,
}

impl<'a> Arcs<'a> {
    pub(super) fn new(sorted: Sorted, nodes: &'a Ranked, progress: &'a (dyn Fn(Step) + Sync)) -> Self {
        Self { sorted, nodes, progress, last: (0, Node::new(nodes.rank(0))), done: 0 }
    }
}

impl Iterator for Arcs<'_> {
    type Item = io::Result<(Node, Node)>;

    fn next(&mut self) -> Option<Self::Item> {
        let (source, target) = match self.sorted.next()? {
            Ok(link) => parts(link),
            Err(error) => return Some(Err(error)),
        };
        if self.last.0 != source {
            self.last = (source, Node::new(self.nodes.rank(source)));
        }
        if self.done.is_multiple_of(STEPS) {
            // Repetitions are gone, and how many there were is not known: sources are what can be counted.
            let (done, total) = (u64::from(self.last.1.get()), u64::from(self.nodes.count()));
            (self.progress)(Step { phase: "writing links", done, total });
        }
        self.done += 1;
        Some(Ok((self.last.1, Node::new(self.nodes.rank(target)))))
    }
}
