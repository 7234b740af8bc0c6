//! `driftline snapshot list`: which snapshots are there, and how large are they?

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline_archive::care::retention::Size;
use driftline_graph::Series;
use driftline_graph::series::Damage;
use driftline_graph::snapshot::{About, Snapshot};
use serde_json::json;

use super::open;
use crate::args::ListSnapshotsArgs;
use crate::exit::Exit;
use crate::tell;

pub(super) fn run(args: &ListSnapshotsArgs) -> Result<Exit> {
    // Before anything is printed: what is not there is an error alone.
    let all = open::named_or_all(args.series.as_deref(), args.data.data.as_deref())?;
    let width = all.iter().map(|(name, _)| name.len()).max().unwrap_or_default().max("series".len());
    let mut output = BufWriter::new(io::stdout().lock());
    if !args.json && !all.is_empty() {
        writeln!(
            output,
            "{:width$}  {:20} {:>11} {:>11} {:>13} {:>11} {:>9} {:>9} {:>9} {:>9}",
            "series", "at", "crawled", "fringe", "links", "new", "size", "bits out", "bits in", "skipped"
        )?;
    }
    for (name, series) in &all {
        for snapshot in series.snapshots() {
            if args.json {
                serde_json::to_writer(&mut output, &object(name, snapshot))?;
                writeln!(output)?;
            } else {
                write_row(&mut output, name, width, snapshot)?;
            }
        }
        for damage in series.damaged() {
            write_damage(&mut output, args.json, name, width, damage)?;
        }
        series.unfinished().iter().for_each(|at| tell_unfinished(series, name, at));
    }
    output.flush()?;
    Ok(Exit::Same)
}

fn tell_unfinished(series: &Series, name: &str, at: &str) {
    if series.is_being_added(at) {
        tell::note(format_args!("the crawl of {at} is being added to `{name}` now"));
    } else {
        tell::warning(format_args!(
            "the crawl of {at} was not added to `{name}` to its end\nhint: type the same `driftline snapshot add` once more to go on, or `driftline snapshot remove {name} --at {at}`"
        ));
    }
}

/// A line of the table. Links are counted in bits on disk, out and in.
fn write_row(output: &mut impl Write, name: &str, width: usize, snapshot: &Snapshot) -> io::Result<()> {
    let About { urls, crawled, links, new_urls, out_bits_per_link, in_bits_per_link, .. } = snapshot.about();
    let (at, fringe) = (snapshot.at().to_string(), urls - crawled);
    let (size, skipped) = (Size(snapshot.bytes()).to_string(), snapshot.about().skipped());
    writeln!(
        output,
        "{name:width$}  {at:20} {crawled:>11} {fringe:>11} {links:>13} {new_urls:>11} {size:>9} {out_bits_per_link:>9.2} {in_bits_per_link:>9.2} {skipped:>9}"
    )
}

/// A line for what cannot be used, and what helps on stderr.
fn write_damage(output: &mut impl Write, is_json: bool, name: &str, width: usize, damage: &Damage) -> io::Result<()> {
    tell::warning(damage);
    let at = damage.at.to_string();
    if is_json {
        writeln!(output, "{}", json!({ "series": name, "at": at, "damaged": damage.what, "cure": damage.cure }))
    } else {
        writeln!(output, "{name:width$}  {at:20} {:>11}", "damaged")
    }
}

fn object(name: &str, snapshot: &Snapshot) -> serde_json::Value {
    let about = snapshot.about();
    json!({
        "series": name,
        "at": snapshot.at().to_string(),
        "crawled": about.crawled,
        "fringe": about.urls - about.crawled,
        "links": about.links,
        "new_urls": about.new_urls,
        "redirects": about.redirects,
        "bytes": snapshot.bytes(),
        "out_bits_per_link": about.out_bits_per_link,
        "in_bits_per_link": about.in_bits_per_link,
        "skipped": about.skipped,
    })
}
