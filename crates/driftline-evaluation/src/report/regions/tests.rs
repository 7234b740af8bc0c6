//! Tests that the report says what was found, on paper, in a terminal and in a browser.

use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};

use super::*;
use crate::regions::reliability::made_plan;
use crate::regions::synthesis::Layout;
use crate::regions::{layout_name, made_pair};

fn evaluation(collection: Option<Collection>) -> Evaluation {
    let effort = |layout, nodes| {
        let pair = made_pair(layout, nodes, 1);
        let [older, newer] = [pair.older, pair.newer].map(|html| Page::read(html.as_str(), &ReadOptions::default()));
        Effort::of(format!("<{nodes}>"), &older, &newer, &mut Comparer::default())
    };
    let timing = |nodes: usize| Timing {
        id: format!("{nodes}"),
        nodes,
        reading: 1e-6 * nodes as f64,
        original: (nodes < 200).then_some(0.5),
        enhanced: 0.25,
        driftline: 0.001,
    };
    let efforts = Layout::ALL.map(|layout| Group {
        name: layout_name(layout).to_owned(),
        items: [64, 600].map(|nodes| effort(layout, nodes)).into(),
    });
    let timings = Group { name: "Many parts".to_owned(), items: [64, 128, 256].map(timing).into() };
    let trials = made_plan(8, 1)
        .into_iter()
        .map(|group| Group { name: group.name, items: group.items.iter().map(|made| made.trial()).collect() });
    let history = (1..=20).map(|step| f64::midpoint(1.0, 0.9_f64.powi(step))).collect();
    Evaluation {
        seed: 1,
        runs: 10,
        collection,
        decay: Decay::of(&[history]),
        efforts: efforts.into(),
        timings: vec![timings],
        trials: trials.collect(),
        command: "driftline & more".to_owned(),
    }
}

fn given() -> Collection {
    Collection { name: "<versions>".to_owned(), pairs: 4, failed: 1, pages: 2 }
}

fn content(evaluation: &Evaluation, name: &str) -> String {
    String::from_utf8(evaluation.file(name).unwrap()).unwrap()
}

#[test]
fn every_file_of_a_report_can_be_made() {
    for evaluation in [evaluation(None), evaluation(Some(given()))] {
        assert_eq!(evaluation.file_names().len(), 13);
        for name in evaluation.file_names() {
            assert!(evaluation.file(name).unwrap().len() > 100, "{name}");
        }
    }
}

#[test]
fn the_page_fetches_nothing_and_escapes_names() {
    let page = content(&evaluation(Some(given())), "report.html");
    for foreign in ["<script", " src=", "@import", "url(", "<versions>"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("&lt;versions&gt;") && page.contains("driftline &amp; more"));
    assert_eq!(page.matches("</svg>").count(), 4);
    assert!(page.contains("misses 32"));
    assert!(page.contains("Of 16 changes driftline detects all, whatever the weights."), "{page}");
}

#[test]
fn a_terminal_of_80_columns_is_wide_enough() {
    for evaluation in [evaluation(None), evaluation(Some(given()))] {
        for line in evaluation.text().lines() {
            assert!(line.chars().count() < 80, "{line}");
        }
    }
}

#[test]
fn tables_have_a_row_for_each_number_of_the_figures() {
    let evaluation = evaluation(None);
    let rows = |number: u8| content(&evaluation, &format!("figure-{number}.csv")).lines().count() - 1;
    assert_eq!([5, 6, 7, 8].map(rows), [20, 4, 3, 2 * 3 * 18 * 5]);
    assert!(content(&evaluation, "figure-7.csv").contains("\nMany parts,256,256,0.000256,,0.25,0.001"));
}

#[test]
fn what_came_out_is_said_in_sentences() {
    let text = evaluation(None).text().replace('\n', " ");
    for sentence in [
        "Figure 5. What a version changes falls as e^(−0.105 t): half as much is taken away after 6.6 versions",
        "for which 6.6 is right",
        "Figure 6. On pages of more than 500 elements the enhanced approach saves",
        "Figure 7. Many parts, 256 elements: enhanced 250 ms, driftline 1.00 ms, reading 256 µs; the largest page that the \
         original approach bears has 128 elements and takes 500 ms.",
        "Figure 8. Detected among actual changes: One part: both forms 0.67 at a weight of 0, 1.00 at 0.4, 0.33 at 1; driftline 1.00 throughout",
    ] {
        assert!(text.contains(sentence), "{sentence}: {text}");
    }
    assert!(evaluation(Some(given())).text().contains("4 pairs of versions of 2 pages (1 left out: not readable)"));
}

#[test]
fn pages_that_never_changed_have_nothing_to_tell() {
    let still = Evaluation {
        decay: Decay::of(&[vec![1.0, 1.0]]),
        trials: vec![Group { name: "Given pages".to_owned(), items: Vec::new() }],
        ..evaluation(Some(given()))
    };
    let text = still.text().replace('\n', " ");
    assert!(text.contains("Too few versions took something away"), "{text}");
    assert!(text.contains("Nothing changed, so there was nothing to detect"), "{text}");
    for name in still.file_names() {
        still.file(name).unwrap();
    }
}

#[test]
fn programs_get_numbers() {
    let json = evaluation(None).json();
    assert_eq!(
        json["figure_8"][0]["detected"]["driftline"]["overall"],
        serde_json::json!([1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    );
    assert_eq!(json["figure_7"][0]["seconds"][2]["original"], serde_json::Value::Null);
    assert_eq!(json["figure_5"]["steps"].as_array().unwrap().len(), 20);
    assert_eq!(json["collection"], serde_json::Value::Null);
}
