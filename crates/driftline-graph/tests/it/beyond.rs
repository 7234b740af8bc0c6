//! What goes beyond the paper, on real crawls: compared with true births and with the sites that were down.

mod data;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use data::{average_precision, births, calibration_error, of_tables, sites_down};
use driftline::novelty::{Delta, Novelty};
use driftline::time::Time;
use driftline_graph::novelty::calibration::Reliance;
use driftline_graph::novelty::{Parameters, Rules, calibration, classify, missed, score};
use driftline_graph::snapshot::Node;
use driftline_graph::{Series, Snapshot};
use driftline_testkit::data::{shared, subset};

/// Average precision on one snapshot.
#[derive(Debug)]
struct Precisions {
    novel: f64,
    of_novelty: [f64; 3],
    of_probability: f64,
    reliance: Reliance,
    calibration_error: f64,
}

fn precisions(series: &Series, place: usize, births: &BTreeMap<String, Time>) -> Precisions {
    let scores = [0.0, 0.1, 0.2].map(|delta| {
        let parameters = Parameters { delta: Delta::try_from(delta).unwrap(), ..Parameters::default() };
        score(series, place, &parameters).unwrap()
    });
    let calibration = calibration::learn(series, place, &scores[1], &Parameters::default()).unwrap();
    let snapshot = &series.snapshots()[place];
    let previous = series.snapshots()[place - 1].at();
    let pages: Vec<(Node, bool)> = calibration
        .iter()
        .map(|(node, _)| {
            let url = snapshot.url(node, series).unwrap().url();
            (node, births[&url] > previous)
        })
        .collect();
    let by = |of: &dyn Fn(Node) -> f64| average_precision(pages.iter().map(|&(node, is_new)| (of(node), is_new)));
    let of_novelty = [0, 1, 2].map(|which: usize| {
        by(&|node| match scores[which].of(node) {
            Some(Novelty::Unidentified(novelty)) => novelty,
            other => panic!("{other:?}"),
        })
    });
    let of_probability = by(&|node| calibration.probability(node).unwrap());
    println!("{:?} {}", calibration.trust(), calibration.trust().reliance());
    Precisions {
        novel: pages.iter().filter(|(_, is_new)| *is_new).count() as f64 / pages.len() as f64,
        of_novelty,
        of_probability,
        reliance: calibration.trust().reliance(),
        calibration_error: calibration_error(
            pages.iter().map(|&(node, is_new)| (calibration.probability(node).unwrap(), is_new)),
        ),
    }
}

#[track_caller]
fn assert_probability_is_ahead(dev: &Path, tables: &str, relied_on: [Reliance; 4]) {
    let folder = tempfile::tempdir().unwrap();
    let series = of_tables(&folder.path().join("dev"), dev, tables);
    let births = births(dev);
    println!("snapshot  unseen  N(0)   N(0.1) N(0.2) probability  calibration error");
    let mut reliance = Vec::new();
    for place in 1..series.snapshots().len() {
        let found = precisions(&series, place, &births);
        let [zero, tenth, fifth] = found.of_novelty;
        println!(
            "t{}        {:.3}   {zero:.3}  {tenth:.3}  {fifth:.3}  {:.3}        {:.3}",
            place + 1,
            found.novel,
            found.of_probability,
            found.calibration_error
        );
        for precision in found.of_novelty {
            assert!(found.of_probability > precision, "t{}: {found:?}", place + 1);
        }
        let has_held = found.calibration_error < 0.1;
        assert!(
            found.reliance != Reliance::Share || has_held,
            "percentages are said to hold, t{}: {found:?}",
            place + 1
        );
        reliance.push(found.reliance);
    }
    assert_eq!(reliance, relied_on);
}

#[test]
#[ignore = "needs the shared data"]
fn the_probability_is_ahead_of_n_on_every_snapshot_on_the_shared_data() {
    assert_probability_is_ahead(&shared().join("snapshots/dev"), "", [Reliance::Order; 4]);
}

#[test]
#[ignore = "needs the shared data"]
fn the_probability_is_ahead_of_n_on_every_snapshot_of_six_sites_on_the_shared_data() {
    assert_probability_is_ahead(&shared().join("snapshots/dev"), "warc", [Reliance::Order; 4]);
}

#[test]
fn sites_said_to_be_down_were_down() {
    assert_were_down(&subset().join("snapshots/dev"));
}

#[test]
#[ignore = "needs the shared data"]
fn sites_said_to_be_down_were_down_on_the_shared_data() {
    assert_were_down(&shared().join("snapshots/dev"));
}

fn assert_were_down(dev: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let series = of_tables(&folder.path().join("dev"), dev, "");
    let down = sites_down(dev);
    for place in 1..series.snapshots().len() {
        let classes = classify(&series, place, Rules::All).unwrap();
        let misses = missed::find(&series, place, &classes).unwrap();
        let snapshot = &series.snapshots()[place];
        let said: BTreeSet<String> = misses
            .iter()
            .filter(|missed| missed.why == missed::Why::SiteDown)
            .map(|missed| host(&snapshot.url(missed.node, &series).unwrap().url()))
            .collect();
        let counts = missed::Why::ALL.map(|why| (why.code(), misses.count(why)));
        println!("t{}: {counts:?}, down: {said:?}", place + 1);
        let were: BTreeSet<String> =
            down[place - 1].iter().map(|site| site.trim_start_matches("www.").to_owned()).collect();
        // A site that was never crawled before may have been left out, and not have been down.
        let earlier = crawled_before(&series, place - 1);
        let said: BTreeSet<String> = said.intersection(&earlier).cloned().collect();
        let old = misses.iter().map(|missed| host(&snapshot.url(missed.node, &series).unwrap().url()));
        let with_old_pages: BTreeSet<String> = old.collect();
        let is_known = |site: &&String| earlier.contains(*site) && with_old_pages.contains(*site);
        let expected: BTreeSet<String> = were.iter().filter(is_known).cloned().collect();
        assert_eq!(said, expected, "t{}", place + 1);
        assert_eq!(misses.iter().len() as u64, classes.counts().old);
    }
}

/// Sites of which a page was crawled before a snapshot.
fn crawled_before(series: &Series, place: usize) -> BTreeSet<String> {
    let crawled = |snapshot: &Snapshot| -> Vec<String> {
        let urls =
            Node::first(snapshot.nodes()).zip(snapshot.urls(series)).filter(|(node, _)| snapshot.is_crawled(*node));
        urls.map(|(_, url)| host(&url.unwrap().url())).collect()
    };
    series.snapshots()[..place].iter().flat_map(crawled).collect()
}

fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split('/').next().unwrap_or(rest);
    host.trim_start_matches("www.").to_owned()
}
