//! `driftline evaluate redesign`: which detector finds redesigns, how late, and how often in vain?

mod given;
mod listen;
mod made;

use anyhow::Result;
use driftline::redesign::Parameters;
use driftline_evaluation::report::redesign::Evaluation;

use self::listen::Listener;
use super::command;
use super::output::Output;
use crate::args::EvaluateRedesignArgs;
use crate::exit::Exit;

/// Runs all detectors on all streams, prints the table, writes the report.
pub(super) fn run(args: &EvaluateRedesignArgs) -> Result<Exit> {
    let listener = Listener { parameters: parameters(args)? };
    let output = Output::new(&args.out)?;
    let (source, streams) = match &args.dir {
        Some(folder) => given::run(folder, &listener, args.out.quiet)?,
        None => made::run(args, &listener)?,
    };
    let histories = listener.parameters.iter().map(|parameters| parameters.history).collect();
    let command = command::redesign(args);
    output.give(&Evaluation { source, parameters: Parameters::GOTTRON, histories, streams, command })?;
    Ok(Exit::Same)
}

/// The paper's parameters with each length of the history.
fn parameters(args: &EvaluateRedesignArgs) -> Result<Vec<Parameters>> {
    let mut histories = args.history.clone();
    histories.sort_unstable();
    histories.dedup();
    let with = |history| Ok(Parameters::GOTTRON.with_history(history).checked()?);
    histories.into_iter().map(with).collect()
}
