//! What may be typed for `driftline snapshot add`.

use std::path::PathBuf;

use clap::Args;
use driftline::time::Time;

use super::DataArgs;
use crate::args::memory::memory;

/// Put a crawl into a series.
///
/// A crawl is WARC, WACZ and WAT files, or tables of its pages and links, or both; folders are searched for them.
/// Tables are TSV, CSV or Parquet, packed with gzip or zstd or not, with a first row of names: pages have `url`,
/// `crawled` (1, or 0 if it was only linked to), `fetch_time` and `last_modified`; links `source` and `target`;
/// redirects `from` and `to`. The tables of Archives Unleashed and Common Crawl's index are understood too.
///
/// Files are read in parallel. A snapshot is there once it is whole, or not at all; when this is interrupted, type the
/// same command once more, and it goes on where it was. What is malformed is passed over, counted, and told on stderr.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline snapshot add news --at 2019-01 crawl-2019-01/
  driftline snapshot add news --at 2019-07-15 crawl/*.warc.gz crawl/*.wacz
  driftline snapshot add news --at 2020-01 --pages pages.parquet --links links.parquet --redirects redirects.csv
  driftline snapshot add news --at 20200715000000 --memory 8G --json tables/")]
#[command(group = clap::ArgGroup::new("crawl").required(true).multiple(true))]
pub(crate) struct AddArgs {
    /// The series, which is made if it is not there
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// Files and folders of the crawl
    #[arg(value_name = "INPUT", group = "crawl")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The crawl's nominal time, such as 2024-01 or 2024-01-31T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Time,
    /// A table of pages; repeatable
    #[arg(long, value_name = "FILE", group = "crawl")]
    pub(crate) pages: Vec<PathBuf>,
    /// A table of links; repeatable
    #[arg(long, value_name = "FILE", group = "crawl")]
    pub(crate) links: Vec<PathBuf>,
    /// A table of redirects; repeatable
    #[arg(long, value_name = "FILE", group = "crawl")]
    pub(crate) redirects: Vec<PathBuf>,
    /// How much memory sorting may take, such as 512M or 8G
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = memory)]
    pub(crate) memory: usize,
    /// Print what the snapshot says of itself as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
