//! What may be typed for `driftline watch remove`.

use clap::Args;

use super::DataArgs;

/// Watch something no more.
///
/// Its entry goes from its file. What was captured stays in the archive, and what happened stays in the catalog, unless
/// `--forget` says otherwise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch remove https://example.org/
  driftline watch remove mb2nfa325uh4 --forget")]
pub(crate) struct RemoveWatchArgs {
    /// Watches: ids, beginnings of ids, names, or addresses
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Forget its events too; captures stay
    #[arg(long)]
    pub(crate) forget: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
