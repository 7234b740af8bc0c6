//! What may be typed for `driftline snapshot check`.

use clap::Args;

use super::DataArgs;

/// Is every file of the snapshots as it was written?
///
/// Reads all of them and compares each with its checksum. Other commands do so with what they use, but for the codes of
/// very many links (more than 256 MiB). Each damaged snapshot is told with its file and what helps; nothing is changed.
/// Exit codes: 0 all is well, 2 something is damaged.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline snapshot check
  driftline snapshot check news --json")]
pub(crate) struct CheckArgs {
    /// The series [default: all]
    #[arg(value_name = "SERIES")]
    pub(crate) series: Option<String>,
    /// Print a JSON object for each damaged snapshot
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
