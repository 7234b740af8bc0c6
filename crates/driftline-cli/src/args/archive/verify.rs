//! What may be typed for `driftline archive verify`.

use clap::Args;

use super::DataArgs;

/// Is everything there, and as it was written?
///
/// Every segment is read to its end: are the digests of all records right, does every record have its row in the
/// catalog and every row its record, do they agree, is there a file for each segment and a segment for each file,
/// is the body of every unchanged capture there, and does no segment end in the middle of a record? Nothing is changed,
/// except permissions with `--fix-permissions`.
/// A segment that is being written meanwhile is checked as far as it was acknowledged.
///
/// Each problem is told with its file, its place and what helps. Digests that were wrong already in what was imported are
/// no problems and are only counted; `--json` names them. Files and folders that others than their owner may open are
/// named too, and are no problems either. Exit codes: 0 all is well, 1 there are problems, 2 failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive verify
  driftline archive verify --quick
  driftline archive verify --quick --fix-permissions
  driftline archive verify --json | jq -r '.problems[].segment' | sort | uniq -c")]
pub(crate) struct VerifyArgs {
    /// Only look which files there are and how long; read none of them
    #[arg(long)]
    pub(crate) quick: bool,
    /// Take the permissions of others away from files and folders that others may open
    #[arg(long)]
    pub(crate) fix_permissions: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
