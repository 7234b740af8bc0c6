//! What may be typed for `driftline snapshot`.

mod add;
mod at;
mod check;
mod export;
mod links;
mod list;
mod remove;

use clap::{Args, Subcommand};

pub(crate) use super::archive::DataArgs;
pub(crate) use add::AddArgs;
pub(crate) use at::At;
pub(crate) use check::CheckArgs;
pub(crate) use export::{EdgeFormat, ExportEdgesArgs};
pub(crate) use links::LinksArgs;
pub(crate) use list::ListSnapshotsArgs;
pub(crate) use remove::RemoveArgs;

/// Keep repeated crawls as link databases, in series.
///
/// A series is repeated crawls of the same part of the web, and lives in `graph/SERIES` of the data directory. A
/// snapshot is one of them: which addresses were crawled or linked to, when they were fetched and last modified, and
/// their links in both directions, compressed. `driftline novelty` says which of its pages are new.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline snapshot add news --at 2019-01 crawl-2019-01/*.warc.gz
  driftline snapshot add news --at 2019-07 --pages pages.tsv.gz --links links.tsv.gz
  driftline snapshot list news
  driftline snapshot links https://example.org/ --in
  driftline novelty news")]
pub(crate) struct SnapshotArgs {
    #[command(subcommand)]
    pub(crate) verb: SnapshotVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SnapshotVerb {
    Add(AddArgs),
    List(ListSnapshotsArgs),
    Links(LinksArgs),
    Export(ExportEdgesArgs),
    Check(CheckArgs),
    Remove(RemoveArgs),
}
