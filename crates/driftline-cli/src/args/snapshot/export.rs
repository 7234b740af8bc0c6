//! What may be typed for `driftline snapshot export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{At, DataArgs};
use crate::args::format::{TableOr, table_or};

/// Write the links of a snapshot out: Parquet, CSV, GraphML.
///
/// Tables have the columns `source` and `target`. GraphML, for Gephi and its like, has the addresses as nodes with
/// `url`, `host` and `class` (`crawled`, or `fringe` if it was only linked to).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline snapshot export news --output links.parquet
  driftline snapshot export news --at 2019-07 --crawled --output links.graphml
  driftline snapshot export news --format tsv --crawl-date | sort -u")]
pub(crate) struct ExportEdgesArgs {
    /// The series
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// The snapshot of this time [default: the newest]
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<At>,
    /// What comes out [default: by the name of the output file]
    #[arg(long, short, value_parser = table_or::<EdgeFormat>())]
    pub(crate) format: Option<TableOr<EdgeFormat>>,
    /// Only links among crawled pages
    #[arg(long)]
    pub(crate) crawled: bool,
    /// A third column: when the page was fetched
    #[arg(long)]
    pub(crate) crawl_date: bool,
    /// Write to this file instead of stdout; it appears when it is whole
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EdgeFormat {
    /// For Gephi and its like
    Graphml,
}
