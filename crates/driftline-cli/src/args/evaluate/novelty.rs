//! What may be typed for `driftline evaluate novelty`.

use std::path::PathBuf;

use clap::Args;
use driftline::novelty::Delta;
use driftline::time::Time;

use super::OutputArgs;
use crate::args::archive::DataArgs;
use crate::args::novelty::delta;

/// How far can the novelty of pages be trusted?
///
/// Repeats the evaluation of Toyoda and Kitsuregawa for every snapshot of a series that has an earlier one: how many
/// pages are old or unidentified (the paper's table 2), addresses with dates (its table 3), convergence (its figure 1),
/// where the scores lie (its figures 2 to 4), precision and recall against dated addresses (its figures 5 to 7) and the
/// miss rate by Last-Modified (its figures 8 to 10). If it is known when pages appeared, `--truth` judges by that too.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline evaluate novelty news --output report
  driftline evaluate novelty news --at 2019-07 --delta 0,0.1,0.2,0.5
  driftline evaluate novelty news --truth births.tsv.gz --json")]
pub(crate) struct EvaluateNoveltyArgs {
    /// The series
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// Only snapshots of these times [default: all that have an earlier one]
    #[arg(long, value_name = "TIME,…", value_delimiter = ',')]
    pub(crate) at: Vec<Time>,
    /// δ: how likely a page was linked to from outside of the crawls before the last of them, from 0 to 1
    #[arg(long = "delta", value_name = "D,…", value_delimiter = ',', default_value = "0,0.1,0.2", value_parser = delta)]
    pub(crate) deltas: Vec<Delta>,
    /// δ of the miss rate
    #[arg(long, value_name = "D", default_value = "0.1", value_parser = delta)]
    pub(crate) miss_delta: Delta,
    /// Rounds of Jacobi's iteration
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) iterations: u32,
    /// When pages first appeared: lines of address, tab, time; may be gzipped
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) out: OutputArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
