//! The part of a change that somebody looks for, counted and weighed without the rest.

use std::borrow::Cow;

use super::Change;
use crate::degree::edit;
use crate::page::{Page, WordRange};
use crate::region::recount::{Contents, weighed};
use crate::region::{Region, ResourceChange, total};
use crate::sides::Sides;

/// The part of a change that somebody looks for.
pub struct Scope<'a> {
    /// By number of the word: whether it counts.
    pub words: Sides<&'a [bool]>,
    /// Whether a link, an image or the like counts.
    pub resource: &'a dyn Fn(&ResourceChange) -> bool,
    /// Whether another title counts.
    pub has_title: bool,
}

/// What of a change is in a scope.
pub(super) fn narrow<'a>(change: &'a Change, pages: Sides<&Page>, scope: &Scope<'_>) -> Cow<'a, Change> {
    let edits = edit::counting(&change.edits, scope.words);
    let resources: Vec<ResourceChange> =
        change.resources.iter().filter(|resource| (scope.resource)(resource)).cloned().collect();
    let title = change.title.clone().filter(|_| scope.has_title);
    if edits == change.edits && resources.len() == change.resources.len() && title == change.title {
        return Cow::Borrowed(change);
    }
    let before = Contents::of(pages, &change.regions, &change.edits, &change.resources);
    let after = Contents::of(pages, &change.regions, &edits, &resources);
    let kept: Vec<&Region> = (change.regions.iter().enumerate())
        .filter(|&(at, region)| after.is_any(at) || !before.is_any(at) && has_counting_words(region, scope))
        .map(|(_, region)| region)
        .collect();
    let (regions, importance) = weighed(pages, &kept, &edits, &resources, title.is_some());
    let mut measurement = change.measurement.clone();
    measurement.operations = total(&edits);
    let (changed, read, compared) = (change.changed, change.read.clone(), change.compared.clone());
    Cow::Owned(Change { measurement, edits, changed, regions, resources, title, importance, read, compared })
}

/// Whether a region without changed words has words that count, or none at all.
fn has_counting_words(region: &Region, scope: &Scope<'_>) -> bool {
    let older = region.older().map(|place| (place.words, scope.words.older));
    let newer = region.newer().map(|place| (place.words, scope.words.newer));
    let all: Vec<(WordRange, &[bool])> = older.into_iter().chain(newer).collect();
    let counts =
        |(span, counts): &(WordRange, &[bool])| counts.get(span.range()).is_none_or(|words| words.contains(&true));
    all.iter().all(|(span, _)| span.is_empty()) || all.iter().any(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Comparer;
    use crate::degree::edit::Edit;
    use crate::page::{ReadOptions, Span};

    fn page(html: &str) -> Page {
        Page::read(html, &ReadOptions::default())
    }

    /// The change without the words of lines that contain `visitor`.
    fn without_visitors(older: &str, newer: &str) -> Change {
        let (older, newer) = (page(older), page(newer));
        let counts = |page: &Page| -> Vec<bool> {
            let line = |span: &Span| {
                let text = page.text();
                let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
                text[start..].lines().next().unwrap_or_default()
            };
            page.word_spans().iter().map(|span| !line(span).contains("visitor")).collect()
        };
        let words = Sides { older: counts(&older), newer: counts(&newer) };
        let pages = Sides { older: &older, newer: &newer };
        let change = Comparer::default().compare(&older, &newer);
        let words = Sides { older: words.older.as_slice(), newer: words.newer.as_slice() };
        change.within(pages, &Scope { words, resource: &|_| true, has_title: true }).into_owned()
    }

    fn change(older: &str, newer: &str) -> Change {
        Comparer::default().compare(&page(older), &page(newer))
    }

    const PRICE: [&str; 2] = ["<p>the lamp costs 10 euros</p>", "<p>the lamp costs 11 euros</p>"];
    const COUNTER: [&str; 2] = ["<p>visitor number 100 today</p>", "<p>visitor number 107 today</p>"];

    #[test]
    fn a_region_without_words_that_count_is_left_out_and_the_rest_is_as_if_alone() {
        let narrowed = without_visitors(&[PRICE[0], COUNTER[0]].concat(), &[PRICE[1], COUNTER[1]].concat());
        let alone = change(&[PRICE[0], COUNTER[0]].concat(), &[PRICE[1], COUNTER[0]].concat());
        assert_eq!(narrowed.regions.len(), 1);
        assert_eq!(
            (narrowed.edits, narrowed.importance, narrowed.measurement.operations),
            (alone.edits, alone.importance, alone.measurement.operations)
        );
    }

    #[test]
    fn lines_of_one_block_are_counted_one_by_one() {
        let block = |price: u32, count: u32| format!("<p>the lamp costs {price} euros<br>visitor number {count} today");
        let narrowed = without_visitors(&block(10, 100), &block(11, 107));
        let alone = change(&block(10, 100), &block(11, 100));
        assert_eq!(narrowed.regions[0].operations, alone.regions[0].operations);
        assert_eq!(narrowed.regions[0].importance, alone.regions[0].importance);
    }

    #[test]
    fn a_word_that_replaces_one_that_does_not_count_is_added() {
        let edits = [Edit::Replace { older: 0..2, newer: 0..2 }];
        let found = edit::counting(&edits, Sides { older: &[true, false], newer: &[true, true] });
        let replaced = Edit::Replace { older: 0..1, newer: 0..1 };
        assert_eq!(found, [replaced, Edit::Add { newer: 1..2 }]);
    }

    #[test]
    fn a_change_that_is_all_in_the_scope_is_the_same_change() {
        let (older, newer) = (page(PRICE[0]), page(PRICE[1]));
        let change = Comparer::default().compare(&older, &newer);
        let scope = Scope { words: Sides { older: &[], newer: &[] }, resource: &|_| true, has_title: true };
        assert!(matches!(change.within(Sides { older: &older, newer: &newer }, &scope), Cow::Borrowed(_)));
    }
}
