//! Counts with their nouns.

pub use driftline::number::grouped;

/// A count and its noun: `1 word`, `12,000 words`, `2 addresses`.
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    let plural = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{plural}", grouped(count))
}

/// Counts in a row, with the noun once: `3 words added, 1 dropped`. None if all are zero.
pub(crate) fn listed<'a>(
    [one, several]: [&str; 2],
    counts: impl IntoIterator<Item = (usize, &'a str)>,
) -> Option<String> {
    let mut list = String::new();
    for (count, participle) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let noun = if count == 1 { one } else { several };
        let start =
            if list.is_empty() { format!("{} {noun}", grouped(count)) } else { format!(", {}", grouped(count)) };
        list += &format!("{start} {participle}");
    }
    (!list.is_empty()).then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_its_noun_in_the_singular_where_it_is_one() {
        assert_eq!(counted(1, "address"), "1 address");
        assert_eq!([0, 2].map(|count| counted(count, "address")), ["0 addresses", "2 addresses"]);
        assert_eq!(counted(12_000, "word"), "12,000 words");
    }

    #[test]
    fn counts_in_a_row_have_the_noun_once_and_leave_out_zero() {
        let words = ["word", "words"];
        assert_eq!(
            listed(words, [(1, "added"), (0, "dropped"), (1_200, "moved")]).unwrap(),
            "1 word added, 1,200 moved"
        );
        assert_eq!(listed(words, [(0, "added")]), None);
    }
}
