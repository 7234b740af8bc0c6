//! Summaries of replaced words, `Prices: 24.99 → 21.50 EUR`, and several of them as one.

/// The most characters of the words in a summary.
pub const MOST_CHARACTERS: usize = 60;
/// The sign between words that were replaced and those in their place.
pub const ARROW: &str = " → ";
/// The sign between the words of a summary and what else changed.
pub const AND_ALSO: &str = "; ";

/// One summary of replacements at one place, each of which replaces the words of the one before: `24.99 → 19.99 EUR` for
/// `24.99 → 21.50 EUR` and `21.50 → 19.99 EUR`, or `24.99 → … → 24.99 EUR` if the first words are back. None if they do not
/// follow each other, or if the words do not fit.
///
/// ```
/// use driftline_report::summary::replaced::first_to_last;
///
/// let steps = ["Tea: 4 → 5 EUR", "Tea: 5 → 6 EUR"];
/// assert_eq!(first_to_last(&steps).as_deref(), Some("Tea: 4 → 6 EUR"));
/// assert_eq!(first_to_last(&["Tea: 4 → 5 EUR", "“Coffee” added"]), None);
/// ```
#[must_use]
pub fn first_to_last(summaries: &[&str]) -> Option<String> {
    let all = summaries.iter().map(|summary| Replacement::read(summary)).collect::<Option<Vec<_>>>()?;
    let (first, last) = (all.first()?, all.last()?);
    if !all.windows(2).all(|pair| pair[0].leads_to(&pair[1])) {
        return None;
    }
    let between = if last.leads_to(first) { " → … → " } else { ARROW };
    let summary = [first.older, between, last.newer].concat();
    (summary.chars().count() <= MOST_CHARACTERS).then_some(summary)
}

/// The text on both sides of the arrow: the words, with unchanged ones before the older and after the newer ones.
struct Replacement<'a> {
    older: &'a str,
    newer: &'a str,
}

impl<'a> Replacement<'a> {
    fn read(summary: &'a str) -> Option<Self> {
        let (older, newer) = summary.split_once(ARROW)?;
        (!newer.contains(ARROW)).then_some(Self { older, newer })
    }

    /// Whether another replacement replaces the words of this one, with the same unchanged words around them.
    fn leads_to(&self, next: &Self) -> bool {
        let ends = self.newer.char_indices().map(|(at, char)| at + char.len_utf8());
        ends.rev().any(|end| {
            let (words, after) = self.newer.split_at(end);
            next.older.strip_suffix(words).is_some_and(|before| {
                let is_placed = self.older.len() > before.len() && self.older.starts_with(before);
                let is_followed = next.newer.len() > after.len() && next.newer.ends_with(after);
                is_placed
                    && is_followed
                    && is_parted(before, words)
                    && is_parted(words, after)
                    && !after.contains(AND_ALSO)
            })
        })
    }
}

/// Whether no word and no number goes over from one text to the next.
fn is_parted(one: &str, next: &str) -> bool {
    let is_part = |char: char| char.is_ascii_alphanumeric();
    !(one.ends_with(is_part) && next.starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folded(summaries: &[&str]) -> String {
        first_to_last(summaries).unwrap_or_default()
    }

    #[test]
    fn replacements_that_follow_each_other_are_one_from_the_first_to_the_last() {
        let prices = ["Prices: 24.99 → 21.50 EUR", "Prices: 21.50 → 20 EUR", "Prices: 20 → 19.99 EUR"];
        assert_eq!(folded(&prices), "Prices: 24.99 → 19.99 EUR");
        assert_eq!(folded(&["Monday 9–17 → 9–18", "Monday 9–18 → 8–18"]), "Monday 9–17 → 8–18");
        assert_eq!(folded(&["五時 → 六時まで", "六時 → 七時まで"]), "五時 → 七時まで");
        assert_eq!(folded(&["title: a → b", "title: b → c"]), "title: a → c");
        assert_eq!(folded(&prices[..1]), prices[0]);
    }

    #[test]
    fn words_that_are_back_are_not_a_replacement_by_themselves() {
        assert_eq!(folded(&["Tea 4 → 5 EUR", "Tea 5 → 4 EUR"]), "Tea 4 → … → 4 EUR");
    }

    #[test]
    fn replacements_that_do_not_follow_each_other_are_not_one() {
        for pair in [
            ["Tea 4 → 5 EUR", "Tea 6 → 7 EUR"],
            ["Tea 4 → 5 EUR", "Milk 5 → 6 EUR"],
            ["Tea 4 → 5 EUR", "Tea 5 → 6 USD"],
            ["20 → 1 EUR", "21 → 5 EUR"],
            ["Tea 4 → 5 EUR; title changed", "Tea 5 → 6 EUR; title changed"],
            ["a → b → c", "c → d"],
            ["3 words added", "2 words added"],
            ["Tea 4 → 5 EUR", "“Milk” added"],
        ] {
            assert_eq!(first_to_last(&pair), None, "{pair:?}");
        }
        assert_eq!(first_to_last(&[]), None);
    }

    #[test]
    fn words_that_do_not_fit_are_not_shown() {
        let [old, new] = ["a", "b"].map(|message| message.repeat(40));
        assert_eq!(first_to_last(&[&format!("{old} → x"), &format!("x → {new}")]), None);
    }

    proptest! {
        #[test]
        fn any_words_at_one_place_are_followed(
            before in "([a-z]{1,5}:? )?",
            words in prop::collection::vec("[^→; ]{1,6}", 2..6),
            after in "( [a-z]{1,5})?",
        ) {
            let steps: Vec<String> =
                words.windows(2).map(|pair| format!("{before}{}{ARROW}{}{after}", pair[0], pair[1])).collect();
            let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
            let (first, last) = (&words[0], &words[words.len() - 1]);
            let folded = folded(&steps);
            prop_assert!(folded.starts_with(&format!("{before}{first} → ")), "{folded}");
            prop_assert!(folded.ends_with(&format!(" → {last}{after}")), "{folded}");
        }

        #[test]
        fn any_texts_are_a_short_summary_or_none(texts in prop::collection::vec("(\\PC| → |; ){0,20}", 0..4)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            prop_assert!(folded(&texts).chars().count() <= MOST_CHARACTERS);
        }
    }
}
