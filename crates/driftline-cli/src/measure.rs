//! `driftline measure`: many pairs in, one record for each out, in the same order, on all cores.
//!
//! Pairs are read in batches that fit a fixed amount of memory, measured in parallel and written:
//! an input of any length needs no more than one batch.

mod captures;
mod corpus;
mod duplicates;
mod inputs;
mod job;
mod measurer;
mod record;
mod version;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use crate::args::{MeasureArgs, MeasureFormat, TableOr, table_output};
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Progress;
use crate::settings;
use crate::site;
use crate::tell;
use crate::worker::Worker;
pub(crate) use duplicates::Identity;
use job::{Job, Jobs};
use measurer::{Asked, Measurer};
use record::{Record, Records};

/// The most pairs in a batch.
const BATCH_PAIRS: usize = 1_024;
/// The most bytes of JSON lines in a batch.
const BATCH_BYTES: usize = 64 << 20;

/// Runs the command.
pub(crate) fn run(args: &MeasureArgs) -> Result<Exit> {
    if let Some(threads) = args.threads {
        let threads = usize::from(threads);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().context("cannot start the threads")?;
    }
    let read_options = settings::read_options(&args.page);
    let mut compare_options = settings::compare_options(&args.degree, &args.region)?;
    compare_options.regions.site = site::learn(&args.region.site, &read_options)?;
    let worker = Worker::new(read_options, compare_options);
    let asked = Asked {
        findings: args.with.clone(),
        options: settings::comparison(&args.region)?,
        template_shingle: settings::shingle_length(args.template_shingle, "tags")?,
    };
    let jobs = Jobs::new(inputs::open(args)?, args.against, args.page.max_bytes);
    let progress = Progress::new(args.quiet, "pairs", || jobs.count());
    match &args.corpus {
        Some(file) => corpus::build(jobs.with_singles(), &worker, file, &progress)?,
        None => measure(args, jobs, &Measurer::new(worker, asked), &progress)?,
    }
    Ok(Exit::Same)
}

fn measure(args: &MeasureArgs, mut jobs: Jobs, measurer: &Measurer, progress: &Progress) -> Result<()> {
    let format = format(args);
    let path = args.output.as_deref();
    let output = match format {
        TableOr::Own(MeasureFormat::Json) => Output::new(path),
        TableOr::Table(format) => table_output(format, path)?,
    };
    let mut records = Records::new(format, output.writer()?, &args.with)?;
    let mut failed = 0_u64;
    let mut total = 0_u64;
    loop {
        let batch = jobs.batch(BATCH_PAIRS, BATCH_BYTES)?;
        if batch.is_empty() {
            break;
        }
        let finished: Vec<Record> = batch
            .par_iter()
            .map_init(
                || measurer.clone(),
                |measurer, job: &Job| {
                    let record = measurer.measure(job);
                    progress.advance();
                    record
                },
            )
            .collect();
        for record in &finished {
            failed += u64::from(record.outcome.is_err());
            records.write(record)?;
        }
        total += finished.len() as u64;
    }
    records.finish()?;
    output.keep()?;
    progress.finish();
    let left_out = jobs.left_out();
    if !left_out.is_empty() {
        tell::note(left_out);
    }
    if let Some(duplicates) = left_out.duplicates() {
        tell::note(duplicates);
    }
    if total == 0 {
        tell::warning(format_args!("there are no pairs to measure{NO_PAIRS}"));
    }
    if failed > 0 && failed == total {
        bail!("all {total} pairs failed; their records say why under `error`");
    }
    if failed > 0 {
        tell::warning(format_args!("{failed} of {total} pairs failed; their records say why under `error`"));
    }
    Ok(())
}

const NO_PAIRS: &str = "\nhint: in a folder, every folder with two files or more is a page, and its files in name \
    order are the versions; in a web archive, a URL needs two captures of text that was found";

/// What comes out: as asked, else by the name of the output file, else JSON.
fn format(args: &MeasureArgs) -> TableOr<MeasureFormat> {
    let json = TableOr::Own(MeasureFormat::Json);
    let by_name = || args.output.as_deref().filter(|_| !args.json).and_then(TableOr::table_of);
    args.format.or_else(by_name).unwrap_or(json)
}
