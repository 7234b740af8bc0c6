//! Tests that the report says what was found, on paper, in a terminal and in a browser.

use driftline::redesign::{Finding, Verdict};

use super::*;
use crate::redesign::{Trial, Truth};

/// A stream with a redesign that all find and one that nobody does, a small change, and a false alarm.
fn listened(name: &str, kind: &str) -> Listened {
    let parameters = Parameters::default();
    let trial = |history: usize| {
        let mut trial = Trial::new(&Parameters { history, ..parameters });
        for &detector in Detector::ALL.iter().filter(|detector| !detector.gives_certainty()) {
            trial.add(&[Finding::redesign(detector, 30, 30 + history)]);
        }
        let suspect = |document, at, certainty, verdict| {
            let (detector, is_return) = (Detector::Driftline, verdict == Verdict::Rollback);
            Finding { detector, document, at, certainty: Some(certainty), verdict, is_return }
        };
        trial.add(&[suspect(30, 31, 0.61, Verdict::Open), suspect(30, 35, 0.98, Verdict::Redesign)]);
        trial.add(&[suspect(50, 52, 0.55, Verdict::Open), suspect(50, 55, 0.1, Verdict::Temporary)]);
        trial
    };
    let truth = Truth {
        name: name.to_owned(),
        kind: kind.to_owned(),
        documents: 100,
        redesigns: vec![30, 70],
        minor_changes: vec![50],
    };
    let course = Course::new(name, &parameters, Detector::ALL).with_figures().with_truth(&truth.redesigns);
    Listened { outcome: Outcome { truth, trials: [5, 10, 20].map(trial).into() }, course }
}

fn evaluation() -> Evaluation {
    Evaluation {
        source: Source::Given { folder: "<streams>".to_owned(), failed: 1 },
        parameters: Parameters::default(),
        histories: vec![5, 10, 20],
        streams: vec![listened("<first>", "homogeneous"), listened("second", "outliers")],
        command: "driftline & more".to_owned(),
    }
}

fn content(evaluation: &Evaluation, name: &str) -> String {
    String::from_utf8(evaluation.file(name).unwrap()).unwrap()
}

#[test]
fn every_file_of_a_report_can_be_made() {
    let still = Evaluation { streams: Vec::new(), source: Source::Made { seed: 1, count: 0 }, ..evaluation() };
    for evaluation in [evaluation(), still] {
        for name in evaluation.file_names() {
            assert!(!evaluation.file(name).unwrap().is_empty(), "{name}");
        }
    }
}

#[test]
fn the_page_fetches_nothing_and_escapes_names() {
    let page = content(&evaluation(), "report.html");
    for foreign in ["<script", " src=", "@import", "url(", "<streams>", "<first>"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(
        page.contains("&lt;streams&gt;") && page.contains("&lt;first&gt;") && page.contains("driftline &amp; more")
    );
    assert!(page.contains("4,491") && page.contains("<td class=\"number\">4327</td>"));
    assert!(page.contains("50 (minor change, 0.55 → 0.10 temporary, withdrawn after 3)"), "{page}");
}

#[test]
fn a_terminal_of_80_columns_is_wide_enough() {
    let text = evaluation().text();
    for line in text.lines() {
        assert!(line.chars().count() < 80, "{line}");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn names_of_streams_never_command_a_terminal() {
    let streams = vec![listened("\u{1b}[2Jname", "\u{202e}kind"), listened("other", "kind")];
    let text = Evaluation { streams, ..evaluation() }.text();
    assert!(!text.contains(['\u{1b}', '\u{202e}']) && text.contains("\u{fffd}[2Jname"), "{text}");
}

#[test]
fn tables_have_a_row_for_each_number() {
    let evaluation = evaluation();
    let lines = |name: &str| content(&evaluation, name).lines().count() - 1;
    let names = ["table-2.csv", "per-stream.csv", "reports.csv", "calibration.csv"];
    assert_eq!(names.map(lines), [3 * 15, 2 * 15, 2 * 3 * (4 * 2 + 3), 3 * 10]);
    let table = content(&evaluation, "table-2.csv");
    assert!(table.contains("\nall,driftline,20,2,194,2,2,2,0.5,0.5,0.5,1.0,1.0,1,"), "{table}");
    let reports = content(&evaluation, "reports.csv");
    assert!(reports.contains("\nsecond,driftline,20,50,52,2,minor-change,0.55,0.1,temporary,3\n"), "{reports}");
    assert!(reports.contains("\nsecond,cluster,20,70,,,missed,,,,\n"), "{reports}");
}

#[test]
fn programs_get_numbers() {
    insta::assert_snapshot!(format!("{:#}", Evaluation { histories: vec![20], ..evaluation() }.json()["table_2"][4]));
    let json = evaluation().json();
    let said = &json["streams"][0]["trials"][2]["detectors"]["driftline"];
    assert_eq!(said["missed"], serde_json::json!([70]));
    assert_eq!(said["reports"][1]["certainty"]["verdict"], "temporary");
}
