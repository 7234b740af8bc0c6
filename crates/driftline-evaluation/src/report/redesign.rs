//! The report on redesigns: which detector finds them, how late, and how often in vain.
//!
//! Table 2 is the confusion matrix; each stream is shown with its similarity stripe, in place of the paper's
//! table 1. What the paper says in words only is shown too: the delay until a redesign is found, and, beyond
//! the paper, whether a certainty means what it says. The numbers come from [`crate::redesign`]; here they are
//! only shown.

mod cells;
mod data;
mod figures;
mod json;
mod page;
mod paper;
mod prose;
mod text;

use driftline::redesign::{Detector, Parameters};
use driftline_report::redesign::Course;

use super::{Content, File, Forms, Report};
use crate::redesign::{Outcome, Row};

/// All that an evaluation found.
#[derive(Debug)]
pub struct Evaluation {
    /// Where the streams come from.
    pub source: Source,
    /// What the detectors depended on, apart from the history.
    pub parameters: Parameters,
    /// h: the lengths of the history, the longest last.
    pub histories: Vec<usize>,
    /// The streams.
    pub streams: Vec<Listened>,
    /// The command that does it again.
    pub command: String,
}

/// Where streams come from.
#[derive(Debug)]
pub enum Source {
    /// From a folder.
    Given {
        /// What the user calls it.
        folder: String,
        /// How many streams were left out.
        failed: usize,
    },
    /// They were made.
    Made {
        /// From this seed.
        seed: u64,
        /// So many for each scenario.
        count: usize,
    },
}

/// A stream that was listened to.
#[derive(Debug)]
pub struct Listened {
    /// What is known about it, and what the detectors said.
    pub outcome: Outcome,
    /// The same for a figure, with the longest history.
    pub course: Course,
}

/// Streams of one kind.
struct Group<'a> {
    kind: &'a str,
    streams: Vec<&'a Outcome>,
}

impl Evaluation {
    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.streams.iter().map(|stream| &stream.outcome)
    }

    /// The rows of table 2 over some streams, in the paper's order.
    fn rows(&self, outcomes: &[&Outcome]) -> Vec<Row> {
        let rows = |&detector: &Detector| {
            self.histories.iter().map(move |&history| Row::of(detector, history, outcomes.iter().copied()))
        };
        Detector::ALL.iter().flat_map(rows).collect()
    }

    /// The rows over all streams.
    fn table_2(&self) -> Vec<Row> {
        self.rows(&self.outcomes().collect::<Vec<_>>())
    }

    /// The streams by kind, in the order in which the kinds come first.
    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for outcome in self.outcomes() {
            let kind = outcome.truth.kind.as_str();
            match groups.iter_mut().find(|group| group.kind == kind) {
                Some(group) => group.streams.push(outcome),
                None => groups.push(Group { kind, streams: vec![outcome] }),
            }
        }
        groups
    }

    fn longest(&self) -> usize {
        self.histories.last().copied().unwrap_or_default()
    }

    fn count(&self, count: impl Fn(&Outcome) -> usize) -> usize {
        self.outcomes().map(count).sum()
    }
}

impl Report for Evaluation {
    const FORMS: Forms<Self> = Forms { text: text::write, json: json::write, page: page::write };

    fn exhibits(&self) -> Vec<File<Self>> {
        let mut files = vec![
            File::new("table-2.csv", Content::Table(data::table_2)),
            File::new("per-stream.csv", Content::Table(data::per_stream)),
            File::new("reports.csv", Content::Table(data::reports)),
            File::new("calibration.csv", Content::Table(data::calibration)),
        ];
        files.extend(File::figure(["figure-1.svg", "figure-1.png"], figures::delays));
        files.extend(File::figure(["figure-2.svg", "figure-2.png"], figures::calibration));
        files
    }
}

#[cfg(test)]
mod tests;
