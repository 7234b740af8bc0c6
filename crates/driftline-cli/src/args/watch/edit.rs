//! What may be typed for `driftline watch edit`.

use clap::Args;

use super::{DataArgs, SaidArgs};

/// Change what is said about a watch.
///
/// What is given takes the place of what stood there; comments and everything else stay as they are. What comes out is
/// checked before it replaces the file. Without any change, the entry is opened in `$VISUAL` or `$EDITOR`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch edit https://example.org/ --schedule 30m
  driftline watch edit mb2n --paused
  driftline watch edit mb2n --paused false --unset zone --unset counts.degree
  driftline watch edit mb2n")]
pub(crate) struct EditWatchArgs {
    /// The watch: its id, the beginning of it, its name, or its address
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Another address; the id stays
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// A key that is not said any more, such as `zone` or `counts.degree`; repeatable
    #[arg(long, value_name = "KEY")]
    pub(crate) unset: Vec<String>,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
