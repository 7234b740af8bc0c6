//! What may be typed for `driftline archive rebuild`.

use clap::{Args, ValueEnum};
use driftline_archive::derive;

use super::DataArgs;

/// Derive again what captures do not say themselves.
///
/// First, segments that the catalog does not know are indexed: a catalog that was lost, or brought back from an old
/// backup, is made anew from the WARC files alone. Then everything derived that is missing, or was made by an older
/// recipe, is derived again from the captures: their text, their links, their templates, and what changed between two
/// versions. Both sides are measured anew, and nobody is alerted.
///
/// All cores work, and what is done is done: interrupted, it goes on where it stopped.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive rebuild
  driftline archive rebuild --kind change --url https://example.org/
  mv data/catalog.db data/old.db; driftline archive rebuild --data data")]
pub(crate) struct RebuildArgs {
    /// Only this: text, links, template or change; repeatable [default: all]
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<DerivedKind>,
    /// Even what is up to date
    #[arg(long)]
    pub(crate) all: bool,
    /// Only what belongs to this address
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) data: DataArgs,
}

/// What is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DerivedKind {
    /// The words in reading order
    Text,
    /// What the page points to
    Links,
    /// The shingles of its tags
    Template,
    /// What differs from the version before
    Change,
}

impl From<DerivedKind> for derive::Kind {
    fn from(kind: DerivedKind) -> Self {
        match kind {
            DerivedKind::Text => Self::Text,
            DerivedKind::Links => Self::Links,
            DerivedKind::Template => Self::Template,
            DerivedKind::Change => Self::Change,
        }
    }
}
