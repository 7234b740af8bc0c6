//! What may be typed for `driftline watch check`.

use clap::Args;

use super::DataArgs;

/// Check watches once, now, and tell what changed.
///
/// For cron, or for the impatient: fetches, keeps, compares and tells targets as `driftline serve` does, then ends.
/// Prints a line for each event, as `driftline events` does, but in the order of time; a first check says on stderr what
/// it kept. Exit codes: 0 nothing changed, 1 something did, 2 some
/// watches could not be checked or some targets could not be told.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch check https://example.org/
  driftline watch check --tag news --json
  driftline watch check --all || mail -s 'pages changed' me < /dev/null")]
pub(crate) struct CheckWatchesArgs {
    /// Watches: ids, beginnings of ids, names, or addresses
    #[arg(value_name = "ID", required_unless_present_any = ["all", "tags"], conflicts_with_all = ["all", "tags"])]
    pub(crate) ids: Vec<String>,
    /// All watches that are not paused
    #[arg(long, conflicts_with = "tags")]
    pub(crate) all: bool,
    /// Those with this tag; repeatable: with all of them
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Print a JSON object for each event
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar, and no word about what is kept for the first time
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
