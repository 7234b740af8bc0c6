//! What may be typed for `driftline snapshot links`.

use clap::Args;

use super::{At, DataArgs};

/// Who links to a page, and to whom does it link?
///
/// A line for each link, with tabs between: the other address, `crawled` or `fringe` (only linked to), when it was
/// fetched, and `in` or `out`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline snapshot links https://example.org/
  driftline snapshot links https://example.org/ --series news --at 2019-07 --in")]
pub(crate) struct LinksArgs {
    /// The address of a page
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// The series [default: the only one there is]
    #[arg(long, value_name = "SERIES")]
    pub(crate) series: Option<String>,
    /// The snapshot of this time [default: the newest]
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<At>,
    /// Only links to the page
    #[arg(long = "in", conflicts_with = "out")]
    pub(crate) into: bool,
    /// Only links of the page
    #[arg(long)]
    pub(crate) out: bool,
    /// Print a JSON object for each link
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
