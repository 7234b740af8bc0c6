//! What may be typed for `driftline archive`.

mod cdxj;
mod compact;
mod export;
mod get;
mod import;
mod list;
mod rebuild;
mod stats;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand};

pub(crate) use cdxj::CdxjArgs;
pub(crate) use compact::CompactArgs;
pub(crate) use export::{ExportArgs, ExportFormat, Table};
pub(crate) use get::GetArgs;
pub(crate) use import::ImportArgs;
pub(crate) use list::ListArgs;
pub(crate) use rebuild::RebuildArgs;
pub(crate) use stats::StatsArgs;
pub(crate) use verify::VerifyArgs;

/// Keep every version of pages for ever, in WARC files that everyone's tools can read.
///
/// The archive lives in the data directory: `warc/` holds the captures, `catalog.db` says where each of them is,
/// and `driftline.toml` may name another catalog (PostgreSQL) or another place for the WARC files (S3).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline archive import crawl.warc.gz
  driftline archive list https://example.org/
  driftline diff https://example.org/@2019 https://example.org/@latest
  driftline archive export --output everything.wacz")]
pub(crate) struct ArchiveArgs {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Import(ImportArgs),
    List(ListArgs),
    Get(GetArgs),
    Export(ExportArgs),
    Stats(StatsArgs),
    Verify(VerifyArgs),
    Rebuild(RebuildArgs),
    Compact(CompactArgs),
    Cdxj(CdxjArgs),
}

/// Where the archive is, for every command that has to do with it.
#[derive(Debug, Clone, Args)]
pub(crate) struct DataArgs {
    /// The data directory [default: `$DRIFTLINE_DATA`, or `driftline` in the user's data directory]
    #[arg(long, value_name = "DIR", env = "DRIFTLINE_DATA", hide_env = true)]
    pub(crate) data: Option<PathBuf>,
}
