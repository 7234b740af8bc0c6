//! How does Gephi read a crawl? As GraphML: addresses as nodes, then links as edges.

use std::io::Write;

use super::xml::Escaped;
use super::{Choice, ExportError, arcs};
use crate::Series;
use crate::snapshot::{Node, Snapshot};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="label" for="node" attr.name="label" attr.type="string"/>
  <key id="url" for="node" attr.name="url" attr.type="string"/>
  <key id="host" for="node" attr.name="host" attr.type="string"/>
  <key id="class" for="node" attr.name="class" attr.type="string"/>
  <graph edgedefault="directed">
"#;

/// Writes a snapshot as GraphML; how many links there were. Nodes have an address (`url`, and without its scheme as
/// `label`), a `host` and a `class`, which is `crawled` or `fringe`. `advance` is told how many links were read, of all
/// that there are.
///
/// # Errors
/// If links or addresses cannot be read, or the output does not take them.
pub fn graphml(
    series: &Series,
    snapshot: &Snapshot,
    choice: Choice,
    mut out: impl Write,
    advance: &dyn Fn(u64),
) -> Result<u64, ExportError> {
    out.write_all(HEAD.as_bytes())?;
    for (node, url) in Node::first(snapshot.nodes()).zip(snapshot.urls(series)) {
        let url = url?.url();
        if !choice.admits(snapshot, node) {
            continue;
        }
        let label = url.split_once("://").map_or(url.as_str(), |(_, label)| label);
        let host = label.split(['/', '?', '#']).next().unwrap_or_default();
        let class = if snapshot.is_crawled(node) { "crawled" } else { "fringe" };
        let (url, label, host) = (Escaped(&url), Escaped(label), Escaped(host));
        writeln!(
            out,
            "    <node id=\"n{node}\"><data key=\"label\">{label}</data><data key=\"url\">{url}</data><data key=\"host\">{host}</data><data key=\"class\">{class}</data></node>"
        )?;
    }
    let mut count: u64 = 0;
    arcs(snapshot, advance, |source, target| {
        if !choice.admits(snapshot, source) || !choice.admits(snapshot, target) {
            return Ok(());
        }
        count += 1;
        writeln!(out, "    <edge source=\"n{source}\" target=\"n{target}\"/>")
    })?;
    out.write_all(b"  </graph>\n</graphml>\n")?;
    out.flush()?;
    Ok(count)
}
