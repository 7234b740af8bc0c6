//! What may be typed for `driftline archive export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use driftline_archive::Time;

use super::DataArgs;
use crate::args::format::{TableOr, table_or};

/// Write captures out: WARC, WACZ, CDXJ, CSV, TSV, Parquet.
///
/// Without options that choose, everything is written: the whole archive. A WARC file has the captures with their
/// requests and metadata, byte for byte as they were kept; an unchanged capture brings the one that holds its body
/// along. Only cookies and tokens that a server gave to a request with a password, cookies or secret headers of a watch
/// are masked: whoever has them may be able to log in with them. CSV, TSV and Parquet are tables of captures, of versions (captures that differ from the one before), or of
/// changes that were measured. A file appears under its name once it is whole.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive export --output all.warc.gz
  driftline archive export --url https://example.org/ --from 2020 --to 2021 --output example.wacz
  driftline archive export --prefix https://example.org/news/ --format warc | warcio index -
  driftline archive export --with-secrets --output copy.warc.gz
  driftline archive export --format cdxj > index.cdxj
  driftline archive export --table versions --output versions.parquet")]
pub(crate) struct ExportArgs {
    /// Only captures of this URL; repeatable
    #[arg(long = "url", value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// Only captures of URLs that begin so, `http`, `https` and `www.` alike; repeatable
    #[arg(long = "prefix", value_name = "URL")]
    pub(crate) prefixes: Vec<String>,
    /// Only captures of this time or later, such as 2024 or 2024-01-31T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<Time>,
    /// Only captures before this time
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<Time>,
    /// What comes out [default: by the name of the output file]
    #[arg(long, short, value_parser = table_or::<ExportFormat>())]
    pub(crate) format: Option<TableOr<ExportFormat>>,
    /// Which table, for CSV, TSV and Parquet [default: captures]
    #[arg(long, value_enum)]
    pub(crate) table: Option<Table>,
    /// Write to this file instead of stdout; it appears when it is whole
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Do not mask cookies and tokens in the answers to requests with a password, cookies or secret headers
    #[arg(long)]
    pub(crate) with_secrets: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// WARC 1.1, a gzip member a record
    Warc,
    /// A web archive in one zip file, for ReplayWeb.page and pywb
    Wacz,
    /// The index that pywb reads, sorted
    Cdxj,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Table {
    /// All captures
    Captures,
    /// Captures that differ from the one before of the same URL
    Versions,
    /// What was measured between two captures
    Changes,
}
