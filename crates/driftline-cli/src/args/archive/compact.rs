//! What may be typed for `driftline archive compact`.

use clap::Args;
use driftline_archive::care::retention::{Age, Size};

use super::DataArgs;

/// Drop what need not be kept, by rules that you name.
///
/// Rules are for each page by itself. A watch with a key `retention`, such as
/// `retention = { keep = 50, older-than = "1y", most-bytes = "1GB", thin = true }`, has rules of its own; all other pages
/// have those that are typed here. Without any rule everything is kept. `driftline serve` applies the rules of watches by
/// itself.
///
/// If captures have to go, unchanged ones go first, then the oldest versions. With `--thin` versions go by how little
/// they changed: the first, the latest and those with the largest changes are kept, evenly in time between equals; and
/// `--older-than` says which may go at all. The latest version of a page is always kept, and so are versions that an event
/// shows, unless `--reported-too` is set, and those that a watch compares with. An unchanged capture that is kept longer
/// than its original takes the body over.
///
/// Segments are only ever appended to. So new ones are written with what is kept, then the catalog learns of it in one
/// transaction, then the old files are removed: killed at any moment, the archive is as it was or as it shall be.
/// Nobody else may write to the archive meanwhile.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive compact --keep 100 --dry-run
  driftline archive compact --older-than 1y
  driftline archive compact --thin --keep 50 --older-than 90d
  driftline archive compact --most-bytes 10GB --json")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CompactArgs {
    /// Keep at most so many captures of a page
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) keep: Option<u64>,
    /// Drop captures older than this: 90d, 12w, 6mo, 1y; with `--thin`, only these may go
    #[arg(long, value_name = "AGE")]
    pub(crate) older_than: Option<Age>,
    /// Keep at most so many bytes of a page, as they are packed: 500MB, 10GB
    #[arg(long, value_name = "SIZE")]
    pub(crate) most_bytes: Option<Size>,
    /// Let the versions go that changed least, not the oldest
    #[arg(long)]
    pub(crate) thin: bool,
    /// Versions that an event shows may go too
    #[arg(long)]
    pub(crate) reported_too: bool,
    /// Only say what would go, by which rule of which watch, and how much would be freed
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print a JSON object a line: one for each capture that goes, and the sum
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
