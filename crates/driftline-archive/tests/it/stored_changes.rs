//! How large the changes of real pages are as the catalog stores them, and that they are read back.

use std::path::Path;

use driftline::Limit;
use driftline::change::Change;
use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline_archive::derive::{Difference, MOST_EDITS};
use driftline_testkit::data::{shared, subset};
use driftline_testkit::pages::real_pairs;

/// The most bytes of a packed change: of half of the pairs, and of 99 in 100.
const MOST_MEDIAN: usize = 4_000;
const MOST_P99: usize = 64_000;

/// The bytes of each stored change, packed and as text, the smallest first.
fn sizes(data: &Path) -> (Vec<usize>, Vec<usize>) {
    let mut comparer = Comparer::default();
    let options = ReadOptions::default();
    let stored = real_pairs(data).into_iter().map(|pair| {
        let [older, newer] = [&pair.older, &pair.newer].map(|bytes| Page::read(bytes.as_slice(), &options));
        let change = comparer.compare(&older, &newer);
        let Difference { body, .. } = Difference::from(&change);
        let read: Change = serde_json::from_value(body.clone()).unwrap();
        assert_eq!(&read, &*change.with_edits_up_to(MOST_EDITS), "{}", pair.name);
        body.to_string()
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
fn a_change_of_more_edits_is_stored_with_the_first_ones_and_says_so() {
    let [older, newer] =
        ["a b ", "a c "].map(|words| Page::read(words.repeat(2 * MOST_EDITS).as_str(), &ReadOptions::default()));
    let change = Comparer::default().compare(&older, &newer);
    assert!(change.edits.len() > MOST_EDITS);
    let read: Change = serde_json::from_value(Difference::from(&change).body).unwrap();
    assert_eq!((read.edits.len(), read.measurement.limits.contains(&Limit::Edits)), (MOST_EDITS, true));
    assert_eq!(read.measurement.degree, change.measurement.degree);
}

#[test]
#[ignore = "needs the shared data"]
fn stored_changes_of_all_real_pages_are_small() {
    assert_small(&shared());
}
