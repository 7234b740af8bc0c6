//! `--corpus FILE`: in how many pages does each word stand?

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use driftline::degree::cosine::Corpus;
use driftline::page::Page;
use rayon::prelude::*;

use super::captures::CapturePair;
use super::job::{Job, Jobs, Line};
use super::{BATCH_BYTES, BATCH_PAIRS};
use crate::holdings::{self, Held, Holdings};
use crate::progress::Progress;
use crate::tell;
use crate::worker::Worker;

/// Counts every page of the input once and writes the corpus.
pub(super) fn build(mut jobs: Jobs, worker: &Worker, file: &Path, progress: &Progress) -> Result<()> {
    let mut corpus = Corpus::default();
    let mut known = HashSet::new();
    loop {
        let batch = jobs.batch(BATCH_PAIRS, BATCH_BYTES)?;
        if batch.is_empty() {
            break;
        }
        let documents: Vec<Document> = batch.into_iter().flat_map(|job| documents(job, &mut known)).collect();
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
    tell::note(format_args!(
        "{} documents, {} distinct words in `{}`",
        corpus.documents(),
        corpus.words(),
        file.display()
    ));
    Ok(())
}

enum Document {
    Capture(Arc<Holdings>, Held),
    File(PathBuf),
    Line(String),
}

/// The pages of a job that were not counted yet; files are known by a hash of their path, so that
/// millions of them need little memory.
fn documents(job: Job, known: &mut HashSet<u64>) -> Vec<Document> {
    let mut is_new = |place: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        place(&mut hasher);
        known.insert(hasher.finish())
    };
    match job {
        Job::Line { line: Ok(line), .. } => vec![Document::Line(line)],
        Job::Line { line: Err(error), .. } | Job::Broken { error, .. } => {
            tell::warning(error);
            Vec::new()
        }
        Job::Files(pair) => {
            let files = [pair.old, pair.new].into_iter().filter(|path| is_new(&|hasher| path.hash(hasher)));
            files.map(Document::File).collect()
        }
        Job::Captures(CapturePair { holdings, old, new, .. }) => {
            let place = |held: &Held| (holdings.url(held).to_owned(), Holdings::at(held));
            let captures = [old, new].into_iter().filter(|held| is_new(&|hasher| place(held).hash(hasher)));
            captures.map(|held| Document::Capture(Arc::clone(&holdings), held)).collect()
        }
    }
}

fn count(worker: &Worker, document: Document) -> Corpus {
    let mut corpus = Corpus::default();
    let mut add = |page: &Page| corpus.add(page.words());
    match document {
        Document::File(path) => match worker.page(&path) {
            Ok(page) => add(&page),
            Err(error) => tell::warning(format_args!("{error:#}")),
        },
        Document::Capture(holdings, held) => match holdings.read(&held, worker.read_options.limits.bytes) {
            Ok(document) => add(&Page::read(holdings::source(&document), &worker.read_options)),
            Err(error) => tell::warning(crate::chain(&error)),
        },
        Document::Line(line) => match serde_json::from_str::<Line>(&line) {
            Ok(line) => worker.pages(&line).iter().for_each(add),
            Err(error) => tell::warning(format_args!("a line is not a pair: {error}")),
        },
    }
    corpus
}
