//! Tests that the table says what the detectors said.

use super::calibration::bins;
use super::*;

fn suspicion(document: usize, at: usize, certainty: f64, verdict: Verdict) -> Finding {
    let (detector, certainty) = (Detector::Driftline, Some(certainty));
    Finding { detector, document, at, certainty, verdict, is_return: false }
}

fn outcome() -> Outcome {
    let mut trial = Trial::new(&Parameters::default());
    trial.add(&[Finding::redesign(Detector::Cluster, 10, 13)]);
    trial.add(&[suspicion(10, 10, 0.4, Verdict::Open), suspicion(10, 11, 0.6, Verdict::Open)]);
    trial.add(&[suspicion(10, 12, 0.65, Verdict::Open), suspicion(10, 13, 1.0, Verdict::Redesign)]);
    trial.add(&[Finding::redesign(Detector::Cluster, 10, 14)]);
    trial.add(&[suspicion(20, 21, 0.5, Verdict::Open), suspicion(20, 22, 0.2, Verdict::Temporary)]);
    trial.add(&[suspicion(20, 26, 0.1, Verdict::Temporary), suspicion(30, 30, 0.3, Verdict::Outlier)]);
    let truth = Truth {
        name: "stream".to_owned(),
        kind: "homogeneous".to_owned(),
        documents: 50,
        redesigns: vec![10, 40],
        minor_changes: vec![20],
    };
    Outcome { truth, trials: vec![trial] }
}

#[test]
fn a_report_is_the_first_certain_suspicion() {
    let outcome = outcome();
    let trial = &outcome.trials[0];
    let reports = [Report { document: 10, at: 11 }, Report { document: 20, at: 21 }];
    assert_eq!(trial.reports(Detector::Driftline), reports);
    assert_eq!(trial.reports(Detector::Cluster), [Report { document: 10, at: 13 }]);
    assert_eq!(trial.reports(Detector::Statistics), []);
    assert_eq!(reports.map(|report| outcome.truth.alarm(&report)), [Alarm::True, Alarm::MinorChange]);
    assert_eq!(outcome.truth.missed(trial, Detector::Driftline).collect::<Vec<_>>(), [40]);
}

#[test]
fn what_became_of_a_report_is_known() {
    let trial = &outcome().trials[0];
    let upheld = Certainty { at_report: 0.6, at_end: 1.0, verdict: Verdict::Redesign, withdrawn_after: None };
    let withdrawn = Certainty { at_report: 0.5, at_end: 0.1, verdict: Verdict::Temporary, withdrawn_after: Some(1) };
    assert_eq!(
        [10, 20].map(|document| trial.certainty(Detector::Driftline, document)),
        [Some(upheld), Some(withdrawn)]
    );
    assert_eq!(trial.certainty(Detector::Driftline, 30), None);
    assert_eq!(trial.certainty(Detector::Cluster, 10), None);
}

#[test]
fn rows_add_up_streams() {
    let outcomes = [outcome(), outcome()];
    let row = Row::of(Detector::Driftline, 20, &outcomes);
    let Confusion { true_positives, true_negatives, false_positives, false_negatives } = row.confusion;
    assert_eq!([true_positives, true_negatives, false_positives, false_negatives], [2, 94, 2, 2]);
    assert_eq!((row.minor_changes, row.mean_delay(), row.worst_delay()), (2, Some(1.0), Some(1)));
    assert_eq!(Row::of(Detector::Driftline, 5, &outcomes).confusion, Confusion::default());
}

#[test]
fn a_document_counts_once_in_a_bin() {
    let bins = bins(&[outcome()], 20);
    let counts: Vec<_> = bins.iter().map(|bin| (bin.suspected, bin.redesigns)).collect();
    assert_eq!(counts, [(0, 0), (1, 0), (1, 0), (1, 0), (1, 1), (1, 0), (1, 1), (0, 0), (0, 0), (1, 1)]);
    assert_eq!((bins[0].share(), bins[6].share()), (None, Some(1.0)));
}
