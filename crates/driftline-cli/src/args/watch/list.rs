//! What may be typed for `driftline watch list`.

use clap::Args;

use super::DataArgs;

/// What is watched, and how is it?
///
/// A line for each watch: id, schedule, when it was checked last, when it is next, when its newest version is from, and its
/// name or address. `-` stands for never; a schedule in parentheses is paused. Members of lists are left out unless they
/// are asked for.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch list
  driftline watch list --tag news --site example.org
  driftline watch list --failing
  driftline watch list --json | jq -r 'select(.paused) | .id'")]
pub(crate) struct ListWatchesArgs {
    /// Only those with this tag; repeatable: with all of them
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only those of this site, such as example.org
    #[arg(long, value_name = "HOST")]
    pub(crate) site: Option<String>,
    /// Members of lists too
    #[arg(long)]
    pub(crate) members: bool,
    /// Only those whose checks fail, members of lists among them
    #[arg(long)]
    pub(crate) failing: bool,
    /// Only those that are paused
    #[arg(long)]
    pub(crate) paused: bool,
    /// Print a JSON object for each watch
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
