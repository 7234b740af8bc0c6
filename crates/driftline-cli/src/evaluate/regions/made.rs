//! The experiments on made pages.

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline_evaluation::regions::decay::{Decay, made_history};
use driftline_evaluation::regions::effort::Effort;
use driftline_evaluation::regions::reliability::{Made, Trial, made_plan};
use driftline_evaluation::regions::synthesis::Layout;
use driftline_evaluation::regions::{Group, layout_name, made_pair};
use driftline_evaluation::report::regions::{Evaluation, Timing};
use rayon::prelude::*;

use super::timing::Stopwatch;
use crate::args::EvaluateRegionsArgs;
use crate::evaluate::command;
use crate::progress::Progress;

/// The paper follows four pages in each of three trials.
const HISTORIES: u64 = 12;

/// Runs all experiments. Times are measured last, when nothing else runs.
pub(super) fn run(args: &EvaluateRegionsArgs) -> Evaluation {
    let plan = made_plan(args.pairs as usize, args.report.seed);
    let sizes = Layout::ALL.len() * args.nodes.len();
    let total = plan.iter().map(|group| group.items.len()).sum::<usize>() + 2 * sizes + HISTORIES as usize;
    let progress = Progress::new(args.report.out.quiet, "pairs", || Some(total as u64));
    let trials = plan.into_iter().map(|group| try_all(group, &progress)).collect();
    let histories: Vec<Vec<f64>> = (0..HISTORIES)
        .into_par_iter()
        .map(|number| {
            let history = made_history(args.report.seed.wrapping_add(number));
            progress.advance();
            history
        })
        .collect();
    let evaluation = Evaluation {
        seed: args.report.seed,
        runs: args.runs.into(),
        collection: None,
        decay: Decay::of(&histories),
        efforts: Layout::ALL.map(|layout| count(layout, args, &progress)).into(),
        timings: Layout::ALL.map(|layout| time(layout, args, &progress)).into(),
        trials,
        command: command::regions(args),
    };
    progress.finish();
    evaluation
}

fn try_all(group: Group<Made>, progress: &Progress) -> Group<Trial> {
    let trial = |made: &Made| {
        let trial = made.trial();
        progress.advance();
        trial
    };
    Group { name: group.name, items: group.items.par_iter().map(trial).collect() }
}

fn count(layout: Layout, args: &EvaluateRegionsArgs, progress: &Progress) -> Group<Effort> {
    let effort = |&nodes: &u32| {
        let pair = made_pair(layout, nodes as usize, args.report.seed);
        let [older, newer] = [pair.older, pair.newer].map(|html| Page::read(html.as_str(), &ReadOptions::default()));
        let effort = Effort::of(nodes.to_string(), &older, &newer, &mut Comparer::default());
        progress.advance();
        effort
    };
    Group { name: layout_name(layout).to_owned(), items: args.nodes.iter().map(effort).collect() }
}

fn time(layout: Layout, args: &EvaluateRegionsArgs, progress: &Progress) -> Group<Timing> {
    let mut stopwatch = Stopwatch::new(args.runs);
    let timing = |&nodes: &u32| {
        let pair = made_pair(layout, nodes as usize, args.report.seed);
        let read = |html: &str| Page::read(html, &ReadOptions::default());
        let timing = stopwatch.time(nodes.to_string(), || (read(&pair.older), read(&pair.newer)));
        progress.advance();
        timing
    };
    Group { name: layout_name(layout).to_owned(), items: args.nodes.iter().map(timing).collect() }
}
