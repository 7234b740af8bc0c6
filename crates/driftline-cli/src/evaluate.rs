//! `driftline evaluate`: the papers' experiments again, on made and on given pages.

mod command;
mod metrics;
mod novelty;
mod output;
mod real;
mod redesign;
mod regions;

use anyhow::Result;

use crate::args::{EvaluateArgs, Evaluation};
use crate::exit::Exit;

/// Runs the command.
pub(crate) fn run(args: &EvaluateArgs) -> Result<Exit> {
    match &args.what {
        Evaluation::Metrics(args) => metrics::run(args),
        Evaluation::Regions(args) => regions::run(args),
        Evaluation::Redesign(args) => redesign::run(args),
        Evaluation::Novelty(args) => novelty::run(args),
    }
}
