//! One pair to measure: where does it come from?

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::vec;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use super::captures::{CapturePair, CapturePairs, LeftOut};
use super::inputs::Input;
use crate::args::{Against, Kind};
use crate::versions::{FilePair, Singles, VersionPairs};
use crate::{input, lines};

/// A pair to measure.
#[derive(Debug)]
pub(crate) enum Job {
    /// A JSON line, and its number from 1.
    Line { number: u64, line: Result<String, String> },
    /// Two files.
    Files(FilePair),
    /// Two captures of a URL.
    Captures(CapturePair),
    /// Something that should have been a pair.
    Broken { id: String, error: String },
}

impl Job {
    /// What the pair is called, as far as that is known without measuring it.
    pub(super) fn id(&self) -> Value {
        match self {
            Self::Line { number, line } => salvaged_id(line).unwrap_or_else(|| (*number).into()),
            Self::Files(pair) => Value::String(pair.id.clone()),
            Self::Captures(pair) => Value::String(pair.id.clone()),
            Self::Broken { id, .. } => Value::String(id.clone()),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Line { line: Ok(line), .. } => line.len(),
            _ => 0,
        }
    }
}

/// What a JSON line says.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    pub(super) id: Option<Value>,
    pub(super) old: String,
    pub(super) new: String,
    #[serde(rename = "type")]
    pub(super) kind: Option<Kind>,
    pub(super) copy_cost: Option<f64>,
    pub(super) move_cost: Option<f64>,
    pub(super) shingle: Option<usize>,
    pub(super) template_shingle: Option<usize>,
    pub(super) weights: Option<[f64; 3]>,
}

/// All pairs of all inputs, one after the other.
pub(crate) struct Jobs {
    inputs: vec::IntoIter<Input>,
    current: Option<Source>,
    against: Against,
    singles: Singles,
    max_line: usize,
    line_number: u64,
    /// Captures that were no versions of a page.
    left_out: LeftOut,
}

enum Source {
    Captures(CapturePairs),
    Lines(Box<dyn BufRead>),
    Versions(VersionPairs),
    List { folder: PathBuf, rows: csv::DeserializeRecordsIntoIter<File, Row> },
}

/// A row of a list of pairs.
#[derive(Debug, Deserialize)]
struct Row {
    id: Option<String>,
    old: PathBuf,
    new: PathBuf,
}

impl Jobs {
    pub(crate) fn new(inputs: Vec<Input>, against: Against, max_bytes: usize) -> Self {
        // Two pages, and room for JSON's escapes.
        let max_line = max_bytes.saturating_mul(3).saturating_add(1 << 20);
        let (inputs, left_out) = (inputs.into_iter(), LeftOut::default());
        Self { inputs, current: None, against, singles: Singles::Skip, max_line, line_number: 0, left_out }
    }

    /// The same inputs, with pages that have one version only.
    pub(crate) fn with_singles(self) -> Self {
        Self { singles: Singles::PairWithItself, ..self }
    }

    /// How many pairs there are, if that can be known beforehand.
    pub(crate) fn count(&self) -> Option<u64> {
        self.inputs.as_slice().iter().try_fold(0, |total, input| Some(total + self.count_in(input)?))
    }

    fn count_in(&self, input: &Input) -> Option<u64> {
        match input {
            Input::Captures(holdings) => {
                let mut pairs = CapturePairs::of(holdings, self.against, self.singles);
                let mut count = 0;
                while pairs.next().ok()?.is_some() {
                    count += 1;
                }
                Some(count)
            }
            Input::Path(path) if input::is_stdin(path) => None,
            Input::Path(path) if path.is_dir() => {
                Some(VersionPairs::below(path, self.against).flatten().count() as u64)
            }
            Input::Path(path) => {
                let lines = BufReader::new(File::open(path).ok()?).split(b'\n').count() as u64;
                Some(lines - u64::from(is_list(path)))
            }
        }
    }

    /// Captures that were no versions of a page, so far.
    pub(super) fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// The next pairs; none when all are done.
    pub(crate) fn batch(&mut self, most_pairs: usize, most_bytes: usize) -> Result<Vec<Job>> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < most_pairs && bytes < most_bytes {
            let Some(job) = self.next()? else {
                break;
            };
            bytes += job.bytes();
            batch.push(job);
        }
        Ok(batch)
    }

    fn next(&mut self) -> Result<Option<Job>> {
        loop {
            let Some(source) = &mut self.current else {
                let Some(input) = self.inputs.next() else {
                    return Ok(None);
                };
                self.line_number = 0;
                self.current = Some(Source::open(&input, self.against, self.singles)?);
                continue;
            };
            let job = match source {
                Source::Captures(pairs) => pairs.next()?.map(Job::Captures),
                Source::Lines(lines) => lines::next(lines, self.max_line)?.map(|line| {
                    self.line_number += 1;
                    Job::Line { number: self.line_number, line }
                }),
                Source::Versions(pairs) => pairs.next().map(|pair| match pair {
                    Ok(pair) => Job::Files(pair),
                    Err(error) => Job::Broken { id: "folder".to_owned(), error: format!("{error:#}") },
                }),
                Source::List { folder, rows } => rows.next().map(|row| {
                    self.line_number += 1;
                    match row {
                        Ok(row) => Job::Files(row.resolve(folder)),
                        Err(error) => Job::Broken { id: format!("row {}", self.line_number), error: error.to_string() },
                    }
                }),
            };
            match job {
                Some(Job::Line { line: Ok(line), .. }) if line.trim().is_empty() => {}
                Some(job) => return Ok(Some(job)),
                None => {
                    if let Some(Source::Captures(pairs)) = self.current.take() {
                        self.left_out.add(pairs.left_out);
                    }
                }
            }
        }
    }
}

fn is_list(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

impl Source {
    fn open(input: &Input, against: Against, singles: Singles) -> Result<Self> {
        let path = match input {
            Input::Captures(holdings) => return Ok(Self::Captures(CapturePairs::of(holdings, against, singles))),
            Input::Path(path) => path,
        };
        if input::is_stdin(path) {
            return Ok(Self::Lines(Box::new(BufReader::new(io::stdin()))));
        }
        if path.is_dir() {
            return Ok(Self::Versions(VersionPairs::below(path, against).with_singles(singles)));
        }
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot open `{name}`"))?;
        if is_list(path) {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let rows = csv::Reader::from_reader(file).into_deserialize();
            return Ok(Self::List { folder, rows });
        }
        let json = ["jsonl", "ndjson", "json"];
        if !path.extension().is_some_and(|extension| json.iter().any(|known| extension.eq_ignore_ascii_case(known))) {
            bail!(
                "`{name}` is neither a folder, nor a web archive, nor `.jsonl`, nor `.csv`\nhint: `driftline diff OLD NEW` compares two files"
            );
        }
        Ok(Self::Lines(Box::new(BufReader::new(file))))
    }
}

impl Row {
    /// Paths in a list are relative to the list.
    fn resolve(self, folder: &Path) -> FilePair {
        let id = self.id.unwrap_or_else(|| format!("{}..{}", self.old.display(), self.new.display()));
        FilePair { id, old: folder.join(self.old), new: folder.join(self.new) }
    }
}

/// The id of a line that is JSON but not a pair, so that its error can be told from others.
pub(super) fn salvaged_id(line: &Result<String, String>) -> Option<Value> {
    let value: Value = serde_json::from_str(line.as_ref().ok()?).ok()?;
    value.get("id").cloned()
}
