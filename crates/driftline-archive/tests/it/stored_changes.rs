//! The rows of changes: their size for real pages, and what is read back from them.

use std::path::Path;

use driftline::Limit;
use driftline::change::{MOST_EDITS, Sides};
use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline_archive::derive::{change, row};
use driftline_testkit::data::{shared, subset};
use driftline_testkit::pages::real_pairs;

/// The most bytes of a packed change: of half of the pairs, and of 99 in 100.
const MOST_MEDIAN: usize = 4_000;
const MOST_P99: usize = 64_000;

const CAPTURES: Sides<i64> = Sides { older: 1, newer: 2 };

/// The bytes of each stored change, packed and as text, the smallest first.
fn sizes(data: &Path) -> (Vec<usize>, Vec<usize>) {
    let mut comparer = Comparer::default();
    let options = ReadOptions::default();
    let stored = real_pairs(data).into_iter().map(|pair| {
        let [older, newer] = [&pair.older, &pair.newer].map(|bytes| Page::read(bytes.as_slice(), &options));
        let found = comparer.compare(&older, &newer);
        let row = row(CAPTURES, Some(&found));
        assert_eq!(change(&row).unwrap().as_ref(), Some(&found), "{}", pair.name);
        row.body.to_string()
    });
    let (mut packed, mut plain): (Vec<usize>, Vec<usize>) =
        stored.map(|text| (zstd::encode_all(text.as_bytes(), 3).unwrap().len(), text.len())).unzip();
    packed.sort_unstable();
    plain.sort_unstable();
    (packed, plain)
}

fn assert_small(data: &Path) {
    let (packed, plain) = sizes(data);
    let at = |sizes: &[usize], percent: usize| sizes[(sizes.len() - 1) * percent / 100];
    println!(
        "{} changes: packed {} bytes in the middle, {} at 99 %; as text {} and {}",
        packed.len(),
        at(&packed, 50),
        at(&packed, 99),
        at(&plain, 50),
        at(&plain, 99)
    );
    assert!(at(&packed, 50) <= MOST_MEDIAN && at(&packed, 99) <= MOST_P99);
}

#[test]
fn stored_changes_of_real_pages_are_small() {
    assert_small(&subset());
}

#[test]
fn a_row_without_a_change_is_of_what_cannot_be_read() {
    let opaque = row(CAPTURES, None);
    assert_eq!((opaque.degree, opaque.importance, change(&opaque).unwrap()), (1.0, None, None));
}

#[test]
fn a_row_has_the_bounded_form_of_a_change() {
    let [older, newer] =
        ["a b ", "a c "].map(|words| Page::read(words.repeat(2 * MOST_EDITS).as_str(), &ReadOptions::default()));
    let found = Comparer::default().compare(&older, &newer);
    let stored = change(&row(CAPTURES, Some(&found))).unwrap().unwrap();
    assert_eq!((stored.edits.len(), stored.measurement.limits.as_slice()), (MOST_EDITS, [Limit::Edits].as_slice()));
    assert_eq!(stored, found.bounded());
}

#[test]
#[ignore = "needs the shared data"]
fn stored_changes_of_all_real_pages_are_small() {
    assert_small(&shared());
}
