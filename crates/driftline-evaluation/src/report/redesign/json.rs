//! The numbers for programs.

use driftline::redesign::{Detector, Report, Verdict};
use serde_json::{Value, json};

use super::{Evaluation, Source};
use crate::redesign::calibration::bins;
use crate::redesign::{Alarm, Outcome, Row, Trial};

/// The version of the JSON.
const FORMAT: u32 = 1;

/// Everything.
pub(super) fn write(evaluation: &Evaluation) -> Value {
    let source = match &evaluation.source {
        Source::Given { folder, failed } => json!({"folder": folder, "left_out": failed}),
        Source::Made { seed, count } => json!({"seed": seed, "streams_per_scenario": count}),
    };
    let rows = |rows: Vec<Row>| rows.iter().map(row).collect::<Vec<_>>();
    let groups = evaluation.groups();
    let kinds = groups.iter().map(|group| {
        json!({"kind": group.kind, "streams": group.streams.len(), "table_2": rows(evaluation.rows(&group.streams))})
    });
    let calibration = evaluation
        .histories
        .iter()
        .map(|&history| json!({"history": history, "bins": bins(evaluation.outcomes(), history)}));
    json!({
        "format": FORMAT,
        "source": source,
        "documents": evaluation.count(|outcome| outcome.truth.documents),
        "redesigns": evaluation.count(|outcome| outcome.truth.redesigns.len()),
        "table_2": rows(evaluation.table_2()),
        "kinds": kinds.collect::<Vec<_>>(),
        "streams": evaluation.outcomes().map(stream).collect::<Vec<_>>(),
        "calibration": calibration.collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    let confusion = &row.confusion;
    json!({
        "detector": row.detector,
        "history": row.history,
        "tp": confusion.true_positives,
        "tn": confusion.true_negatives,
        "fp": confusion.false_positives,
        "fn": confusion.false_negatives,
        "minor_changes": row.minor_changes,
        "precision": confusion.precision(),
        "recall": confusion.recall(),
        "f1": confusion.f1(),
        "delay": {
            "median": row.delays.median(),
            "mean": row.mean_delay(),
            "worst": row.worst_delay(),
            "median_of_all": row.delays.median_of_all(),
        },
    })
}

fn stream(outcome: &Outcome) -> Value {
    let truth = &outcome.truth;
    let said = |trial: &Trial| {
        let detectors =
            Detector::ALL.iter().map(|&detector| (detector.name().to_owned(), said(outcome, trial, detector)));
        json!({"history": trial.history(), "detectors": detectors.collect::<serde_json::Map<_, _>>()})
    };
    json!({
        "name": truth.name,
        "kind": truth.kind,
        "documents": truth.documents,
        "redesigns": truth.redesigns,
        "minor_changes": truth.minor_changes,
        "trials": outcome.trials.iter().map(said).collect::<Vec<_>>(),
    })
}

fn said(outcome: &Outcome, trial: &Trial, detector: Detector) -> Value {
    let report = |report: &Report| {
        let mut value = json!({"document": report.document, "at": report.at, "alarm": outcome.truth.alarm(report)});
        if let Some(certainty) = trial.certainty(detector, report.document) {
            value["certainty"] = json!(certainty);
        }
        value
    };
    let reports: Vec<Value> = trial.reports(detector).iter().map(report).collect();
    json!({"reports": reports, "missed": outcome.truth.missed(trial, detector).collect::<Vec<_>>()})
}

/// What a report was, as JSON and CSV name it.
pub(super) fn alarm(alarm: Alarm) -> &'static str {
    match alarm {
        Alarm::True => "true",
        Alarm::MinorChange => "minor-change",
        Alarm::False => "false",
    }
}

/// What became of a suspicion, as JSON and CSV name it.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Open => "open",
        Verdict::Redesign => "redesign",
        Verdict::Outlier => "outlier",
        Verdict::Section => "section",
        Verdict::Temporary => "temporary",
        Verdict::Rollback => "rollback",
    }
}
