//! What may be typed for `driftline watch add`.

use clap::Args;

use super::{DataArgs, SaidArgs};

/// Watch pages, feeds or lists of them.
///
/// An entry for each goes to the end of `watches/watches.toml` in the data directory; nothing is fetched yet. Its id is
/// printed: by it, by the beginning of it or by the address it is named in other commands. All keys of an entry stand in
/// docs/reference/watches.md.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch add https://example.org/ --name Example --tag news
  driftline watch add https://example.org/prices --zone '#prices' --schedule 30m --target me
  driftline watch add https://example.org/app --fetch browser --wait-for '#content'
  driftline watch add https://example.org/feed.xml --feed --follow
  driftline watch add https://example.org/sitemap.xml --sitemap --include /news/ --most 1000
  driftline watch add pages.txt --list")]
pub(crate) struct AddWatchArgs {
    /// Addresses; with `--list` names of files in the folder of watches
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,
    /// The id, if it is not to be made of the address
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// They are feeds, compared item by item
    #[arg(long, group = "kind")]
    pub(crate) feed: bool,
    /// They are sitemaps: each page in them is watched
    #[arg(long, group = "kind")]
    pub(crate) sitemap: bool,
    /// They are OPML lists of feeds, each of which is watched
    #[arg(long, group = "kind")]
    pub(crate) opml: bool,
    /// They are files with an address a line, each of which is watched
    #[arg(long, group = "kind")]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    /// Print a JSON object for each watch
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}
