//! Is it said why a page was missed? A made series: a site that did not answer, links not followed, pages not linked.

use std::path::Path;

use driftline::novelty::url::Canonical;
use driftline::time::Time;
use driftline_graph::Series;
use driftline_graph::add::{Crawled, Source};
use driftline_graph::novelty::missed::{self, Misses, Why};
use driftline_graph::novelty::{NoveltyError, Rules, classify};

/// A page that was crawled: its address, its Last-Modified, and its links.
type Page<'a> = (&'a str, Option<&'a str>, &'a [&'a str]);

fn add(folder: &Path, at: &str, pages: &[Page<'_>]) {
    let builder = Series::open_or_make(folder).unwrap().add(at.parse().unwrap(), 16 << 20).unwrap();
    let source = Source { name: at.to_owned(), size: 0, changed: 0 };
    let mut reader = builder.reader(&source).unwrap().expect("it is read once");
    for (url, last_modified, links) in pages {
        let last_modified = last_modified.map(|time| time.parse::<Time>().unwrap());
        reader.page(&Crawled { url, fetched: None, last_modified, sketch: None }, *links).unwrap();
    }
    reader.finish().unwrap();
    builder.build(&|_| ()).unwrap();
}

fn why(series: &Series, misses: &Misses, url: &str) -> Option<Why> {
    let snapshot = series.snapshots().last().unwrap();
    misses.of(snapshot.node(&Canonical::of(url).unwrap(), series).unwrap().expect("it was crawled"))
}

#[test]
fn a_page_was_missed_for_one_of_three_reasons() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("made");
    let (old, new) = (Some("2018-01-01"), Some("2019-12-01"));
    add(
        &folder,
        "2019-01-01",
        &[("https://up.org/", None, &["https://up.org/rotates"]), ("https://down.org/", None, &["https://down.org/1"])],
    );
    add(&folder, "2019-07-01", &[("https://up.org/", None, &["https://up.org/fringe", "https://linked.org/"])]);
    add(
        &folder,
        "2020-01-01",
        &[
            ("https://up.org/", None, &["https://up.org/fringe", "https://up.org/new"]),
            ("https://up.org/fringe", None, &[]),
            ("https://up.org/rotates", None, &[]),
            ("https://up.org/island", old, &[]),
            ("https://up.org/new", new, &[]),
            ("https://down.org/1", None, &[]),
            ("https://down.org/2", old, &[]),
            ("https://linked.org/", None, &[]),
            ("https://unheard.org/", old, &[]),
        ],
    );
    let series = Series::open(&folder).unwrap();
    let classes = classify(&series, 2, Rules::All).unwrap();
    let misses = missed::find(&series, 2, &classes).unwrap();
    let why = |url: &str| why(&series, &misses, url);
    assert_eq!(why("https://up.org/"), None, "it was crawled both times");
    assert_eq!(why("https://up.org/new"), None, "it may be new");
    assert_eq!(why("https://up.org/fringe"), Some(Why::NotCrawled));
    assert_eq!(why("https://up.org/rotates"), Some(Why::NotLinked), "linked to before, but not last time");
    assert_eq!(why("https://up.org/island"), Some(Why::NotLinked));
    assert_eq!(why("https://down.org/1"), Some(Why::SiteDown));
    assert_eq!(why("https://down.org/2"), Some(Why::SiteDown));
    assert_eq!(why("https://linked.org/"), Some(Why::SiteDown), "it was known, and no page of it was crawled");
    assert_eq!(why("https://unheard.org/"), Some(Why::NotLinked), "nobody had heard of the site");
    assert_eq!(Why::ALL.map(|why| misses.count(why)), [3, 1, 3]);
}

#[test]
fn the_first_crawl_missed_nothing_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("made");
    add(&folder, "2019-01-01", &[("https://up.org/", None, &[])]);
    add(&folder, "2019-07-01", &[("https://up.org/", None, &[])]);
    let series = Series::open(&folder).unwrap();
    let classes = classify(&series, 1, Rules::All).unwrap();
    assert!(missed::find(&series, 1, &classes).unwrap().iter().len() == 0);
    assert!(matches!(missed::find(&series, 0, &classes), Err(NoveltyError::First { .. })));
    assert!(matches!(missed::find(&series, 2, &classes), Err(NoveltyError::Missing { .. })));
}
