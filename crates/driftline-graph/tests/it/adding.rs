//! Does a snapshot hold what its crawl held? Compared with the rules of N1 worked naively, whatever the budget.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use driftline::novelty::sketch::Sketch;
use driftline::novelty::url::Canonical;
use driftline::time::Time;
use driftline_graph::Series;
use driftline_graph::add::{AddError, Crawled, SkipReason, SnapshotBuilder, Source, SourceReader};
use driftline_graph::snapshot::{Node, Status};
use proptest::prelude::*;

/// What a source says, by numbers of addresses and of their spellings.
#[derive(Debug, Clone)]
enum Says {
    Page { url: Url, fetched: Option<u8>, last_modified: Option<u8>, sketch: Option<u8>, links: Vec<Url> },
    Link(Url, Url),
    Redirect(Url, Url),
    Fringe(Url),
}

/// An address, and how it is spelt.
#[derive(Debug, Clone, Copy)]
struct Url(u8, u8);

impl Url {
    fn spelt(self) -> String {
        let Self(page, spelling) = self;
        let (host, path) = (page % 3, page / 3);
        match spelling {
            0 => format!("https://h{host}.example/{path}/"),
            1 => format!("http://www.h{host}.example/{path}/index.html"),
            _ => format!("http://h{host}.example:80/{path}/#top"),
        }
    }

    fn canonical(self) -> Canonical {
        Canonical::of(&self.spelt()).expect("it was made so")
    }

    fn key(self) -> String {
        self.canonical().into_key()
    }
}

/// Seconds after some day.
fn time(seconds: u8) -> Time {
    Time::from_microseconds((1_500_000_000 + i64::from(seconds)) * 1_000_000)
}

fn sketch(of: u8) -> Sketch {
    Sketch::from_bytes(&[of; Sketch::SIZE])
}

fn url() -> impl Strategy<Value = Url> {
    (0..12_u8, 0..3_u8).prop_map(|(page, spelling)| Url(page, spelling))
}

fn says() -> impl Strategy<Value = Says> {
    let few = || prop::option::of(0..3_u8);
    let page = (url(), few(), few(), few(), prop::collection::vec(url(), 0..6)).prop_map(
        |(url, fetched, last_modified, sketch, links)| Says::Page { url, fetched, last_modified, sketch, links },
    );
    prop_oneof![
        4 => page,
        2 => (url(), url()).prop_map(|(source, target)| Says::Link(source, target)),
        1 => (url(), url()).prop_map(|(from, to)| Says::Redirect(from, to)),
        1 => url().prop_map(Says::Fringe),
    ]
}

fn crawl() -> impl Strategy<Value = Vec<Vec<Says>>> {
    let certain = Says::Page { url: Url(0, 0), fetched: None, last_modified: None, sketch: None, links: Vec::new() };
    prop::collection::vec(prop::collection::vec(says(), 0..8), 1..4).prop_map(move |mut sources| {
        sources[0].push(certain.clone());
        sources
    })
}

fn harvest(says: &Says, to: &mut SourceReader) -> Result<(), AddError> {
    match says {
        Says::Page { url, fetched, last_modified, sketch: of, links } => {
            let (url, sketch) = (url.spelt(), of.map(sketch));
            let (fetched, last_modified) = (fetched.map(time), last_modified.map(time));
            let page = Crawled { url: &url, fetched, last_modified, sketch: sketch.as_ref() };
            to.page(&page, links.iter().map(|link| link.spelt()))
        }
        Says::Link(source, target) => to.link(&source.spelt(), &target.spelt()),
        Says::Redirect(from, target) => to.redirect(&from.spelt(), &target.spelt()),
        Says::Fringe(url) => to.fringe(&url.spelt()),
    }
}

fn source(number: usize) -> Source {
    Source { name: format!("source {number}"), size: 1, changed: 2 }
}

fn add(folder: &Path, at: &str, crawl: &[Vec<Says>], budget: usize) -> Series {
    let series = Series::open_or_make(folder).unwrap();
    let builder = series.add(at.parse().unwrap(), budget).unwrap();
    for (number, all) in crawl.iter().enumerate() {
        let mut reader = builder.reader(&source(number)).unwrap().expect("it is new");
        all.iter().for_each(|says| harvest(says, &mut reader).unwrap());
        reader.finish().unwrap();
    }
    builder.build(&|_| ()).unwrap();
    Series::open(folder).unwrap()
}

/// Of an address: its number, its status, its sketch, and its links.
type Row = (u32, Status, Option<Sketch>, BTreeSet<String>);

/// A snapshot by the rules.
#[derive(Default)]
struct Naive {
    pages: BTreeMap<String, (Status, Option<u8>)>,
    named: BTreeSet<String>,
    bare: BTreeSet<String>,
    redirects: BTreeMap<String, String>,
    links: BTreeSet<(String, String)>,
}

impl Naive {
    fn new(crawl: &[Vec<Says>]) -> Self {
        let mut naive = Self::default();
        crawl.iter().flatten().for_each(|says| naive.hear(says));
        // What was crawled is a page, whatever it did at another moment.
        naive.redirects.retain(|from, _| !naive.pages.contains_key(from));
        naive
    }

    fn names(&mut self, url: Url) -> String {
        if !url.canonical().www() {
            self.bare.insert(url.key());
        }
        url.key()
    }

    fn hear(&mut self, says: &Says) {
        match says {
            Says::Page { url, fetched, last_modified, sketch, links } => {
                for link in links {
                    let target = self.names(*link);
                    self.links.insert((url.key(), target));
                }
                let (fetched, last_modified) = (fetched.map(time), last_modified.map(time));
                let status = Status { crawled: true, www: url.canonical().www(), fetched, last_modified };
                let (own, of) = self.pages.entry(url.key()).or_insert((status, *sketch));
                if status.fetched > own.fetched {
                    (*own, *of) = (status, *sketch);
                } else if status.fetched == own.fetched {
                    own.last_modified = own.last_modified.max(last_modified);
                    own.www &= status.www;
                    *of = (*of).max(*sketch);
                }
            }
            Says::Link(source, target) => {
                let target = self.names(*target);
                self.links.insert((source.key(), target));
            }
            Says::Redirect(from, to) if from.key() != to.key() => {
                let to = self.names(*to);
                let own = self.redirects.entry(from.key()).or_insert_with(|| to.clone());
                *own = to.min(own.clone());
            }
            Says::Redirect(..) => {}
            Says::Fringe(url) => {
                let key = self.names(*url);
                self.named.insert(key);
            }
        }
    }

    fn follow(&self, target: &str) -> String {
        let mut end = target;
        for _ in 0..=self.redirects.len() {
            match self.redirects.get(end) {
                Some(next) => end = next,
                None => return end.to_owned(),
            }
        }
        target.to_owned()
    }

    /// V, with numbers from those before.
    fn rows(&self, numbers: &mut BTreeMap<String, u32>) -> BTreeMap<String, Row> {
        let counts = |(source, target): &(String, String)| {
            let target = self.follow(target);
            (self.pages.contains_key(source) && *source != target).then(|| (source.clone(), target))
        };
        let links: BTreeSet<_> = self.links.iter().filter_map(counts).collect();
        let targets = links.iter().map(|(_, target)| target);
        let all: BTreeSet<_> = self.pages.keys().chain(&self.named).chain(targets).cloned().collect();
        let row = |key: String| {
            let next = numbers.len() as u32;
            let number = *numbers.entry(key.clone()).or_insert(next);
            let fringe = (Status { www: !self.bare.contains(&key), ..Status::default() }, None);
            let (status, of) = self.pages.get(&key).copied().unwrap_or(fringe);
            let targets = links.iter().filter(|(source, _)| *source == key).map(|(_, target)| target.clone());
            let row = (number, status, of.map(sketch), targets.collect());
            (key, row)
        };
        all.into_iter().map(row).collect()
    }
}

/// What a snapshot on disk says.
fn rows(series: &Series, at: &str) -> BTreeMap<String, Row> {
    let snapshot = series.at(Some(at.parse().unwrap())).unwrap();
    let key = |node| snapshot.url(node, series).unwrap().into_key();
    let keys: Vec<_> = Node::first(snapshot.nodes()).map(key).collect();
    assert!(keys.is_sorted(), "nodes are not in the order of keys");
    for (node, own) in Node::first(snapshot.nodes()).zip(&keys) {
        let url = snapshot.url(node, series).unwrap();
        assert_eq!(snapshot.node(&url, series).unwrap(), Some(node), "{own}");
        for source in snapshot.in_links(node).unwrap() {
            assert!(snapshot.out_links(source).unwrap().contains(&node), "the directions differ");
        }
    }
    let row = |node| {
        let targets = snapshot.out_links(node).unwrap().into_iter().map(|target| keys[target.index()].clone());
        let row = (snapshot.number(node).get(), snapshot.status(node), snapshot.sketch(node), targets.collect());
        (keys[node.index()].clone(), row)
    };
    Node::first(snapshot.nodes()).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn snapshots_hold_what_their_crawls_held(
        crawls in prop::collection::vec(crawl(), 1..4),
        budget in prop_oneof![Just(0), Just(4_000), Just(1_usize << 26)],
    ) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("series");
        let mut numbers = BTreeMap::new();
        let times = ["2019", "2021", "2020"];
        for (crawl, at) in crawls.iter().zip(times) {
            let series = add(&folder, at, crawl, budget);
            let naive = Naive::new(crawl);
            // New addresses are numbered in the order of their keys.
            let before = numbers.clone();
            let expected = naive.rows(&mut numbers);
            let snapshot = series.at(Some(at.parse().unwrap())).unwrap();
            let about = snapshot.about();
            prop_assert_eq!(about.new_urls as usize, numbers.len() - before.len());
            prop_assert_eq!(about.first_number.index(), before.len());
            prop_assert_eq!(about.crawled as usize, naive.pages.len());
            prop_assert_eq!(about.redirects as usize, naive.redirects.len());
            prop_assert_eq!(about.links as usize, expected.values().map(|row| row.3.len()).sum::<usize>());
            prop_assert_eq!(rows(&series, at), expected);
        }
    }
}

fn begin(folder: &Path, at: &str) -> SnapshotBuilder {
    Series::open_or_make(folder).unwrap().add(at.parse().unwrap(), 1 << 20).unwrap()
}

fn page(builder: &SnapshotBuilder, number: usize, url: &str, links: &[&str]) {
    let mut reader = builder.reader(&source(number)).unwrap().expect("it is new");
    let page = Crawled { url, fetched: None, last_modified: None, sketch: None };
    reader.page(&page, links).unwrap();
    reader.skip(SkipReason::lack("torn records"), 3);
    reader.finish().unwrap();
}

#[test]
fn a_crawl_without_pages_is_refused_and_links_of_others_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    let builder = begin(&folder, "2019");
    let mut reader = builder.reader(&source(0)).unwrap().unwrap();
    reader.link("https://a.example/", "https://b.example/").unwrap();
    reader.finish().unwrap();
    let error = builder.build(&|_| ()).unwrap_err();
    assert!(matches!(error, AddError::NothingCrawled { .. }), "{error}");
    // The harvest is still there, and now there is a page too.
    let builder = begin(&folder, "2019");
    assert!(builder.reader(&source(0)).unwrap().is_none());
    page(&builder, 1, "https://b.example/", &["https://b.example/#self"]);
    let about = builder.build(&|_| ()).unwrap();
    assert_eq!((about.urls, about.crawled, about.links), (1, 1, 0));
    assert_eq!(about.skipped.get("links of pages that were not crawled"), Some(&1));
}

#[test]
fn links_to_a_crawled_page_stay_although_it_redirected_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("series");
    let builder = begin(&folder, "2019");
    page(&builder, 0, "https://home.example/", &["https://a.example/", "https://moved.example/"]);
    page(&builder, 1, "https://a.example/", &[]);
    let mut reader = builder.reader(&source(2)).unwrap().unwrap();
    reader.redirect("https://a.example/", "https://consent.example/").unwrap();
    reader.redirect("https://moved.example/", "http://www.a.example/index.html").unwrap();
    reader.finish().unwrap();
    let about = builder.build(&|_| ()).unwrap();
    assert_eq!((about.urls, about.links, about.redirects), (2, 1, 1));
    let rows = rows(&Series::open(&folder).unwrap(), "2019");
    let links = BTreeSet::from(["example.a/".to_owned()]);
    assert_eq!(rows["example.home/"].3, links, "chains end at a page too");
}
