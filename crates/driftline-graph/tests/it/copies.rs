//! Is an old page at a new address told from a new one? Made pages, moved, mirrored and copied, through the series.

use std::path::Path;

use driftline::novelty::sketch::Sketch;
use driftline::novelty::url::Canonical;
use driftline::page::{Page, ReadOptions};
use driftline::time::Time;
use driftline_graph::Series;
use driftline_graph::add::{Crawled, Source};
use driftline_graph::novelty::copies::{self, Copies, Relation, Verdict};
use driftline_graph::novelty::{MEMORY, Parameters, calibration, score};

/// Words that no other seed gives.
fn words(seed: usize, count: usize) -> String {
    let words: Vec<_> = (0..count).map(|place| format!("word{seed}x{} ", place * 7 % 101 + place)).collect();
    words.concat()
}

/// A page in the template of its site.
fn page(title: &str, text: &str) -> String {
    format!(
        "<html><head><title>{title}</title></head><body><div class=nav><ul><li><a href=/>Home</a></ul></div>\
         <main><article><h1>{title}</h1><p>{text}</p></article></main><footer><p>All rights reserved</footer></body>"
    )
}

/// Crawls, each a list of address and page; all link to the first.
fn series(folder: &Path, crawls: &[(&str, Vec<(String, String)>)]) -> Series {
    for (number, (at, pages)) in crawls.iter().enumerate() {
        let builder = Series::open_or_make(folder).unwrap().add(at.parse::<Time>().unwrap(), 16 << 20).unwrap();
        let source = Source { name: format!("crawl {number}"), size: 0, changed: 0 };
        let mut reader = builder.reader(&source).unwrap().expect("it is read once");
        for (url, html) in pages {
            let sketch = Sketch::of(&Page::read(html.as_str(), &ReadOptions::default()));
            let page = Crawled { url, fetched: None, last_modified: None, sketch: Some(&sketch) };
            reader.page(&page, [pages[0].0.as_str()]).unwrap();
        }
        reader.finish().unwrap();
        builder.build(&|_| ()).unwrap();
    }
    Series::open(folder).unwrap()
}

struct Found {
    series: Series,
    copies: Copies,
}

impl Found {
    fn in_crawls(crawls: &[(&str, Vec<(String, String)>)], memory: usize) -> (Self, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let series = series(&folder.path().join("made"), crawls);
        let place = series.snapshots().len() - 1;
        let scores = score(&series, place, &Parameters::default()).unwrap();
        let copies = copies::find(&series, place, scores.classes(), memory).unwrap();
        (Self { series, copies }, folder)
    }

    /// What an address is a copy of, and how.
    fn of(&self, url: &str) -> Option<(String, Relation)> {
        let snapshot = self.series.snapshots().last().unwrap();
        let node = snapshot.node(&Canonical::of(url).unwrap(), &self.series).unwrap().expect("it was crawled");
        let copy = self.copies.of(node)?;
        Some((copy.url(&self.series).unwrap().url(), copy.relation))
    }
}

fn owned(pages: &[(&str, String)]) -> Vec<(String, String)> {
    pages.iter().map(|(url, html)| ((*url).to_owned(), html.clone())).collect()
}

fn moved_mirrored_and_copied() -> [(&'static str, Vec<(String, String)>); 2] {
    let home = page("Home", &words(1, 90));
    let article = |seed| page("Article", &words(seed, 120));
    let older = owned(&[
        ("https://a.org/", home.clone()),
        ("https://a.org/stays", article(2)),
        ("https://a.org/goes", article(3)),
        ("https://a.org/docs/1", article(4)),
        ("https://a.org/docs/2", article(5)),
        ("https://a.org/docs/3", article(6)),
        ("https://a.org/short", page("Short", "not found")),
    ]);
    let edited = words(2, 120).replace("word2x0 ", "changed ");
    let mut newer: Vec<_> = older.iter().filter(|(url, _)| url != "https://a.org/goes").cloned().collect();
    newer.extend(owned(&[
        ("https://a.org/went-there", article(3)),
        ("https://a.org/stays-elsewhere", page("Article", &edited)),
        ("https://m.org/mirror/docs/1", article(4)),
        ("https://m.org/mirror/docs/2", article(5)),
        ("https://m.org/mirror/docs/3", article(6)),
        ("https://a.org/template-only", article(7)),
        ("https://a.org/short-too", page("Short", "not there")),
        ("https://a.org/short-same", page("Short", "not found")),
        (
            "https://a.org/short-in-other-tags",
            "<title>Short</title><p>Home Short not found All rights reserved".to_owned(),
        ),
    ]));
    [("2019-01-01", older), ("2019-07-01", newer)]
}

#[test]
fn moves_mirrors_and_copies_are_told_from_new_pages() {
    let (found, _folder) = Found::in_crawls(&moved_mirrored_and_copied(), MEMORY);
    let of = |url: &str| found.of(url);
    let is = |url: &str, relation| Some((url.to_owned(), relation));
    assert_eq!(of("https://a.org/went-there"), is("https://a.org/goes", Relation::Move));
    assert_eq!(of("https://a.org/stays-elsewhere"), is("https://a.org/stays", Relation::Copy));
    for number in 1..=3 {
        let older = format!("https://a.org/docs/{number}");
        assert_eq!(of(&format!("https://m.org/mirror/docs/{number}")), is(&older, Relation::Mirror));
    }
    assert_eq!(of("https://a.org/template-only"), None, "the same tags, and other words");
    assert_eq!(of("https://a.org/short-too"), None, "a few words are the same by chance");
    assert_eq!(of("https://a.org/short-same"), is("https://a.org/short", Relation::Copy));
    assert_eq!(of("https://a.org/short-in-other-tags"), None);
    assert_eq!(of("https://a.org/stays"), None, "it is old, and its own address");
    assert_eq!(found.copies.compared(), 9);
}

#[test]
fn copies_are_the_same_however_little_memory_there_is() {
    let (all, _folder) = Found::in_crawls(&moved_mirrored_and_copied(), MEMORY);
    let (one_by_one, _folder) = Found::in_crawls(&moved_mirrored_and_copied(), 1);
    assert_eq!(one_by_one.copies, all.copies);
}

#[test]
fn a_copy_is_not_called_new_and_a_new_page_is() {
    let (found, _folder) = Found::in_crawls(&moved_mirrored_and_copied(), MEMORY);
    let scores = score(&found.series, 1, &Parameters::default()).unwrap();
    let calibration = calibration::learn(&found.series, 1, &scores, &Parameters::default()).unwrap();
    let snapshot = &found.series.snapshots()[1];
    let verdict = |url: &str| {
        let node = snapshot.node(&Canonical::of(url).unwrap(), &found.series).unwrap().unwrap();
        Verdict::on(node, &scores, &calibration, &found.copies).unwrap()
    };
    assert_eq!(verdict("https://a.org/stays"), Verdict::Old);
    assert!(matches!(verdict("https://a.org/went-there"), Verdict::Copy(_)));
    assert_eq!(verdict("https://a.org/went-there").probability(), 0.0);
    assert!(matches!(verdict("https://a.org/template-only"), Verdict::New { probability, .. } if probability > 0.0));
    assert_eq!(calibration.trust().reliance(), calibration::Reliance::Belief);
}

#[test]
fn the_latest_of_equal_pages_is_named_and_a_site_that_is_down_moved_nothing() {
    let article = page("Article", &words(3, 120));
    let home = page("Home", &words(1, 90));
    let crawls = [
        ("2019-01-01", owned(&[("https://a.org/", home.clone()), ("https://b.org/x", article.clone())])),
        ("2019-07-01", owned(&[("https://a.org/", home.clone()), ("https://b.org/x", article.clone())])),
        ("2020-01-01", owned(&[("https://a.org/", home), ("https://a.org/y", article)])),
    ];
    let (found, _folder) = Found::in_crawls(&crawls, MEMORY);
    assert_eq!(found.of("https://a.org/y"), Some(("https://b.org/x".to_owned(), Relation::Copy)));
    assert_eq!(found.copies.iter().map(|(_, copy)| copy.place).collect::<Vec<_>>(), [1]);
}
