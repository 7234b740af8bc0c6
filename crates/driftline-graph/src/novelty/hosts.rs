//! Which sites does a snapshot know? By a hash of their names: a few bytes each, for as many as the web has.

use std::collections::HashSet;
use std::io;

use driftline::novelty::url::host_of;
use xxhash_rust::xxh3::xxh3_64;

use crate::snapshot::Node;
use crate::{Series, Snapshot};

/// A set of sites.
#[derive(Debug, Default)]
pub(super) struct Hosts(HashSet<u64>);

impl Hosts {
    /// Adds the sites of which a page was crawled.
    ///
    /// # Errors
    /// If the addresses of the series cannot be read.
    pub(super) fn add_crawled(&mut self, series: &Series, snapshot: &Snapshot) -> io::Result<()> {
        self.add(series, snapshot, |node| snapshot.is_crawled(node))
    }

    /// Adds the sites of which a page was crawled or linked to.
    ///
    /// # Errors
    /// If the addresses of the series cannot be read.
    pub(super) fn add_named(&mut self, series: &Series, snapshot: &Snapshot) -> io::Result<()> {
        self.add(series, snapshot, |_| true)
    }

    fn add(&mut self, series: &Series, snapshot: &Snapshot, counts: impl Fn(Node) -> bool) -> io::Result<()> {
        let mut last = None;
        for (node, url) in Node::first(snapshot.nodes()).zip(snapshot.urls(series)) {
            let url = url?;
            if counts(node) {
                let host = code(url.key());
                if last.replace(host) != Some(host) {
                    self.0.insert(host);
                }
            }
        }
        Ok(())
    }

    /// Is the site of this key among them?
    pub(super) fn contains(&self, key: &str) -> bool {
        self.0.contains(&code(key))
    }
}

/// What the site of a key is known by.
pub(super) fn code(key: &str) -> u64 {
    xxh3_64(host_of(key).as_bytes())
}
