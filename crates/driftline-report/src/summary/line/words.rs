//! The words of a change, short enough for a subject: `Monday 9–17 → 9–18`.
//!
//! Pages are hostile: control characters, overrides of the writing direction and invisible characters are left out, white
//! space is one blank, and lengths are bounded in characters, whatever the script.

use driftline::change::Sides;
use driftline::event::{Excerpt, Mark};

use super::place::Place;
use crate::summary::excerpt::MOST_CHARACTERS as MOST_OF_EXCERPT;
use crate::summary::replaced::{ARROW, MOST_CHARACTERS};

/// The numbers of unchanged words shown before and after a change. The first pair that fits is used.
const CONTEXT: [(usize, usize); 6] = [(3, 2), (3, 1), (2, 1), (1, 1), (0, 1), (0, 0)];
/// Signs that end the unchanged words after a change.
const STOPS: [char; 17] = ['.', ',', ';', ':', '!', '?', ')', ']', '(', '[', '|', '·', '•', '。', '、', '，', '؟'];
/// Signs that end a sentence before a change.
const ENDS: [char; 7] = ['.', '!', '?', '。', '！', '？', '؟'];

/// Signs that join numbers to one expression: `9–17`, `16:30`.
const JOINTS: [char; 10] = ['–', '—', '-', '−', '/', ':', '.', ',', '×', '+'];
/// Signs that belong to the number that they touch.
const UNITS: [char; 11] = ['$', '€', '£', '¥', '₹', '¢', '%', '‰', '°', '#', '§'];

/// Brackets and quotes that open before a change or close after it.
const OPENERS: [char; 12] = ['(', '[', '{', '<', '"', '\'', '“', '‘', '„', '«', '「', '（'];
const CLOSERS: [char; 12] = [')', ']', '}', '>', '"', '\'', '”', '’', '“', '»', '」', '）'];

/// Words that were replaced, added or removed, with the unchanged text of the line around them.
#[derive(Debug, Default)]
struct Run {
    before: String,
    removed: String,
    added: String,
    after: String,
    /// Whether words of several lines were removed or added.
    has_lines: bool,
}

/// The words of an excerpt, if they fit.
pub(super) fn words(excerpt: &Excerpt, place: Option<&Place>) -> Option<String> {
    let runs = runs(excerpt)?;
    let [run] = runs.as_slice() else {
        let all = |context: (usize, usize)| runs.iter().map(|run| run.text(context)).collect::<Vec<_>>().join(", ");
        return CONTEXT.into_iter().map(all).find(|text| fits(text));
    };
    let bare = CONTEXT.into_iter().map(|context| run.text(context)).find(|text| fits(text))?;
    Some(place.map(|place| run.placed(&bare, place)).filter(|text| fits(text)).unwrap_or(bare))
}

/// A title that changed, in full: `title: Data → News`.
#[must_use]
pub fn title(change: &Sides<String>) -> String {
    let [older, newer] = [&change.older, &change.newer].map(|title| clean(title));
    match (older.is_empty(), newer.is_empty()) {
        (_, true) => format!("title “{older}” removed"),
        (true, false) => format!("title is now “{newer}”"),
        (false, false) => format!("title: {}", replaced(&older, &newer)),
    }
}

/// A title that changed, as far as it fits.
pub(super) fn short_title(change: &Sides<String>) -> String {
    let is_now = || Some(clean(&change.newer)).filter(|newer| !newer.is_empty());
    let shorter = || is_now().map(|newer| format!("title is now “{newer}”")).filter(|text| fits(text));
    Some(title(change)).filter(|text| fits(text)).or_else(shorter).unwrap_or_else(|| super::TITLE.to_owned())
}

fn fits(text: &str) -> bool {
    text.chars().count() <= MOST_CHARACTERS
}

/// Text fit for one line: no control characters, nothing invisible that changes its direction, one blank for white space.
pub(super) fn clean(text: &str) -> String {
    let blank = |char: char| if char.is_control() || matches!(char, '\u{2028}' | '\u{2029}') { ' ' } else { char };
    let safe: String = text.chars().filter(|char| !is_invisible(*char)).map(blank).collect();
    safe.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character shows nothing: marks and overrides of the writing direction, soft hyphens, blanks of no width. The
/// joiners stay: letters and emoji look different without them.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// `9–17 → 9–18`. An arrow would point the wrong way between words that are written from right to left.
fn replaced(removed: &str, added: &str) -> String {
    let is_from_right = |char: char| {
        matches!(char, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    if [removed, added].iter().any(|text| text.contains(is_from_right)) {
        format!("“{added}” replaced “{removed}”")
    } else {
        [removed, ARROW, added].concat()
    }
}

/// The runs of an excerpt. None if it is cut, if words were moved, or if one of them is not readable.
fn runs(excerpt: &Excerpt) -> Option<Vec<Run>> {
    let length: usize = excerpt.pieces.iter().map(|piece| piece.text.chars().count()).sum();
    if length + 1 >= MOST_OF_EXCERPT {
        return None;
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut before = String::new();
    let mut is_open = false;
    for piece in &excerpt.pieces {
        match piece.mark {
            Mark::Moved => return None,
            Mark::Gap => {
                before.clear();
                is_open = false;
            }
            // Between words that were removed and those in their place.
            Mark::Kept if is_open && piece.text.trim().is_empty() => {}
            Mark::Kept => {
                let end = if is_open { phrase_end(&piece.text) } else { 0 };
                if let Some(last) = runs.last_mut().filter(|_| is_open) {
                    piece.text[..end].clone_into(&mut last.after);
                }
                // Text that could belong to the words before it and to those after it is kept for the latter.
                let rest =
                    if end < piece.text.len() { piece.text[end..].trim_start_matches(STOPS) } else { &piece.text };
                rest.rsplit('\n').next().unwrap_or_default().clone_into(&mut before);
                is_open = false;
            }
            Mark::Dropped | Mark::Added => {
                let is_added = piece.mark == Mark::Added;
                if !(is_open && is_added && runs.last().is_some_and(|run| run.added.is_empty())) {
                    if let Some(last) = runs.last_mut().filter(|last| last.after == before) {
                        last.after.clear();
                    }
                    runs.push(Run { before: std::mem::take(&mut before), ..Run::default() });
                }
                let run = runs.last_mut()?;
                *(if is_added { &mut run.added } else { &mut run.removed }) = clean(&piece.text);
                run.has_lines |= piece.text.trim().contains('\n');
                is_open = true;
            }
        }
    }
    runs.iter_mut().for_each(Run::join);
    (!runs.is_empty() && runs.iter().all(Run::is_readable)).then_some(runs)
}

/// The end of the words after a change that belong to it: the end of the line, or a stop.
fn phrase_end(text: &str) -> usize {
    let ends = |at: usize, char: char| {
        let next = text[at + char.len_utf8()..].chars().next();
        char == '\n' || STOPS.contains(&char) && next.is_none_or(|next| !next.is_alphanumeric())
    };
    text.char_indices().find(|(at, char)| ends(*at, *char)).map_or(text.len(), |(at, _)| at)
}

impl Run {
    /// Takes the rest of a number into the words, `9–17 → 9–18`, not `9–17 → 18`, and leaves out brackets around them.
    fn join(&mut self) {
        if !self.is_replaced() {
            return;
        }
        self.before.truncate(self.before.trim_end_matches(OPENERS).len());
        self.after = self.after.trim_start_matches(CLOSERS).to_owned();
        let is_part = |char: &char| char.is_numeric() || JOINTS.contains(char) || UNITS.contains(char);
        let says = |text: &str| text.contains(|char: char| char.is_numeric() || UNITS.contains(&char));
        let length = self.before.chars().rev().take_while(is_part).map(char::len_utf8).sum::<usize>();
        let start = self.before.split_off(self.before.len() - length);
        let length = self.after.chars().take_while(is_part).map(char::len_utf8).sum::<usize>();
        let end: String = self.after.drain(..length).collect();
        for text in [&mut self.removed, &mut self.added] {
            *text = [if says(&start) { &start } else { "" }, text, if says(&end) { &end } else { "" }].concat();
        }
    }

    /// Whether it can be shown in one line: what changed can be seen, and the end of one line and the start of the next were not
    /// replaced together.
    fn is_readable(&self) -> bool {
        self.removed != self.added && !(self.has_lines && self.is_replaced())
    }

    fn is_replaced(&self) -> bool {
        !self.removed.is_empty() && !self.added.is_empty()
    }

    /// The words, with this many unchanged ones before and after them.
    fn text(&self, (before, after): (usize, usize)) -> String {
        match (self.removed.is_empty(), self.added.is_empty()) {
            (true, _) => format!("“{}” added", sentence(&self.added)),
            (_, true) => format!("“{}” removed", sentence(&self.removed)),
            _ => self.words_before(before) + &replaced(&self.removed, &self.added) + &self.words_after(after),
        }
    }

    /// The words before, up to this many. Numbers need no part of a longer sentence.
    fn words_before(&self, most: usize) -> String {
        let words = self.before.split_whitespace().rev().take_while(|word| !word.ends_with(ENDS)).count();
        let is_part = words > most && [&self.removed, &self.added].iter().all(|text| text.contains(char::is_numeric));
        last_words(&self.before, if is_part { 0 } else { most })
    }

    /// The words after, up to this many. Of a longer sentence there is only the unit of a number.
    fn words_after(&self, most: usize) -> String {
        let is_whole = self.after.split_whitespace().count() <= most;
        let is_number = |text: &str| text.ends_with(|char: char| char.is_numeric() || UNITS.contains(&char));
        let least = usize::from(is_number(&self.removed) && is_number(&self.added));
        first_words(&self.after, if is_whole { most } else { most.min(least) })
    }

    /// The text with the place: as a label if the line has no words before the change.
    fn placed(&self, text: &str, place: &Place) -> String {
        match place {
            Place::Label(label) if self.is_replaced() && last_words(&self.before, 1).is_empty() => {
                format!("{label}: {text}")
            }
            _ if self.is_replaced() => text.to_owned(),
            _ => text.to_owned() + &place.within(),
        }
    }
}

/// A text without the stop of the sentence before it.
fn sentence(text: &str) -> &str {
    match text.split_once(' ') {
        Some((stop, rest)) if stop.chars().all(|char| STOPS.contains(&char)) => rest,
        _ => text,
    }
}

/// The last words of the sentence that a text ends with, and a blank if the text ends with one.
fn last_words(text: &str, count: usize) -> String {
    let mut words: Vec<&str> =
        text.split_whitespace().rev().take(count).take_while(|word| !word.ends_with(ENDS)).collect();
    words.reverse();
    let words = clean(&words.join(" "));
    let is_parted = !words.is_empty() && text.ends_with(char::is_whitespace);
    if is_parted { words + " " } else { words }
}

/// The first words of a text, after a blank if the text begins with one.
fn first_words(text: &str, count: usize) -> String {
    let words = clean(&text.split_whitespace().take(count).collect::<Vec<_>>().join(" "));
    let is_parted = !words.is_empty() && text.starts_with(char::is_whitespace);
    if is_parted { format!(" {words}") } else { words }
}
