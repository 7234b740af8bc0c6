//! `driftline archive stats`: how much is there, and of what?

use std::io::{self, BufWriter, Write};

use anyhow::Result;
use driftline_archive::care::retention::Size;
use driftline_archive::care::summarise;
use driftline_archive::care::summary::{Bytes, Count, Segments, Summary};
use driftline_report::summary::safe::for_terminal;

use super::data;
use crate::args::StatsArgs;
use crate::exit::Exit;

pub(super) fn run(args: &StatsArgs) -> Result<Exit> {
    if data::is_unchecked(args.data.data.as_deref())? {
        return Ok(Exit::Same);
    }
    let archive = data::open_to_read(args.data.data.as_deref())?;
    let summary = summarise(&archive)?;
    let mut output = BufWriter::new(io::stdout().lock());
    if args.json {
        serde_json::to_writer(&mut output, &summary)?;
        writeln!(output)?;
    } else {
        print(&mut output, &summary)?;
    }
    output.flush()?;
    Ok(Exit::Same)
}

fn print(output: &mut impl Write, summary: &Summary) -> Result<()> {
    let Summary { captures, versions, urls, hosts, watches, events, .. } = summary;
    let counts = [("captures", captures), ("versions", versions), ("addresses", urls), ("hosts", hosts)];
    for (name, count) in counts.into_iter().chain([("watches", watches), ("events", events)]) {
        writeln!(output, "{name:<12} {count:>12}")?;
    }
    if let (Some(first), Some(latest)) = (&summary.first, &summary.latest) {
        writeln!(output, "from {first} to {latest}")?;
    }
    let Bytes { segments, captures, bodies, saved } = summary.bytes;
    writeln!(output, "\nbytes")?;
    let rows = [("segments", segments), ("captures, packed", captures), ("bodies, unpacked", bodies)];
    for (name, bytes) in rows.into_iter().chain([("saved: unchanged", saved)]) {
        writeln!(output, "  {name:<22} {bytes:>15}  {}", Size(bytes))?;
    }
    let Segments { open, closed, stored, dropped } = summary.segments;
    writeln!(output, "\nsegments: {open} open, {closed} closed, {stored} in the store, {dropped} dropped")?;
    let tables = [
        ("year", &summary.by_year),
        ("type", &summary.by_mime),
        ("status", &summary.by_status),
        ("record", &summary.by_kind),
        ("host", &summary.by_host),
    ];
    for (name, rows) in tables {
        table(output, name, rows)?;
    }
    if !summary.derived.is_empty() {
        writeln!(output, "\nderived")?;
    }
    for row in &summary.derived {
        let state = if row.is_current { "" } else { "  made by another recipe: `driftline archive rebuild`" };
        writeln!(output, "  {:<22} {:>12}  recipe {}{state}", for_terminal(&row.kind), row.count, row.recipe)?;
    }
    Ok(())
}

fn table(output: &mut impl Write, name: &str, rows: &[Count]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n{name:<24} {:>12} {:>15}", "captures", "bytes")?;
    for Count { name, count, bytes } in rows {
        let name = if name.is_empty() { "?" } else { name };
        let name = for_terminal(name);
        writeln!(output, "  {name:<22} {count:>12} {bytes:>15}")?;
    }
    Ok(())
}
