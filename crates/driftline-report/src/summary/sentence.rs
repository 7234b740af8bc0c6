//! Sentences about changes: `3.2 % changed: 14 words added, 2 moved`.

use driftline::Limit;
use driftline::change::Change;
use driftline::degree::edit::EditKind;
use driftline::degree::ied::Operations;
use driftline::feed::compare::FeedChange;
use driftline::region::Region;

use super::numbers::listed;
use super::percent;

/// The change of a page: `3.2 % changed: 14 words added, 2 moved`.
///
/// ```
/// use driftline::compare::Comparer;
/// use driftline::page::{Page, ReadOptions};
/// use driftline_report::summary::sentence;
///
/// let read = |html| Page::read(html, &ReadOptions::default());
/// let (older, newer) = (read("<p>Open from nine to five."), read("<p>Open from nine to six, also on Sundays."));
/// let change = Comparer::default().compare(&older, &newer);
/// assert_eq!(sentence::page(&change), "50 % changed: 3 words added, 1 replaced");
/// ```
#[must_use]
pub fn page(change: &Change) -> String {
    let measurement = &change.measurement;
    match operations(&measurement.operations) {
        Some(counts) => format!("{} changed: {counts}", percent(measurement.headline().get())),
        None => "no words changed".to_owned(),
    }
}

/// The change of a feed: `2 items added, 1 modified`.
#[must_use]
pub fn feed(change: &FeedChange) -> String {
    let counts = change.counts;
    let kinds = [
        (counts.added, "added"),
        (counts.modified, "modified"),
        (counts.removed, "removed"),
        (counts.reordered, "reordered"),
    ];
    listed(["item", "items"], kinds).unwrap_or_else(|| "no items changed".to_owned())
}

/// The change of a region: `content, attributes: 3 words added`.
#[must_use]
pub fn region(region: &Region) -> String {
    let aspects = region.changed.names().collect::<Vec<_>>().join(", ");
    match operations(&region.operations) {
        Some(counts) => format!("{aspects}: {counts}"),
        None => aspects,
    }
}

/// The number of words that changed, by kind: `14 words added, 2 moved`. None if no word changed.
#[must_use]
pub fn operations(operations: &Operations) -> Option<String> {
    listed(["word", "words"], EditKind::ALL.map(|kind| (operations.of(kind), kind.participle())))
}

/// The limits that cut the work short, a sentence each.
#[must_use]
pub fn limits(limits: &[Limit]) -> Vec<&'static str> {
    limits.iter().map(|&limit| Limit::describe(limit)).collect()
}

/// A text with a capital at its beginning.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use driftline::degree::Degree;

    use super::*;
    use crate::sample::Pair;

    fn sentence(share: f64, operations: Operations) -> String {
        let mut change = Pair::of("", "").change;
        change.measurement.degree.ied = Degree::clamped(share);
        change.measurement.operations = operations;
        page(&change)
    }

    #[test]
    fn a_sentence_counts_words_by_kind() {
        let operations = Operations { add: 14, moved: 2, ..Operations::default() };
        assert_eq!(sentence(0.0321, operations), "3.2 % changed: 14 words added, 2 moved");
    }

    #[test]
    fn one_word_is_a_word() {
        let operations = Operations { copy: 1, shrink: 3, ..Operations::default() };
        assert_eq!(sentence(0.5, operations), "50 % changed: 1 word copied, 3 shrunk");
    }

    #[test]
    fn a_page_that_only_reads_the_same_has_no_words_changed() {
        assert_eq!(page(&Pair::of("<p>Same", "<div>Same!").change), "no words changed");
    }

    #[test]
    fn limits_are_told_in_sentences() {
        assert!(limits(&[]).is_empty());
        assert_eq!(limits(&[Limit::Alignment]), [Limit::Alignment.describe()]);
    }
}
