//! `driftline measure`: many pairs in, one record for each out, in the same order, on all cores.
//!
//! Pairs are read in batches that fit a fixed amount of memory, measured in parallel and written:
//! an input of any length needs no more than one batch.

mod corpus;
mod job;
mod record;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use crate::args::{MeasureArgs, TableFormat};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::settings;
use crate::worker::Worker;
use job::{Job, Jobs};
use record::{Record, Records};

/// The most pairs in a batch.
const BATCH_PAIRS: usize = 1_024;
/// The most bytes of JSON lines in a batch.
const BATCH_BYTES: usize = 64 << 20;

/// Runs the command.
pub(crate) fn run(args: &MeasureArgs) -> Result<Exit> {
    if let Some(threads) = args.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().context("cannot start the threads")?;
    }
    let worker = Worker::new(settings::recipe(&args.page), settings::parameters(&args.degree)?);
    let jobs = Jobs::new(&args.inputs, args.against, args.page.max_bytes);
    let progress = Progress::new(args.quiet, || jobs.count());
    match &args.corpus {
        Some(file) => corpus::build(jobs.with_singles(), &worker, file, &progress)?,
        None => measure(args, jobs, &worker, &progress)?,
    }
    Ok(Exit::Same)
}

fn measure(args: &MeasureArgs, mut jobs: Jobs, worker: &Worker, progress: &Progress) -> Result<()> {
    let mut records = Records::new(args.format, output(args)?)?;
    let mut failed = 0_u64;
    let mut total = 0_u64;
    loop {
        let batch = jobs.batch(BATCH_PAIRS, BATCH_BYTES)?;
        if batch.is_empty() {
            break;
        }
        let measured: Vec<Record> = batch
            .par_iter()
            .map_init(
                || worker.clone(),
                |worker, job: &Job| {
                    let record = worker.measure(job);
                    progress.advance();
                    record
                },
            )
            .collect();
        for record in &measured {
            failed += u64::from(record.outcome.is_err());
            records.write(record)?;
        }
        total += measured.len() as u64;
    }
    records.finish()?;
    progress.finish();
    if failed > 0 && failed == total {
        bail!("all {total} pairs failed; their records say why under `error`");
    }
    if failed > 0 {
        anstream::eprintln!("warning: {failed} of {total} pairs failed; their records say why under `error`");
    }
    Ok(())
}

/// Where the records go.
fn output(args: &MeasureArgs) -> Result<Box<dyn Write + Send>> {
    match &args.output {
        Some(path) => Ok(Box::new(BufWriter::new(create(path)?))),
        None if args.format == TableFormat::Parquet && io::IsTerminal::is_terminal(&io::stdout()) => {
            bail!("Parquet is not for a terminal\nhint: add `--output FILE`, or pipe stdout somewhere")
        }
        None => Ok(Box::new(BufWriter::new(io::stdout()))),
    }
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("cannot write `{}`", path.display()))
}
