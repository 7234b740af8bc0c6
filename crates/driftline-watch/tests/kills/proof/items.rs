//! Is every item of the feed told that came, was altered, or went before its time, and no other?

use std::collections::BTreeSet;

use driftline::event::{Event, Kind};

use super::Evidence;
use crate::scene::feed::Item;

/// What happened to an item: its number, and if it was altered, its state.
type Step = (Kind, u64, u64);

pub(super) fn prove(evidence: &Evidence<'_>) {
    let of_feed =
        evidence.events.iter().map(|found| &found.event).filter(|event| event.watch.as_deref() == Some("feed"));
    let told: BTreeSet<Step> = of_feed.map(step).collect();
    let kept: BTreeSet<u64> = evidence.kept["/feed"].values().copied().collect();
    let kept: Vec<u64> = kept.into_iter().collect();
    let first = evidence.first("/feed");
    // Whichever version was the first that was judged.
    let beginnings = (0..kept.len()).filter(|at| kept[*at] <= first);
    let possible: Vec<BTreeSet<Step>> = beginnings.map(|at| wanted(evidence, &kept[at..])).collect();
    assert!(possible.contains(&told), "items: {told:?}, not one of {possible:?}");
}

/// What is to be told if these versions are judged one after the other.
fn wanted(evidence: &Evidence<'_>, versions: &[u64]) -> BTreeSet<Step> {
    let items = |version: u64| &evidence.log.feed.versions[usize::try_from(version).expect("a few")];
    versions.windows(2).flat_map(|pair| steps(items(pair[0]), items(pair[1]))).collect()
}

fn steps(older: &[Item], newer: &[Item]) -> Vec<Step> {
    let find = |items: &[Item], number: u64| items.iter().find(|item| item.number == number).copied();
    let mut steps = Vec::new();
    for item in newer {
        match find(older, item.number) {
            None => steps.push((Kind::ItemAdded, item.number, 0)),
            Some(before) if before != *item => steps.push((Kind::ItemModified, item.number, item.altered)),
            Some(_) => {}
        }
    }
    for (at, item) in older.iter().enumerate() {
        // At the end of a feed time is over.
        let is_followed = older[at + 1..].iter().any(|item| find(newer, item.number).is_some());
        if is_followed && find(newer, item.number).is_none() {
            steps.push((Kind::ItemRemoved, item.number, 0));
        }
    }
    steps
}

/// `changed item: Item 7 in state 2: 3 words replaced`.
fn step(event: &Event) -> Step {
    let title = event.summary.split(": ").nth(1).unwrap_or_default();
    let numbers: Vec<u64> = title.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [number, altered] = numbers[..] else { panic!("{event:?}") };
    (event.kind, number, if event.kind == Kind::ItemModified { altered } else { 0 })
}
