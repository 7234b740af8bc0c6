//! What may be typed for `driftline diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::archive::DataArgs;
use super::shared::{DegreeArgs, Kind, PageArgs, RegionArgs};
use crate::diff::DiffFormat;

/// Compare two versions of a page: how much changed, in which ways, where, and which words.
///
/// OLD and NEW are files, or `-` for stdin: HTML, XML, JSON or plain text in any charset. Two feeds
/// are compared item by item; `--type xml` compares their text instead.
///
/// They may be captures as well, by URL@TIME: `http://example.org/@2019` is the capture of that page that is nearest
/// to the beginning of 2019, `@=20190131120000` that one and no other, `@first` and `@latest` what they say. Captures
/// are looked for in the archive, or with `--warc` in WARC, ARC and WACZ files as they are. Of a page that a watch
/// fetched with a browser, what the browser made of it is compared, as the watch does, and its zones, ignored parts and
/// normalisers are those of the watch, unless they are typed or `--received` is set.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline diff old.html new.html
  driftline diff --zone main --ignore .ad old.html new.html
  curl -s https://example.org/ | driftline diff saved.html -
  driftline diff --format html old.html new.html > change.html
  driftline diff --warc crawl.warc.gz http://example.org/@2019 http://example.org/@2024
  driftline diff http://example.org/@2019 http://example.org/@2024 --warc crawls/*.warc.gz
  driftline diff http://example.org/@first http://example.org/@latest")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag that a person may type")]
pub(crate) struct DiffArgs {
    /// The older version: a file, `-`, or URL@TIME
    pub(crate) old: PathBuf,
    /// The newer version: a file, `-`, or URL@TIME
    pub(crate) new: PathBuf,
    /// Look for captures in this file or folder, or in several: WARC, ARC, WACZ, or CDX and CDXJ with their archives beside
    /// them
    #[arg(long, value_name = "FILE")]
    pub(crate) warc: Vec<PathBuf>,
    /// The other files of `--warc a.warc b.warc`. A list of values would swallow OLD and NEW after it.
    #[arg(hide = true)]
    pub(crate) more: Vec<PathBuf>,
    /// Compare all of the pages as they were received, whatever their watch compares and a browser made of them
    #[arg(long)]
    pub(crate) received: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// How to show the change
    #[arg(long, short, value_enum, default_value_t = DiffFormat::Text)]
    pub(crate) format: DiffFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Show the two versions beside each other
    #[arg(long, short = 'y', conflicts_with = "json")]
    pub(crate) side_by_side: bool,
    /// Show what every metric says
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Regions listed before the text, the most important first: a number, 0 for none, or `all`
    #[arg(long, value_name = "N", default_value = "10", value_parser = most_regions)]
    pub(crate) regions: usize,
    /// Exit with 0 if the change matters less than this, from 0 to 1
    #[arg(long, value_name = "IMPORTANCE", default_value_t = 0.0)]
    pub(crate) min_importance: f64,
    /// Lines shown around a change
    #[arg(long, short = 'U', value_name = "LINES", default_value_t = 2)]
    pub(crate) context: usize,
    /// Show all lines
    #[arg(long, conflicts_with = "context")]
    pub(crate) full: bool,
    /// Use colours
    #[arg(long, value_enum, default_value_t = Colour::Auto, alias = "colour")]
    pub(crate) color: Colour,
    /// Columns of the output [default: the terminal's]
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) width: Option<usize>,
    /// What the files are [default: by name and content]
    #[arg(long = "type", value_enum)]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) page: PageArgs,
    #[command(flatten)]
    pub(crate) degree: DegreeArgs,
    #[command(flatten)]
    pub(crate) region: RegionArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// If stdout is a terminal and `NO_COLOR` is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A number of regions, or all of them.
fn most_regions(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        number => number.parse().map_err(|_| "write a number, or `all`".to_owned()),
    }
}
