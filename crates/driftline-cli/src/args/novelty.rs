//! What may be typed for `driftline novelty`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use driftline::novelty::{Class, Delta};

use super::archive::DataArgs;
use super::memory::memory;
use super::snapshot::At;

/// Which pages of a crawl are really new?
///
/// A page that the last crawl missed is not therefore new. Of each crawled page it says what the earlier snapshots of
/// the series know: class O is old; L2 is old and was crawled both last time and now; U is unidentified, and has a
/// novelty from 0 (nothing known; never "old") to 1, after Toyoda and Kitsuregawa. Exit codes: 0 done, 2 failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline novelty news
  driftline novelty news --class U --sort novelty --top 20
  driftline novelty news --at 2019-07 --delta 0 --iterations 20 --output scores.tsv
  driftline novelty news --why https://example.org/new.html
  driftline novelty news --format parquet --with probability,content,missed --output scores.parquet")]
pub(crate) struct NoveltyArgs {
    /// The series
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// The snapshot of this time [default: the newest]
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<At>,
    /// δ: how likely a page was linked to from outside of the crawls before the last of them, from 0 to 1
    #[arg(long, value_name = "D", default_value = "0.1", value_parser = delta)]
    pub(crate) delta: Delta,
    /// Exactly so many rounds of Jacobi's iteration; the paper has 20
    #[arg(long, value_name = "N", conflicts_with = "tolerance", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) iterations: Option<u32>,
    /// Iterate until no score moves by more than this
    #[arg(long, value_name = "T", default_value_t = driftline_graph::novelty::TOLERANCE, value_parser = tolerance)]
    pub(crate) tolerance: f64,
    /// What comes out [default: by the name of the output file, or tsv]
    #[arg(long, short, value_enum)]
    pub(crate) format: Option<NoveltyFormat>,
    /// Write to this file instead of stdout; it appears when it is whole
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Only pages of these classes: O, L2, U
    #[arg(long = "class", value_name = "CLASS,…", value_delimiter = ',', ignore_case = true)]
    pub(crate) classes: Vec<PageClass>,
    /// The order of the pages
    #[arg(long, value_enum, default_value_t = Order::Url)]
    pub(crate) sort: Order,
    /// No more pages than this
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// What else to say of each page, or of the one of `--why`
    #[arg(long = "with", value_name = "WHAT,…", value_delimiter = ',')]
    pub(crate) with: Vec<Extra>,
    /// Say in words what is known of this page, and how
    #[arg(long, value_name = "URL")]
    pub(crate) why: Option<String>,
    /// How much memory links among unidentified pages may take (beyond, they go to a temporary file), and the search for copies
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = memory)]
    pub(crate) memory: usize,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// No summary and no progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NoveltyFormat {
    /// Tab-separated values
    Tsv,
    /// A JSON object for each page
    Json,
    /// Apache Parquet
    Parquet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageClass {
    /// Old
    #[value(name = "O")]
    Old,
    /// Old, and crawled both last time and now
    #[value(name = "L2")]
    SeenTwice,
    /// Unidentified
    #[value(name = "U")]
    Unidentified,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// By address
    Url,
    /// The newest first: by probability if that is asked for, else by novelty
    Novelty,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extra {
    /// How likely it is new, as this series' own dates have it
    Probability,
    /// Of which older page it is a copy, by content
    Content,
    /// Why an old page was missed last time
    Missed,
}

impl From<PageClass> for Class {
    fn from(class: PageClass) -> Self {
        match class {
            PageClass::Old => Self::Old,
            PageClass::SeenTwice => Self::SeenTwice,
            PageClass::Unidentified => Self::Unidentified,
        }
    }
}

pub(super) fn delta(text: &str) -> Result<Delta, String> {
    let number: f64 = text.parse().map_err(|_| "write a number from 0 to 1".to_owned())?;
    Delta::try_from(number).map_err(|_| "write a number from 0 to 1".to_owned())
}

fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1.0);
    number.ok_or_else(|| "write a number above 0 and up to 1, such as 1e-9".to_owned())
}
