//! What may be typed for `driftline measure`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use driftline::redesign::template::Template;

use super::format::{TableOr, table_or};
use super::shared::{DegreeArgs, PageArgs, RegionArgs};

/// Measure many pairs of pages with all metrics, on all cores.
///
/// INPUT is a folder of versions (`page/2024-01-01T00:00:00Z.html …`, in name order), or a web archive: WARC, ARC,
/// WACZ, CDX or CDXJ files, or a folder of them, in which every capture of a URL is compared with the one before. Or
/// it is a `.csv` file with a header and the columns `old`, `new` and optionally `id` that names pairs of files, or
/// a `.jsonl`, `.ndjson` or `.json` file of JSON lines. Without INPUT, or with `-`, JSON lines are read from stdin:
/// {"id": …, "old": "…", "new": "…", "type": "text|html|xml|json|feed"}, optionally with
/// `copy_cost`, `move_cost`, `shingle`, `template_shingle` and `weights`. One line comes out for each line that
/// goes in, in the same order; a pair that fails has "error" instead of a degree, and the job goes on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline measure versions/ > degrees.jsonl
  driftline measure --format parquet --output degrees.parquet versions/
  driftline measure --against first versions/
  driftline measure crawl-1.warc.gz crawl-2.warc.gz > changes.jsonl
  driftline measure --data ~/driftline --with regions
  driftline measure --with regions versions/ > changes.jsonl
  driftline measure --with artail --typedist sum versions/
  driftline measure --with template --template-shingle 4 versions/
  driftline measure --corpus words.corpus versions/ && driftline measure --idf words.corpus versions/
  echo '{\"id\": \"1\", \"type\": \"text\", \"old\": \"a b c\", \"new\": \"a c b\"}' | driftline measure")]
pub(crate) struct MeasureArgs {
    /// Folders of versions, web archives, `.csv` lists of pairs, `.jsonl` files, or `-`
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Measure driftline's own archive in this data directory
    #[arg(long, value_name = "DIR", conflicts_with = "inputs")]
    pub(crate) data: Option<PathBuf>,
    /// What comes out [default: by the name of the output file, else json]
    #[arg(long, short, value_parser = table_or::<MeasureFormat>())]
    pub(crate) format: Option<TableOr<MeasureFormat>>,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Write to a file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Tell this too; repeatable
    #[arg(long, value_enum, value_name = "FINDING", value_delimiter = ',')]
    pub(crate) with: Vec<Finding>,
    /// How many tags a shingle of a template has
    #[arg(long, value_name = "K", default_value_t = Template::SHINGLE_LENGTH)]
    pub(crate) template_shingle: usize,
    /// What each version of a folder, or capture of a URL, is compared with
    #[arg(long, value_enum, default_value_t = Against::Previous)]
    pub(crate) against: Against,
    /// Count in how many pages each word stands, and write that to FILE instead of measuring
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "format", "json", "idf", "with"])]
    pub(crate) corpus: Option<PathBuf>,
    /// Threads, at most 256 [default: one a core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) page: PageArgs,
    #[command(flatten)]
    pub(crate) degree: DegreeArgs,
    #[command(flatten)]
    pub(crate) region: RegionArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeasureFormat {
    /// JSON lines
    Json,
}

/// What can be told of a pair beside its degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Finding {
    /// Where the page changed, how badly, in which way, and how much it matters
    Regions,
    /// What Artail and Fawaz's detector says about the parts of the page
    Artail,
    /// How alike the templates are that the versions are made from
    Template,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Against {
    /// With the version before
    Previous,
    /// With the first version
    First,
}
