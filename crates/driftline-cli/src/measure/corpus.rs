//! `--corpus FILE`: in how many pages does each word stand?

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use driftline::degree::cosine::Corpus;
use driftline::page::Page;
use rayon::prelude::*;

use super::job::{Job, Jobs, Line};
use super::{BATCH_BYTES, BATCH_PAIRS};
use crate::progress::Progress;
use crate::worker::Worker;

/// Counts every page of the input once and writes the corpus.
pub(super) fn build(mut jobs: Jobs, worker: &Worker, file: &Path, progress: &Progress) -> Result<()> {
    let mut corpus = Corpus::default();
    let mut last = None;
    loop {
        let batch = jobs.batch(BATCH_PAIRS, BATCH_BYTES)?;
        if batch.is_empty() {
            break;
        }
        let documents: Vec<Document> = batch.into_iter().flat_map(|job| documents(job, &mut last)).collect();
        let counted = documents
            .into_par_iter()
            .map_init(
                || worker.clone(),
                |worker, document| {
                    progress.advance();
                    count(worker, document)
                },
            )
            .reduce(Corpus::default, |mut one, other| {
                one.merge(other);
                one
            });
        corpus.merge(counted);
    }
    progress.finish();
    std::fs::write(file, corpus.to_text()).with_context(|| format!("cannot write `{}`", file.display()))?;
    anstream::eprintln!("{} documents, {} distinct words in `{}`", corpus.documents(), corpus.words(), file.display());
    Ok(())
}

enum Document {
    File(PathBuf),
    Line(String),
}

/// The pages of a job; a version that ended the pair before is not counted again.
fn documents(job: Job, last: &mut Option<PathBuf>) -> Vec<Document> {
    match job {
        Job::Line { line: Ok(line), .. } => vec![Document::Line(line)],
        Job::Line { line: Err(_), .. } => Vec::new(),
        Job::Files(pair) => {
            let is_known = last.as_ref() == Some(&pair.old);
            *last = Some(pair.new.clone());
            let older = (!is_known).then_some(Document::File(pair.old));
            older.into_iter().chain([Document::File(pair.new)]).collect()
        }
    }
}

fn count(worker: &Worker, document: Document) -> Corpus {
    let mut corpus = Corpus::default();
    let mut add = |page: &Page| corpus.add(page.words());
    match document {
        Document::File(path) => match worker.page(&path) {
            Ok(page) => add(&page),
            Err(error) => anstream::eprintln!("warning: {error:#}"),
        },
        Document::Line(line) => match serde_json::from_str::<Line>(&line) {
            Ok(line) => worker.pages(&line).iter().for_each(add),
            Err(error) => anstream::eprintln!("warning: a line is not a pair: {error}"),
        },
    }
    corpus
}
