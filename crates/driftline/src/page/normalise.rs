//! Which differences between words are noise? Those that a user named: case, numbers, dates and
//! times, invisible characters, counters.
//!
//! A normaliser changes what a word is *equal to*, its form, never the text that is shown. A page
//! that says "3 hours ago" today and "5 hours ago" tomorrow has the word `#date` both times.
//!
//! The text of a node is cut into lexemes that do not depend on the word rule (digits, letters,
//! signs), dates and counts are found among the lexemes, and what was found is laid over the words:
//! so `2024-01-31` is one `#date` whether the word rule made one word of it or three, and in
//! `(2024-01-31),` only the date is replaced. All steps look ahead a bounded number of lexemes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::tree::Span;
use crate::written::written_as_text;

mod counters;
mod dates;
mod invisible;
mod lexemes;
mod months;
mod nouns;
mod numbers;
#[cfg(test)]
mod tests;
mod vocabulary;

use lexemes::{Lexemes, Piece};

/// A kind of noise that shall not count as a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Normaliser {
    /// Upper and lower case are the same.
    Case,
    /// All numbers are the same.
    Numbers,
    /// All dates and times are the same.
    Dates,
    /// Invisible characters (soft hyphens, zero-width spaces, writing directions) do not count.
    WhiteSpace,
    /// All counts of views, comments and the like are the same, and so are numbers in parentheses.
    Counters,
}

impl Normaliser {
    /// All of them, in the order of their names in the documentation.
    pub const ALL: &[Self] = &[Self::Case, Self::Numbers, Self::Dates, Self::WhiteSpace, Self::Counters];

    /// The name that users write.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Case => "case",
            Self::Numbers => "numbers",
            Self::Dates => "dates",
            Self::WhiteSpace => "white-space",
            Self::Counters => "counters",
        }
    }

    /// What it makes equal, for people.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Case => "upper and lower case are the same",
            Self::Numbers => "all numbers are the same: `3`, `1,024.50`, `-7%`, `$5`, `2nd`, `12GB`",
            Self::Dates => "all dates and times are the same: `2024-01-31`, `Jan 31`, `10:45 pm`, `3 hours ago`",
            Self::WhiteSpace => "soft hyphens, zero-width characters and direction marks do not count",
            Self::Counters => "all counts are the same: `1,234 views`, `Comments: 5`, `(17)`",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Normaliser {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

written_as_text!(Normaliser);

/// Nobody knows a normaliser of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no normaliser `{name}`; there are {}", Normaliser::ALL.iter().map(|known| format!("`{known}`")).collect::<Vec<_>>().join(", "))]
pub struct UnknownNormaliser {
    /// What was written.
    pub name: String,
}

impl FromStr for Normaliser {
    type Err = UnknownNormaliser;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.iter().copied().find(|normaliser| normaliser.name() == name);
        known.ok_or_else(|| UnknownNormaliser { name: name.to_owned() })
    }
}

/// A set of normalisers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Normalisers(u8);

impl Normalisers {
    /// Whether no normaliser is on, so that each word is its own form.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `normaliser` is on.
    #[must_use]
    pub fn contains(self, normaliser: Normaliser) -> bool {
        self.0 & normaliser.bit() != 0
    }

    /// The same set with `normaliser` on.
    #[must_use]
    pub fn with(self, normaliser: Normaliser) -> Self {
        Self(self.0 | normaliser.bit())
    }

    /// Those that are on, in the order of [`Normaliser::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Normaliser> {
        Normaliser::ALL.iter().copied().filter(move |&normaliser| self.contains(normaliser))
    }

    /// Dates before counters before numbers: "5 comments 3 hours ago" has one count, and the 3 is
    /// part of a time.
    fn pieces(self, text: &str, region: Span) -> Vec<Piece> {
        let finders = [Normaliser::Dates, Normaliser::Counters, Normaliser::Numbers];
        let [has_dates, has_counters, has_numbers] = finders.map(|finder| self.contains(finder));
        if !(has_dates || has_counters || has_numbers) {
            return Vec::new();
        }
        let mut lexemes = Lexemes::read(text, region);
        if has_dates {
            dates::take(&mut lexemes);
        }
        if has_counters {
            counters::take(&mut lexemes);
        }
        if has_numbers {
            numbers::take(&mut lexemes);
        }
        lexemes.into_pieces()
    }
}

/// The dates and the counts in a text: where each stands, and whether it is a date.
pub(crate) fn dates_and_counts(text: &str) -> Vec<(Span, bool)> {
    let normalisers = Normalisers::default().with(Normaliser::Dates).with(Normaliser::Counters);
    let pieces = normalisers.pieces(text, Span { start: 0, end: text.len() as u32 });
    pieces.into_iter().map(|piece| (piece.span, piece.form == dates::FORM)).collect()
}

impl FromIterator<Normaliser> for Normalisers {
    fn from_iter<I: IntoIterator<Item = Normaliser>>(normalisers: I) -> Self {
        normalisers.into_iter().fold(Self::default(), Self::with)
    }
}

impl Serialize for Normalisers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Normalisers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Normaliser>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// The forms of the words of a page, in one buffer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forms {
    buffer: String,
    spans: Vec<Span>,
}

impl Forms {
    /// The form of the word with this index: two words are the same if their forms are.
    pub(crate) fn get(&self, index: usize) -> &str {
        self.spans[index].of(&self.buffer)
    }

    /// How many words have a form.
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// Gives forms to the words `words[from..]`, which were just split from one text node of `text`.
    ///
    /// Words that are one date, time or number together become one word, and a word of invisible
    /// characters only is dropped, so `words` may get shorter.
    pub(crate) fn extend(&mut self, normalisers: Normalisers, text: &str, words: &mut Vec<Span>, from: usize) {
        let before = self.len();
        let visible = normalisers.contains(Normaliser::WhiteSpace).then(|| invisible::strip(text, words, from));
        let groups = match visible.flatten() {
            Some(visible) => self.form(normalisers, &visible.text, &visible.words),
            None => self.form(normalisers, text, words.get(from..).unwrap_or_default()),
        };
        join(words, from, &groups);
        debug_assert_eq!(self.len() - before, words.len().saturating_sub(from), "each word has a form");
    }

    fn form(&mut self, normalisers: Normalisers, text: &str, words: &[Span]) -> Vec<usize> {
        let Some(region) = region(text, words) else {
            return Vec::new();
        };
        let pieces = normalisers.pieces(text, region);
        self.lay(normalisers, text, words, &pieces)
    }

    /// Lays `pieces` over `words`: gives a form to each word, and one form to the words that one
    /// piece covers. Says how many words each form is for.
    fn lay(&mut self, normalisers: Normalisers, text: &str, words: &[Span], mut pieces: &[Piece]) -> Vec<usize> {
        let mut groups = Vec::with_capacity(words.len());
        let mut rest = words;
        while let Some(first) = rest.first() {
            let gone = pieces.iter().take_while(|piece| piece.span.end <= first.start).count();
            pieces = &pieces[gone..];
            let start = self.buffer.len();
            let group = self.push_group(text, rest, &mut pieces);
            self.finish(normalisers, start);
            groups.push(group);
            rest = &rest[group..];
        }
        groups
    }

    /// Writes the first of `words` with the words that are joined to it; says how many these are.
    fn push_group(&mut self, text: &str, words: &[Span], pieces: &mut &[Piece]) -> usize {
        let mut at = words[0].start;
        let mut group = 1;
        while let Some((piece, rest)) = pieces.split_first()
            && piece.span.start < words[group - 1].end
        {
            self.buffer.push_str(&text[at as usize..piece.span.start.max(at) as usize]);
            self.buffer.push_str(piece.form);
            at = piece.span.end;
            group += words[group..].iter().take_while(|word| word.start < at).count();
            *pieces = rest;
        }
        let end = words[group - 1].end;
        self.buffer.push_str(&text[at.min(end) as usize..end as usize]);
        group
    }

    /// Makes the buffer from `start` on the form of a word.
    fn finish(&mut self, normalisers: Normalisers, start: usize) {
        if normalisers.contains(Normaliser::Case) {
            if self.buffer[start..].is_ascii() {
                self.buffer[start..].make_ascii_lowercase();
            } else {
                let lower = self.buffer[start..].to_lowercase();
                self.buffer.truncate(start);
                self.buffer.push_str(&lower);
            }
        }
        self.spans.push(Span { start: start as u32, end: self.buffer.len() as u32 });
    }
}

/// The part of `text` that the words cover, with a parenthesis before and behind it: a word rule
/// may have left them out of the words.
fn region(text: &str, words: &[Span]) -> Option<Span> {
    let (start, end) = (words.first()?.start, words.last()?.end);
    let before = text[..start as usize].trim_end_matches(invisible::is_invisible);
    let behind = text[end as usize..].trim_start_matches(invisible::is_invisible);
    let start = before.strip_suffix(lexemes::OPENING).map_or(start, |before| before.len() as u32);
    let end = behind.strip_prefix(lexemes::CLOSING).map_or(end, |behind| (text.len() - behind.len()) as u32);
    Some(Span { start, end })
}

/// Makes one word of each group of `words[from..]`.
fn join(words: &mut Vec<Span>, from: usize, groups: &[usize]) {
    let (mut read, mut write) = (from, from);
    for &group in groups {
        let end = words[read + group - 1].end;
        words[write] = Span { start: words[read].start, end };
        read += group;
        write += 1;
    }
    words.truncate(write);
}
