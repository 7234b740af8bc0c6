//! How do others get at the links? One by one with their addresses, or as GraphML.
//!
//! Nothing is collected: a graph of any size goes through a few blocks of addresses.

mod graphml;
mod xml;

use std::io;

use driftline::time::Time;

use crate::Series;
use crate::series::Addresses;
use crate::snapshot::{Direction, Node, Snapshot, SnapshotError};

pub use graphml::graphml;

/// How many nodes are read before it is checked whether the output still takes them.
const AT_ONCE: u32 = 4096;

/// Which links are meant?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// All of them.
    #[default]
    All,
    /// Those whose target was crawled too.
    AmongCrawled,
}

impl Choice {
    fn admits(self, snapshot: &Snapshot, node: Node) -> bool {
        self == Self::All || snapshot.is_crawled(node)
    }
}

/// A link with its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge<'a> {
    /// The address of the page.
    pub source: &'a str,
    /// The address that it links to.
    pub target: &'a str,
    /// When the page was fetched.
    pub fetched: Option<Time>,
}

/// Why links cannot be written out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The links cannot be read.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// Addresses cannot be read, or the output does not take them.
    #[error("cannot write the links out")]
    Io(#[from] io::Error),
}

/// Calls `each` with every link in the order of pages; how many there were. `advance` is told how many links were
/// read, of all that there are.
///
/// # Errors
/// If links or addresses cannot be read, or `each` says so.
pub fn edges(
    series: &Series,
    snapshot: &Snapshot,
    choice: Choice,
    mut each: impl FnMut(Edge<'_>) -> io::Result<()>,
    advance: &dyn Fn(u64),
) -> Result<u64, ExportError> {
    let mut sources = Addresses::new(series, snapshot);
    let mut targets = Addresses::new(series, snapshot);
    let (mut count, mut named) = (0, None::<(Node, String)>);
    arcs(snapshot, advance, |source, target| {
        if !choice.admits(snapshot, source) || !choice.admits(snapshot, target) {
            return Ok(());
        }
        if named.as_ref().is_none_or(|(node, _)| *node != source) {
            named = Some((source, sources.of(source)?.url()));
        }
        let source_url = named.as_ref().map_or("", |(_, url)| url);
        count += 1;
        let target = targets.of(target)?.url();
        each(Edge { source: source_url, target: &target, fetched: snapshot.fetched(source) })
    })?;
    Ok(count)
}

/// Calls `each` with every link, as nodes, until it says that it failed.
fn arcs(
    snapshot: &Snapshot,
    advance: &dyn Fn(u64),
    mut each: impl FnMut(Node, Node) -> io::Result<()>,
) -> Result<(), ExportError> {
    let links = snapshot.links(Direction::Out)?;
    for nodes in Node::ranges(links.nodes(), AT_ONCE) {
        let (mut outcome, mut read) = (Ok(()), 0);
        links.scan(nodes, |source, mut targets| {
            read += targets.len() as u64;
            if outcome.is_ok() {
                outcome = targets.try_for_each(|target| each(source, target));
            }
        });
        outcome?;
        advance(read);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
