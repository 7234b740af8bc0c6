//! What came out, in sentences.

use driftline::redesign::Detector;

use super::{Evaluation, Source, json};
use crate::redesign::{Alarm, Certainty, Outcome, Row, Trial};
use crate::report::labels;

/// `` Folder `streams`: 8 streams, 1,374 documents, 11 redesigns ``.
pub(super) fn headline(evaluation: &Evaluation) -> String {
    let counts = [
        labels::counted(evaluation.streams.len(), "stream"),
        labels::counted(evaluation.count(|outcome| outcome.truth.documents), "document"),
        labels::counted(evaluation.count(|outcome| outcome.truth.redesigns.len()), "redesign"),
    ];
    let counts = counts.join(", ");
    match &evaluation.source {
        Source::Given { folder, failed: 0 } => format!("Folder `{folder}`: {counts}"),
        Source::Given { folder, failed } => format!("Folder `{folder}`: {counts} ({failed} left out: not readable)"),
        Source::Made { seed, .. } => format!("Streams made from seed {seed}: {counts}"),
    }
}

/// Who is ahead, and what each detector did.
pub(super) struct Short {
    /// A sentence.
    pub(super) ranking: String,
    /// A sentence for each detector.
    pub(super) each: Vec<String>,
}

/// Who is ahead with the longest history, and how driftline compares.
pub(super) fn short(evaluation: &Evaluation) -> Short {
    let history = evaluation.longest();
    let rows: Vec<Row> =
        Detector::ALL.iter().map(|&detector| Row::of(detector, history, evaluation.outcomes())).collect();
    let tell = |row: &Row| {
        let (found, all) = (row.confusion.true_positives, row.confusion.true_positives + row.confusion.false_negatives);
        let delay = match row.delays.median() {
            Some(0.0) => ", half of these with their first document".to_owned(),
            Some(1.0) => ", half of these within a document".to_owned(),
            Some(delay) => format!(", half of these within {delay} documents"),
            None => String::new(),
        };
        format!(
            "{} found {found} of {}{delay}, and raised {}.",
            row.detector.name(),
            labels::counted(all, "redesign"),
            match row.confusion.false_positives {
                0 => "no false alarm".to_owned(),
                count => labels::counted(count, "false alarm"),
            },
        )
    };
    let mut ranked: Vec<&Row> = rows.iter().collect();
    ranked.sort_by(|one, other| other.confusion.f1().total_cmp(&one.confusion.f1()));
    let best =
        ranked.iter().map(|row| format!("{} ({:.2})", row.detector.name(), row.confusion.f1())).collect::<Vec<_>>();
    Short {
        ranking: format!("With a history of {history} documents, by F1: {}.", labels::list(&best)),
        each: rows.iter().rev().map(tell).collect(),
    }
}

/// What one detector said about a stream: found, missed, false alarms.
pub(super) struct Said {
    pub(super) found: Vec<String>,
    pub(super) missed: Vec<String>,
    pub(super) false_alarms: Vec<String>,
}

impl Said {
    /// In the order of the documents.
    pub(super) fn of(outcome: &Outcome, trial: &Trial, detector: Detector) -> Self {
        let truth = &outcome.truth;
        let (mut found, mut false_alarms) = (Vec::new(), Vec::new());
        let mut reports = trial.reports(detector).to_vec();
        reports.sort_by_key(|report| report.document);
        for report in reports {
            let certainty = trial.certainty(detector, report.document).map(told);
            let with = |first: String| {
                let rest: Vec<String> =
                    std::iter::once(first).filter(|text| !text.is_empty()).chain(certainty.clone()).collect();
                if rest.is_empty() {
                    report.document.to_string()
                } else {
                    format!("{} ({})", report.document, rest.join(", "))
                }
            };
            match truth.alarm(&report) {
                Alarm::True => found.push(with(format!("+{}", report.delay()))),
                Alarm::MinorChange => false_alarms.push(with("minor change".to_owned())),
                Alarm::False => false_alarms.push(with(String::new())),
            }
        }
        Self {
            found,
            missed: truth.missed(trial, detector).map(|document| document.to_string()).collect(),
            false_alarms,
        }
    }
}

/// `0.61 → 0.98 redesign`, `0.55 → 0.10 temporary, withdrawn after 3`.
fn told(certainty: Certainty) -> String {
    let Certainty { at_report, at_end, verdict, withdrawn_after } = certainty;
    let withdrawn = withdrawn_after.map_or(String::new(), |after| format!(", withdrawn after {after}"));
    format!("{at_report:.2} → {at_end:.2} {}{withdrawn}", json::verdict(verdict))
}

/// At most so many of a list, and how many more there are.
pub(super) fn some(items: &[String], most: usize) -> String {
    match items.len() {
        0 => "–".to_owned(),
        count if count > most => format!("{} and {} more", items[..most].join(", "), count - most),
        _ => items.join(", "),
    }
}
