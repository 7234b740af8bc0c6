//! Which characters of a word does nobody see? Hints for line breaks, joiners, writing directions.
//!
//! They come and go with the editor that wrote the page. Spaces of any width are not among them:
//! both word rules already treat those as space between words.

use super::{Span, lexemes, region};

/// The text of a node without its invisible characters.
#[derive(Debug)]
pub(super) struct Visible {
    /// The text around and between the words.
    pub(super) text: String,
    /// Where each word stands in it.
    pub(super) words: Vec<Span>,
}

/// Whether a character takes no room and has no meaning of its own.
pub(super) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{AD}' // soft hyphen
        | '\u{200B}'..='\u{200D}' // zero-width space, non-joiner, joiner
        | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' // writing directions
        | '\u{2060}' | '\u{FEFF}') // word joiner, byte order mark
}

/// Copies the words `words[from..]` and what stands between them without invisible characters, or
/// says that there are none. Drops words that become empty, and joins two words that only an
/// invisible character holds apart.
pub(super) fn strip(text: &str, words: &mut Vec<Span>, from: usize) -> Option<Visible> {
    let covered = region(text, words.get(from..)?)?;
    if covered.of(text).is_ascii() || !covered.of(text).contains(is_invisible) {
        return None;
    }
    let mut visible = Visible { text: String::with_capacity(covered.range().len()), words: Vec::new() };
    let (mut at, mut write) = (covered.start as usize, from);
    for read in from..words.len() {
        let word = words[read];
        let gap = &text[at..word.start as usize];
        visible.push(gap);
        let start = visible.text.len() as u32;
        visible.push(word.of(text));
        at = word.end as usize;
        let clean = Span { start, end: visible.text.len() as u32 };
        if clean.start == clean.end {
            continue;
        }
        match visible.words.last_mut() {
            Some(last) if last.end == start && !gap.is_empty() && is_inside_word(&visible.text, start) => {
                last.end = clean.end;
                words[write - 1].end = word.end;
            }
            _ => {
                visible.words.push(clean);
                words[write] = word;
                write += 1;
            }
        }
    }
    visible.push(&text[at..covered.end as usize]);
    words.truncate(write);
    Some(visible)
}

impl Visible {
    fn push(&mut self, text: &str) {
        self.text.extend(text.chars().filter(|&character| !is_invisible(character)));
    }
}

/// Whether the characters on both sides of `at` belong to one word, were they written together.
/// In scripts without spaces they need not: there a zero-width space stands between words.
fn is_inside_word(text: &str, at: u32) -> bool {
    let (before, behind) = text.split_at(at as usize);
    let joins = |character: char| character.is_alphanumeric() && !lexemes::is_unspaced(character);
    before.chars().next_back().is_some_and(joins) && behind.chars().next().is_some_and(joins)
}
