//! What changed, in a sentence? For the first line of any report.

use driftline::change::{Change, Sides};
use driftline::degree::edit::EditKind;
use driftline::degree::ied::Operations;
use driftline::number::grouped;
use driftline::page::Limit;
use driftline::region::Region;

use super::Comparison;
use super::safe::for_terminal;

/// The change in a sentence: `3.2 % changed: 14 words added, 2 moved`.
#[must_use]
pub fn summary(change: &Change) -> String {
    let measurement = &change.measurement;
    if measurement.operations.total() == 0 {
        return "no words changed".to_owned();
    }
    let percent = percent(measurement.headline().get());
    format!("{percent} changed: {}", operations(&measurement.operations))
}

/// What was compared, and how much changed: the first lines of a view.
#[must_use]
pub fn heading(comparison: &Comparison) -> String {
    let Sides { older, newer } = comparison.names;
    let (older, newer) = (for_terminal(older), for_terminal(newer));
    let blank = if comparison.change.is_empty() { "" } else { "\n" };
    format!("{older} → {newer}\n{}\n{blank}", summary(comparison.change))
}

/// What cut the work short, a sentence each.
#[must_use]
pub fn limits(change: &Change) -> Vec<&'static str> {
    change.measurement.limits.iter().map(|&limit| Limit::describe(limit)).collect()
}

/// What changed in a region: `content, attributes: 3 words added`.
pub(super) fn region(region: &Region) -> String {
    let aspects = region.changed.names().collect::<Vec<_>>().join(", ");
    if region.operations.total() == 0 {
        return aspects;
    }
    format!("{aspects}: {}", operations(&region.operations))
}

/// A text with a capital at its beginning.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `1 word`, `12,000 words`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

fn operations(operations: &Operations) -> String {
    let counts = EditKind::ALL.map(|kind| (operations.of(kind), kind.participle()));
    let told = counts.iter().filter(|(count, _)| *count > 0).enumerate().map(|(at, (count, participle))| {
        let noun = match (at, count) {
            (0, 1) => " word",
            (0, _) => " words",
            _ => "",
        };
        format!("{}{noun} {participle}", grouped(*count))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// A share in percent that never claims nothing or everything falsely.
pub(crate) fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".to_owned(),
        100.0 => "100 %".to_owned(),
        percent if percent < 0.05 => "less than 0.1 %".to_owned(),
        percent if percent < 9.95 => format!("{percent:.1} %"),
        percent if percent < 99.5 => format!("{percent:.0} %"),
        _ => "more than 99 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use driftline::degree::Degree;

    use super::super::sample::Pair;
    use super::*;

    fn sentence(share: f64, operations: Operations) -> String {
        let mut change = Pair::of("", "").change;
        change.measurement.degree.ied = Degree::clamped(share);
        change.measurement.operations = operations;
        summary(&change)
    }

    #[test]
    fn a_summary_counts_words_by_kind() {
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
        assert_eq!(summary(&Pair::of("<p>Same", "<div>Same!").change), "no words changed");
    }

    #[test]
    fn a_share_never_claims_nothing_or_everything_falsely() {
        let shares = [0.0, 0.0004, 0.0005, 0.0994, 0.0996, 0.5, 0.994, 0.9999, 1.0].map(percent);
        assert_eq!(
            shares,
            ["0 %", "less than 0.1 %", "0.1 %", "9.9 %", "10 %", "50 %", "99 %", "more than 99 %", "100 %"]
        );
    }

    #[test]
    fn limits_are_told_in_sentences() {
        let mut change = Pair::of("a", "b").change;
        assert!(limits(&change).is_empty());
        change.measurement.limits.push(Limit::Alignment);
        assert_eq!(limits(&change), [Limit::Alignment.describe()]);
    }
}
