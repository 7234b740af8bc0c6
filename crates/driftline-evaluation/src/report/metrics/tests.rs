//! Tests that the report says what was found, on paper, in a terminal and in a browser.

use std::sync::OnceLock;

use driftline::change::Sides;
use driftline::degree::edit::EditKind;
use driftline::degree::ied::{Costs, Operations};
use driftline::degree::{Degree, Degrees, Metric};

use super::*;
use crate::metrics::collection::Shares;
use crate::metrics::experiment::{figure_7, figure_8};
use crate::report::ReportError;

fn setup(alpha: f64, beta: f64) -> Setup {
    let weights = Costs::new(alpha, beta).unwrap();
    let mut setup = Setup { weights, seed: 1, ..Setup::default() };
    setup.options.costs = weights;
    setup
}

fn evaluation(samples: &[Sample]) -> Evaluation {
    static CURVES: OnceLock<[Vec<Curve>; 2]> = OnceLock::new();
    let setup = setup(0.75, 0.75);
    let [figure_7, figure_8] = CURVES.get_or_init(|| [figure_7(&setup), figure_8(&setup)]).clone();
    let collection = Summary::of(samples).map(|summary| Collection {
        name: "<versions>".to_owned(),
        ids: (0..samples.len()).map(|id| format!("page {id}")).collect(),
        samples: samples.to_vec(),
        failed: 1,
        summary,
        warnings: Warning::of(&summary, samples, &figure_8),
    });
    let shares = collection.as_ref().and_then(|collection| collection.summary.shares);
    let advice = Advice::of(&figure_7, shares.unwrap_or(Shares::EVEN));
    Evaluation { setup, figure_7, figure_8, collection, advice, command: "driftline & more".to_owned() }
}

/// A changed pair of pages of so many words; the papers' IED says a third.
fn sample(words: usize, operations: Operations) -> Sample {
    let third = Degree::clamped(1.0 / 3.0);
    let degree = Degrees::from_fn(|metric| match metric {
        Metric::Bw => Degree::FULL,
        Metric::Shingle | Metric::Ied | Metric::IedRefined => third,
        _ => Degree::NONE,
    });
    Sample { words: Sides { older: words, newer: words }, degree, operations }
}

fn moved(words: usize) -> Sample {
    sample(words, Operations { moved: words / 3, ..Operations::default() })
}

fn content(evaluation: &Evaluation, name: &str) -> String {
    String::from_utf8(evaluation.file(name).unwrap()).unwrap()
}

#[test]
fn every_file_of_a_report_can_be_made() {
    for evaluation in [evaluation(&[]), evaluation(&[moved(300)])] {
        for name in evaluation.file_names() {
            assert!(evaluation.file(name).unwrap().len() > 100, "{name}");
        }
    }
    assert_eq!(evaluation(&[]).file_names().len(), 8);
    assert_eq!(evaluation(&[moved(300)]).file_names().len(), 13);
    assert!(matches!(evaluation(&[]).file("figure-9.svg"), Err(ReportError::Unknown { .. })));
}

#[test]
fn the_page_fetches_nothing_and_escapes_names() {
    let page = content(&evaluation(&[moved(300)]), "report.html");
    for foreign in ["<script", " src=", "@import", "url(", "<versions>"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let addresses = page.matches("http").count();
    let known = page.matches("http://www.w3.org/2000/svg").count() + page.matches("http-equiv").count();
    assert_eq!(addresses, known);
    assert!(page.contains("&lt;versions&gt;") && page.contains("driftline &amp; more"));
}

#[test]
fn every_verdict_of_the_page_is_a_word_and_a_sign() {
    let page = content(&evaluation(&[]), "report.html");
    let verdicts = ["✓ effective", "▲ over", "▼ under", "◆ irregular"].map(|verdict| page.matches(verdict).count());
    // Two tables of 6 kinds and 8 metrics, and the legend.
    assert_eq!(verdicts.iter().sum::<usize>(), 2 * 6 * 8 + 4);
}

#[test]
fn a_terminal_of_80_columns_is_wide_enough() {
    for evaluation in [evaluation(&[]), evaluation(&[moved(300), moved(90)])] {
        for line in evaluation.text().lines() {
            assert!(line.chars().count() < 80, "{line}");
        }
    }
}

#[test]
fn tables_have_a_row_for_each_number_of_the_figures() {
    let evaluation = evaluation(&[moved(300), moved(30)]);
    let rows = |name| content(&evaluation, name).lines().count() - 1;
    let names = ["deviations.csv", "pairs.csv", "figure-7.csv", "figure-8.csv"];
    assert_eq!(names.map(rows), [2 * 6 * 8, 2, 6 * 19, 6 * 12]);
    assert!(content(&evaluation, "pairs.csv").contains("\npage 1,30,30,1.0,0.0,"));
}

#[test]
fn without_pages_the_advice_goes_kind_by_kind() {
    let text = evaluation(&[]).text().replace('\n', " ");
    for sentence in [
        "Use IED unless you know how your pages change",
        "WD, COS and ED for replace; 10SH for add and drop from 1,024 words a page on.",
    ] {
        assert!(text.contains(sentence), "{text}");
    }
}

/// The last sentence of the general advice is a fact about other weights than those in force.
#[test]
fn kwon_other_weights_make_other_metrics_effective() {
    let effective = |alpha, beta, metric, kind: EditKind| {
        let curves = figure_7(&setup(alpha, beta));
        Advice::of(&curves, Shares::EVEN)
            .ranking
            .iter()
            .any(|ranked| ranked.metric == metric && ranked.effective.contains(&kind))
    };
    assert!(effective(1.0, 1.0, Metric::Shingle, EditKind::Copy));
    assert!(effective(1.0, 1.0, Metric::Shingle, EditKind::Shrink));
    assert!(effective(1.0, 1.0, Metric::Ed, EditKind::Move));
    assert!(effective(0.75, 0.0, Metric::Cos, EditKind::Move));
    assert!(effective(0.75, 0.0, Metric::Wd, EditKind::Move));
}

#[test]
fn a_collection_gets_advice_of_its_own() {
    let text = evaluation(&[moved(300)]).text().replace('\n', " ");
    let first = "Use IED. Weighed by the kinds of change that this collection shows (add 0 %, drop 0 %, copy 0 %, \
        shrink 0 %, replace 0 %, move 100 %), it is 0.000 from the criteria, and no metric is nearer.";
    assert!(text.contains(first), "{text}");
    assert!(text.contains("The runner-up is ED, 0.125 from the criteria;"), "{text}");
    assert!(text.contains("1 pair of versions (1 left out: not readable), 1 of them changed"), "{text}");
}

#[test]
fn a_cheaper_metric_that_is_as_good_is_named() {
    let grown = sample(900, Operations { add: 200, drop: 100, ..Operations::default() });
    let text = evaluation(&[grown]).text().replace('\n', " ");
    assert!(text.contains("10SH is cheaper and as good here: 0.01"), "{text}");
}

#[test]
fn small_pages_and_variants_that_differ_are_warned_of() {
    let small = evaluation(&[moved(40)]).text().replace('\n', " ");
    assert!(small.contains("Beware of 10SH here: the median page has 40 words"), "{small}");
    let mut differing = moved(300);
    differing.degree.ied = Degree::FULL;
    let text = evaluation(&[differing]).text().replace('\n', " ");
    assert!(text.contains("Use IED, in its refined variant."), "{text}");
    assert!(text.contains("IED and IED refined are 0.667 apart on average here"), "{text}");
}

#[test]
fn a_collection_without_changes_gets_general_advice() {
    let same = Sample { words: Sides { older: 300, newer: 300 }, ..Sample::default() };
    let evaluation = evaluation(&[same, same]);
    assert!(evaluation.text().contains("No word changed in this collection"), "{}", evaluation.text());
    assert!(content(&evaluation, "report.html").contains("No word changed"));
}

#[test]
fn programs_get_numbers() {
    let json = evaluation(&[moved(300)]).json();
    assert_eq!(json["advice"]["best"], "ied");
    assert_eq!(json["advice"]["runner_up"], "ed");
    assert_eq!(json["collection"]["shares"]["move"], 1.0);
    assert_eq!(json["figure_7"][4]["change"], "replace");
    assert_eq!(json["figure_7"][0]["metrics"]["shingle"]["sensitivity"], "effective");
    assert_eq!(evaluation(&[]).json()["collection"], serde_json::Value::Null);
}
