//! Any text as a selector, on any page: it is refused, or it matches within its steps.
//!
//! Selector and page are parted at the first `0xff`.

use driftline::page::zone::{Selector, Zones};
use driftline::page::{Page, ReadOptions};

use crate::halves;

/// Steps of matching, and a little for the element at which it ends and for parsing.
const MOST_STEPS: u64 = 60_000_000;

/// One run.
pub fn run(bytes: &[u8]) {
    let (selector, page) = halves(bytes);
    let Ok(selector) = Selector::parse(&String::from_utf8_lossy(selector)) else {
        return;
    };
    let (whole, found) = Page::read_and_find(page, &ReadOptions::default(), std::slice::from_ref(&selector));
    assert!(found[0].iter().all(|node| node.index() < whole.nodes().len()));
    let zones = Zones { include: vec![selector.clone()], ignore: vec![] };
    let zone = Page::read(page, &ReadOptions { zones, ..ReadOptions::default() });
    assert!(zone.limits().contains(&driftline::Limit::Selectors) || found[0].len() >= zone.zone_matches().unwrap_or(0));
    assert!(whole.work() <= MOST_STEPS && zone.work() <= MOST_STEPS);
}
