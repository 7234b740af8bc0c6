//! What may be typed for `driftline archive get`.

use std::path::PathBuf;

use clap::Args;

use super::DataArgs;

/// Print what a page was at a time.
///
/// URL@TIME is the capture nearest to TIME; URL@=TIME that one or none; URL@first and URL@latest say what they do. The
/// body is printed as a browser would get it: decoded, and for an unchanged capture from the one that holds it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive get https://example.org/@2019
  driftline archive get https://example.org/@latest -o page.html
  driftline archive get --headers https://example.org/@=20240131120000
  driftline archive get --record https://example.org/@2019 -o one.warc.gz")]
pub(crate) struct GetArgs {
    /// Which capture
    #[arg(value_name = "URL@TIME")]
    pub(crate) address: String,
    /// The status and the headers of the answer before its body
    #[arg(long)]
    pub(crate) headers: bool,
    /// The record as it stands in its WARC file, compressed as it is there
    #[arg(long, conflicts_with = "headers")]
    pub(crate) record: bool,
    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
