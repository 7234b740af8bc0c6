//! `driftline measure`: many pairs in, one record for each out, in the same order, on all cores.
//!
//! Pairs are read in batches that fit a fixed amount of memory, measured in parallel and written:
//! an input of any length needs no more than one batch.

mod corpus;
mod job;
mod measurer;
mod record;

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use crate::args::{MeasureArgs, TableFormat};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::settings;
use crate::site;
use crate::worker::Worker;
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
    let recipe = settings::recipe(&args.page);
    let mut parameters = settings::parameters(&args.degree, &args.region)?;
    parameters.detector.site = site::learn(&args.region.site, &recipe)?;
    let worker = Worker::new(recipe, parameters);
    let asked = Asked {
        findings: args.with.clone(),
        options: settings::comparison(&args.region)?,
        template_shingle: settings::shingle_length(args.template_shingle, "tags")?,
    };
    let jobs = Jobs::new(&args.inputs, args.against, args.page.max_bytes);
    let progress = Progress::new(args.quiet, "pairs", || jobs.count());
    match &args.corpus {
        Some(file) => corpus::build(jobs.with_singles(), &worker, file, &progress)?,
        None => measure(args, jobs, &Measurer::new(worker, asked), &progress)?,
    }
    Ok(Exit::Same)
}

fn measure(args: &MeasureArgs, mut jobs: Jobs, measurer: &Measurer, progress: &Progress) -> Result<()> {
    let output = Output::new(args)?;
    let mut records = Records::new(format(args), output.writer()?, &args.with)?;
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
    if total == 0 {
        anstream::eprintln!("warning: there are no pairs to measure{NO_PAIRS}");
    }
    if failed > 0 && failed == total {
        bail!("all {total} pairs failed; their records say why under `error`");
    }
    if failed > 0 {
        anstream::eprintln!("warning: {failed} of {total} pairs failed; their records say why under `error`");
    }
    Ok(())
}

const NO_PAIRS: &str = "\nhint: in a folder, every folder with two files or more is a page, and its files in name \
    order are the versions";

/// What comes out: as asked, else by the name of the output file, else JSON.
fn format(args: &MeasureArgs) -> TableFormat {
    let extension = args.output.as_ref().and_then(|path| path.extension()?.to_str());
    args.format.unwrap_or(match extension {
        _ if args.json => TableFormat::Json,
        Some("csv") => TableFormat::Csv,
        Some("parquet") => TableFormat::Parquet,
        _ => TableFormat::Json,
    })
}

/// Where the records go: stdout, or a file that appears under its name once it is whole.
struct Output {
    path: Option<PathBuf>,
    partial: Option<PathBuf>,
}

impl Output {
    fn new(args: &MeasureArgs) -> Result<Self> {
        if args.output.is_none() && format(args) == TableFormat::Parquet && io::stdout().is_terminal() {
            bail!("Parquet is not for a terminal\nhint: add `--output FILE`, or pipe stdout somewhere");
        }
        // A device cannot be replaced, so it is written to directly.
        let replaceable = |path: &&PathBuf| !path.exists() || path.is_file();
        let partial = args.output.as_ref().filter(replaceable).map(|path| path.with_added_extension("partial"));
        Ok(Self { path: args.output.clone(), partial })
    }

    fn writer(&self) -> Result<Box<dyn Write + Send>> {
        let Some(path) = self.partial.as_ref().or(self.path.as_ref()) else {
            return Ok(Box::new(BufWriter::new(io::stdout())));
        };
        let asked = self.path.as_ref().unwrap_or(path).display();
        let file = File::create(path).with_context(|| format!("cannot write `{asked}`"))?;
        Ok(Box::new(BufWriter::new(file)))
    }

    /// Gives the whole file its name.
    fn keep(self) -> Result<()> {
        if let (Some(partial), Some(path)) = (self.partial, self.path) {
            std::fs::rename(partial, &path).with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(())
    }
}
