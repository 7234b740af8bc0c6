//! Both word rules, many languages, and the near-misses that must stay.

use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;

use super::*;

mod counters;
mod dates;
mod laws;
mod numbers;

/// How a test splits a text.
type Rule = fn(&str) -> Vec<Span>;

/// Maximal runs of what is not white space.
fn whitespace(text: &str) -> Vec<Span> {
    split(text, char::is_whitespace)
}

/// Words without punctuation, as UAX #29 and the dictionaries have them.
fn unicode(text: &str) -> Vec<Span> {
    let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
    let breaks: Vec<usize> = segmenter.segment_str(text).collect();
    let spans = breaks.windows(2).map(|pair| Span { start: pair[0] as u32, end: pair[1] as u32 });
    spans.filter(|span| span.of(text).contains(char::is_alphanumeric)).collect()
}

/// Runs of what `is_gap` does not hold for.
fn split(text: &str, is_gap: fn(char) -> bool) -> Vec<Span> {
    let starts = text.split(is_gap).map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word.len()));
    let words = starts.filter(|&(_, length)| length > 0);
    words.map(|(start, length)| Span { start: start as u32, end: (start + length) as u32 }).collect()
}

fn set(names: &str) -> Normalisers {
    names.split_whitespace().map(|name| name.parse::<Normaliser>().unwrap()).collect()
}

/// The forms of the words of `text`, with a bar between them.
fn forms(names: &str, rule: Rule, text: &str) -> String {
    let mut words = rule(text);
    let mut forms = Forms::default();
    forms.extend(set(names), text, &mut words, 0);
    assert_eq!(forms.len(), words.len());
    (0..forms.len()).map(|index| forms.get(index)).collect::<Vec<_>>().join("|")
}

/// The same forms under both word rules.
fn both(names: &str, text: &str) -> String {
    let result = forms(names, whitespace, text);
    assert_eq!(forms(names, unicode, text), result, "the word rules disagree about {text:?}");
    result
}

#[test]
fn names_and_normalisers_are_one_to_one() {
    for &normaliser in Normaliser::ALL {
        assert_eq!(normaliser.name().parse(), Ok(normaliser));
        assert!(!normaliser.describe().is_empty());
    }
    assert_eq!(format!("{:>12}|", Normaliser::WhiteSpace), " white-space|");
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let error = "Case".parse::<Normaliser>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no normaliser `Case`; there are `case`, `numbers`, `dates`, `white-space`, `counters`"
    );
}

#[test]
fn a_set_has_what_was_put_into_it() {
    let set: Normalisers = [Normaliser::Dates, Normaliser::Case].into_iter().collect();
    assert!(!set.is_empty() && Normalisers::default().is_empty());
    assert!(set.contains(Normaliser::Case) && !set.contains(Normaliser::Numbers));
    assert_eq!(set.iter().collect::<Vec<_>>(), [Normaliser::Case, Normaliser::Dates]);
    assert_eq!(set.with(Normaliser::Case), set);
}

#[test]
fn without_normalisers_each_word_is_its_own_form() {
    assert_eq!(both("", "It's 10 May 2024 5 comments"), "It's|10|May|2024|5|comments");
}

#[test]
fn only_the_words_from_the_given_index_on_are_touched() {
    let text = "3 May 2024 4 May 2024";
    let mut words = whitespace(text);
    let mut forms = Forms::default();
    forms.extend(set("dates"), text, &mut words, 3);
    assert_eq!((words.len(), forms.len(), forms.get(0)), (4, 1, "#date"));
    assert_eq!(words[3].of(text), "4 May 2024");
}

#[test]
fn case_is_that_of_all_alphabets() {
    assert_eq!(both("case", "HELLO Straße ÉCOLE ΟΔΟΣ Привет"), "hello|straße|école|οδος|привет");
}

#[test]
fn case_comes_after_everything_else() {
    assert_eq!(both("case dates counters", "On 3 May 2024 12 Comments"), "on|#date|#|comment");
}

#[test]
fn invisible_characters_do_not_count() {
    let text = "Donau\u{AD}dampf \u{200E}left\u{200F} zero\u{200B}width \u{FEFF}start no\u{2060}break";
    assert_eq!(both("white-space", text), "Donaudampf|left|zerowidth|start|nobreak");
    assert_eq!(forms("", whitespace, "Donau\u{AD}dampf"), "Donau\u{AD}dampf");
}

#[test]
fn a_word_of_invisible_characters_only_is_dropped() {
    assert_eq!(forms("white-space", whitespace, "a \u{200B}\u{FEFF} b"), "a|b");
    assert_eq!(forms("white-space", whitespace, "\u{200B}"), "");
}

#[test]
fn a_zero_width_space_keeps_words_apart_where_no_other_space_does() {
    assert_eq!(forms("white-space", unicode, "東京\u{200B}大阪"), "東京|大阪");
}

#[test]
fn invisible_characters_hide_neither_dates_nor_counts() {
    let text = "Janu\u{AD}ary 31, 2024 and \u{200E}1,234\u{200E} views";
    assert_eq!(both("white-space dates counters", text), "#date|and|#|view");
    assert_eq!(forms("white-space counters", unicode, "(\u{200E}17)"), "(#)");
}

#[test]
fn the_text_of_a_word_keeps_its_invisible_characters() {
    let text = "31 Janu\u{AD}ary";
    let mut words = unicode(text);
    Forms::default().extend(set("white-space dates"), text, &mut words, 0);
    assert_eq!(words.iter().map(|word| word.of(text)).collect::<Vec<_>>(), [text]);
}
