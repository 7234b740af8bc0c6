//! What is a text made of, below its words? Runs of digits, runs of letters, spaces, single signs.
//!
//! The word rules disagree about `10:45` and `3時間前`; lexemes are the same for both. Japanese,
//! Chinese and Korean have no space where a number ends, so there a lexeme is the longest term of
//! the vocabulary, or one character.

use std::ops::RangeInclusive;

use super::Span;
use super::vocabulary::{self, Meaning, Role};

/// Parentheses in front of a count.
pub(super) const OPENING: [char; 2] = ['(', '（'];
/// Parentheses behind a count.
pub(super) const CLOSING: [char; 2] = [')', '）'];

/// Signs that tie what stands on both sides into one thing: `covid-19`, `v1.2`, `a/b`.
const TIES: &str = "-‐‑/.+_@#&\\=:,;'’";
/// Those of them that do not tie a number to the letters before it: a label (`Views:5`), an article (`l'8`).
const LOOSE_BEFORE: &str = ":,;'’";
/// Those of them that do not tie a number to the letters behind it, as an apostrophe does: `2024's`.
const LOOSE_BEHIND: &str = ":,;";

/// The kind of a lexeme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Digits of any script.
    Digits,
    /// Letters of scripts that put spaces between words.
    Letters,
    /// A term or a character of Chinese, Japanese or Korean.
    Glyphs,
    /// White space within a paragraph.
    Space,
    /// An empty line: nothing reaches over it.
    Break,
    /// One character that is nothing of the above.
    Sign(char),
    /// Found to be part of a date, count or number.
    Taken,
}

#[derive(Debug, Clone, Copy)]
struct Lexeme {
    kind: Kind,
    span: Span,
    meaning: Meaning,
    /// On the first lexeme of a piece: the piece's form; its span is that of the whole piece.
    form: Option<&'static str>,
}

/// A part of a text that is replaced in the form of its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where it stands.
    pub(super) span: Span,
    /// What it is equal to.
    pub(super) form: &'static str,
}

/// A text as a sequence of lexemes. All questions may be asked beyond its end.
#[derive(Debug)]
pub(super) struct Lexemes<'a> {
    text: &'a str,
    list: Vec<Lexeme>,
}

impl<'a> Lexemes<'a> {
    /// Cuts a region of `text` into lexemes.
    pub(super) fn read(text: &'a str, region: Span) -> Self {
        let mut lexemes = Self { text, list: Vec::new() };
        let mut at = region.start as usize;
        while at < region.end as usize {
            let rest = &text[at..region.end as usize];
            let (kind, length, meaning) = first_lexeme(rest);
            let span = Span { start: at as u32, end: (at + length) as u32 };
            lexemes.list.push(Lexeme { kind, span, meaning, form: None });
            at += length;
        }
        lexemes
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The kind of a lexeme.
    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.list.get(at).map(|lexeme| lexeme.kind)
    }

    /// The text of a lexeme.
    pub(super) fn text(&self, at: usize) -> &'a str {
        self.list.get(at).map_or("", |lexeme| lexeme.span.of(self.text))
    }

    /// The entry of a counted noun.
    pub(super) fn noun(&self, at: usize) -> Option<&'static str> {
        self.list.get(at).filter(|lexeme| lexeme.kind != Kind::Taken)?.meaning.noun
    }

    /// Behind a lexeme that has this role.
    pub(super) fn role(&self, at: usize, role: Role) -> Option<usize> {
        let lexeme = self.list.get(at)?;
        (lexeme.kind != Kind::Taken && lexeme.meaning.roles.contains(role)).then_some(at + 1)
    }

    /// Behind a lexeme that is one of these signs.
    pub(super) fn sign(&self, at: usize, signs: &str) -> Option<usize> {
        matches!(self.kind(at), Some(Kind::Sign(sign)) if signs.contains(sign)).then_some(at + 1)
    }

    /// Behind a lexeme of digits with this many digits and this value.
    pub(super) fn digits(&self, at: usize, length: RangeInclusive<usize>, value: RangeInclusive<u32>) -> Option<usize> {
        if self.kind(at)? != Kind::Digits {
            return None;
        }
        let (digits, number) = value_of(self.text(at))?;
        (length.contains(&digits) && value.contains(&number)).then_some(at + 1)
    }

    /// Behind the space at `at`, if any.
    pub(super) fn space(&self, at: usize) -> usize {
        at + usize::from(self.kind(at) == Some(Kind::Space))
    }

    /// Behind one space that does not break a line.
    pub(super) fn fixed_space(&self, at: usize) -> Option<usize> {
        matches!(self.text(at), "\u{A0}" | "\u{202F}" | "\u{2007}" | "\u{2009}").then_some(at + 1)
    }

    /// Whether a date, count or number may begin here: it is not the rest of something longer.
    pub(super) fn opens(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        match self.kind(before) {
            Some(Kind::Digits | Kind::Letters) => false,
            Some(Kind::Sign(sign)) if TIES.contains(sign) => {
                before.checked_sub(1).is_none_or(|tied| !self.is_tied(tied, sign, LOOSE_BEFORE))
            }
            _ => true,
        }
    }

    /// Whether a date, count or number may end before `at`: nothing is tied to it.
    pub(super) fn closes(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Digits | Kind::Letters) => false,
            Some(Kind::Sign(sign)) if TIES.contains(sign) => !self.is_tied(at + 1, sign, LOOSE_BEHIND),
            _ => true,
        }
    }

    fn is_tied(&self, at: usize, sign: char, loose: &str) -> bool {
        match self.kind(at) {
            Some(Kind::Digits) => true,
            Some(Kind::Letters) => !loose.contains(sign),
            _ => false,
        }
    }

    /// Makes one piece of the lexemes from `from` to before `to`.
    pub(super) fn take(&mut self, from: usize, to: usize, form: &'static str) {
        let end = self.list[to - 1].span.end;
        for lexeme in &mut self.list[from..to] {
            lexeme.kind = Kind::Taken;
        }
        self.list[from].span.end = end;
        self.list[from].form = Some(form);
    }

    /// All pieces that were made, in the order of the text.
    pub(super) fn into_pieces(self) -> Vec<Piece> {
        self.list.iter().filter_map(|lexeme| Some(Piece { span: lexeme.span, form: lexeme.form? })).collect()
    }
}

/// The kind, length and meaning of the first lexeme of a text that is not empty.
fn first_lexeme(text: &str) -> (Kind, usize, Meaning) {
    let first = text.chars().next().unwrap_or_default();
    let run = |belongs: fn(char) -> bool| text.find(|character| !belongs(character)).unwrap_or(text.len());
    if first.is_whitespace() {
        let length = run(char::is_whitespace);
        let lines = text[..length].bytes().filter(|&byte| byte == b'\n').count();
        (if lines > 1 { Kind::Break } else { Kind::Space }, length, Meaning::default())
    } else if first.is_numeric() {
        (Kind::Digits, run(char::is_numeric), Meaning::default())
    } else if is_glyph(first) {
        let (length, meaning) = vocabulary::longest_term(text).unwrap_or((first.len_utf8(), Meaning::default()));
        (Kind::Glyphs, length, meaning)
    } else if is_letter(first) {
        let length = letters(text);
        (Kind::Letters, length, vocabulary::meaning(&text[..length]))
    } else {
        (Kind::Sign(first), first.len_utf8(), Meaning::default())
    }
}

/// The length of the letters at the beginning, with apostrophes between them.
fn letters(text: &str) -> usize {
    let mut end = 0;
    while let Some(next) = text[end..].chars().next() {
        let behind = end + next.len_utf8();
        let between = || end > 0 && matches!(next, '\'' | '’') && text[behind..].starts_with(is_letter);
        if !is_letter(next) && !between() {
            break;
        }
        end = behind;
    }
    end
}

fn is_letter(character: char) -> bool {
    (character.is_alphabetic() || ('\u{300}'..='\u{36F}').contains(&character)) && !is_glyph(character)
}

/// Whether a character is Chinese, Japanese or Korean writing.
pub(super) fn is_glyph(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11FF}' // Hangul jamo
        | '\u{3005}' | '\u{3040}'..='\u{318F}' | '\u{31F0}'..='\u{31FF}' // kana, Hangul jamo
        | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' // Chinese characters
        | '\u{AC00}'..='\u{D7FF}' // Hangul syllables
        | '\u{FF66}'..='\u{FF9F}') // narrow kana
        && character.is_alphabetic()
}

/// Whether a character belongs to a script that puts no spaces between words.
pub(super) fn is_unspaced(character: char) -> bool {
    let south_east_asian =
        matches!(character, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}');
    south_east_asian || (is_glyph(character) && !('\u{AC00}'..='\u{D7FF}').contains(&character))
}

/// The digits before `0` of the scripts whose dates are read; in other scripts a date is a number.
const ZEROS: [char; 8] = ['0', '٠', '۰', '०', '০', '๐', '\u{FF10}', '\u{1040}'];

/// How many digits a number has, and its value if it has at most eight.
fn value_of(digits: &str) -> Option<(usize, u32)> {
    let mut result = (0, 0);
    for digit in digits.chars() {
        let value =
            ZEROS.iter().find_map(|&zero| (digit as u32).checked_sub(zero as u32).filter(|&value| value < 10))?;
        result = (result.0 + 1, result.1 * 10 + value);
        if result.0 > 8 {
            return None;
        }
    }
    Some(result)
}
