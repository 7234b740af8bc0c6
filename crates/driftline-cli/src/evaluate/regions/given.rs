//! The experiments on versions of given pages.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use driftline::compare::{CompareOptions, Comparer};
use driftline::page::Page;
use driftline::region::comparison::Options;
use driftline_evaluation::regions::Group;
use driftline_evaluation::regions::decay::{Decay, STEPS, likeness};
use driftline_evaluation::regions::effort::Effort;
use driftline_evaluation::regions::reliability::Trial;
use driftline_evaluation::report::regions::{Collection, Evaluation, Timing};
use rayon::prelude::*;

use super::timing::Stopwatch;
use crate::args::{Against, EvaluateRegionsArgs};
use crate::evaluate::{command, real};
use crate::input;
use crate::progress::Progress;
use crate::settings;
use crate::versions::FilePair;
use crate::worker::Worker;

/// The paper times "26 representative Web pages".
const TIMED: usize = 26;

const NAME: &str = "Given pages";

/// Runs all experiments. A file that cannot be read is told on stderr and its pairs are left out.
pub(super) fn run(folder: &Path, args: &EvaluateRegionsArgs) -> Result<Evaluation> {
    let pairs = real::pairs(folder, Against::Previous)?;
    let later = histories(real::pairs(folder, Against::First)?);
    let total = pairs.len() + later.len() + pairs.len().min(TIMED);
    let progress = Progress::new(args.report.out.quiet, "pairs", || Some(total as u64));
    let worker = Worker::new(settings::read_options(&args.report.page), CompareOptions::default());
    let seen = look(&pairs, &worker, &progress);
    let drifts: Vec<Vec<f64>> = later
        .par_iter()
        .map(|(first, versions)| {
            let drift = drift(first, versions, &worker);
            progress.advance();
            drift
        })
        .collect();
    if seen.is_empty() {
        bail!("none of the {} pairs below `{}` could be read", pairs.len(), folder.display());
    }
    let timings = time(&seen, &worker, args.runs, &progress);
    let (efforts, trials): (Vec<Effort>, Vec<Trial>) = seen.into_iter().map(|seen| (seen.effort, seen.trial)).unzip();
    progress.finish();
    let (name, failed) = (folder.display().to_string(), pairs.len() - efforts.len());
    Ok(Evaluation {
        seed: args.report.seed,
        runs: args.runs.into(),
        collection: Some(Collection { name, pairs: efforts.len(), failed, pages: later.len() }),
        decay: Decay::of(&drifts),
        efforts: vec![group(efforts)],
        timings: vec![group(timings)],
        trials: vec![group(trials)],
        command: command::regions(args),
    })
}

fn group<T>(items: Vec<T>) -> Group<T> {
    Group { name: NAME.to_owned(), items }
}

/// What was seen of a pair.
struct Seen<'a> {
    pair: &'a FilePair,
    effort: Effort,
    trial: Trial,
}

/// Figures 6 and 8: what each pair costs, and who detects that it changed.
fn look<'a>(pairs: &'a [FilePair], worker: &Worker, progress: &Progress) -> Vec<Seen<'a>> {
    let look = |worker: &mut Worker, pair: &'a FilePair| {
        let seen = worker.on_files(pair, |comparer: &mut Comparer, older, newer| {
            let effort = Effort::of(pair.id.clone(), older, newer, comparer);
            Seen { pair, effort, trial: Trial::of_given(older, newer) }
        });
        progress.advance();
        seen.map_err(|error| format!("{error:#}"))
    };
    let outcomes: Vec<_> = pairs.par_iter().with_min_len(real::AT_A_TIME).map_init(|| worker.clone(), look).collect();
    let (mut seen, mut errors) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        match outcome {
            Ok(pair) => seen.push(pair),
            Err(error) => errors.push(error),
        }
    }
    real::warn(&errors);
    seen
}

/// The first version of each page and those that follow it.
fn histories(pairs: Vec<FilePair>) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut histories: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for pair in pairs {
        match histories.last_mut() {
            Some((first, versions)) if *first == pair.old => versions.push(pair.new),
            _ => histories.push((pair.old, vec![pair.new])),
        }
    }
    histories
}

/// Figure 5: the likeness of a page's versions to the first, up to one that cannot be read.
fn drift(first: &Path, versions: &[PathBuf], worker: &Worker) -> Vec<f64> {
    let Ok(first) = worker.page(first) else { return Vec::new() };
    let options = Options::default();
    let likeness = |version: &PathBuf| likeness(&first, &worker.page(version).ok()?, &options);
    versions.iter().take(STEPS).map_while(likeness).collect()
}

/// Figure 7: pairs of all sizes, one after the other on this thread.
fn time(seen: &[Seen<'_>], worker: &Worker, runs: u16, progress: &Progress) -> Vec<Timing> {
    let mut by_size: Vec<&Seen<'_>> = seen.iter().collect();
    by_size.sort_by_key(|seen| seen.effort.nodes);
    let count = by_size.len().min(TIMED);
    // The smallest and the largest are among them.
    let chosen = (0..count).map(|at| by_size[at * (by_size.len() - 1) / (count - 1).max(1)].pair);
    let mut stopwatch = Stopwatch::new(runs);
    let mut timings = Vec::new();
    for pair in chosen {
        timings.extend(time_one(pair, worker, &mut stopwatch));
        progress.advance();
    }
    timings
}

/// The bytes are read once: the disk is no part of any approach.
fn time_one(pair: &FilePair, worker: &Worker, stopwatch: &mut Stopwatch) -> Option<Timing> {
    let bytes = |path: &Path| input::read(path, worker.read_options.limits.bytes).ok();
    let (older, newer) = (bytes(&pair.old)?, bytes(&pair.new)?);
    let page = |bytes: &[u8], path: &Path| -> Page { input::page_of(bytes, path, &worker.read_options) };
    Some(stopwatch.time(pair.id.clone(), || (page(&older, &pair.old), page(&newer, &pair.new))))
}
