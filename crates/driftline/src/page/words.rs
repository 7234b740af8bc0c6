//! Where does a word begin and end? Two rules.
//!
//! [`WordRule::Whitespace`] is the papers': a maximal run of non-white-space, punctuation included.
//! [`WordRule::Unicode`] is for people: the word boundaries of Unicode (UAX #29) with dictionaries
//! for Japanese, Chinese, Thai, Lao, Khmer and Burmese. Punctuation is not a word, but what people
//! read as one is: a currency, a star, an emoji; and a sign belongs to its number (`-5`).
//!
//! The dictionaries are chosen over the neural model: on Thai text they are a hundred times faster
//! for the same words. ASCII text, most of the web's, takes a shorter way ([`ascii`]) to the same
//! boundaries.

mod ascii;

use icu_segmenter::options::{WordBreakInvariantOptions, WordType};
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::tree::Span;

/// How text is split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum WordRule {
    /// Maximal runs of non-white-space, as in the papers.
    Whitespace,
    /// Words of natural language, without punctuation.
    #[default]
    Unicode,
}

/// Splits text into words.
pub(crate) struct Splitter {
    rule: WordRule,
    segmenter: WordSegmenterBorrowed<'static>,
}

impl Splitter {
    pub(crate) fn new(rule: WordRule) -> Self {
        let options = WordBreakInvariantOptions::default();
        Self { rule, segmenter: WordSegmenter::new_dictionary(options) }
    }

    /// Adds the words of `text[start..]` to `words`.
    pub(crate) fn split(&self, text: &str, start: usize, words: &mut Vec<Span>) {
        match self.rule {
            WordRule::Whitespace => split_whitespace(text, start, words),
            WordRule::Unicode => self.split_mixed(text, start, words),
        }
    }

    /// Sends stretches of ASCII the short way. Stretches part at white space, over which no word
    /// and no dictionary reaches.
    fn split_mixed(&self, text: &str, mut start: usize, words: &mut Vec<Span>) {
        let bytes = text.as_bytes();
        while start < bytes.len() {
            if bytes[start..].is_ascii() {
                return ascii::split(bytes, start, words);
            }
            let foreign =
                bytes[start..].iter().position(|byte| !byte.is_ascii()).map_or(bytes.len(), |length| start + length);
            let blank = bytes[start..foreign].iter().rposition(u8::is_ascii_whitespace);
            // From the blank on: a combining mark may sit on it.
            let token = blank.map_or(start, |length| start + length);
            ascii::split(&bytes[..token], start, words);
            start = end_of_stretch(bytes, foreign);
            self.split_unicode(&text[..start], token, words);
        }
    }

    fn split_unicode(&self, text: &str, start: usize, words: &mut Vec<Span>) {
        let mut before = 0;
        for (end, kind) in self.segmenter.segment_str(&text[start..]).iter_with_word_type() {
            let (first, last) = (start + before, start + end);
            before = end;
            // To Unicode a line of `_` is a word, to people it is not.
            let is_word = match kind {
                WordType::None => is_symbol(&text[first..last]),
                _ => text.as_bytes()[first..last].iter().any(|&byte| byte != b'_'),
            };
            if is_word {
                words.push(Span { start: signed(text.as_bytes(), start, first) as u32, end: last as u32 });
            }
        }
    }
}

/// Is it a sign that people read: a currency, a star, an emoji? Not the marks of lawyers.
fn is_symbol(segment: &str) -> bool {
    use icu_properties::CodePointMapData;
    use icu_properties::props::GeneralCategory::{self, CurrencySymbol, OtherSymbol};
    let category = |first| CodePointMapData::<GeneralCategory>::new().get(first);
    segment.chars().next().is_some_and(|first| {
        matches!(category(first), CurrencySymbol | OtherSymbol) && !matches!(first, '©' | '®' | '™' | '℠')
    })
}

/// Where a word begins that may be a number with a sign: `-5`, but not the end of `2024-05`.
fn signed(text: &[u8], start: usize, first: usize) -> usize {
    let sign = match text[start..first] {
        [.., b'-' | b'+'] => 1,
        [.., 0xe2, 0x88, 0x92] => 3, // U+2212, the minus sign of typesetters
        _ => return first,
    };
    let before = &text[start..first - sign];
    let stands_free = before.last().is_none_or(|&byte| byte.is_ascii_whitespace() || b"([:=".contains(&byte));
    if text[first].is_ascii_digit() && stands_free { first - sign } else { first }
}

/// Behind the first white space after `start` from which on a while is ASCII only.
fn end_of_stretch(bytes: &[u8], start: usize) -> usize {
    /// Changing ways costs about as much as this many bytes the long way.
    const A_WHILE: usize = 24;
    let mut last_foreign = start;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        if !byte.is_ascii() {
            last_foreign = at;
        } else if byte.is_ascii_whitespace() {
            let ahead = &bytes[at..bytes.len().min(at + A_WHILE)];
            if ahead.is_ascii() && at > last_foreign {
                return at + 1;
            }
        }
    }
    bytes.len()
}

fn split_whitespace(text: &str, start: usize, words: &mut Vec<Span>) {
    let base = text.as_ptr() as usize;
    words.extend(text[start..].split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - base;
        Span { start: start as u32, end: (start + word.len()) as u32 }
    }));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(rule: WordRule, text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        Splitter::new(rule).split(text, 0, &mut words);
        words.into_iter().map(|span| span.of(text)).collect()
    }

    #[test]
    fn white_space_of_any_script_parts_words_and_punctuation_stays() {
        assert_eq!(words(WordRule::Whitespace, " a\u{a0}b,\u{3000}c\t\n(d) "), ["a", "b,", "c", "(d)"]);
    }

    #[test]
    fn people_see_words_without_punctuation() {
        assert_eq!(
            words(WordRule::Unicode, "It's 3.14, isn\u{2019}t it? (yes)"),
            ["It's", "3.14", "isn\u{2019}t", "it", "yes"]
        );
    }

    #[test]
    fn what_people_read_as_a_sign_is_a_word() {
        assert_eq!(
            words(WordRule::Unicode, "✅ ★★☆ $5 5€ a + b | c® · d"),
            ["✅", "★", "★", "☆", "$", "5", "5", "€", "a", "b", "c", "d"]
        );
    }

    #[test]
    fn a_sign_belongs_to_its_number() {
        assert_eq!(
            words(WordRule::Unicode, "-5 +3 (−2) 2024-05 a-5 - 7 é:-1"),
            ["-5", "+3", "−2", "2024", "05", "a", "5", "7", "é", "-1"]
        );
    }

    #[test]
    fn japanese_chinese_korean_and_thai_are_split_by_dictionary() {
        assert_eq!(
            words(WordRule::Unicode, "東京大学の研究チームは。"),
            ["東京", "大学", "の", "研究", "チーム", "は"]
        );
        assert_eq!(words(WordRule::Unicode, "我们明天去北京。"), ["我们", "明天", "去", "北京"]);
        assert_eq!(words(WordRule::Unicode, "웹 문서가 바뀌었다."), ["웹", "문서가", "바뀌었다"]);
        assert_eq!(words(WordRule::Unicode, "ภาษาไทยไม่ยาก"), ["ภาษา", "ไทย", "ไม่", "ยาก"]);
    }

    #[test]
    fn european_words_keep_their_accents() {
        assert_eq!(words(WordRule::Unicode, "l’été à Žilina, straße"), ["l’été", "à", "Žilina", "straße"]);
    }

    proptest! {
        #[test]
        fn the_short_way_changes_no_word(text in "([a-zA-Z0-9.,:' _-]{0,40}|[ \n]|[Žя漢字かな한글٣א\u{1f1e9}\u{1f468}]{1,4}|e\u{301}|l’été|ภาษา|ไทย){0,12}") {
            let (mut short, mut full) = (Vec::new(), Vec::new());
            let splitter = Splitter::new(WordRule::Unicode);
            splitter.split_mixed(&text, 0, &mut short);
            splitter.split_unicode(&text, 0, &mut full);
            prop_assert_eq!(short, full);
        }
    }
}
