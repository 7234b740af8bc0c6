//! What may be typed for `driftline watch add`.

use clap::{Args, ValueEnum};

use super::{DataArgs, SaidArgs};

/// Watch pages, feeds or lists of them.
///
/// An entry for each goes to the end of `watches/watches.toml` in the data directory. Each of the first 10 addresses is
/// fetched once, unless `--no-fetch` is set: one that cannot be reached is added all the same, with a warning. Nothing is
/// kept before the first check. A feed, a sitemap or an OPML list is recognised and watched as such; `--kind` wins. Its id
/// is printed: by it, by the beginning of it, by the name or by the address it is named in other commands. All keys of an entry stand in
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
    /// Addresses; `example.org` means `https://example.org/`; with `--list` names of files in the folder of watches
    #[arg(value_name = "URL", required = true)]
    pub(crate) urls: Vec<String>,
    /// The id, if it is not to be made of the address
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// What they are; by default, what each address answers decides
    #[arg(long, value_enum, group = "kinds")]
    pub(crate) kind: Option<WatchKind>,
    /// They are feeds, compared item by item
    #[arg(long, group = "kinds")]
    pub(crate) feed: bool,
    /// They are sitemaps: each page in them is watched
    #[arg(long, group = "kinds")]
    pub(crate) sitemap: bool,
    /// They are OPML lists of feeds, each of which is watched
    #[arg(long, group = "kinds")]
    pub(crate) opml: bool,
    /// They are files with an address a line, each of which is watched
    #[arg(long, group = "kinds")]
    pub(crate) list: bool,
    /// Add them as they are, and fetch nothing
    #[arg(long)]
    pub(crate) no_fetch: bool,
    #[command(flatten)]
    pub(crate) said: SaidArgs,
    /// Print a JSON object for each watch
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

impl AddWatchArgs {
    /// The kind that was typed, as an entry has it.
    pub(crate) fn kind(&self) -> Option<&'static str> {
        let short = [("feed", self.feed), ("sitemap", self.sitemap), ("opml", self.opml), ("list", self.list)];
        let short = short.into_iter().find(|(_, is_meant)| *is_meant).map(|(kind, _)| kind);
        self.kind.map(WatchKind::name).or(short)
    }
}

/// What kind of thing is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WatchKind {
    /// Pages
    Page,
    /// Feeds, compared item by item
    Feed,
    /// Sitemaps: each page in them is watched
    Sitemap,
    /// OPML lists of feeds, each of which is watched
    Opml,
    /// Files with one address per line, each of which is watched
    List,
}

impl WatchKind {
    fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Feed => "feed",
            Self::Sitemap => "sitemap",
            Self::Opml => "opml",
            Self::List => "list",
        }
    }
}
