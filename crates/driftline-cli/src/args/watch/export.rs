//! What may be typed for `driftline watch export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::DataArgs;

/// Write what is watched for other programs.
///
/// TOML and JSON have all that is set. OPML has feeds and no pages, a list and jobs of urlwatch have pages and feeds; what
/// they leave out or cannot say is told for each watch. Pages and feeds that a sitemap or an OPML list on the net names
/// are in none of them: TOML and JSON have that list itself. Passwords, tokens, headers and cookies are left out unless
/// `--secrets` says otherwise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch export --output watches.toml
  driftline watch export --format opml --tag news > feeds.opml
  driftline watch export --format urlwatch --output urls.yaml")]
pub(crate) struct ExportWatchesArgs {
    /// As what
    #[arg(long, value_enum, default_value_t = WatchesFormat::Toml)]
    pub(crate) format: WatchesFormat,
    /// Only those with this tag; repeatable: with all of them
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only those of this site, such as example.org
    #[arg(long, value_name = "HOST")]
    pub(crate) site: Option<String>,
    /// Headers, cookies, proxies, passwords and tokens too
    #[arg(long)]
    pub(crate) secrets: bool,
    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WatchesFormat {
    /// A file of watches, with all that is set
    Toml,
    /// Feeds only, each with its title and tags, for feed readers; pages are left out
    Opml,
    /// Pages and feeds, an address a line, with tags and title
    List,
    /// `urls.yaml` of urlwatch and webchanges: pages and feeds
    Urlwatch,
    /// A JSON object a line, with all that is set
    Json,
}
