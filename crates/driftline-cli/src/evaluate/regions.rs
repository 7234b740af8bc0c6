//! `driftline evaluate regions`: which detector finds what changed, and at which price?

mod given;
mod made;
mod timing;

use anyhow::Result;

use super::output::Output;
use crate::args::EvaluateRegionsArgs;
use crate::exit::Exit;

/// Runs the experiments, prints the tables and what they say, writes the report.
pub(super) fn run(args: &EvaluateRegionsArgs) -> Result<Exit> {
    let output = Output::new(&args.report.out)?;
    let evaluation = match &args.report.versions {
        Some(folder) => given::run(folder, args)?,
        None => made::run(args),
    };
    output.give(&evaluation)?;
    Ok(Exit::Same)
}
