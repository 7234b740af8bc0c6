//! The addresses of a snapshot's nodes. Those of neighbours are in one block of keys, which is read once for all of them.

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
        let own = number.since(batch.first);
        let block = &mut self.blocks[place];
        if own < block.first || own - block.first >= block.keys.len() as u32 {
            let (first, keys) = batch.urls()?.around(own);
            *block = Block { first, keys: keys.collect::<io::Result<_>>()? };
        }
        Ok(&block.keys[(own - block.first) as usize])
    }
}

impl Snapshot {
    /// The address of a node, as it was crawled. For many of them, [`urls`](Self::urls) or [`Addresses`] are faster.
    ///
    /// # Errors
    /// If the addresses of the series are damaged.
    pub fn url(&self, node: Node, series: &Series) -> io::Result<Canonical> {
        Addresses::new(series, self).of(node)
    }

    /// The node of an address, if it is in this snapshot.
    ///
    /// # Errors
    /// If the addresses of the series are damaged.
    pub fn node(&self, url: &Canonical, series: &Series) -> io::Result<Option<Node>> {
        let (mut from, mut to) = (0, self.nodes());
        while from < to {
            let middle = from.midpoint(to);
            let node = Node::new(middle);
            let key = series.key_of(self.number(node))?;
            match key.as_str().cmp(url.key()) {
                std::cmp::Ordering::Equal => return Ok(Some(node)),
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        Ok(None)
    }

    /// All addresses in node order: the fast way to name them all.
    pub fn urls<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = io::Result<Canonical>> + 'a {
        let mut addresses = Addresses::new(series, self);
        Node::first(self.nodes()).map(move |node| addresses.of(node))
    }
}
