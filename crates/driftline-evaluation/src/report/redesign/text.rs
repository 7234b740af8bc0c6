//! Table 2, the streams and what they say, for a terminal.

use driftline::redesign::Detector;
use driftline_report::summary::safe::for_terminal;

use super::prose::{self, Said, some};
use super::{Evaluation, cells};
use crate::redesign::calibration::bins;
use crate::redesign::{Outcome, Row};
use crate::report::labels;
use crate::report::text::{item, table, wrap};

/// Tables, then findings.
pub(super) fn write(evaluation: &Evaluation) -> String {
    let history = evaluation.longest();
    let mut parts = vec![
        wrap(&for_terminal(&prose::headline(evaluation))),
        format!("Confusion matrix and delay in documents (table 2)\n{}", table_2(&evaluation.table_2())),
    ];
    let groups = evaluation.groups();
    if groups.len() > 1 {
        parts.push(format!("F1 / false alarms by kind, h = {history}\n{}", kinds(evaluation)));
    }
    parts.push(format!("Found of the redesigns + false alarms, h = {history}\n{}", streams(evaluation)));
    parts.extend(details(evaluation));
    parts.push(format!("Suspicions of driftline by certainty, h = {history}\n{}", calibration(evaluation)));
    parts.push("What came out".to_owned());
    let short = prose::short(evaluation);
    parts.push(wrap(&short.ranking));
    parts.push(short.each.iter().map(|sentence| item(sentence)).collect::<Vec<_>>().join("\n"));
    labels::plain(&(parts.join("\n\n") + "\n"))
}

/// Without the mean, for which a terminal has no room.
fn table_2(rows: &[Row]) -> String {
    let heading = ["detector", "h", "TP", "TN", "FP", "FN", "prec.", "rec.", "F1", "median", "worst", "of all"];
    let row = |row: &Row| {
        let [h, tp, tn, fp, r#fn, precision, recall, f1, median, _, worst, of_all] = cells::of(row);
        [row.detector.name().to_owned(), h, tp, tn, fp, r#fn, precision, recall, f1, median, worst, of_all]
    };
    table(heading, rows.iter().map(row))
}

/// A column for the stream or the kind, and one for each detector.
const COLUMNS: usize = 1 + Detector::ALL.len();

/// The detector, as a terminal has room for it: Gottron's as in his paper, which have the longest names.
fn short(detector: Detector) -> &'static str {
    match detector {
        Detector::NewAvgDrop => "NEW-AVG",
        Detector::MaxAvgDiff => "MAX-AVG",
        Detector::Statistics => "STATIST",
        Detector::Cluster => "CLUSTER",
        other => other.name(),
    }
}

fn heading(first: &'static str) -> [&'static str; COLUMNS] {
    std::array::from_fn(|column| column.checked_sub(1).map_or(first, |detector| short(Detector::ALL[detector])))
}

fn kinds(evaluation: &Evaluation) -> String {
    let cell = |row: Row| format!("{:.2}/{}", row.confusion.f1(), row.confusion.false_positives);
    let groups = evaluation.groups();
    let rows = groups.iter().map(|group| line(group.kind, evaluation.longest(), &group.streams, cell));
    table(heading("kind"), rows)
}

fn streams(evaluation: &Evaluation) -> String {
    let cell = |row: Row| {
        let (found, missed) = (row.confusion.true_positives, row.confusion.false_negatives);
        format!("{found}/{} +{}", found + missed, row.confusion.false_positives)
    };
    let rows = evaluation.outcomes().map(|outcome| line(&outcome.truth.name, evaluation.longest(), &[outcome], cell));
    table(heading("stream"), rows)
}

fn line(name: &str, history: usize, outcomes: &[&Outcome], cell: impl Fn(Row) -> String) -> [String; COLUMNS] {
    // As long as the longest that a terminal has room for.
    let name = || -> String { for_terminal(name).chars().take(27).collect() };
    let cell = |detector: Detector| cell(Row::of(detector, history, outcomes.iter().copied()));
    std::array::from_fn(|column| column.checked_sub(1).map_or_else(name, |detector| cell(Detector::ALL[detector])))
}

/// Where driftline was wrong, stream by stream.
fn details(evaluation: &Evaluation) -> Option<String> {
    let tell = |outcome: &Outcome| {
        let trial = outcome.trials.last()?;
        let Said { missed, false_alarms, .. } = Said::of(outcome, trial, Detector::Driftline);
        let (name, mut lines) = (for_terminal(&outcome.truth.name), Vec::new());
        if !missed.is_empty() {
            lines.push(wrap(&format!("{name}: missed {}", some(&missed, 12))));
        }
        if !false_alarms.is_empty() {
            lines.push(wrap(&format!("{name}: false alarm at {}", some(&false_alarms, 8))));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    };
    let lines: Vec<String> = evaluation.outcomes().filter_map(tell).collect();
    let history = evaluation.longest();
    (!lines.is_empty()).then(|| format!("Where driftline was wrong, h = {history}\n{}", lines.join("\n")))
}

fn calibration(evaluation: &Evaluation) -> String {
    let rows = bins(evaluation.outcomes(), evaluation.longest()).into_iter().map(|bin| {
        let share = bin.share().map_or("–".to_owned(), labels::percent);
        [format!("from {:.1}", bin.from), bin.suspected.to_string(), bin.redesigns.to_string(), share]
    });
    table(["certainty", "suspected", "redesigns", "share"], rows)
}
