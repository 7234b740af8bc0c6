//! The bounded form of a change: whatever the pages are, it has at most 1.2 MB of JSON and says what it lacks.

use driftline::Limit;
use driftline::change::{Change, MOST_EDITS, MOST_TEXT_BYTES};
use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline_testkit::pages::real_pairs;
use driftline_testkit::{data, zoo};

use crate::change_form::assert_read_back;

/// The most bytes of JSON that a bounded change has.
const MOST_BYTES: usize = 1_200_000;

fn change(older: &str, newer: &str) -> Change {
    let options = ReadOptions::default();
    Comparer::default().compare(&Page::read(older, &options), &Page::read(newer, &options))
}

/// The bounded form, which is read back, and has the numbers of the whole change.
fn bounded(change: &Change) -> Change {
    let bounded = change.clone().bounded();
    assert!(serde_json::to_string(&bounded).unwrap().len() <= MOST_BYTES);
    assert_eq!((bounded.is_empty(), &bounded.importance.score), (change.is_empty(), &change.importance.score));
    assert_eq!(bounded.measurement.degree, change.measurement.degree);
    assert_eq!(bounded.clone().bounded(), bounded);
    assert_read_back(&bounded);
    bounded
}

#[test]
fn a_change_with_many_edits_keeps_the_first_ones() {
    let [older, newer] = ["a b ", "a c "].map(|words| words.repeat(2 * MOST_EDITS));
    let change = change(&older, &newer);
    let bounded = bounded(&change);
    assert_eq!(bounded.edits, change.edits[..MOST_EDITS]);
    assert_eq!(bounded.measurement.limits, [Limit::Edits]);
}

#[test]
fn a_change_with_many_large_regions_keeps_the_most_important_ones() {
    let deep = |number: usize, word: usize| {
        let (open, close) = ("<section-with-a-long-name>".repeat(100), "</section-with-a-long-name>".repeat(100));
        format!("{open}<p id=x{number}>a word {word} of many</p>{close}")
    };
    let page = |step: usize| (1..300).map(|at| deep(at, at * step)).collect::<String>();
    let change = change(&page(1), &(page(2) + "<main><p>The one new sentence that people read.</main>"));
    let bounded = bounded(&change);
    assert!(bounded.measurement.limits.contains(&Limit::Regions), "{:?}", bounded.measurement.limits);
    assert!(bounded.regions.len() < change.regions.len() && !bounded.regions.is_empty());
    let least = bounded.regions.iter().map(|region| region.importance.score).fold(1.0, f64::min);
    let dropped = change.regions.iter().filter(|region| !bounded.regions.contains(region));
    assert!(dropped.map(|region| region.importance.score).all(|score| score <= least));
}

#[test]
fn a_change_with_long_addresses_titles_and_names_keeps_their_beginnings() {
    let page = |letter: &str| {
        let long = letter.repeat(1_000_000);
        let links: String = (0..400).map(|number| format!("<a href='/{number}{}'>x</a>", &long[..900])).collect();
        format!("<title>{long}</title><img src='data:{long}'>{links}<{letter}{long}>{letter}</{letter}{long}>")
    };
    let change = change(&page("a"), &page("b"));
    let bounded = bounded(&change);
    let limits = &bounded.measurement.limits;
    assert!(limits.contains(&Limit::Texts) && limits.contains(&Limit::Resources), "{limits:?}");
    let title = bounded.title.unwrap();
    assert!(title.newer.len() <= MOST_TEXT_BYTES && title.newer.ends_with('…'), "{}", title.newer.len());
    assert!(!bounded.resources.is_empty() && bounded.resources.len() < change.resources.len());
}

#[test]
fn changes_of_broken_pages_have_a_bounded_form() {
    for pair in zoo::bodies().windows(2) {
        let [older, newer] = [&pair[0], &pair[1]].map(|(_, body)| Page::read(body.as_slice(), &ReadOptions::default()));
        bounded(&Comparer::default().compare(&older, &newer));
    }
}

fn assert_whole(data: &std::path::Path) {
    let options = ReadOptions::default();
    for pair in real_pairs(data) {
        let [older, newer] = [&pair.older, &pair.newer].map(|bytes| Page::read(bytes.as_slice(), &options));
        let change = Comparer::default().compare(&older, &newer);
        assert_eq!(bounded(&change), change, "{}", pair.name);
    }
}

#[test]
fn changes_of_real_pages_are_stored_whole() {
    assert_whole(&data::subset());
}

#[test]
#[ignore = "needs the shared data"]
fn changes_of_all_real_pages_are_stored_whole() {
    assert_whole(&data::shared());
}
