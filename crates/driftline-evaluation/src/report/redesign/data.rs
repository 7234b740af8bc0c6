//! Table 2, every stream and every report as CSV.

use driftline::redesign::Detector;
use driftline_report::table::{Column, Kind, TableError, Value};

use super::{Evaluation, json};
use crate::redesign::calibration::bins;
use crate::redesign::{Certainty, Outcome, Row, Trial};
use crate::report::data::{csv, integer};

/// `table-2.csv`: all streams, then each kind.
pub(super) fn table_2(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = vec![Column::new("kind", Kind::Text)];
    columns.extend(row_columns());
    let all = evaluation.table_2().into_iter().map(|row| ("all", row));
    let groups = evaluation.groups();
    let kinds =
        groups.iter().flat_map(|group| evaluation.rows(&group.streams).into_iter().map(|row| (group.kind, row)));
    csv(&columns, all.chain(kinds).map(|(kind, row)| [vec![kind.into()], values(&row)].concat()))
}

/// `per-stream.csv`: the same for every stream.
pub(super) fn per_stream(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = ["stream", "kind"].map(|name| Column::new(name, Kind::Text)).to_vec();
    columns.extend(["documents", "redesigns"].map(|name| Column::new(name, Kind::Integer)));
    columns.extend(row_columns());
    let rows = evaluation.outcomes().flat_map(|outcome| {
        let truth = &outcome.truth;
        let names = vec![
            truth.name.as_str().into(),
            truth.kind.as_str().into(),
            integer(truth.documents),
            integer(truth.redesigns.len()),
        ];
        evaluation.rows(&[outcome]).into_iter().map(move |row| [names.clone(), values(&row)].concat())
    });
    csv(&columns, rows)
}

fn row_columns() -> Vec<Column> {
    let mut columns = vec![Column::new("detector", Kind::Text)];
    let counts = ["history", "true_positives", "true_negatives", "false_positives", "false_negatives", "minor_changes"];
    columns.extend(counts.map(|name| Column::new(name, Kind::Integer)));
    columns
        .extend(["precision", "recall", "f1", "median_delay", "mean_delay"].map(|name| Column::new(name, Kind::Real)));
    columns.extend([Column::new("worst_delay", Kind::Integer), Column::new("median_delay_of_all", Kind::Real)]);
    columns
}

fn values(row: &Row) -> Vec<Value> {
    let (confusion, real) = (&row.confusion, |value: Option<f64>| value.map_or(Value::Null, Value::from));
    vec![
        row.detector.name().into(),
        integer(row.history),
        integer(confusion.true_positives),
        integer(confusion.true_negatives),
        integer(confusion.false_positives),
        integer(confusion.false_negatives),
        integer(row.minor_changes),
        confusion.precision().into(),
        confusion.recall().into(),
        confusion.f1().into(),
        real(row.delays.median()),
        real(row.mean_delay()),
        row.worst_delay().map_or(Value::Null, integer),
        real(row.delays.median_of_all()),
    ]
}

/// `reports.csv`: every report, and the redesigns that were missed.
pub(super) fn reports(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let mut columns = ["stream", "detector"].map(|name| Column::new(name, Kind::Text)).to_vec();
    columns.extend(["history", "document", "at", "delay"].map(|name| Column::new(name, Kind::Integer)));
    columns.push(Column::new("alarm", Kind::Text));
    columns.extend(["certainty_at_report", "certainty_at_end"].map(|name| Column::new(name, Kind::Real)));
    columns.extend([Column::new("verdict", Kind::Text), Column::new("withdrawn_after", Kind::Integer)]);
    let trials = evaluation.outcomes().flat_map(|outcome| outcome.trials.iter().map(move |trial| (outcome, trial)));
    csv(
        &columns,
        trials.flat_map(|(outcome, trial)| Detector::ALL.iter().flat_map(|&detector| said(outcome, trial, detector))),
    )
}

/// What a detector said about a stream, and what it did not say.
fn said(outcome: &Outcome, trial: &Trial, detector: Detector) -> Vec<Vec<Value>> {
    let truth = &outcome.truth;
    let names = || vec![truth.name.as_str().into(), detector.name().into(), integer(trial.history())];
    let reported = trial.reports(detector).iter().map(|report| {
        let mut row = names();
        row.extend([integer(report.document), integer(report.at), integer(report.delay())]);
        row.push(json::alarm(truth.alarm(report)).into());
        row.extend(certainty(trial.certainty(detector, report.document)));
        row
    });
    let missed = truth.missed(trial, detector).map(|document| {
        let mut row = names();
        row.extend([integer(document), Value::Null, Value::Null, "missed".into()]);
        row.extend(certainty(None));
        row
    });
    reported.chain(missed).collect()
}

fn certainty(certainty: Option<Certainty>) -> [Value; 4] {
    let Some(Certainty { at_report, at_end, verdict, withdrawn_after }) = certainty else {
        return std::array::from_fn(|_| Value::Null);
    };
    let withdrawn = withdrawn_after.map_or(Value::Null, integer);
    [at_report.into(), at_end.into(), json::verdict(verdict).into(), withdrawn]
}

/// `calibration.csv`: what became of suspicions, by their certainty.
pub(super) fn calibration(evaluation: &Evaluation) -> Result<Vec<u8>, TableError> {
    let columns = [
        Column::new("history", Kind::Integer),
        Column::new("certainty_from", Kind::Real),
        Column::new("suspected", Kind::Integer),
        Column::new("redesigns", Kind::Integer),
    ];
    let rows = evaluation.histories.iter().flat_map(|&history| {
        bins(evaluation.outcomes(), history)
            .into_iter()
            .map(move |bin| vec![integer(history), bin.from.into(), integer(bin.suspected), integer(bin.redesigns)])
    });
    csv(&columns, rows)
}
