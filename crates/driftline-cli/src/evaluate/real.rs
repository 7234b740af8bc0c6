//! Versions of real pages, looked at on all cores; only the numbers are kept.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};
use driftline::compare::CompareOptions;
use driftline_evaluation::metrics::collection::{Sample, Summary};
use driftline_evaluation::report::metrics::Collection;
use rayon::prelude::*;

use crate::args::{Against, EvaluateMetricsArgs};
use crate::progress::Progress;
use crate::settings;
use crate::tell;
use crate::versions::{FilePair, VersionPairs};
use crate::worker::Worker;

/// Pairs that one thread takes at a time: within them a version is read once for the two pairs it is in.
pub(super) const AT_A_TIME: usize = 8;

/// Measures all consecutive versions below a folder. A file that cannot be read is told on stderr and
/// its pairs are left out.
pub(super) fn measure(folder: &Path, args: &EvaluateMetricsArgs, options: &CompareOptions) -> Result<Collection> {
    let pairs = pairs(folder, Against::Previous)?;
    let progress = Progress::new(args.report.out.quiet, "pairs", || Some(pairs.len() as u64));
    let worker = Worker::new(settings::read_options(&args.report.page), options.clone());
    let sample = |worker: &mut Worker, pair: &FilePair| {
        let measured = worker.measure_files(pair);
        progress.advance();
        measured.map(|measured| Sample::from(&measured)).map_err(|error| format!("{error:#}"))
    };
    let samples: Vec<_> = pairs.par_iter().with_min_len(AT_A_TIME).map_init(|| worker.clone(), sample).collect();
    progress.finish();
    gather(folder, pairs, samples.into_iter())
}

/// All pairs of versions; at least one.
pub(super) fn pairs(folder: &Path, against: Against) -> Result<Vec<FilePair>> {
    let name = folder.display();
    if !folder.is_dir() {
        bail!("`{name}` is not a folder of versions{HINT}");
    }
    let (mut pairs, mut unreadable) = (Vec::new(), Vec::new());
    for pair in VersionPairs::below(folder, against) {
        match pair {
            Ok(pair) => pairs.push(pair),
            Err(error) => unreadable.push(format!("{error:#}")),
        }
    }
    warn(&unreadable);
    if pairs.is_empty() {
        bail!("no page below `{name}` has two versions{HINT}");
    }
    Ok(pairs)
}

const HINT: &str = "\nhint: every page is a folder, and its files in name order are the versions: \
    `page/2024-01-01.html`, `page/2024-01-02.html`";

/// Puts the pairs that were measured together, and tells of the others.
fn gather(
    folder: &Path,
    pairs: Vec<FilePair>,
    outcomes: impl Iterator<Item = Result<Sample, String>>,
) -> Result<Collection> {
    let (mut ids, mut samples, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (pair, outcome) in pairs.into_iter().zip(outcomes) {
        match outcome {
            Ok(sample) => {
                ids.push(pair.id);
                samples.push(sample);
            }
            Err(error) => errors.push(error),
        }
    }
    warn(&errors);
    let name = folder.display().to_string();
    let Some(summary) = Summary::of(&samples) else {
        bail!("none of the {} pairs below `{name}` could be read", errors.len());
    };
    Ok(Collection { name, ids, samples, failed: errors.len(), summary, warnings: Vec::new() })
}

/// Tells each error once: a version stands in two pairs.
pub(super) fn warn(errors: &[String]) {
    for error in errors.iter().collect::<BTreeSet<_>>() {
        tell::warning(error);
    }
}
