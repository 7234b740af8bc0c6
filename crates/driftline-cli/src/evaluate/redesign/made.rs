//! Streams that are made for the purpose.

use anyhow::Result;
use driftline::page::ReadOptions;
use driftline::redesign::template::Template;
use driftline_evaluation::redesign::Truth;
use driftline_evaluation::redesign::synthesis::{MadeStream, Scenario};
use driftline_evaluation::report::redesign::{Listened, Source};
use rayon::prelude::*;

use super::listen::Listener;
use crate::args::EvaluateRedesignArgs;
use crate::progress::Progress;

/// Makes streams, one at a time on each core, and listens to them.
pub(super) fn run(args: &EvaluateRedesignArgs, listener: &Listener) -> Result<(Source, Vec<Listened>)> {
    let (count, seed) = (usize::from(args.streams), args.seed);
    let plan: Vec<(Scenario, usize)> =
        Scenario::ALL.into_iter().flat_map(|scenario| (0..count).map(move |number| (scenario, number))).collect();
    let progress = Progress::new(args.out.quiet, "streams", || Some(plan.len() as u64));
    let listen = |&(scenario, number): &(Scenario, usize)| {
        let stream = listen(&MadeStream::new(scenario, number, seed), listener);
        progress.advance();
        stream
    };
    let streams = plan.par_iter().map(listen).collect::<Result<_>>()?;
    progress.finish();
    Ok((Source::Made { seed, count }, streams))
}

fn listen(stream: &MadeStream, listener: &Listener) -> Result<Listened> {
    let read_options = ReadOptions::default();
    let read = |html: &String| Template::read(html.as_str(), &read_options, Template::SHINGLE_LENGTH);
    let templates: Vec<Template> = stream.documents.iter().map(read).collect();
    let truth = Truth {
        name: stream.name.clone(),
        kind: stream.scenario.name().to_owned(),
        documents: stream.documents.len(),
        redesigns: stream.redesigns.clone(),
        minor_changes: stream.minor_changes.clone(),
    };
    listener.listen(truth, &templates)
}
