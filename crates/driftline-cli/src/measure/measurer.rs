//! How is one pair measured? Its degree always, and whatever else was asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use anyhow::Result;
use driftline::compare::Comparer;
use driftline::degree::ied::Costs;
use driftline::feed::compare::FeedChange;
use driftline::feed::{self, Feed};
use driftline::page::{Page, ReadOptions, WordRule};
use driftline::redesign::template::Template;
use driftline::region::artail;
use driftline::region::comparison::Options;
use driftline::region::similarity::Weights;
use serde_json::Value;

use super::captures::CapturePair;
use super::job::{Job, Line, salvaged_id};
use super::record::{FeedFindings, Findings, Measured, Record, TemplateFindings};
use super::version::Version;
use crate::args::{Finding, Kind};
use crate::holdings::{self, Held};
use crate::settings;
use crate::worker::Worker;

/// What is told beside the degree.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) findings: Vec<Finding>,
    /// How elements are compared.
    pub(crate) options: Options,
    /// How many tags a shingle of a template has.
    pub(crate) template_shingle: usize,
}

impl Asked {
    pub(crate) fn has(&self, finding: Finding) -> bool {
        self.findings.contains(&finding)
    }

    /// Compares two pages in every way asked for.
    fn find(&self, comparer: &mut Comparer, older: &Page, newer: &Page) -> Findings {
        let mut measured = if self.has(Finding::Regions) {
            Measured::Change(Box::new(comparer.compare(older, newer)))
        } else {
            Measured::Degrees(Box::new(comparer.measure(older, newer)))
        };
        let artail = self.has(Finding::Artail).then(|| artail::detect(older, newer, &self.options));
        measured.measurement_mut().limits.extend(artail.as_ref().and_then(|artail| artail.limit));
        let template = self.has(Finding::Template).then(|| {
            let [older, newer] = [older, newer].map(|page| Template::of(page, self.template_shingle));
            TemplateFindings::between(&older, &newer)
        });
        Findings { measured, artail, template, feed: None }
    }

    /// Compares two feeds, item by item and as a whole.
    fn find_in_feeds(
        &self,
        comparer: &mut Comparer,
        older: &Feed,
        newer: &Feed,
        read_options: &ReadOptions,
    ) -> Findings {
        let mut findings = self.find(comparer, &older.page(read_options), &newer.page(read_options));
        let change = feed::compare::compare(older, newer, read_options, comparer);
        let limits = &mut findings.measured.measurement_mut().limits;
        limits.extend(&change.limits);
        limits.sort_unstable();
        limits.dedup();
        let FeedChange { items, counts, .. } = change;
        findings.feed = Some(FeedFindings { artail: feed::artail::map(older, newer), items, counts });
        findings
    }
}

/// Measures pairs one after the other; each thread has one.
#[derive(Clone)]
pub(crate) struct Measurer {
    pub(crate) worker: Worker,
    asked: Asked,
    /// The captures of the last pair.
    captures: Vec<(Held, Arc<Version>)>,
}

impl Measurer {
    pub(crate) fn new(worker: Worker, asked: Asked) -> Self {
        Self { worker, asked, captures: Vec::new() }
    }

    /// Measures a pair. A panic would be a bug of ours, and costs one pair, not the job.
    pub(crate) fn measure(&mut self, job: &Job) -> Record {
        catch_unwind(AssertUnwindSafe(|| self.measure_job(job))).unwrap_or_else(|_| {
            self.worker = self.worker.clone();
            Record { id: job.id(), outcome: Err("driftline failed on this pair; please report it".to_owned()) }
        })
    }

    fn measure_job(&mut self, job: &Job) -> Record {
        match job {
            Job::Files(pair) => {
                let asked = &self.asked;
                let outcome = self.worker.on_files(pair, |comparer, older, newer| asked.find(comparer, older, newer));
                let outcome = outcome.map_err(|error| format!("{error:#}"));
                Record { id: Value::String(pair.id.clone()), outcome }
            }
            Job::Captures(pair) => {
                let outcome = self.measure_captures(pair).map_err(|error| crate::chain(&error));
                Record { id: Value::String(pair.id.clone()), outcome }
            }
            Job::Line { number, line } => self.measure_line(*number, line),
            Job::Broken { id, error } => Record { id: Value::String(id.clone()), outcome: Err(error.clone()) },
        }
    }

    /// Measures two captures. What was read for the last pair is often a part of this one.
    fn measure_captures(&mut self, pair: &CapturePair) -> Result<Findings> {
        let older = self.version(pair, &pair.old)?;
        let newer = if pair.is_unchanged() { Arc::clone(&older) } else { self.version(pair, &pair.new)? };
        let Worker { read_options, comparer, .. } = &mut self.worker;
        let findings = match (&*older, &*newer) {
            (Version::Feed(older), Version::Feed(newer)) => {
                self.asked.find_in_feeds(comparer, older, newer, read_options)
            }
            _ => self.asked.find(comparer, &older.page(read_options), &newer.page(read_options)),
        };
        self.captures = [(pair.old.clone(), older), (pair.new.clone(), newer)].into();
        Ok(findings)
    }

    fn version(&self, pair: &CapturePair, held: &Held) -> Result<Arc<Version>> {
        if let Some((_, known)) = self.captures.iter().find(|(known, _)| known == held) {
            return Ok(Arc::clone(known));
        }
        let document = pair.holdings.read(held, self.worker.read_options.limits.bytes)?;
        Ok(Arc::new(Version::read(holdings::source(&document), &self.worker.read_options)))
    }

    fn measure_line(&mut self, number: u64, line: &Result<String, String>) -> Record {
        let parsed = match line {
            Ok(line) => {
                serde_json::from_str::<Line>(line).map_err(|error| format!("line {number}: {}", reason(&error)))
            }
            Err(error) => Err(format!("line {number}: {error}")),
        };
        match parsed {
            Ok(line) => {
                let outcome = self.measure_pair(&line).map_err(|error| format!("line {number}: {error:#}"));
                Record { id: line.id.unwrap_or_else(|| number.into()), outcome }
            }
            Err(error) => Record { id: salvaged_id(line).unwrap_or_else(|| number.into()), outcome: Err(error) },
        }
    }

    fn measure_pair(&mut self, line: &Line) -> Result<Findings> {
        let usual = &self.worker.compare_options;
        let (copy, moving) = (usual.costs.copy(), usual.costs.moving());
        let costs = Costs::new(line.copy_cost.unwrap_or(copy), line.move_cost.unwrap_or(moving))?;
        let shingle_length = settings::shingle_length(line.shingle.unwrap_or(usual.shingle_length), "words")?;
        let mut asked = self.asked.clone();
        if let Some(length) = line.template_shingle {
            asked.template_shingle = settings::shingle_length(length, "tags")?;
        }
        if let Some([alpha, beta, gamma]) = line.weights {
            asked.options.weights = Weights::new(alpha, beta, gamma)?;
        }
        let options = self.worker.comparer.options_mut();
        (options.costs, options.shingle_length) = (costs, shingle_length);
        options.regions.weights = asked.options.weights;
        if line.kind == Some(Kind::Feed) {
            let Worker { read_options, comparer, .. } = &mut self.worker;
            let [older, newer] = [&line.old, &line.new].map(|body| Feed::read(body.as_str(), read_options));
            return Ok(asked.find_in_feeds(comparer, &older, &newer, read_options));
        }
        let [older, newer] = self.worker.pages(line);
        Ok(asked.find(&mut self.worker.comparer, &older, &newer))
    }
}

impl Worker {
    /// The two pages of a line.
    pub(super) fn pages(&self, line: &Line) -> [Page; 2] {
        let mut read_options = self.read_options.clone();
        read_options.kind = line.kind.map(settings::body_kind);
        if line.kind == Some(Kind::Text) {
            read_options.words = WordRule::Whitespace;
        }
        [&line.old, &line.new].map(|body| Page::read(body.as_str(), &read_options))
    }
}

/// Why a line is not a pair; the line that the parser counts is always the first.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.replace(&format!(" at line 1 column {}", error.column()), &format!(" (column {})", error.column()))
}
