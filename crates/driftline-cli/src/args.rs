//! What was typed. What it means is [`crate::settings`].

mod archive;
mod diff;
#[cfg(test)]
mod documented;
mod evaluate;
mod events;
mod format;
mod measure;
mod memory;
mod novelty;
mod redesign;
mod serve;
mod shared;
mod snapshot;
mod watch;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use archive::{
    ArchiveArgs, CdxjArgs, CompactArgs, ExportArgs, ExportFormat, GetArgs, ImportArgs, ListArgs, RebuildArgs,
    StatsArgs, Table, Verb, VerifyArgs,
};
pub(crate) use diff::{Colour, DiffArgs};
pub(crate) use evaluate::{
    EvaluateArgs, EvaluateMetricsArgs, EvaluateNoveltyArgs, EvaluateRedesignArgs, EvaluateRegionsArgs, Evaluation,
    OutputArgs,
};
pub(crate) use events::{DeliveriesArgs, EventsArgs, EventsVerb, ListEventsArgs, RetryArgs, ShowEventArgs};
pub(crate) use format::{TableOr, table_output};
pub(crate) use measure::{Against, Finding, MeasureArgs, MeasureFormat};
pub(crate) use novelty::{Extra, NoveltyArgs, NoveltyFormat, Order};
pub(crate) use redesign::{Input, RedesignArgs};
pub(crate) use serve::{LogFormat, LogLevel, ServeArgs};
pub(crate) use shared::{DegreeArgs, Kind, PageArgs, RegionArgs, TypedistForm, Variant, Words};
pub(crate) use snapshot::{
    AddArgs, At, CheckArgs, EdgeFormat, ExportEdgesArgs, LinksArgs, ListSnapshotsArgs, RemoveArgs, SnapshotArgs,
    SnapshotVerb,
};
pub(crate) use watch::{
    AddWatchArgs, CheckWatchesArgs, CountsArgs, EditWatchArgs, ExportWatchesArgs, FetchArgs, ImportWatchesArgs,
    ImportedFormat, ListWatchesArgs, MembersArgs, PreviewArgs, RemoveWatchArgs, SaidArgs, ShowWatchArgs, WatchArgs,
    WatchVerb, WatchesFormat,
};

/// How much did a web page change, and in which ways?
///
/// Data goes to stdout, everything else to stderr. Exit codes are those of `diff`: 0 nothing
/// changed or done, 1 something changed, 2 failed.
#[derive(Debug, Parser)]
#[command(name = "driftline", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Diff(DiffArgs),
    Measure(MeasureArgs),
    Redesign(RedesignArgs),
    Novelty(NoveltyArgs),
    Snapshot(SnapshotArgs),
    Archive(ArchiveArgs),
    Watch(WatchArgs),
    Events(EventsArgs),
    Serve(ServeArgs),
    Evaluate(EvaluateArgs),
    Demo(DemoArgs),
}

/// Watch a site evolve on this machine: every finding as it happens
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Keep what was found in this folder, as a data directory, to look at it with other commands
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// The clock goes so many times as fast while nothing is to be done; 0: nobody waits
    #[arg(long, value_name = "TIMES", default_value_t = 30_000.0)]
    pub(crate) speed: f64,
    /// Write the two versions into this folder instead, to try commands on them
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Write the pages of the made site into this folder instead, to try `driftline redesign` on them
    #[arg(long, value_name = "DIR")]
    pub(crate) save_site: Option<PathBuf>,
    /// Write three crawls of made sites into this folder instead, to try `driftline novelty` on them
    #[arg(long, value_name = "DIR")]
    pub(crate) save_crawls: Option<PathBuf>,
}
