//! `driftline novelty`: which pages of a crawl are really new?

mod extras;
mod format;
mod order;
mod rows;
mod why;

use anyhow::{Context, Result};
use driftline::novelty::{Class, Rounds};
use driftline_graph::novelty::{self, Measure, Parameters, Rules, Scores};
use driftline_graph::snapshot::Direction;
use driftline_graph::{Series, Snapshot};

use crate::args::{NoveltyArgs, NoveltyFormat};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Steps;
use crate::{snapshot, tell};
use extras::Extras;
use rows::Rows;

/// A snapshot with the scores of its pages.
struct Scored<'a> {
    series: &'a Series,
    /// Its place in the series, from 0.
    place: usize,
    snapshot: &'a Snapshot,
    scores: &'a Scores,
    /// How they were asked for.
    parameters: Parameters,
}

pub(crate) fn run(args: &NoveltyArgs) -> Result<Exit> {
    let format = format::of(args)?;
    let series = snapshot::open::named(&args.series, args.data.data.as_deref())?;
    let snapshot = snapshot::open::at(&series, args.at.as_ref())?;
    let place = series.before(snapshot.at()).len();
    // A terminal that cannot show it is told before the work, not after.
    let output = if format == NoveltyFormat::Parquet && args.why.is_none() {
        Output::of_bytes(args.output.as_deref(), "Parquet")?
    } else {
        Output::new(args.output.as_deref())
    };
    let parameters = parameters(args);
    let scores = score(&series, place, &parameters, args.quiet)?;
    let asked = Scored { series: &series, place, snapshot, scores: &scores, parameters };
    if let Some(url) = &args.why {
        why::tell(&asked, url, args, format == NoveltyFormat::Json, &output)?;
    } else {
        print(&asked, args, format, &output)?;
    }
    output.keep()?;
    Ok(Exit::Same)
}

fn parameters(args: &NoveltyArgs) -> Parameters {
    let rounds = args.iterations.map_or(Rounds::Until(args.tolerance), Rounds::Exactly);
    Parameters { delta: args.delta, rounds, rules: Rules::default(), memory: args.memory }
}

/// The three steps of the measure, told one by one.
fn score(series: &Series, place: usize, parameters: &Parameters, is_quiet: bool) -> Result<Scores> {
    let steps = Steps::new(is_quiet);
    steps.set("looking for old pages", 0, 3);
    let classes = novelty::classify(series, place, parameters.rules)?;
    steps.set("passing over the links", 1, 3);
    let links = series.snapshots()[place].links(Direction::In)?;
    let measure = Measure::prepare(links, classes, parameters.memory)?;
    steps.set("iterating", 2, 3);
    let scores = measure.solve(parameters.delta, parameters.rounds)?;
    steps.finish();
    Ok(scores)
}

fn print(scored: &Scored<'_>, args: &NoveltyArgs, format: NoveltyFormat, output: &Output) -> Result<()> {
    let extras = Extras::find(scored, &args.with)?;
    let classes: Vec<Class> = args.classes.iter().map(|class| (*class).into()).collect();
    let mut rows = Rows::new(output.writer()?, format, &extras)?;
    let pages = order::pages(scored, &extras, args.sort, &classes)?;
    for page in pages.take(args.top.unwrap_or(usize::MAX)) {
        let (node, url) = page.context("cannot read the addresses of the series")?;
        rows.write(scored, &extras, node, &url)?;
    }
    rows.finish()?;
    if !args.quiet {
        summarise(scored);
        extras.summarise();
    }
    Ok(())
}

/// One line of what was found, and whether the scores settled.
fn summarise(scored: &Scored<'_>) {
    let counts = scored.scores.classes().counts();
    let (changes, last) = (scored.scores.changes(), scored.scores.changes().last());
    let rounds = if changes.len() == 1 { "1 round".to_owned() } else { format!("{} rounds", changes.len()) };
    let settled = match scored.scores.is_settled() {
        Some(true) => format!("scores settled after {rounds}"),
        _ => format!("{rounds}, the last moved scores by {:.2} in sum", last.unwrap_or(&0.0)),
    };
    if scored.scores.is_settled() == Some(false) {
        tell::warning(format_args!(
            "scores did not settle in {rounds}\nhint: allow a greater `--tolerance`, or choose `--iterations`"
        ));
    }
    tell::note(format_args!(
        "{}: {} pages crawled, {} old, {} seen twice, {} unidentified; {settled}",
        scored.snapshot.at(),
        counts.crawled,
        counts.old,
        counts.seen_twice,
        counts.unidentified,
    ));
}
