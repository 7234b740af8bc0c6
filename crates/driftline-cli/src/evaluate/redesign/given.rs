//! Streams that someone collected: `streams.json`, and a folder of documents for each.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use driftline::page::ReadOptions;
use driftline::redesign::template::Template;
use driftline_evaluation::redesign::Truth;
use driftline_evaluation::report::redesign::{Listened, Source};
use rayon::prelude::*;
use serde::Deserialize;

use super::listen::Listener;
use crate::evaluate::real;
use crate::input;
use crate::progress::Progress;
use crate::redesign::documents::folder;
use crate::tell;

/// An entry of `streams.json`; what else it says is for people.
#[derive(Debug, Deserialize)]
struct Entry {
    name: String,
    count: usize,
    #[serde(default)]
    redesign: BTreeSet<usize>,
    #[serde(default)]
    minor_changes: BTreeSet<usize>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    artificial: bool,
}

/// Listens to all streams. One that is not as `streams.json` says is told on stderr and left out: with
/// a document missing, the known redesigns would be at other places.
pub(super) fn run(folder: &Path, listener: &Listener, quiet: bool) -> Result<(Source, Vec<Listened>)> {
    let (mut known, mut errors, mut names) = (Vec::new(), Vec::new(), HashSet::new());
    for entry in entries(folder)? {
        match entry.check(folder) {
            Ok((truth, _)) if !names.insert(truth.name.clone()) => {
                tell::warning(format_args!("the stream `{}` is named twice; it is taken once", truth.name));
            }
            Ok(stream) => known.push(stream),
            Err(error) => errors.push(format!("{error:#}")),
        }
    }
    let count: usize = known.iter().map(|(_, pages)| pages.len()).sum();
    let progress = Progress::new(quiet, "documents", || Some(count as u64));
    let outcomes: Vec<Result<Listened>> = known
        .into_par_iter()
        .map(|(truth, pages)| {
            let read = |page: &PathBuf| {
                let template = template(page);
                progress.advance();
                template
            };
            let templates: Vec<Template> = pages.par_iter().map(read).collect::<Result<_>>()?;
            listener.listen(truth, &templates)
        })
        .collect();
    progress.finish();
    let mut streams = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(stream) => streams.push(stream),
            Err(error) => errors.push(format!("{error:#}")),
        }
    }
    real::warn(&errors);
    if streams.is_empty() {
        bail!("there is no stream below `{}` that could be read{HINT}", folder.display());
    }
    Ok((Source::Given { folder: folder.display().to_string(), failed: errors.len() }, streams))
}

const HINT: &str = "\nhint: `streams.json` is a list such as [{\"name\": \"posts\", \"count\": 3, \"redesign\": [2]}], \
    and the documents are `posts/0000.html`, `posts/0001.html`, …";

fn entries(folder: &Path) -> Result<Vec<Entry>> {
    let path = folder.join("streams.json");
    let name = path.display();
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read `{name}`{HINT}"))?;
    serde_json::from_str(&text).with_context(|| format!("`{name}` is no list of streams{HINT}"))
}

impl Entry {
    /// What is known about the stream, and its documents.
    fn check(self, folder: &Path) -> Result<(Truth, Vec<PathBuf>)> {
        let Self { name, count, redesign, minor_changes, .. } = self;
        let mut parts = Path::new(&name).components();
        let is_plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        ensure!(is_plain, "the stream `{name}` is left out: its name is not that of a folder beside `streams.json`");
        let outside = redesign.iter().chain(&minor_changes).find(|&&document| document >= count);
        if let Some(document) = outside {
            bail!("the stream `{name}` is left out: it has {count} documents, and none is number {document}");
        }
        let pages = folder::pages(&folder.join(&name)).with_context(|| format!("the stream `{name}` is left out"))?;
        let found = pages.len();
        ensure!(
            found == count && count > 0,
            "the stream `{name}` is left out: it should have {count} documents, and there are {found}"
        );
        let kind = if self.artificial { "artificial".to_owned() } else { self.kind.unwrap_or("other".to_owned()) };
        let [redesigns, minor_changes] = [redesign, minor_changes].map(|numbers| numbers.into_iter().collect());
        Ok((Truth { name, kind, documents: count, redesigns, minor_changes }, pages))
    }
}

fn template(path: &Path) -> Result<Template> {
    let read_options = input::options_of(path, &ReadOptions::default());
    let bytes = input::read(path, read_options.limits.bytes)?;
    Ok(Template::read(bytes.as_slice(), &read_options, Template::SHINGLE_LENGTH))
}
