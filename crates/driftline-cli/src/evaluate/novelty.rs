//! `driftline evaluate novelty`: how far can the novelty of pages be trusted?

mod births;
mod judged;
mod outcome;

use anyhow::{Result, ensure};
use driftline::novelty::{Delta, Rounds};
use driftline_evaluation::report::novelty::Evaluation;
use driftline_graph::Series;

use self::births::KnownBirths;
use self::outcome::Evaluator;
use super::command;
use super::output::Output;
use crate::args::EvaluateNoveltyArgs;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::snapshot;

/// Evaluates every snapshot that was asked for, prints the tables, writes the report.
pub(super) fn run(args: &EvaluateNoveltyArgs) -> Result<Exit> {
    let output = Output::new(&args.out)?;
    let series = snapshot::open::named(&args.series, args.data.data.as_deref())?;
    let places = places(&series, args)?;
    let births = args.truth.as_deref().map(|file| KnownBirths::read(file, &series)).transpose()?;
    let mut deltas: Vec<Delta> = Vec::new();
    for delta in &args.deltas {
        if !deltas.contains(delta) {
            deltas.push(*delta);
        }
    }
    let evaluator = Evaluator {
        series: &series,
        deltas,
        miss_delta: args.miss_delta,
        rounds: Rounds::Exactly(args.iterations),
        births: births.as_ref(),
    };
    let progress = Progress::new(args.out.quiet, "snapshots", || Some(places.len() as u64));
    let mut outcomes = Vec::new();
    for place in places {
        outcomes.push(evaluator.outcome(place)?);
        progress.advance();
    }
    progress.finish();
    let truth = args.truth.as_ref().map(|file| file.display().to_string());
    let command = command::novelty(args);
    output.give(&Evaluation { series: args.series.clone(), rounds: args.iterations, truth, outcomes, command })?;
    Ok(Exit::Same)
}

/// The places of the snapshots in the series, in the order of time; the first has nothing to be compared with.
fn places(series: &Series, args: &EvaluateNoveltyArgs) -> Result<Vec<usize>> {
    let snapshots = series.snapshots();
    ensure!(
        snapshots.len() > 1,
        "the series `{}` has {}, and novelty is measured from the second on\nhint: add another with `driftline snapshot add {} --at TIME`",
        args.series,
        if snapshots.is_empty() { "no snapshot" } else { "one snapshot" },
        args.series,
    );
    if args.at.is_empty() {
        return Ok((1..snapshots.len()).collect());
    }
    let mut places = Vec::new();
    for &at in &args.at {
        let asked = series.at(Some(at))?.at();
        let place = series.before(asked).len();
        ensure!(
            place > 0,
            "`{asked}` is the first snapshot of the series: nothing is known of the age of its pages\nhint: novelty is measured from the second on"
        );
        places.push(place);
    }
    places.sort_unstable();
    places.dedup();
    Ok(places)
}
