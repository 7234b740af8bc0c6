//! Any bytes become two pages of JSON, which are compared and shown.
//!
//! They are parted at the first `0xff`.

use std::hint::black_box;

use driftline::change::Sides;
use driftline::compare::Comparer;
use driftline::degree::lcs::MOST_BLOCK_STEPS;
use driftline::page::{BodyKind, Page, ReadOptions};
use driftline_report::view::{self, Comparison, TextOptions};
use serde_json::Value;

use crate::halves;

/// Steps for each byte of a page: every step of reading is a sign of it, or of the path before it.
const STEPS_PER_BYTE: usize = 1_000;

/// One run.
pub fn run(bytes: &[u8]) {
    let options = ReadOptions { kind: Some(BodyKind::Json), ..ReadOptions::default() };
    let (older, newer) = halves(bytes);
    let pages = Sides { older: Page::read(older, &options), newer: Page::read(newer, &options) };
    for (page, source) in [(&pages.older, older), (&pages.newer, newer)] {
        assert!(page.work() <= ((source.len() + 1) * STEPS_PER_BYTE) as u64);
    }
    let mut comparer = Comparer::default();
    let change = comparer.compare(&pages.older, &pages.newer);
    assert!(comparer.work() <= 4 * MOST_BLOCK_STEPS);
    let back = comparer.compare(&pages.newer, &pages.older);
    assert_eq!(change.measurement.degree, back.measurement.degree);
    assert_eq!(change.measurement.operations, back.measurement.operations.mirrored());
    assert!(comparer.compare(&pages.older, &pages.older).is_empty());
    let names = Sides { older: "old", newer: "new" };
    let comparison = Comparison { names, pages: Sides { older: &pages.older, newer: &pages.newer }, change: &change };
    let text = view::text(&comparison, &TextOptions::default());
    assert!(!text.contains('\u{1b}'), "nothing of a page reaches the terminal raw");
    black_box((view::json(&comparison), view::html_text(&comparison)));
    if let Ok(value) = serde_json::from_slice::<Value>(newer) {
        same_however_it_is_written(&value, &options, &mut comparer);
    }
}

/// White space between the values is no change.
fn same_however_it_is_written(value: &Value, options: &ReadOptions, comparer: &mut Comparer) {
    let [short, long] = [value.to_string(), format!("{value:#}")];
    let [one, other] = [&short, &long].map(|text| Page::read(text.as_str(), options));
    assert!(comparer.compare(&one, &other).is_empty(), "{short}");
}
