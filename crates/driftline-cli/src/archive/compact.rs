//! `driftline archive compact`: what need not be kept goes.

use std::io::{self, BufWriter, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use driftline_archive::Time;
use driftline_archive::care::compact::{Gone, Mode, Outcome};
use driftline_archive::care::retention::{Retention, Size};
use driftline_archive::care::{Compact, compact};
use serde_json::json;

use super::data;
use crate::args::CompactArgs;
use crate::exit::Exit;
use crate::progress::Progress;

pub(super) fn run(args: &CompactArgs) -> Result<Exit> {
    let CompactArgs { keep, older_than, most_bytes, thin, .. } = *args;
    let retention = Retention { keep, older_than, most_bytes, thin };
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Real };
    let directory = args.data.data.as_deref();
    let mut archive = if args.dry_run { data::open_to_read(directory)? } else { data::open(directory)? };
    let progress = Progress::of_bytes(args.quiet, || archive.catalog().stats().map_or(0, |stats| stats.segments.bytes));
    let outcome = compact(&mut archive, &Compact { retention, now: now()?, mode }, &|bytes| progress.advance_by(bytes));
    progress.finish();
    let outcome = outcome?;
    archive.close()?;
    let mut output = BufWriter::new(io::stdout().lock());
    let print = if args.json { print_json } else { print };
    print(&mut output, &outcome, args.dry_run)?;
    output.flush()?;
    Ok(Exit::Same)
}

fn now() -> Result<Time> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock of this machine is before 1970")?;
    Ok(Time::from_microseconds(i64::try_from(since.as_micros())?))
}

fn sort(gone: &Gone) -> &'static str {
    if gone.is_version { "version" } else { "unchanged" }
}

/// A line for each capture that goes, and the sum.
fn print(output: &mut impl Write, outcome: &Outcome, dry_run: bool) -> Result<()> {
    for gone in &outcome.gone {
        let url = driftline_report::view::safe::for_terminal(&gone.url).into_owned();
        let (sort, reason) = (sort(gone), gone.reason.name());
        writeln!(output, "{}  {:>10}  {sort:<9}  {reason:<9}  {url}", gone.at, gone.length)?;
    }
    let Outcome { gone, kept, turned, replaced, bytes_before, bytes_after, swept } = outcome;
    let freed = outcome.freed();
    let size = Size(freed.unsigned_abs());
    let (go, freed) = match (dry_run, freed < 0) {
        (true, false) => ("would go", format!("{size} would be freed")),
        (true, true) => ("would go", format!("{size} more would be needed")),
        (false, false) => ("gone", format!("{size} freed")),
        (false, true) => ("gone", format!("{size} more needed")),
    };
    writeln!(output, "{} captures {go}, {kept} kept, {freed}", gone.len())?;
    if !replaced.is_empty() {
        let segments = replaced.len();
        writeln!(output, "segments written anew: {segments}, {bytes_before} bytes before and {bytes_after} after")?;
    }
    if *turned > 0 {
        writeln!(output, "unchanged captures with another original: {turned}")?;
    }
    if !swept.is_empty() {
        writeln!(output, "left by an interrupted compaction in the store, and removed: {}", swept.len())?;
    }
    Ok(())
}

fn print_json(output: &mut impl Write, outcome: &Outcome, dry_run: bool) -> Result<()> {
    for gone in &outcome.gone {
        let line = json!({
            "url": &*gone.url, "at": gone.at.to_string(), "bytes": gone.length, "sort": sort(gone),
            "reason": gone.reason.name(), "segment": &*gone.segment, "offset": gone.offset,
        });
        writeln!(output, "{line}")?;
    }
    let Outcome { gone, kept, turned, replaced, bytes_before, bytes_after, swept } = outcome;
    let sum = json!({
        "dry_run": dry_run, "gone": gone.len(), "kept": kept, "turned": turned, "replaced": replaced,
        "bytes_before": bytes_before, "bytes_after": bytes_after, "freed": outcome.freed(), "swept": swept,
    });
    writeln!(output, "{sum}")?;
    Ok(())
}
