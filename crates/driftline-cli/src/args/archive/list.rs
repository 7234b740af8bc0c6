//! What may be typed for `driftline archive list`.

use clap::Args;
use driftline_archive::Time;

use super::DataArgs;

/// Which captures of a page are there?
///
/// A line for each capture in the order of time: when, status, type, bytes in the archive, `version` if it differs
/// from the version before (`same` if not, `failed` for an error, `redirect`), how much it changed if that was measured,
/// and the address. Addresses that differ only in `http`, `https` or `www` are listed together. Without URL: a line for
/// each address, with the number of its captures.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive list
  driftline archive list https://example.org/
  driftline archive list https://example.org/ --versions --from 2019 --to 2024
  driftline archive list https://example.org/news/ --prefix --json")]
pub(crate) struct ListArgs {
    /// The address of a page
    #[arg(value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Everything whose address begins with URL
    #[arg(long, requires = "url")]
    pub(crate) prefix: bool,
    /// Only captures that differ from the one before
    #[arg(long)]
    pub(crate) versions: bool,
    /// Only captures of this time or later, such as 2024 or 2024-01-31T12:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<Time>,
    /// Only captures before this time
    #[arg(long, value_name = "TIME")]
    pub(crate) to: Option<Time>,
    /// No more lines than this
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Print a JSON object for each line
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
