//! What may be typed for `driftline snapshot remove`.

use clap::Args;

use super::{At, DataArgs};

/// Take a snapshot out of a series again.
///
/// Damaged or not; a time that is not told in full must name one snapshot only. Its links and what became of its pages
/// are deleted. Addresses that it was the first to name stay where other snapshots need them. If `driftline snapshot
/// add` was interrupted, what it had read of this time is thrown away.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline snapshot remove news --at 2019-07")]
pub(crate) struct RemoveArgs {
    /// The series
    #[arg(value_name = "SERIES")]
    pub(crate) series: String,
    /// The snapshot of this time, or its interrupted add
    #[arg(long, value_name = "TIME")]
    pub(crate) at: At,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
