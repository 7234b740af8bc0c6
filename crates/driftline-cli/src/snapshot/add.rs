//! `driftline snapshot add`: a crawl becomes part of a series.

mod told;

use std::io::{self, Write};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use driftline::time::Time;
use driftline_archive::derive::links;
use driftline_graph::Series;
use driftline_graph::add::{SnapshotBuilder, Source};
use driftline_graph::snapshot::About;
use driftline_graph::tables::Kind;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::inputs;
use super::inputs::{Input, What};
use crate::args::AddArgs;
use crate::exit::Exit;
use crate::progress::{Progress, Steps};
use crate::tell;

/// The beginning of 1989; no page is older.
const WEB: Time = Time::from_microseconds(599_616_000_000_000);

pub(super) fn run(args: &AddArgs) -> Result<Exit> {
    let began = Instant::now();
    let inputs = inputs::find(args)?;
    let folder = Series::folder_of(&super::all_series(args.data.data.as_deref())?, &args.series)?;
    let series = Series::open_or_make(&folder)?;
    tell_order(&series, args.at);
    let builder = series.add(args.at, args.memory)?;
    tell_left_behind(&builder, &args.series);
    let progress = Progress::of_bytes(args.quiet, || inputs.iter().map(|input| input.size).sum());
    let harvested = inputs.par_iter().try_for_each(|input| harvest(&builder, input, &progress));
    progress.finish();
    harvested?;
    if builder.kept() > 0 {
        tell::note(format_args!("went on where this was interrupted: {} read before", files(builder.kept())));
    }
    let steps = Steps::new(args.quiet);
    let built = builder.build(&|step| steps.set(step.phase, step.done, step.total));
    steps.finish();
    let about = built?;
    told::passed_over(&about);
    if !inputs.iter().any(|input| matches!(input.what, What::Archive) || input.is_of(Kind::Links)) {
        tell::warning("there are no links: all pages that are not old will score 0");
    }
    print(&about, args, began.elapsed())?;
    Ok(Exit::Same)
}

/// Takes down what a file holds, unless that was done before a kill.
fn harvest(builder: &SnapshotBuilder, input: &Input, progress: &Progress) -> Result<()> {
    let mut source = Source::of(&input.path)?;
    if let What::Table(table) = &input.what {
        // The same file read as another table is another source.
        source.name = format!("{} ({})", source.name, table.kind().name());
    }
    let Some(mut reader) = builder.reader(&source)? else {
        progress.advance_by(input.size);
        return Ok(());
    };
    let advance = |bytes| progress.advance_by(bytes);
    match &input.what {
        What::Archive => links::read::<anyhow::Error>(&input.path, &advance, |row| Ok(reader.take(&row)?))?,
        What::Table(table) => table.read::<anyhow::Error>(&advance, |row| Ok(reader.take(&row)?))?,
    }
    Ok(reader.finish()?)
}

/// Crawls may come in any order, and nobody crawls the future; but who does so should know.
fn tell_order(series: &Series, at: Time) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    if u128::try_from(at.microseconds()).is_ok_and(|at| at > now.as_micros()) {
        tell::warning(format_args!("{at} is in the future"));
    }
    if at < WEB {
        tell::warning(format_args!("{at} is before there was a web"));
    }
    if let Some(newest) = series.snapshots().last().filter(|newest| newest.at() > at) {
        tell::note(format_args!(
            "the series has later snapshots, up to {}; what is new in them may change",
            newest.at()
        ));
    }
}

fn tell_left_behind(builder: &SnapshotBuilder, name: &str) {
    for left in builder.left_behind() {
        let (at, sources) = (&left.at, files(left.sources));
        tell::note(format_args!(
            "an interrupted add of {at} is still there, with {sources} read; go on with it by the same command, or throw it away with `driftline snapshot remove {name} --at {at}`"
        ));
    }
}

fn print(about: &About, args: &AddArgs, duration: Duration) -> Result<()> {
    let mut output = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut output, about)?;
        writeln!(output)?;
        return Ok(());
    }
    let counts = [
        ("files", about.sources.len() as u64),
        ("crawled", about.crawled.into()),
        ("addresses", about.urls.into()),
        ("first seen", about.new_urls.into()),
        ("links", about.links),
        ("redirects", about.redirects),
        ("skipped", about.skipped()),
    ];
    for (name, count) in counts {
        writeln!(output, "{name:<10} {count:>12}")?;
    }
    writeln!(output, "{:<10} {:>12.2}", "bits/link", about.out_bits_per_link)?;
    tell::note(format_args!("added `{}` at {} in {:.1} s", args.series, args.at, duration.as_secs_f64()));
    Ok(())
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
