//! What are many nodes called? Neighbours stand in one block of keys, which is read once for all of them.

use std::io;

use driftline::novelty::url::Canonical;

use super::Series;
use crate::snapshot::{Node, Snapshot};

/// The addresses of a snapshot's nodes; quick for nodes that are near each other.
#[derive(Debug)]
pub struct Addresses<'a> {
    series: &'a Series,
    snapshot: &'a Snapshot,
    /// For each batch the block that was read last.
    blocks: Vec<Block>,
}

#[derive(Debug, Default)]
struct Block {
    first: u32,
    keys: Vec<String>,
}

impl<'a> Addresses<'a> {
    /// The addresses of a snapshot of this series.
    #[must_use]
    pub fn new(series: &'a Series, snapshot: &'a Snapshot) -> Self {
        let blocks = series.batches.iter().map(|_| Block::default()).collect();
        Self { series, snapshot, blocks }
    }

    /// The address of a node, as it was crawled.
    ///
    /// # Errors
    /// If the addresses of the series are damaged.
    pub fn of(&mut self, node: Node) -> io::Result<Canonical> {
        let www = self.snapshot.status(node).www;
        Ok(Canonical::from_key(self.key(node)?.to_owned(), www))
    }

    /// The key of a node.
    ///
    /// # Errors
    /// If the addresses of the series are damaged.
    pub fn key(&mut self, node: Node) -> io::Result<&str> {
        let number = self.snapshot.number(node);
        let (place, batch) = self.series.batch_of(number)?;
        let own = number - batch.first;
        let block = &mut self.blocks[place];
        if own < block.first || own - block.first >= block.keys.len() as u32 {
            let (first, keys) = batch.urls()?.around(own);
            *block = Block { first, keys: keys.collect::<io::Result<_>>()? };
        }
        Ok(&block.keys[(own - block.first) as usize])
    }
}
