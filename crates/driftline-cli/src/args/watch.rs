//! What may be typed for `driftline watch`.

mod add;
mod check;
mod edit;
mod export;
mod import;
mod list;
mod preview;
mod remove;
mod said;
mod show;

use clap::{Args, Subcommand};

pub(crate) use super::archive::DataArgs;
pub(crate) use add::AddWatchArgs;
pub(crate) use check::CheckWatchesArgs;
pub(crate) use edit::EditWatchArgs;
pub(crate) use export::{ExportWatchesArgs, WatchesFormat};
pub(crate) use import::{ImportWatchesArgs, ImportedFormat};
pub(crate) use list::ListWatchesArgs;
pub(crate) use preview::PreviewArgs;
pub(crate) use remove::RemoveWatchArgs;
pub(crate) use said::{CountsArgs, FetchArgs, MembersArgs, SaidArgs};
pub(crate) use show::ShowWatchArgs;

/// Watch pages, feeds and lists of them, and be told what changed.
///
/// What is watched stands in the data directory, in `watches/*.toml`: files that a person can keep in git, and that these
/// commands change without touching comments. Who is told stands in `driftline.toml`. `driftline serve --headless`
/// checks what is due, `driftline watch check` does so once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  driftline watch add https://example.org/ --tag news --zone main
  driftline watch list
  driftline watch show https://example.org/
  driftline watch import urls.yaml --dry-run")]
pub(crate) struct WatchArgs {
    #[command(subcommand)]
    pub(crate) verb: WatchVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WatchVerb {
    Add(Box<AddWatchArgs>),
    List(ListWatchesArgs),
    Show(ShowWatchArgs),
    Check(CheckWatchesArgs),
    Edit(Box<EditWatchArgs>),
    Remove(RemoveWatchArgs),
    Import(ImportWatchesArgs),
    Export(ExportWatchesArgs),
    Preview(PreviewArgs),
}
