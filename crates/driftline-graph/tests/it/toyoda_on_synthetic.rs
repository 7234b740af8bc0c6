//! Scores of synthetic series compared with the slow oracle: from pages and links through the files of a series.
//!
//! The oracle is given what the crawls contain, not what the series made of it. So this tests that addresses keep their
//! numbers, that links are turned round, and that the three rules read the right snapshots.

use std::collections::{BTreeMap, BTreeSet};

use driftline::novelty::url::Canonical;
use driftline::novelty::{Class, Delta, Novelty, Rounds};
use driftline::time::Time;
use driftline_graph::Series;
use driftline_graph::add::{Crawled, Source};
use driftline_graph::novelty::{Parameters, Scores, score};
use driftline_testkit::toyoda::{self, Before};

const CRAWLS: usize = 4;
/// The day of each crawl since 1970.
const DAYS: [i64; CRAWLS] = [18_000, 18_100, 18_200, 18_300];
const ADDRESSES: u32 = 90;

/// A page of a crawl: when it was last modified, if it says so, and the addresses that it links to.
struct Page {
    last_modified: Option<Time>,
    links: BTreeSet<u32>,
}

/// The pages of a crawl, by address.
type Crawl = BTreeMap<u32, Page>;

fn days(since_1970: i64) -> Time {
    Time::from_microseconds(since_1970 * 86_400_000_000)
}

fn at(crawl: usize) -> Time {
    days(DAYS[crawl])
}

fn url(address: u32) -> String {
    format!("https://h{}.example/{address}", address % 7)
}

/// Crawls of a web that grows; each misses some pages, and pages change their links.
fn crawls(random: &mut fastrand::Rng) -> Vec<Crawl> {
    let crawl = |number: usize| {
        let born = ADDRESSES * (2 + number as u32) / (2 + CRAWLS as u32);
        let is_crawled = |_: &u32| random.u8(..10) < 7;
        let crawled: Vec<u32> = (0..born).filter(is_crawled).collect();
        let mut page = || {
            let links = (0..random.usize(..6)).map(|_| random.u32(..born)).collect();
            let is_dated = random.u8(..10) < 2;
            let last_modified = is_dated.then(|| days(DAYS[number] - random.i64(0..150)));
            Page { last_modified, links }
        };
        crawled.into_iter().map(|address| (address, page())).collect()
    };
    (0..CRAWLS).map(crawl).collect()
}

fn add(folder: &std::path::Path, crawls: &[Crawl]) -> Series {
    for (number, crawl) in crawls.iter().enumerate() {
        let builder = Series::open_or_make(folder).unwrap().add(at(number), 1 << 24).unwrap();
        let source = Source { name: number.to_string(), size: 0, changed: 0 };
        let mut reader = builder.reader(&source).unwrap().unwrap();
        for (address, page) in crawl {
            let own = url(*address);
            let crawled = Crawled { url: &own, fetched: None, last_modified: page.last_modified, sketch: None };
            reader.page(&crawled, page.links.iter().map(|link| url(*link))).unwrap();
        }
        reader.finish().unwrap();
        builder.build(&|_| ()).unwrap();
    }
    Series::open(folder).unwrap()
}

/// What the oracle is given of a crawl: the pages, and the sources of the links to each.
fn facts(crawls: &[Crawl], place: usize) -> (Vec<toyoda::Page>, Vec<Vec<u32>>) {
    let is_seen = |address: u32| {
        let mut earlier = crawls[..place].iter();
        earlier.any(|crawl| crawl.contains_key(&address) || crawl.values().any(|page| page.links.contains(&address)))
    };
    let page = |address: u32| {
        let own = crawls[place].get(&address);
        let before = match (crawls[place - 1].contains_key(&address), is_seen(address)) {
            (true, _) => Before::CrawledLastTime,
            (false, true) => Before::Seen,
            (false, false) => Before::Unknown,
        };
        let last_modified = own.and_then(|page| page.last_modified);
        toyoda::Page {
            crawled: own.is_some(),
            before,
            unmodified: last_modified.is_some_and(|time| time < at(place - 1)),
        }
    };
    let sources = |address: u32| {
        let others = crawls[place].iter().filter(|(source, page)| **source != address && page.links.contains(&address));
        others.map(|(source, _)| *source).collect()
    };
    ((0..ADDRESSES).map(page).collect(), (0..ADDRESSES).map(sources).collect())
}

fn scored(series: &Series, place: usize, delta: f64, rounds: Rounds) -> Scores {
    let delta = Delta::try_from(delta).unwrap();
    score(series, place, &Parameters { delta, rounds, ..Parameters::default() }).unwrap()
}

/// Compares the scores of the pages crawled, and returns the number of those above 0.
fn assert_scores(series: &Series, place: usize, found: &Scores, in_links: &[Vec<u32>], expected: &[f64]) -> usize {
    let mut above_zero = 0;
    for address in 0..ADDRESSES {
        let canonical = Canonical::of(&url(address)).unwrap();
        let Some(node) = series.snapshots()[place].node(&canonical, series).unwrap() else { continue };
        let Some(Novelty::Unidentified(score)) = found.of(node) else { continue };
        let sources = in_links[address as usize].len();
        assert_eq!(found.in_links(node).map(|count| count as usize), Some(sources), "{address}");
        assert!((score - expected[address as usize]).abs() < 1e-9, "{address}: {score}");
        above_zero += usize::from(score > 0.0);
    }
    above_zero
}

#[test]
fn synthetic_series_have_the_scores_of_the_oracle() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut above_zero = 0;
    for seed in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let crawls = crawls(&mut fastrand::Rng::with_seed(seed));
        let series = add(&folder.path().join("series"), &crawls);
        for place in 1..CRAWLS {
            let (pages, in_links) = facts(&crawls, place);
            let codes = toyoda::classes(&pages, &in_links);
            for delta in [0.0, 0.1, 0.2] {
                let (expected, changes) = toyoda::rounds(&codes, &in_links, delta, 20);
                let found = scored(&series, place, delta, Rounds::Exactly(20));
                assert_classes(&series, place, &found, &codes);
                above_zero += assert_scores(&series, place, &found, &in_links, &expected);
                assert_eq!(found.changes().len(), changes.len());
                let limit = scored(&series, place, delta, Rounds::Until(1e-13));
                assert_scores(&series, place, &limit, &in_links, &toyoda::limit(&codes, &in_links, delta));
            }
            codes.iter().for_each(|code| *counts.entry(code).or_default() += 1);
        }
    }
    assert!(["O", "L2", "U"].iter().all(|code| counts[code] > 50) && above_zero > 100, "{counts:?}, {above_zero}");
}

/// The class of every address; an address that is not in the snapshot has none.
fn assert_classes(series: &Series, place: usize, found: &Scores, codes: &[&str]) {
    for address in 0..ADDRESSES {
        let canonical = Canonical::of(&url(address)).unwrap();
        let node = series.snapshots()[place].node(&canonical, series).unwrap();
        let class = node.and_then(|node| found.classes().of(node));
        assert_eq!(class.map_or("", Class::code), codes[address as usize], "{address} at {place}");
    }
}
