//! What was typed. What it means is [`crate::settings`].

mod archive;
mod diff;
mod evaluate;
mod measure;
mod redesign;
mod shared;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use archive::{
    ArchiveArgs, CdxjArgs, CompactArgs, ExportArgs, ExportFormat, GetArgs, ImportArgs, ListArgs, RebuildArgs,
    StatsArgs, Table, Verb, VerifyArgs,
};
pub(crate) use diff::{Colour, DiffArgs, DiffFormat};
pub(crate) use evaluate::{
    EvaluateArgs, EvaluateMetricsArgs, EvaluateRedesignArgs, EvaluateRegionsArgs, Evaluation, OutputArgs,
};
pub(crate) use measure::{Against, Finding, MeasureArgs, TableFormat};
pub(crate) use redesign::{DetectionArgs, Input, RedesignArgs};
pub(crate) use shared::{DegreeArgs, Kind, PageArgs, RegionArgs, TypedistForm, Variant, Words};

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
}
