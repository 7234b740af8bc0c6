//! Words of natural language: the word boundaries of Unicode (UAX #29) with dictionaries for Japanese, Chinese, Thai, Lao,
//! Khmer and Burmese.
//!
//! Punctuation is not a word, but what people read as one is: a currency, a star, an emoji; and a sign belongs to its
//! number (`-5`).
//!
//! The dictionaries are chosen over the neural model: on Thai text they are a hundred times faster
//! for the same words. ASCII text, most of the web's, takes a shorter way ([`ascii`]) to the same
//! boundaries.

mod ascii;

use icu_segmenter::options::{WordBreakInvariantOptions, WordType};
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

use super::Span;

/// Unicode's rules with their dictionaries.
pub(crate) struct Segmenter(WordSegmenterBorrowed<'static>);

impl Segmenter {
    pub(super) fn new() -> Self {
        Self(WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()))
    }

    /// Adds the words of `text[start..]` to `words`.
    ///
    /// Sends stretches of ASCII the short way. Stretches part at white space, over which no word
    /// and no dictionary reaches.
    pub(super) fn split(&self, text: &str, mut start: usize, words: &mut Vec<Span>) {
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
        for (end, kind) in self.0.segment_str(&text[start..]).iter_with_word_type() {
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

/// Whether it is a sign that people read: a currency, a star, an emoji. Excludes ©, ®, ™ and ℠.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_short_way_changes_no_word(text in "([a-zA-Z0-9.,:' _-]{0,40}|[ \n]|[Žя漢字かな한글٣א\u{1f1e9}\u{1f468}]{1,4}|e\u{301}|l’été|ภาษา|ไทย){0,12}") {
            let (mut short, mut full) = (Vec::new(), Vec::new());
            let segmenter = Segmenter::new();
            segmenter.split(&text, 0, &mut short);
            segmenter.split_unicode(&text, 0, &mut full);
            prop_assert_eq!(short, full);
        }
    }
}
