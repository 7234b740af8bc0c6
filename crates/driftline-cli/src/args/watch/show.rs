//! What may be typed for `driftline watch show`.

use clap::Args;

use super::DataArgs;

/// All about a watch.
///
/// Where it stands, what is set, when it is checked and why then, what its last checks said, what happened last, and
/// which versions the archive has. Of headers, cookies, proxies, passwords and tokens it is shown that they are set, and
/// never what they are.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch show https://example.org/
  driftline watch show mb2n --json")]
pub(crate) struct ShowWatchArgs {
    /// The watch: its id, the beginning of it, its name, or its address
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
