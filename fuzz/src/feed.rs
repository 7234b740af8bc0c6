//! Any bytes become two feeds, the feeds are compared in both ways, and the change is shown in every
//! view.
//!
//! The first byte chooses what stands before the rest, which is parted in two at the first `0xff`.

use std::hint::black_box;

use driftline::change::Sides;
use driftline::compare::Comparer;
use driftline::feed::compare::compare;
use driftline::feed::{Feed, artail};
use driftline::page::{Limits, ReadOptions};
use driftline_report::view::TextOptions;
use driftline_report::view::feed::{self, FeedComparison};

use crate::halves;

/// One run.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    let openings = ["", "<rss version=\"2.0\"><channel><item>", "<feed><entry>", "{\"items\":[{"];
    let opening = openings[usize::from(choice) % openings.len()].as_bytes();
    let limits = if choice & 32 == 0 { Limits::DEFAULT } else { Limits { bytes: 300, nodes: 30, depth: 6 } };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let (older, newer) = halves(rest);
    let [older, newer] = [older, newer].map(|body| Feed::read([opening, body].concat().as_slice(), &options));
    let mut comparer = Comparer::default();
    assert!(compare(&older, &older, &options, &mut comparer).is_empty());
    let change = compare(&older, &newer, &options, &mut comparer);
    let back = compare(&newer, &older, &options, &mut comparer);
    let (there, back) = (change.counts, back.counts);
    assert_eq!((there.added, there.removed, there.modified), (back.removed, back.added, back.modified));
    assert_eq!(artail::map(&older, &newer).map.len(), older.items.len());
    let comparison = FeedComparison { names: Sides { older: "old", newer: "new" }, change: &change };
    let text = feed::text(&comparison, &TextOptions::default());
    assert!(!text.contains('\u{1b}'), "nothing of a feed reaches the terminal raw");
    black_box(feed::json(&comparison));
    black_box(feed::html(&comparison));
}
