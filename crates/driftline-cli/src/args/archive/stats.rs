//! What may be typed for `driftline archive stats`.

use clap::Args;

use super::DataArgs;

/// How much is there, and of what?
///
/// Captures, versions (captures that differ from the one before), addresses and hosts; bytes as they are packed, bytes
/// of bodies, and bytes that were saved because unchanged bodies are not kept again; captures by year, by what they
/// are, by status and by sort of record; segments; and derived values by the recipe that made them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive stats
  driftline archive stats --json | jq .bytes.saved")]
pub(crate) struct StatsArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
