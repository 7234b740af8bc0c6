//! The splitting of text into words, by two rules.
//!
//! [`WordRule::Whitespace`] is the papers': a maximal run of non-white-space, punctuation included.
//! `WordRule::Unicode`, with the feature `segmentation`, is for people: see [`unicode`].

#[cfg(feature = "segmentation")]
mod unicode;

use serde::{Deserialize, Serialize};

use super::tree::Span;
#[cfg(feature = "segmentation")]
use unicode::Segmenter;

/// How text is split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WordRule {
    /// Maximal runs of non-white-space, as in the papers. The default without the feature `segmentation`.
    #[cfg_attr(not(feature = "segmentation"), default)]
    Whitespace,
    /// Words of natural language, without punctuation.
    #[cfg(feature = "segmentation")]
    #[default]
    Unicode,
}

/// Splits text into words.
pub(crate) enum Splitter {
    Whitespace,
    #[cfg(feature = "segmentation")]
    Unicode(Segmenter),
}

impl Splitter {
    pub(crate) fn new(rule: WordRule) -> Self {
        match rule {
            WordRule::Whitespace => Self::Whitespace,
            #[cfg(feature = "segmentation")]
            WordRule::Unicode => Self::Unicode(Segmenter::new()),
        }
    }

    /// Adds the words of `text[start..]` to `words`.
    pub(crate) fn split(&self, text: &str, start: usize, words: &mut Vec<Span>) {
        match self {
            Self::Whitespace => split_whitespace(text, start, words),
            #[cfg(feature = "segmentation")]
            Self::Unicode(segmenter) => segmenter.split(text, start, words),
        }
    }
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
}
