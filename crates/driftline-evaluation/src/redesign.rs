//! Gottron's evaluation (section 5), with driftline's detector beside his four: which one finds redesigns, how late, and
//! at the price of how many false alarms.
//!
//! A [`Trial`] is given what the detectors say of one stream with one length of history. With the [`Truth`] about the
//! streams, trials add up to the [`Row`]s of table 2. [`confusion`] counts right and wrong decisions, [`calibration`]
//! compares certainties with what happened, and [`synthesis`] makes streams of which the redesigns are known.

pub mod calibration;
pub mod confusion;
pub mod synthesis;

use std::collections::BTreeMap;

use driftline::redesign::{Detector, Finding, Parameters, Report, Verdict};
use serde::Serialize;

use confusion::{Confusion, Delays};

/// What is known about a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truth {
    /// What it is called.
    pub name: String,
    /// Of which kind it is: `homogeneous`, `outliers`, …
    pub kind: String,
    /// How many documents it has.
    pub documents: usize,
    /// The first document of each new design.
    pub redesigns: Vec<usize>,
    /// The first document after each small change of the template, which is no redesign.
    pub minor_changes: Vec<usize>,
}

/// What all detectors said about a stream, with one length of history.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    parameters: Parameters,
    reports: BTreeMap<Detector, Vec<Report>>,
    /// All that detectors with a certainty said about a document, in order.
    said: BTreeMap<(Detector, usize), Vec<Finding>>,
}

impl Trial {
    /// Before the first document.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Self {
        Self { parameters: *parameters, reports: BTreeMap::new(), said: BTreeMap::new() }
    }

    /// Remembers what the next document showed.
    pub fn add(&mut self, findings: &[Finding]) {
        for finding in findings {
            if finding.certainty.is_some() {
                self.said.entry((finding.detector, finding.document)).or_default().push(*finding);
            }
            if finding.is_report(&self.parameters) {
                self.report(finding.detector, finding.report());
            }
        }
    }

    /// A document is reported once.
    fn report(&mut self, detector: Detector, report: Report) {
        let reports = self.reports.entry(detector).or_default();
        if reports.iter().all(|other| other.document != report.document) {
            reports.push(report);
        }
    }

    /// h: the length of the history.
    #[must_use]
    pub fn history(&self) -> usize {
        self.parameters.history
    }

    /// The first report of each document. For a detector with a certainty that is when it first reached the
    /// one asked for, whatever was said later.
    #[must_use]
    pub fn reports(&self, detector: Detector) -> &[Report] {
        self.reports.get(&detector).map_or(&[], Vec::as_slice)
    }

    /// All that a detector with a certainty said, by document, in order.
    pub fn said(&self, detector: Detector) -> impl Iterator<Item = &[Finding]> {
        self.said.range((detector, 0)..=(detector, usize::MAX)).map(|(_, said)| said.as_slice())
    }

    /// How certain a detector was of a document that it reported, and what became of it; none if it does not say.
    #[must_use]
    pub fn certainty(&self, detector: Detector, document: usize) -> Option<Certainty> {
        let said = self.said.get(&(detector, document))?;
        let is_report = |finding: &Finding| finding.is_report(&self.parameters);
        let reported = said.iter().position(is_report)?;
        let last = said.last()?;
        let withdrawn = said[reported..].iter().rev().take_while(|finding| !is_report(finding)).last();
        Some(Certainty {
            at_report: said[reported].certainty?,
            at_end: last.certainty?,
            verdict: last.verdict,
            withdrawn_after: withdrawn.map(|finding| finding.at.saturating_sub(said[reported].at)),
        })
    }
}

/// How certain a detector was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Certainty {
    /// When it reported.
    pub at_report: f64,
    /// When it last said something.
    pub at_end: f64,
    /// What it last took it for.
    pub verdict: Verdict,
    /// After how many documents it withdrew its report for good: it was no longer certain enough, or it knew
    /// better. None if it never did.
    pub withdrawn_after: Option<usize>,
}

/// What a report was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alarm {
    /// A redesign.
    True,
    /// A small change of the template.
    MinorChange,
    /// Nothing.
    False,
}

impl Truth {
    /// Was this report right?
    #[must_use]
    pub fn alarm(&self, report: &Report) -> Alarm {
        if self.redesigns.contains(&report.document) {
            Alarm::True
        } else if self.minor_changes.contains(&report.document) {
            Alarm::MinorChange
        } else {
            Alarm::False
        }
    }

    /// The redesigns that a detector missed.
    pub fn missed<'a>(&'a self, trial: &'a Trial, detector: Detector) -> impl Iterator<Item = usize> + 'a {
        let is_missed =
            move |&document: &usize| trial.reports(detector).iter().all(|report| report.document != document);
        self.redesigns.iter().copied().filter(is_missed)
    }
}

/// A stream and what the detectors said about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What is known.
    pub truth: Truth,
    /// One trial for each length of history, in the order asked for.
    pub trials: Vec<Trial>,
}

/// A row of table 2.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Who detects.
    pub detector: Detector,
    /// h: the length of the history.
    pub history: usize,
    /// Right and wrong decisions.
    pub confusion: Confusion,
    /// How late the redesigns were found.
    pub delays: Delays,
    /// How many of the false alarms were small changes of the template.
    pub minor_changes: usize,
}

impl Row {
    /// Adds up streams. A trial with another history does not count.
    pub fn of<'a>(detector: Detector, history: usize, outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let mut row =
            Self { detector, history, confusion: Confusion::default(), delays: Delays::default(), minor_changes: 0 };
        for Outcome { truth, trials } in outcomes {
            for trial in trials.iter().filter(|trial| trial.history() == history) {
                let reports = trial.reports(detector);
                row.confusion += Confusion::of(truth.documents, &truth.redesigns, reports);
                row.delays += Delays::of(truth.documents, &truth.redesigns, reports);
                row.minor_changes += reports.iter().filter(|report| truth.alarm(report) == Alarm::MinorChange).count();
            }
        }
        row
    }

    /// The average delay of the redesigns that were found.
    #[must_use]
    pub fn mean_delay(&self) -> Option<f64> {
        let found = self.delays.found();
        (!found.is_empty()).then(|| found.iter().sum::<usize>() as f64 / found.len() as f64)
    }

    /// The longest delay of the redesigns that were found.
    #[must_use]
    pub fn worst_delay(&self) -> Option<usize> {
        self.delays.found().last().copied()
    }
}

#[cfg(test)]
mod tests;
