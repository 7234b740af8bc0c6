//! How does a long line fit a narrow screen? Broken into rows, at blanks and between ideographs.
//!
//! Width is counted in columns of a terminal: a letter takes one, an ideograph or an emoji two, an
//! accent none. A word longer than a row is broken wherever the row ends.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::lines::Line;
use super::mark::{Mark, painted};
use crate::summary::safe;

/// Text with one mark, safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    mark: Mark,
    text: String,
}

/// One row of a wrapped line.
#[derive(Debug, Default)]
pub(super) struct Row {
    runs: Vec<Run>,
    /// How wide it is.
    pub(super) columns: usize,
}

impl Row {
    /// The row as it is printed.
    pub(super) fn paint(&self, colour: bool) -> String {
        self.runs.iter().map(|run| painted(run.mark.style(), &run.text, colour)).collect()
    }
}

/// A line as rows: the first of at most `first` columns, the others of at most `rest`.
pub(super) fn wrap(line: &Line, first: usize, rest: usize, colour: bool) -> Vec<Row> {
    let mut runs = runs(line);
    if !colour {
        runs.iter_mut().for_each(bracket);
    }
    let glyphs = glyphs(&runs);
    let mut rows = Vec::new();
    let (mut start, mut at, mut columns, mut cut) = (0, 0, 0, None);
    while let Some(glyph) = glyphs.get(at) {
        let limit = if rows.is_empty() { first } else { rest };
        if columns + glyph.width > limit && at > start && !glyph.is_blank() {
            let end = cut.take().unwrap_or(at);
            rows.push(row(&glyphs[start..end]));
            (start, at, columns) = (end, end, 0);
            continue;
        }
        columns += glyph.width;
        at += 1;
        if glyphs.get(at).is_some_and(|next| glyph.may_end_before(next)) {
            cut = Some(at);
        }
    }
    rows.push(row(&glyphs[start..]));
    rows
}

/// The line's pieces; those of one mark with only blanks between them as one.
fn runs(line: &Line) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut blanks = String::new();
    for piece in &line.pieces {
        let text = safe::for_terminal(piece.text);
        if piece.mark == Mark::Same && text.trim().is_empty() {
            blanks.push_str(&text);
            continue;
        }
        if let Some(last) = runs.last_mut().filter(|last| last.mark == piece.mark) {
            last.text.push_str(&blanks);
            last.text.push_str(&text);
        } else {
            runs.push(Run { mark: Mark::Same, text: blanks.clone() });
            runs.push(Run { mark: piece.mark, text: text.into_owned() });
        }
        blanks.clear();
    }
    runs
}

fn bracket(run: &mut Run) {
    let (open, close) = run.mark.brackets();
    run.text.insert_str(0, open);
    run.text.push_str(close);
}

/// What stays together whatever the width: a character and what is written over it.
#[derive(Debug, Clone, Copy)]
struct Glyph<'a> {
    mark: Mark,
    text: &'a str,
    width: usize,
}

impl Glyph<'_> {
    fn is_blank(&self) -> bool {
        self.text.starts_with(|char: char| char.is_whitespace() && !matches!(char, '\u{a0}' | '\u{202f}'))
    }

    /// May a row end between this and the next?
    fn may_end_before(&self, next: &Self) -> bool {
        let is_word = |glyph: &Self| glyph.text.starts_with(char::is_alphanumeric);
        let is_wide_stop =
            self.width > 1 && !self.text.starts_with(['「', '『', '（', '【', '〈', '《', '〔', '［', '｛']);
        self.is_blank() || is_word(next) && (is_wide_stop || is_word(self) && next.width > 1)
    }
}

fn glyphs(runs: &[Run]) -> Vec<Glyph<'_>> {
    runs.iter().flat_map(|run| clusters(&run.text).map(|text| (run.mark, text))).map(glyph).collect()
}

fn glyph((mark, text): (Mark, &str)) -> Glyph<'_> {
    Glyph { mark, text, width: text.width() }
}

fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices();
        let mut before = chars.next()?.1;
        let end = chars.find_map(|(at, char)| {
            let joins = char.width() == Some(0) || before == '\u{200d}' || matches!(char, '\u{1f3fb}'..='\u{1f3ff}');
            before = char;
            (!joins).then_some(at)
        });
        let (cluster, others) = rest.split_at(end.unwrap_or(rest.len()));
        rest = others;
        Some(cluster)
    })
}

fn row(glyphs: &[Glyph]) -> Row {
    let length = glyphs.iter().rposition(|glyph| !glyph.is_blank()).map_or(0, |last| last + 1);
    let mut row = Row::default();
    for glyph in &glyphs[..length] {
        row.columns += glyph.width;
        match row.runs.last_mut() {
            Some(run) if run.mark == glyph.mark => run.text.push_str(glyph.text),
            _ => row.runs.push(Run { mark: glyph.mark, text: glyph.text.to_owned() }),
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, width: usize) -> Vec<String> {
        let rows = wrap(&Line::plain(text), width, width, false);
        assert!(rows.iter().all(|row| row.columns == row.paint(false).width()));
        rows.iter().map(|row| row.paint(false)).collect()
    }

    #[test]
    fn rows_end_at_blanks() {
        assert_eq!(rows("the quick brown fox", 10), ["the quick", "brown fox"]);
    }

    #[test]
    fn a_word_too_long_for_a_row_is_broken_where_the_row_ends() {
        assert_eq!(rows("a bcdefghijkl m", 5), ["a", "bcdef", "ghijk", "l m"]);
    }

    #[test]
    fn ideographs_take_two_columns_and_do_not_begin_a_row_with_a_stop() {
        assert_eq!(rows("東京大学の研究。", 8), ["東京大学", "の研究。"]);
        assert_eq!(rows("東京大学。京都", 8), ["東京大", "学。京都"]);
    }

    #[test]
    fn accents_and_joined_emoji_stay_on_their_letters() {
        assert_eq!(rows("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
        assert_eq!(rows("👩\u{200d}👩\u{200d}👧👍🏽", 2), ["👩\u{200d}👩\u{200d}👧", "👍🏽"]);
    }

    #[test]
    fn the_indent_of_code_is_kept_and_blanks_at_the_end_are_not() {
        assert_eq!(rows("    let x;   ", 20), ["    let x;"]);
    }

    #[test]
    fn an_empty_line_is_one_empty_row() {
        assert_eq!(rows("", 10), [""]);
        assert_eq!(rows("漢", 1), ["漢"]);
    }
}
