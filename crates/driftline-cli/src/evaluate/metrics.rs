//! `driftline evaluate metrics`: which metric tells the degree of change best?

use anyhow::{Result, bail};
use driftline::compare::CompareOptions;
use driftline::degree::ied::Costs;
use driftline_evaluation::metrics::advice::{Advice, Warning};
use driftline_evaluation::metrics::collection::Shares;
use driftline_evaluation::metrics::experiment::{Setup, figure_7, figure_8};
use driftline_evaluation::report::metrics::{Collection, Evaluation};

use super::output::Output;
use super::{command, real};
use crate::args::EvaluateMetricsArgs;
use crate::exit::Exit;
use crate::settings;

/// Runs the experiments, prints the table and the advice, writes the report.
pub(super) fn run(args: &EvaluateMetricsArgs) -> Result<Exit> {
    let setup = setup(args)?;
    let output = Output::new(&args.report.out)?;
    output.give(&evaluate(args, setup)?)?;
    Ok(Exit::Same)
}

fn setup(args: &EvaluateMetricsArgs) -> Result<Setup> {
    for (name, weight) in [("alpha", args.alpha), ("beta", args.beta)] {
        if !(0.0..=1.0).contains(&weight) {
            bail!("`--{name}` must be from 0 to 1, not {weight}");
        }
    }
    let weights = Costs::new(args.alpha, args.beta)?;
    let shingle_length = settings::shingle_length(args.shingle, "words")?;
    // The papers give IED the costs that the criteria have as weights.
    let options = CompareOptions { costs: weights, shingle_length, ..CompareOptions::default() };
    Ok(Setup { options, weights, seed: args.report.seed })
}

fn evaluate(args: &EvaluateMetricsArgs, setup: Setup) -> Result<Evaluation> {
    let measured =
        args.report.versions.as_deref().map(|folder| real::measure(folder, args, &setup.options)).transpose()?;
    let (figure_7, figure_8) = (figure_7(&setup), figure_8(&setup));
    let collection = measured.map(|measured| {
        let warnings = Warning::of(&measured.summary, &measured.samples, &figure_8);
        Collection { warnings, ..measured }
    });
    let shares = collection.as_ref().and_then(|collection| collection.summary.shares);
    let advice = Advice::of(&figure_7, shares.unwrap_or(Shares::EVEN));
    Ok(Evaluation { setup, figure_7, figure_8, collection, advice, command: command::metrics(args) })
}
