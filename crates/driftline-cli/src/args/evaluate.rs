//! What may be typed for `driftline evaluate`.

mod novelty;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use driftline::compare::CompareOptions;
use driftline::degree::ied::Costs;

use super::shared::PageArgs;
pub(crate) use novelty::EvaluateNoveltyArgs;

/// Repeat the papers' experiments, on made or on given pages.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArgs {
    #[command(subcommand)]
    pub(crate) what: Evaluation,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Evaluation {
    Metrics(EvaluateMetricsArgs),
    Regions(EvaluateRegionsArgs),
    Redesign(EvaluateRedesignArgs),
    Novelty(EvaluateNoveltyArgs),
}

/// Which metric tells the degree of change best?
///
/// Makes pages of which a known number of words was added, dropped, copied, shrunk, replaced or
/// moved, and compares what each metric says with what it should say (figures 7 and 8, table 1).
/// With a folder of versions of real pages, shows how much the metrics differ on them (figures 5
/// and 6), and which metric fits the kinds of change that these pages show.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline evaluate metrics --output report
  driftline evaluate metrics --alpha 1 --beta 1
  driftline evaluate metrics --output report versions/")]
pub(crate) struct EvaluateMetricsArgs {
    /// What a copied or shrunk word should count, from 0 to 1
    #[arg(long, value_name = "A", default_value_t = Costs::PAPER.copy())]
    pub(crate) alpha: f64,
    /// What a moved word should count, from 0 to 1
    #[arg(long, value_name = "B", default_value_t = Costs::PAPER.moving())]
    pub(crate) beta: f64,
    /// How many words a shingle has
    #[arg(long, value_name = "K", default_value_t = CompareOptions::SHINGLE_LENGTH)]
    pub(crate) shingle: usize,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Which detector finds what changed, and at which price?
///
/// Repeats the experiments of Artail and Fawaz with driftline's detector beside theirs: how pages drift
/// away from their first version (figure 5), how many similarities of elements are computed (figure
/// 6), how long it takes (figure 7), and which changes are detected as the weights vary (figure 8). On
/// pages that are made for the purpose, or on the versions in a folder.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline evaluate regions --output report
  driftline evaluate regions --nodes 100,1000 --runs 3
  driftline evaluate regions --output report versions/")]
pub(crate) struct EvaluateRegionsArgs {
    /// The sizes of made pages in elements, for figures 6 and 7
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "64,128,256,512,1024,2048,4096",
        value_parser = clap::value_parser!(u32).range(20..=100_000))]
    pub(crate) nodes: Vec<u32>,
    /// How often each time is measured, at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1_000))]
    pub(crate) runs: u16,
    /// How many made pairs figure 8 tries of each of two kinds of pages
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(4..=1_000_000))]
    pub(crate) pairs: u32,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Which detector finds redesigns, how late, and at the price of how many false alarms?
///
/// Repeats Gottron's evaluation with driftline's detector beside his four: the confusion matrix of table 2
/// for several lengths of the history, how many documents went by until a redesign was found, and whether
/// driftline's certainty can be believed. DIR holds `streams.json`, a list such as
/// `[{"name": "posts", "count": 90, "redesign": [35, 60], "minor_changes": [], "kind": "homogeneous"}]`, where
/// `redesign` has the numbers of the first documents of new designs, counted from 0; and a folder for each
/// stream with its pages in name order. Without DIR, on streams that are made for the purpose.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline evaluate redesign --output report streams/
  driftline evaluate redesign --history 20 --json streams/
  driftline evaluate redesign --streams 10 --seed 7")]
pub(crate) struct EvaluateRedesignArgs {
    /// A folder with `streams.json` and a folder of documents for each stream
    pub(crate) dir: Option<PathBuf>,
    /// h: with how many documents before it a document is compared
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "5,10,20")]
    pub(crate) history: Vec<usize>,
    /// How many streams are made for each of ten scenarios
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1_000),
        conflicts_with = "dir")]
    pub(crate) streams: u16,
    /// Make other streams
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) out: OutputArgs,
}

/// On which pages, and what comes out, for every evaluation of pages.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReportArgs {
    /// A folder of versions of real pages, as for `driftline measure`
    pub(crate) versions: Option<PathBuf>,
    /// Make other pages
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) out: OutputArgs,
    #[command(flatten)]
    pub(crate) page: PageArgs,
}

/// What comes out of every evaluation.
#[derive(Debug, Clone, Args)]
pub(crate) struct OutputArgs {
    /// Write report.html, CSV, SVG and PNG files into this folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
