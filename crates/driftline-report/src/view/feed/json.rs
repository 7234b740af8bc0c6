//! What happened to a feed, for programs? Every item that changed, with its edits.

use driftline::change::Sides;
use driftline::feed::compare::ItemChange;
use serde_json::{Value, json as value};

use super::super::json::describe;
use super::FeedComparison;
use crate::summary::sentence;

/// The version of the format: it grows when a member changes its meaning or goes, not when one comes.
const FORMAT: u32 = 1;

/// The change as JSON: `format`, the names `old` and `new`, the `summary` in a sentence, and all of the
/// [`FeedChange`](driftline::feed::compare::FeedChange); a modified item has `edits` as a page has.
#[must_use]
pub fn json(comparison: &FeedComparison) -> Value {
    let FeedComparison { names, change } = comparison;
    let items: Vec<Value> = change.items.iter().map(item).collect();
    let mut object = value!({
        "format": FORMAT, "type": "feed", "old": names.older, "new": names.newer, "summary": sentence::feed(change),
        "counts": change.counts, "items": items,
    });
    if !change.limits.is_empty() {
        object["limits"] = value!(change.limits);
    }
    object
}

fn item(item: &ItemChange) -> Value {
    let mut object = value!(item);
    if let Some(words) = &item.words {
        let pages = Sides { older: &words.pages.older, newer: &words.pages.newer };
        object["edits"] = words.change.edits.iter().map(|edit| describe(edit, pages)).collect();
    }
    object
}
