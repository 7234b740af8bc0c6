//! `driftline evaluate metrics`: which metric tells the degree of change best?

use std::io::{self, Write};

use anyhow::{Result, bail};
use driftline::degree::compare::Parameters;
use driftline::degree::criteria::advice::{Advice, Warning};
use driftline::degree::criteria::collection::Shares;
use driftline::degree::criteria::experiment::{Setup, figure_7, figure_8};
use driftline::degree::ied::Costs;
use driftline_report::evaluation::{Collection, Evaluation};

use super::{command, output, real};
use crate::args::EvaluateMetricsArgs;
use crate::exit::Exit;
use crate::settings;

/// Runs the experiments, prints the table and the advice, writes the report.
pub(super) fn run(args: &EvaluateMetricsArgs) -> Result<Exit> {
    let setup = setup(args)?;
    let folder = args.output.as_deref().map(output::Folder::create).transpose()?;
    let evaluation = evaluate(args, setup)?;
    print(args, &evaluation)?;
    match folder {
        Some(folder) => folder.write(&evaluation)?,
        None if !args.quiet => anstream::eprintln!("hint: `--output DIR` writes figures, CSV files and report.html"),
        None => {}
    }
    Ok(Exit::Same)
}

fn setup(args: &EvaluateMetricsArgs) -> Result<Setup> {
    for (name, weight) in [("alpha", args.alpha), ("beta", args.beta)] {
        if !(0.0..=1.0).contains(&weight) {
            bail!("`--{name}` must be from 0 to 1, not {weight}");
        }
    }
    let weights = Costs::new(args.alpha, args.beta)?;
    let shingle_length = settings::shingle_length(args.shingle)?;
    // The papers give IED the costs that the criteria have as weights.
    let parameters = Parameters { costs: weights, shingle_length, ..Parameters::default() };
    Ok(Setup { parameters, weights, seed: args.seed })
}

fn evaluate(args: &EvaluateMetricsArgs, setup: Setup) -> Result<Evaluation> {
    let measured = args.versions.as_deref().map(|folder| real::measure(folder, args, &setup.parameters)).transpose()?;
    let (figure_7, figure_8) = (figure_7(&setup), figure_8(&setup));
    let collection = measured.map(|measured| {
        let warnings = Warning::of(&measured.summary, &measured.samples, &figure_8);
        Collection { warnings, ..measured }
    });
    let shares = collection.as_ref().and_then(|collection| collection.summary.shares);
    let advice = Advice::of(&figure_7, shares.unwrap_or(Shares::EVEN));
    Ok(Evaluation { setup, figure_7, figure_8, collection, advice, command: command::line(args) })
}

fn print(args: &EvaluateMetricsArgs, evaluation: &Evaluation) -> Result<()> {
    let text = if args.json { format!("{:#}\n", evaluation.json()) } else { evaluation.text() };
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
