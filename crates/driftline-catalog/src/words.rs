//! The words by which a watch is found, and the name by which it is sorted.

use std::collections::BTreeSet;

use crate::row::text;

/// The most words of a watch, and of a search.
const MOST: usize = 64;
/// A longer word, or name to sort by, is cut to this many bytes.
const LONGEST: usize = 64;

/// The words of texts, in lower case, each once: the first 64.
pub(crate) fn words<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for word in texts.into_iter().flat_map(|text| text.split(|character: char| !character.is_alphanumeric())) {
        if words.len() == MOST {
            break;
        }
        if !word.is_empty() {
            words.insert(beginning(&word.to_lowercase()));
        }
    }
    words
}

/// What a list is sorted by: the beginning of a name, in lower case.
pub(crate) fn sort_name(name: &str) -> String {
    beginning(&text(name).to_lowercase())
}

fn beginning(text: &str) -> String {
    text[..text.floor_char_boundary(LONGEST)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::{sort_name, words};

    #[test]
    fn words_are_what_stands_between_other_characters() {
        let found = words(["Opening hours, Zoo", "https://www.zoo.example/Öffnung?x=1"]);
        let wanted = ["1", "example", "hours", "https", "opening", "www", "x", "zoo", "öffnung"];
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), wanted);
        assert!(words(["", "-- ?"]).is_empty());
    }

    #[test]
    fn a_long_name_has_a_bounded_number_of_words() {
        let text: String = (0..1_000).map(|number| format!("{number} ")).collect();
        assert_eq!(words([text.as_str()]).len(), 64);
        let long = "ä".repeat(1_000);
        assert_eq!(words([long.as_str()]).first().unwrap().len(), 64);
        assert_eq!(sort_name(&long).len(), 64);
    }
}
