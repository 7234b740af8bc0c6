//! Which changed words change by themselves? Clocks, counters, the year behind a ©.
//!
//! A number alone is no noise: a price, a version or a number of days may be all that a reader
//! waits for. What the text around says about it decides, on its own line.

use serde::{Deserialize, Serialize};

use crate::page::{Page, Span, dates_and_counts};

/// What changes without anybody changing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Volatile {
    /// The time of day, or how long ago something was.
    Time,
    /// The year of a copyright.
    Year,
    /// How often something was read, liked or counted.
    Count,
    /// A date.
    Date,
}

impl Volatile {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Time => "a time",
            Self::Year => "the year of a copyright",
            Self::Count => "a count",
            Self::Date => "a date",
        }
    }
}

/// How far a line is looked at, before and behind a word, in bytes.
const REACH: usize = 160;

/// Words that say that the numbers beside them come from a machine or a counter.
const MACHINES: [&str; 14] = [
    "generated",
    "rendered",
    "uptime",
    "times",
    "viewed",
    "visited",
    "visitors",
    "online",
    "hits",
    "views",
    "loaded",
    "fois",
    "mal",
    "veces",
];

/// Recognises volatile words; remembers the last line that it read.
pub(super) struct Recogniser<'a> {
    page: &'a Page,
    line: Span,
    found: Vec<(Span, bool)>,
    has_copyright: bool,
    has_machine: bool,
}

impl<'a> Recogniser<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        let line = Span { start: 0, end: 0 };
        Self { page, line, found: Vec::new(), has_copyright: false, has_machine: false }
    }

    /// What a word is, if it changes by itself.
    pub(super) fn recognise(&mut self, word: u32) -> Option<Volatile> {
        let span = *self.page.word_spans().get(word as usize)?;
        if span.start < self.line.start || span.end > self.line.end {
            self.read_line(span);
        }
        let text = self.page.text().get(span.range())?;
        let at = (span.start - self.line.start)..(span.end - self.line.start);
        let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
        if self.has_copyright && has_digit && text.chars().all(|it| !it.is_alphabetic()) {
            return Some(Volatile::Year);
        }
        let piece = self.found.iter().find(|(piece, _)| piece.start < at.end && at.start < piece.end);
        match piece {
            Some((piece, true)) => Some(self.moment(*piece)),
            Some((_, false)) => Some(Volatile::Count),
            None if has_digit && self.has_machine => Some(Volatile::Count),
            None => None,
        }
    }

    /// A moment with a year is a date, one without is a time.
    fn moment(&self, piece: Span) -> Volatile {
        let line = &self.page.text()[self.line.range()];
        let mut digits = piece.of(line).split(|it: char| !it.is_ascii_digit());
        if digits.any(|run| run.len() == 4) && !piece.of(line).contains(':') { Volatile::Date } else { Volatile::Time }
    }

    fn read_line(&mut self, word: Span) {
        let text = self.page.text();
        let (start, end) = (word.start as usize, word.end as usize);
        let first = text.floor_char_boundary(start.saturating_sub(REACH));
        let last = text.ceil_char_boundary((end + REACH).min(text.len()));
        let first = text[first..start].rfind('\n').map_or(first, |at| first + at + 1);
        let last = text[end..last].find('\n').map_or(last, |at| end + at);
        self.line = Span { start: first as u32, end: last as u32 };
        let line = &text[first..last];
        self.found = dates_and_counts(line);
        let lower = line.to_lowercase();
        self.has_copyright = is_copyright(&lower);
        self.has_machine = lower.split(|it: char| !it.is_alphanumeric()).any(|word| MACHINES.contains(&word));
    }
}

/// Does a text in lower case claim a copyright?
pub(super) fn is_copyright(lower: &str) -> bool {
    lower.contains('©')
        || lower.contains("copyright")
        || lower.contains("(c) ")
        || lower.contains("all rights reserved")
}
