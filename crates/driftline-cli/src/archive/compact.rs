//! `driftline archive compact`: what need not be kept goes.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use driftline_archive::care::compact::{Gone, Mode, Outcome};
use driftline_archive::care::retention::{Retention, Size};
use driftline_archive::care::{Compact, compact};
use driftline_archive::{Archive, Time};
use driftline_watch::daemon::members;
use driftline_watch::retention::{self, WatchRules};
use driftline_watch::watches::{Watch, Watches};
use serde_json::json;

use super::data;
use crate::args::CompactArgs;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::watch::Place;

pub(super) fn run(args: &CompactArgs) -> Result<Exit> {
    let CompactArgs { keep, older_than, most_bytes, thin, reported_too, .. } = *args;
    let retention = Retention { keep, older_than, most_bytes, thin, reported_too };
    let watches = Place::of(args.data.data.as_deref())?.watches()?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Real };
    let directory = args.data.data.as_deref();
    let mut archive = if args.dry_run { data::open_to_read(directory)? } else { data::open(directory)? };
    let progress = Progress::of_bytes(args.quiet, || archive.catalog().stats().map_or(0, |stats| stats.segments.bytes));
    let rules = rules(&archive, &watches, &retention)?;
    let what = Compact { retention, pages: rules.pages, needed: rules.needed, now: now()?, mode };
    let outcome = compact(&mut archive, &what, &|bytes| progress.advance_by(bytes));
    progress.finish();
    let outcome = outcome?;
    archive.close()?;
    let mut output = BufWriter::new(io::stdout().lock());
    let print = if args.json { print_json } else { print };
    print(&mut output, &outcome, args.dry_run)?;
    output.flush()?;
    Ok(Exit::Same)
}

/// The rules of watches, and what they need.
pub(crate) fn rules(archive: &Archive, watches: &Watches, general: &Retention) -> Result<WatchRules> {
    let mut all: Vec<Watch> = watches.iter().cloned().collect();
    all.extend(members(archive.catalog(), &all)?);
    let rules = retention::rules(archive.catalog(), &all, general)?;
    if let Some(watch) = rules.unreadable.first() {
        bail!(
            "what is known of the watch `{watch}` cannot be read, so it is not known which captures it needs\n\
             hint: use the newer driftline that wrote it, or `driftline watch remove` and add the watch again"
        );
    }
    Ok(rules)
}

/// How much goes, and why: `3 captures, 1.2 MB (2 too many, 1 too old)`.
pub(crate) fn tally<'a>(gone: impl IntoIterator<Item = &'a Gone>) -> String {
    let (mut reasons, mut count, mut bytes) = (BTreeMap::new(), 0_u64, 0);
    for gone in gone {
        *reasons.entry(gone.reason).or_insert(0_u64) += 1;
        (count, bytes) = (count + 1, bytes + gone.length);
    }
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{count} {}", reason.name())).collect();
    let captures = if count == 1 { "capture" } else { "captures" };
    format!("{count} {captures}, {} ({})", Size(bytes), reasons.join(", "))
}

/// What goes by the rules of each watch.
fn by_watch(gone: &[Gone]) -> BTreeMap<&str, Vec<&Gone>> {
    let mut watches: BTreeMap<&str, Vec<&Gone>> = BTreeMap::new();
    for gone in gone {
        if let Some(watch) = &gone.watch {
            watches.entry(watch).or_default().push(gone);
        }
    }
    watches
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
        let url = driftline_report::summary::safe::for_terminal(&gone.url).into_owned();
        let (sort, reason) = (sort(gone), gone.reason.name());
        writeln!(output, "{}  {:>10}  {sort:<9}  {reason:<9}  {url}", gone.at, gone.length)?;
    }
    let Outcome { gone, kept, turned, replaced, bytes_before, bytes_after, swept } = outcome;
    for (watch, gone) in by_watch(gone) {
        writeln!(output, "watch `{watch}`: {}", tally(gone))?;
    }
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
            "watch": gone.watch.as_deref(),
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
