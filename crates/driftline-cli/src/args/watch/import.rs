//! What may be typed for `driftline watch import`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::DataArgs;

/// Bring in what another monitor watches.
///
/// A backup or the folder of changedetection.io, `urls.yaml` of urlwatch, `jobs.yaml` of webchanges, an OPML list of
/// feeds, a sitemap, or a file with an address a line. What cannot be carried over is told for each watch, and nothing
/// is dropped silently. Watches that are there already stay as they are. A file of which nothing can be used is an error.
/// Histories come in by `driftline archive import`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch import urls.yaml --dry-run
  driftline watch import changedetection-backup.zip
  driftline watch import feeds.opml --tag feeds
  driftline watch import urls.txt --format list --json")]
pub(crate) struct ImportWatchesArgs {
    /// Files or folders
    #[arg(value_name = "FILE", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// What they are, if it is not to be told from what stands in them
    #[arg(long, value_enum)]
    pub(crate) format: Option<ImportedFormat>,
    /// A tag for all of them; repeatable
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print a JSON object for each watch
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportedFormat {
    /// A backup or the folder of changedetection.io
    Changedetection,
    /// `urls.yaml` of urlwatch or `jobs.yaml` of webchanges
    Urlwatch,
    /// A list of feeds
    Opml,
    /// A sitemap: its pages as they are now
    Sitemap,
    /// An address a line
    List,
}
