//! Unicode's word boundaries (UAX #29) where all characters are ASCII: a table and one look ahead.
//!
//! Letters, digits and `_` hold together; one `.`, `'` or `:` between two letters does not break
//! a word, nor one `.`, `'`, `,` or `;` between two digits. The tests hold this to the full
//! algorithm on arbitrary ASCII.

use super::{Span, signed};

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const JOINER: u8 = 4;
const MID_LETTER: u8 = 8;
const MID_DIGIT: u8 = 16;
/// `$`, the one currency of ASCII: a word of its own.
const SIGN: u8 = 32;
const WORD: u8 = LETTER | DIGIT | JOINER;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => JOINER,
            b':' => MID_LETTER,
            b'.' | b'\'' => MID_LETTER | MID_DIGIT,
            b',' | b';' => MID_DIGIT,
            b'$' => SIGN,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// Adds the words of `text[start..]`, all ASCII, to `words`.
pub(super) fn split(text: &[u8], start: usize, words: &mut Vec<Span>) {
    let is_word = |byte: &u8| CLASSES[*byte as usize] & WORD != 0;
    let starts_word = |byte: &u8| CLASSES[*byte as usize] & (WORD | SIGN) != 0;
    let mut at = start;
    while let Some(blanks) = text[at..].iter().position(starts_word) {
        let first = at + blanks;
        at = first;
        if text[first] == b'$' {
            words.push(Span { start: first as u32, end: first as u32 + 1 });
            at += 1;
            continue;
        }
        loop {
            at += text[at..].iter().position(|byte| !is_word(byte)).unwrap_or(text.len() - at);
            match text.get(at - 1..at + 2) {
                Some(&[before, middle, after]) if joins(before, middle, after) => at += 1,
                _ => break,
            }
        }
        // `_` alone is punctuation.
        if text[first] != b'_' || text[first..at].iter().any(|&byte| byte != b'_') {
            words.push(Span { start: signed(text, start, first) as u32, end: at as u32 });
        }
    }
}

/// Does the middle character not break the word around it?
fn joins(before: u8, middle: u8, after: u8) -> bool {
    let [before, middle, after] = [before, middle, after].map(|byte| CLASSES[byte as usize]);
    (middle & MID_LETTER != 0 && before & after & LETTER != 0)
        || (middle & MID_DIGIT != 0 && before & after & DIGIT != 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Segmenter;
    use super::*;

    fn both_ways(text: &str) -> (Vec<String>, Vec<String>) {
        let (mut short, mut full) = (Vec::new(), Vec::new());
        split(text.as_bytes(), 0, &mut short);
        Segmenter::new().split_unicode(text, 0, &mut full);
        let words = |spans: Vec<Span>| spans.iter().map(|span| span.of(text).to_owned()).collect();
        (words(short), words(full))
    }

    #[test]
    fn every_short_string_of_the_classes_splits_as_the_full_algorithm_does() {
        let alphabet = ["a", "1", "_", ":", ".", "'", ",", ";", " ", "-", "$", "\r", "("];
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            texts = texts.iter().flat_map(|text| alphabet.iter().map(move |next| format!("{text}{next}"))).collect();
            for text in &texts {
                let (short, full) = both_ways(text);
                assert_eq!(short, full, "{text:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn ascii_splits_as_the_full_algorithm_does(text in "[ -~\t\n]{0,40}") {
            let (short, full) = both_ways(&text);
            prop_assert_eq!(short, full);
        }
    }
}
