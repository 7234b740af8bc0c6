//! Scores of real crawls compared with expected ones: classes, in-links, N(p) and the convergence of 20 rounds for three
//! values of δ. Somebody else computed those of the shared series; those of the subset come from the slow oracle.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use driftline::novelty::{Class, Delta, Rounds};
use driftline_graph::Series;
use driftline_graph::add::{AddError, Source};
use driftline_graph::novelty::{MEMORY, Measure, Rules, Scores, TOLERANCE, classify};
use driftline_graph::snapshot::{Direction, Node};
use driftline_graph::tables::{Table, TableError};
use driftline_testkit::data;
use driftline_testkit::toyoda::crawls::expected;
use flate2::read::MultiGzDecoder;

const DELTAS: [f64; 3] = [0.0, 0.1, 0.2];

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Add(#[from] AddError),
}

/// The series in a folder, from its tables in TSV.
fn series(data: &Path, folder: &Path) -> Series {
    let meta: serde_json::Value = serde_json::from_slice(&std::fs::read(data.join("meta.json")).unwrap()).unwrap();
    for (number, at) in (1..).zip(meta["times"].as_array().unwrap()) {
        let builder =
            Series::open_or_make(folder).unwrap().add(at.as_str().unwrap().parse().unwrap(), 1 << 28).unwrap();
        for name in ["pages", "links", "redirects"] {
            let path = data.join(format!("t{number}/{name}.tsv.gz"));
            let mut reader = builder.reader(&Source::of(&path).unwrap()).unwrap().unwrap();
            let table = Table::open(&path, None).unwrap();
            table.read(&|_| (), |row| -> Result<(), Failure> { Ok(reader.take(&row)?) }).unwrap();
            reader.finish().unwrap();
        }
        builder.build(&|_| ()).unwrap();
    }
    Series::open(folder).unwrap()
}

/// Class, in-links and scores by address.
fn by_address(novelty: &str) -> BTreeMap<String, Vec<String>> {
    let row = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        (fields.next().unwrap(), fields.collect())
    };
    novelty.lines().skip(1).map(row).collect()
}

/// The summary of one snapshot, by name.
fn of_snapshot(summary: &str, snapshot: &str) -> BTreeMap<String, String> {
    let rows = summary.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[0] == snapshot).map(|row| (row[1].to_owned(), row[2].to_owned())).collect()
}

#[test]
fn real_crawls_have_the_expected_scores() {
    let dev = data::subset().join("snapshots/dev");
    let expected = expected(&dev, "");
    assert_expected_scores(&dev, &expected.novelty, &expected.summary);
}

#[test]
#[ignore = "needs the shared data"]
fn real_crawls_have_the_expected_scores_on_the_shared_data() {
    let dev = data::shared().join("snapshots/dev");
    let unpacked = |place: usize| {
        let file = std::fs::File::open(dev.join(format!("t{place}/expected_novelty.tsv.gz"))).unwrap();
        let mut text = String::new();
        MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    };
    let novelty: Vec<String> = (2..=5).map(unpacked).collect();
    let summary = std::fs::read_to_string(dev.join("expected_summary.tsv")).unwrap();
    assert_expected_scores(&dev, &novelty, &summary);
}

fn assert_expected_scores(data: &Path, novelty: &[String], summary: &str) {
    let folder = tempfile::tempdir().unwrap();
    let series = series(data, &folder.path().join("dev"));
    assert_eq!(series.snapshots().len(), novelty.len() + 1);
    for place in 1..series.snapshots().len() {
        let name = format!("t{}", place + 1);
        let classes = classify(&series, place, Rules::All).unwrap();
        let links = series.snapshots()[place].links(Direction::In).unwrap();
        let measure = Measure::prepare(links, classes, MEMORY).unwrap();
        let summary = of_snapshot(summary, &name);
        check_counts(&measure, &summary);
        let expected = by_address(&novelty[place - 1]);
        for (column, delta) in DELTAS.into_iter().enumerate() {
            let scores = measure.solve(Delta::try_from(delta).unwrap(), Rounds::Exactly(20)).unwrap();
            check_scores(&series, place, &scores, &expected, 2 + column);
            check_changes(&scores, &summary[&format!("convergence_{delta:.1}")]);
            check_limit(&measure, delta);
        }
        let without = classify(&series, place, Rules::SeenBefore).unwrap().counts();
        let by_rules = ["U", "old_only_by_rule2", "old_only_by_rule3", "old_by_both_2_3"];
        let unidentified: u64 = by_rules.iter().map(|name| summary[*name].parse::<u64>().unwrap()).sum();
        assert_eq!(without.unidentified, unidentified);
        // Only where a page that was not seen before has an old Last-Modified.
        if let Some(expected) = summary.get("missrate_U_without_LM_rules") {
            assert_eq!(without.unidentified.to_string(), *expected);
        }
    }
}

fn check_counts(measure: &Measure, summary: &BTreeMap<String, String>) {
    let counts = measure.classes().counts();
    let found = [
        ("W", counts.crawled),
        ("L2", counts.seen_twice),
        ("O_minus_L2", counts.old),
        ("U", counts.unidentified),
        ("old_only_by_rule2", counts.only_last_modified),
        ("old_only_by_rule3", counts.only_linked),
        ("old_by_both_2_3", counts.only_both),
    ];
    for (name, count) in found {
        assert_eq!(count.to_string(), summary[name], "{name}");
    }
}

fn check_scores(
    series: &Series,
    place: usize,
    scores: &Scores,
    expected: &BTreeMap<String, Vec<String>>,
    column: usize,
) {
    let mut unidentified = scores.unidentified();
    let mut crawled = 0;
    for (node, url) in Node::first(series.snapshots()[place].nodes()).zip(series.snapshots()[place].urls(series)) {
        let Some(class) = scores.classes().of(node) else { continue };
        let url = url.unwrap().url();
        let row = &expected[&url];
        assert_eq!(class.code(), row[0], "{url}");
        crawled += 1;
        if class == Class::Unidentified {
            let (own, in_links, score) = unidentified.next().unwrap();
            assert_eq!((own, in_links.to_string()), (node, row[1].clone()), "{url}");
            assert!((score - row[column].parse::<f64>().unwrap()).abs() <= 1e-9, "{url}: {score} for {}", row[column]);
        }
    }
    assert_eq!(crawled, expected.len());
}

/// The expected file has four digits. Below 1e-12, rounding decides.
fn check_changes(scores: &Scores, expected: &str) {
    let expected: Vec<f64> = expected.split(',').map(|number| number.parse().unwrap()).collect();
    assert_eq!(scores.changes().len(), expected.len());
    for (found, expected) in scores.changes().iter().zip(expected) {
        assert!((found - expected).abs() <= 6e-4 * expected + 1e-12, "{found} for {expected}");
    }
}

/// What a tolerance gives is a fixed point, found in fewer rounds, and no score is below that of 20 rounds from 0.
fn check_limit(measure: &Measure, delta: f64) {
    let delta = Delta::try_from(delta).unwrap();
    let limit = measure.solve(delta, Rounds::Until(TOLERANCE)).unwrap();
    let rounds = measure.solve(delta, Rounds::Exactly(20)).unwrap();
    assert!(limit.changes().len() <= 40, "{}", limit.changes().len());
    for (limit, rounds) in limit.unidentified().zip(rounds.unidentified()) {
        assert!(limit.2 >= rounds.2 - 1e-9 && limit.2 <= 1.0 - delta.get() + 1e-12, "{limit:?} {rounds:?}");
    }
}
