//! Tests that the report says what was found, on paper, in a terminal and in a browser.

use driftline::novelty::dated::Age;
use driftline::time::Time;

use super::*;
use crate::novelty::{Ages, Births, Copies, Course, Distribution, Miss, MissRate, Scores, Sizes};

/// A snapshot with pages that are new and pages that are not, of which the probability knows more than N.
fn outcome(at: &str, previous: &str, has_all: bool) -> Outcome {
    let time = |text: &str| text.parse::<Time>().unwrap();
    let novelty = [(0.0, vec![1.0, 0.5, 0.0, 0.0]), (0.1, vec![0.9, 0.4, 0.0, 0.0])];
    let probability = [0.95, 0.2, 0.7, 0.1];
    let scores = Scores { novelty: &novelty, probability: has_all.then_some(&probability[..]) };
    let dates = Judgement::of(Judge::Dates, &[Some(true), Some(false), None, None], scores);
    let truth = Judgement::of(Judge::Truth, &[true, false, true, false].map(Some), scores);
    let course = |(delta, scores): &(f64, Vec<f64>)| Course {
        delta: *delta,
        changes: vec![1.25, 0.5, 0.0004, 0.0],
        distribution: scores.iter().copied().collect(),
    };
    Outcome {
        at: time(at),
        previous: time(previous),
        sizes: Sizes {
            crawled: 12_345,
            seen_twice: 8,
            old: 12_333,
            unidentified: 4,
            old_only_by_last_modified: 1,
            old_only_by_link: 2,
            old_by_both: 3,
            unidentified_without_in_links: 1,
        },
        ages: Ages::from_iter([Age::New, Age::Old]),
        courses: novelty.iter().map(course).collect(),
        judgements: if has_all { vec![dates, truth] } else { vec![dates] },
        births: has_all.then_some(Births { known: 4, novel: 2, wrongly_old: 1, dates_agree: Some(1.0) }),
        miss: Miss {
            delta: 0.1,
            unidentified: 10,
            by_last_modified: MissRate::from_iter([0.0, 0.0, 0.2, 0.6]),
            distribution: Distribution::from_iter([0.0, 0.0, 0.2, 0.6]),
            by_birth: has_all.then(|| (MissRate::from_iter([0.0, 0.3]), Distribution::from_iter([0.0, 0.3]))),
        },
        missed: if has_all {
            vec![("not <linked>".to_owned(), 3), ("site \u{1b}[2J down".to_owned(), 1)]
        } else {
            vec![]
        },
        copies: has_all.then_some(Copies { compared: 4, found: 1 }),
    }
}

fn evaluation() -> Evaluation {
    Evaluation {
        series: "<dev>".to_owned(),
        rounds: 20,
        truth: Some("truth.tsv".to_owned()),
        outcomes: vec![outcome("2019-07-15", "2019-01-15", true), outcome("2020-01-15", "2019-07-15", true)],
        command: "driftline & more".to_owned(),
    }
}

fn plain() -> Evaluation {
    Evaluation { truth: None, outcomes: vec![outcome("2019-07-15T12:00", "2019-01-15", false)], ..evaluation() }
}

fn content(evaluation: &Evaluation, name: &str) -> String {
    String::from_utf8(evaluation.file(name).unwrap()).unwrap()
}

#[test]
fn every_file_of_a_report_can_be_made() {
    for evaluation in [evaluation(), plain(), Evaluation { outcomes: Vec::new(), ..plain() }] {
        for name in evaluation.file_names() {
            assert!(!evaluation.file(name).unwrap().is_empty(), "{name}");
        }
    }
}

#[test]
fn figures_of_a_long_series_show_its_latest_snapshots() {
    let outcomes = (11..41).map(|year| outcome(&format!("20{year}"), &format!("20{}", year - 1), true)).collect();
    let page = content(&Evaluation { outcomes, ..evaluation() }, "report.html");
    assert!(page.contains("the latest 12 snapshots") && page.contains("<th scope=\"row\">2011-01-01</th>"));
    assert!(page.contains("2029-01-01: recall") && !page.contains("2028-01-01: recall"));
}

#[test]
fn the_page_fetches_nothing_and_escapes_names() {
    let page = content(&evaluation(), "report.html");
    for foreign in ["<script", " src=", "@import", "url(", "<dev>", "not <linked>"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(
        page.contains("&lt;dev&gt;") && page.contains("driftline &amp; more") && page.contains("not &lt;linked&gt;")
    );
    assert!(page.contains("Series <code>&lt;dev&gt;</code>") && !page.contains('`'));
}

#[test]
fn what_is_not_known_is_not_shown() {
    let evaluation = plain();
    let page = content(&evaluation, "report.html");
    assert!(!page.contains("true births") && !page.contains("id=\"probability\"") && !page.contains("id=\"beyond\""));
    let names = evaluation.file_names();
    assert!(!names.contains(&"reliability.csv") && !names.contains(&"missed.csv"));
    assert!(evaluation.text().starts_with("Series `<dev>`: 1 snapshot that has an earlier one, 20 rounds\n"));
    assert!(evaluation.text().contains("2019-07-15T12:00:00Z"));
}

#[test]
fn figures_are_numbered_without_gaps() {
    for (evaluation, last) in [(evaluation(), 6), (plain(), 4)] {
        let page = content(&evaluation, "report.html");
        let numbers = (1..=9).filter(|number| page.contains(&format!("id=\"figure-{number}\"")));
        assert!(numbers.eq(1..=last));
        let files = evaluation.file_names();
        let files = (1..=9).filter(|number| files.contains(&format!("figure-{number}.svg").as_str()));
        assert!(files.eq(1..=last));
    }
}

#[test]
fn a_probability_that_has_read_the_dates_is_not_judged_by_them() {
    let evaluation = evaluation();
    let page = content(&evaluation, "report.html");
    for told in [page, evaluation.text().replace('\n', " ")] {
        assert!(told.contains("1.000*") && told.contains("* No fair judgement: "), "{told}");
    }
    let curves = &evaluation.json()["snapshots"][0]["judges"];
    assert_eq!([0, 1].map(|judge| curves[judge]["curves"][2]["independent"] == true), [false, true]);
    assert_eq!(curves[0]["curves"][0]["independent"], true);
    let averages = content(&evaluation, "average-precision.csv");
    assert!(averages.contains(",dates,probability,1.0,false\n") && averages.contains(",truth,probability,1.0,true\n"));
}

#[test]
fn a_probability_worse_than_a_coin_is_told() {
    let mut evaluation = evaluation();
    assert!(!evaluation.text().contains("worse than a coin"));
    let wrong = [Some(false), Some(true), Some(false), Some(true)];
    let scores = Scores { novelty: &[(0.1, vec![0.0; 4])], probability: Some(&[0.95, 0.2, 0.7, 0.1]) };
    evaluation.outcomes[1].judgements[1] = Judgement::of(Judge::Truth, &wrong, scores);
    let text = evaluation.text().replace("\n  ", " ");
    assert!(text.contains("worse than a coin’s (0.25) by true births on 2020-01-15 (0.7"), "{text}");
}

#[test]
fn one_is_not_many() {
    let mut evaluation = plain();
    let outcome = &mut evaluation.outcomes[0];
    outcome.sizes = Sizes { crawled: 3, unidentified: 1, old_only_by_link: 1, ..Sizes::default() };
    outcome.miss.by_last_modified = MissRate::from_iter([0.3]);
    let text = evaluation.text().replace("\n  ", " ");
    assert!(
        text.contains("Last-Modified shows that 1 of them is old; 1 (33 % of all) remains unidentified."),
        "{text}"
    );
    assert!(text.contains("the only page that it shows to be old would have got a score of at least 0.1: "), "{text}");
    assert!(text.contains("1 of 2 unidentified pages is new by the dates"), "{text}");
}

#[test]
fn a_terminal_of_80_columns_is_wide_enough() {
    let text = evaluation().text();
    for line in text.lines() {
        assert!(line.chars().count() < 80, "{line}");
    }
    assert!(!text.contains('\u{1b}'), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn tables_have_a_row_for_each_number() {
    let evaluation = evaluation();
    let lines = |name: &str| content(&evaluation, name).lines().count() - 1;
    let names = ["table-2.csv", "table-3.csv", "convergence.csv", "distribution.csv", "curves.csv"];
    assert_eq!(names.map(lines), [2, 2, 2 * 2 * 4, 2 * 4 * 21, 2 * 2 * 3 * 22]);
    assert_eq!(["average-precision.csv", "reliability.csv", "miss-rate.csv", "missed.csv"].map(lines), [16, 40, 4, 4]);
    let curves = content(&evaluation, "curves.csv");
    assert!(curves.contains("\n2019-07-15T00:00:00Z,truth,0.1,>0,2,0.5,0.5\n"), "{curves}");
    assert!(curves.contains(",truth,probability,0.70,2,1.0,1.0\n"), "{curves}");
}

#[test]
fn programs_get_numbers() {
    let json = evaluation().json();
    let snapshot = &json["snapshots"][0];
    assert_eq!(snapshot["sizes"]["unidentified"], 4);
    assert_eq!(snapshot["dated"]["new"], 1);
    let truth = &snapshot["judges"][1];
    assert_eq!((&truth["judge"], &truth["baseline"]), (&"truth".into(), &0.5.into()));
    assert_eq!(truth["curves"][2]["by"], "probability");
    assert_eq!(truth["curves"][2]["average_precision"], 1.0);
    assert_eq!(snapshot["miss_rate"]["last_modified"]["share_at_least_0_5"], 0.25);
    assert_eq!(snapshot["copies"]["found"], 1);
    assert_eq!(snapshot["missed"]["not <linked>"], 3);
}
