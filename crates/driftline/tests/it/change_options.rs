//! A change says how its pages were read and compared: enough to do both again.

use driftline::change::{Change, CompareRecord, IdfRecord, Sides};
use driftline::compare::{CompareOptions, Comparer};
use driftline::degree::cosine::{Corpus, Idf};
use driftline::degree::ied::{Costs, Variant};
use driftline::page::zone::Zones;
use driftline::page::{BodyKind, Limits, Normaliser, Page, ReadOptions, Source, WordRule};
use driftline::region::similarity::{Typedist, Weights};
use driftline::region::{AttributeWeights, RegionOptions};
use driftline_testkit::data;
use driftline_testkit::pages::{RealPair, real_pairs};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::change_form::{assert_read_back, html};

const OLDER: &str = "<title>A</title><main><p class=a>one two 3 <i>x</i></p><p>four</p></main><footer>2024</footer>";
const NEWER: &str =
    "<title>B</title><main><p class=b>one 4 two <i>y</i></p><p>Four six</p></main><footer>2025</footer>";

/// Options of which each differs from the usual.
fn read_options() -> ReadOptions {
    ReadOptions {
        kind: Some(BodyKind::Html),
        charset: Some("euc-kr".parse().unwrap()),
        words: WordRule::Whitespace,
        zones: Zones { include: vec!["main > p, li".parse().unwrap()], ignore: vec!["i".parse().unwrap()] },
        normalisers: [Normaliser::Case, Normaliser::Numbers].into_iter().collect(),
        limits: Limits { bytes: 1_000_000, ..Limits::DEFAULT },
    }
}

fn compare_options() -> CompareOptions {
    CompareOptions {
        costs: Costs::new(0.5, 0.25).unwrap(),
        shingle_length: 3,
        idf: Idf::Pair,
        variant: Variant::Gap,
        regions: RegionOptions {
            weights: Weights::new(0.5, 0.25, 0.25).unwrap(),
            typedist: Typedist::Product,
            attribute_weights: AttributeWeights::parse("href 100\nclass 90\n* 5").unwrap(),
            ..RegionOptions::default()
        },
    }
}

fn compare(older: &str, newer: &str, read: &ReadOptions, compare: CompareOptions) -> Change {
    Comparer::new(compare).compare(&Page::read(older, read), &Page::read(newer, read))
}

/// The change of the same captures, read and compared as a change that was stored says.
fn again(stored: &Change, captures: Sides<Source<'_>>) -> Change {
    let Sides { older, newer } = &stored.read;
    let pages = [(captures.older, older), (captures.newer, newer)];
    let [older, newer] = pages.map(|(source, read)| Page::read(source, &read.options));
    Comparer::new(CompareOptions::of(stored)).compare(&older, &newer)
}

fn read_back(change: &Change) -> Change {
    serde_json::from_str(&serde_json::to_string(change).unwrap()).unwrap()
}

#[test]
fn the_usual_options_are_not_written() {
    let change = compare(OLDER, NEWER, &ReadOptions::default(), CompareOptions::default());
    let written = serde_json::to_value(&change).unwrap();
    assert_eq!((written.get("read"), written.get("compared")), (None, None));
    assert_eq!(change.read.older.options.kind, Some(BodyKind::Html));
    assert_read_back(&change);
}

#[test]
fn other_options_are_written_as_text_and_read_back() {
    let change = compare(OLDER, NEWER, &read_options(), compare_options());
    let written = serde_json::to_value(&change).unwrap();
    let side = json!({
        "kind": "html", "charset": "EUC-KR", "words": "whitespace", "zone": ["main > p, li"], "ignore": ["i"],
        "normalise": ["case", "numbers"], "limits": { "bytes": 1_000_000, "nodes": 1_000_000, "depth": 512 },
    });
    assert_eq!(written["read"], json!({ "old": side, "new": side }));
    assert_eq!(
        written["compared"],
        json!({
            "copy_cost": 0.5, "move_cost": 0.25, "shingle": 3, "idf": "pair", "weights": [0.5, 0.25, 0.25],
            "typedist": "product", "attribute_weights": { "*": 5, "class": 90, "href": 100 },
        })
    );
    assert_eq!(written["variant"], "gap");
    assert_read_back(&change);
}

#[test]
fn the_kind_of_body_is_the_one_that_was_recognised() {
    let change = compare(r#"{"a": 1}"#, r#"{"a": 2}"#, &ReadOptions::default(), CompareOptions::default());
    let written = serde_json::to_value(&change).unwrap();
    assert_eq!(written["read"], json!({ "old": { "kind": "json" }, "new": { "kind": "json" } }));
    assert_read_back(&change);
}

#[test]
fn what_a_browser_rendered_is_known_by_the_address_of_the_capture() {
    let read = |url, text| {
        let source = Source { url: Some(url), ..Source::from(text) };
        Page::read(source, &ReadOptions::default())
    };
    let [older, newer] =
        ["<a href=more>a</a>", "<a href=less>b</a>"].map(|text| read("urn:dom:http://example.org/x/", text));
    let change = Comparer::default().compare(&older, &newer);
    assert_eq!(change.resources[0].url, "http://example.org/x/more");
    let written = serde_json::to_value(&change).unwrap();
    assert_eq!(written["read"]["new"], json!({ "kind": "html", "rendered": true }));
    assert_read_back(&change);
    let received = read("http://example.org/x/", "<a href=more>a</a>");
    assert!(!received.record().rendered && older.record().rendered);
}

#[test]
fn of_a_corpus_and_a_site_the_sizes_are_written() {
    let mut corpus = Corpus::default();
    corpus.add(["one", "two"]);
    let mut options = CompareOptions { idf: Idf::Corpus(corpus.into()), ..CompareOptions::default() };
    let page = Page::read("<p>five words stand in here</p>", &ReadOptions::default());
    options.regions.site.shared_blocks.learn(&page);
    let change = compare(OLDER, NEWER, &ReadOptions::default(), options);
    assert_eq!(change.compared.idf, IdfRecord::Corpus { documents: 1, words: 2 });
    let written: Value = serde_json::to_value(&change.compared).unwrap();
    assert_eq!(written["idf"], json!({ "corpus": { "documents": 1, "words": 2 } }));
    assert_eq!(written["site_blocks"], json!(change.compared.site_blocks));
    assert!(change.compared.site_blocks > 0 && change.compared != CompareRecord::default());
    assert_read_back(&change);
}

#[test]
fn a_stored_change_and_its_captures_are_enough_to_compare_again() {
    let stored = read_back(&compare(OLDER, NEWER, &read_options(), compare_options()));
    assert_eq!(again(&stored, Sides { older: OLDER.into(), newer: NEWER.into() }), stored);
}

fn assert_compared_again(pairs: &[RealPair]) {
    for RealPair { older, newer, name } in pairs {
        let options = ReadOptions::default();
        let pages = [older, newer].map(|bytes| Page::read(bytes.as_slice(), &options));
        let stored = read_back(&Comparer::default().compare(&pages[0], &pages[1]));
        let captures = Sides { older: older.as_slice().into(), newer: newer.as_slice().into() };
        assert_eq!(again(&stored, captures), stored, "{name}");
    }
}

#[test]
fn stored_changes_of_real_pages_and_their_captures_are_enough_to_compare_again() {
    assert_compared_again(&real_pairs(&data::subset()));
}

#[test]
#[ignore = "needs the shared data"]
fn stored_changes_of_all_real_pages_and_their_captures_are_enough_to_compare_again() {
    assert_compared_again(&real_pairs(&data::shared()));
}

fn any_read_options() -> impl Strategy<Value = ReadOptions> {
    let selectors = || prop::collection::vec(prop::sample::select(vec!["p", "main, nav", "a[href]", "#x > *"]), 0..3);
    let normalisers = prop::sample::subsequence(Normaliser::ALL.to_vec(), 0..=Normaliser::ALL.len());
    let words = prop::sample::select(vec![WordRule::Unicode, WordRule::Whitespace]);
    let kind = prop::sample::select(vec![None, Some(BodyKind::Html), Some(BodyKind::Text), Some(BodyKind::Xml)]);
    (selectors(), selectors(), normalisers, words, kind).prop_map(|(include, ignore, normalisers, words, kind)| {
        let parse = |selectors: Vec<&str>| selectors.iter().map(|it| it.parse().unwrap()).collect();
        ReadOptions {
            kind,
            words,
            zones: Zones { include: parse(include), ignore: parse(ignore) },
            normalisers: normalisers.into_iter().collect(),
            ..ReadOptions::default()
        }
    })
}

proptest! {
    #[test]
    fn any_change_read_in_any_way_is_read_back_and_found_again(
        older in html(), newer in html(), options in any_read_options(), copy in 0.0..=1.0, moving in 0.0..=1.0,
    ) {
        let costs = Costs::new(copy, moving).unwrap();
        let change = compare(&older, &newer, &options, CompareOptions { costs, ..CompareOptions::default() });
        assert_read_back(&change);
        let captures = Sides { older: older.as_str().into(), newer: newer.as_str().into() };
        prop_assert_eq!(again(&read_back(&change), captures), change);
    }
}
