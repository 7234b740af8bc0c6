//! What may be typed for `driftline snapshot list`.

use clap::Args;

use super::DataArgs;

/// Which snapshots are there?
///
/// A line for each snapshot in the order of time: pages crawled, addresses that were only linked to (fringe), links,
/// addresses that no snapshot added before had named (new), its size on disk, bits on disk for each link of a page (out)
/// and to a page (in), and what could not be read when it was added (skipped).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline snapshot list
  driftline snapshot list news --json")]
pub(crate) struct ListSnapshotsArgs {
    /// The series [default: all]
    #[arg(value_name = "SERIES")]
    pub(crate) series: Option<String>,
    /// Print a JSON object for each snapshot
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
