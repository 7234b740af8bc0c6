//! What was typed. What it means is [`crate::settings`].

mod archive;
mod diff;
mod evaluate;
mod measure;
mod memory;
mod novelty;
mod redesign;
mod shared;
mod snapshot;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use archive::{
    ArchiveArgs, CdxjArgs, CompactArgs, ExportArgs, ExportFormat, GetArgs, ImportArgs, ListArgs, RebuildArgs,
    StatsArgs, Table, Verb, VerifyArgs,
};
pub(crate) use diff::{Colour, DiffArgs, DiffFormat};
pub(crate) use evaluate::{
    EvaluateArgs, EvaluateMetricsArgs, EvaluateNoveltyArgs, EvaluateRedesignArgs, EvaluateRegionsArgs, Evaluation,
    OutputArgs,
};
pub(crate) use measure::{Against, Finding, MeasureArgs, TableFormat};
pub(crate) use novelty::{Extra, NoveltyArgs, NoveltyFormat, Order};
pub(crate) use redesign::{DetectionArgs, Input, RedesignArgs};
pub(crate) use shared::{DegreeArgs, Kind, PageArgs, RegionArgs, TypedistForm, Variant, Words};
pub(crate) use snapshot::{
    AddArgs, At, CheckArgs, EdgeFormat, ExportEdgesArgs, LinksArgs, ListSnapshotsArgs, RemoveArgs, SnapshotArgs,
    SnapshotVerb,
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
    Evaluate(EvaluateArgs),
    Demo(DemoArgs),
}

/// See driftline at work on a real page and on a made site that it brings along.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
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
