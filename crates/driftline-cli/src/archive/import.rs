//! `driftline archive import`: what others captured becomes part of the archive.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use driftline_archive::Archive;
use driftline_archive::import::versions::Naming;
use driftline_archive::import::{Options, Plan, Summary};
use driftline_watch::clock::{Clock as _, SystemClock};
use serde_json::json;

use super::data;
use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::tell;

/// The most places that are told on stderr; `--json` tells more.
const MOST_TOLD: usize = 20;

pub(super) fn run(args: &ImportArgs) -> Result<Exit> {
    let began = Instant::now();
    let plan = Plan::new(&args.inputs, &options(args))?;
    let archive = archive(args)?;
    let progress = Progress::of_bytes(args.quiet, || plan.bytes());
    let done = plan.run(archive.as_ref(), &|bytes| progress.advance_by(bytes));
    progress.finish();
    let summary = done?;
    if let Some(archive) = archive {
        archive.close()?;
    }
    let duration = began.elapsed();
    tell(&summary, args.json);
    print(&summary, args, duration)?;
    let skipped = summary.skipped_in_all();
    if args.strict && skipped > 0 {
        bail!("{} passed over\nhint: without `--strict` that is no failure; all else is in the archive", were(skipped));
    }
    Ok(Exit::Same)
}

fn options(args: &ImportArgs) -> Options {
    let naming = match (&args.url, &args.url_prefix) {
        (Some(url), _) => Naming::Url(url.clone()),
        (None, Some(prefix)) => Naming::Prefix(prefix.clone()),
        (None, None) => Naming::Folder,
    };
    let (jobs, is_trial, is_again) = (args.jobs.clone(), args.dry_run, args.again);
    let added = Some(SystemClock.now());
    Options { format: args.format, naming, jobs, is_trial, is_again, added, ..Options::default() }
}

/// The archive; a trial does not begin one.
fn archive(args: &ImportArgs) -> Result<Option<Archive>> {
    let directory = args.data.data.as_deref();
    if !args.dry_run {
        return data::open(directory).map(Some);
    }
    match data::settings(directory)?.archive.catalog {
        driftline_catalog::Place::File(file) if !file.exists() => Ok(None),
        _ => data::open_to_read(directory).map(Some),
    }
}

/// Says what was passed over, and where.
fn tell(summary: &Summary, is_json: bool) {
    let told = if is_json { 0 } else { MOST_TOLD };
    for skip in summary.skips.iter().take(told) {
        tell::warning(skip);
    }
    let rest = summary.skipped_in_all().saturating_sub(told as u64);
    if rest > 0 && !is_json {
        tell::warning(format_args!("{rest} more; `--json` names the first 1,000"));
    }
    if summary.wrong_digests > 0 && !is_json {
        tell::warning(format_args!(
            "records that state a digest which their bytes do not have: {}; they are imported as they are, and `driftline \
             archive verify` counts them apart from damage",
            summary.wrong_digests
        ));
    }
}

fn print(summary: &Summary, args: &ImportArgs, duration: Duration) -> Result<()> {
    let mut output = io::stdout().lock();
    let seconds = duration.as_secs_f64();
    let rate = summary.bytes as f64 / 1e6 / seconds.max(1e-3);
    if args.json {
        let mut object = json!(summary);
        object["seconds"] = json!(seconds);
        object["megabytes_per_second"] = json!(rate);
        object["dry_run"] = json!(args.dry_run);
        writeln!(output, "{object}")?;
        return Ok(());
    }
    let counts = [
        ("files", summary.files),
        ("unchanged", summary.unchanged),
        ("records", summary.records),
        ("captures", summary.captures),
        ("duplicates", summary.duplicates),
        ("watches", summary.watches),
        ("skipped", summary.skipped_in_all()),
    ];
    for (name, count) in counts {
        writeln!(output, "{name:<10} {count:>12}")?;
    }
    for (reason, count) in &summary.skipped {
        writeln!(output, "  {:<8} {count:>12}", reason.to_string())?;
    }
    if summary.unchanged == summary.files {
        return Ok(());
    }
    let what = if args.dry_run { "tried" } else { "imported" };
    tell::note(format_args!("{what} {:.1} MB in {seconds:.1} s, {rate:.1} MB/s", summary.bytes as f64 / 1e6));
    Ok(())
}

fn were(count: u64) -> String {
    if count == 1 { "1 thing was".to_owned() } else { format!("{count} things were") }
}
