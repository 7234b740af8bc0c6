//! `driftline snapshot links`: who links to a page, and to whom does it link?

use std::io::{self, BufWriter, Write};

use anyhow::{Context, Result, bail};
use driftline::novelty::url::Canonical;
use driftline_graph::Series;
use driftline_graph::series::Addresses;
use driftline_graph::snapshot::{Direction, Node, Snapshot};
use serde_json::json;

use super::open;
use crate::args::LinksArgs;
use crate::exit::Exit;

pub(super) fn run(args: &LinksArgs) -> Result<Exit> {
    let series = open::named_or_only(args.series.as_deref(), args.data.data.as_deref())?;
    let snapshot = open::at(&series, args.at.as_ref())?;
    let node = find(&args.url, &series, snapshot)?;
    let directions: &[Direction] = match (args.into, args.out) {
        (true, false) => &[Direction::In],
        (false, true) => &[Direction::Out],
        _ => &[Direction::In, Direction::Out],
    };
    let mut output = BufWriter::new(io::stdout().lock());
    let mut addresses = Addresses::new(&series, snapshot);
    for &direction in directions {
        for other in snapshot.links(direction)?.of(node) {
            let url = addresses.of(other)?.url();
            write(&mut output, args.json, &url, snapshot, other, direction)?;
        }
    }
    output.flush()?;
    Ok(Exit::Same)
}

/// The node of an address; where it is instead, if not here.
fn find(url: &str, series: &Series, snapshot: &Snapshot) -> Result<Node> {
    let canonical = Canonical::of(url)
        .with_context(|| format!("`{url}` is no address of a page\nhint: write it as https://example.org/page"))?;
    if let Some(node) = snapshot.node(&canonical, series)? {
        return Ok(node);
    }
    let at = snapshot.at();
    let mut others = Vec::new();
    for other in series.snapshots() {
        if other.node(&canonical, series)?.is_some() {
            others.push(other.at().to_string());
        }
    }
    if others.is_empty() {
        bail!("`{}` was neither crawled nor linked to at {at}, nor at any other time", canonical.url());
    }
    bail!("`{}` was neither crawled nor linked to at {at}\nhint: it was at {}", canonical.url(), others.join(", "))
}

/// A line for a link: the address, what became of it, when it was fetched, and which way the link goes.
fn write(
    output: &mut impl Write,
    is_json: bool,
    url: &str,
    snapshot: &Snapshot,
    node: Node,
    direction: Direction,
) -> Result<()> {
    let status = snapshot.status(node);
    let class = if status.crawled { "crawled" } else { "fringe" };
    let fetched = status.fetched.map(|at| at.to_string());
    let direction = direction.name();
    if is_json {
        let last_modified = status.last_modified.map(|at| at.to_string());
        let object = json!({ "url": url, "class": class, "fetched": fetched, "last_modified": last_modified, "direction": direction });
        serde_json::to_writer(&mut *output, &object)?;
        writeln!(output)?;
    } else {
        writeln!(output, "{url}\t{class}\t{}\t{direction}", fetched.unwrap_or_default())?;
    }
    Ok(())
}
