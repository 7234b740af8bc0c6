//! What did this line say before? Both pages in two columns, lines that belong together side by side.

use driftline::change::Sides;

use super::absorb::absorb;
use super::lines::{self, Line};
use super::mark::{dim, legend, painted};
use super::pairs::{self, Row};
use super::shorten::shorten;
use super::{Comparison, TextOptions, fold, wrap};
use crate::summary::merge;

/// Between the columns: a blank, the sign of `diff -y`, a blank.
const SEPARATOR: usize = 3;
/// A narrower column is not readable.
const LEAST_COLUMN: usize = 8;

/// Both pages in two columns, changed words marked as in [`text`](super::text), rows far from a
/// change folded.
///
/// Between the columns stands `|` in a row that changed, `<` if only the older page has it and `>` if
/// only the newer one.
#[must_use]
pub fn side_by_side(comparison: &Comparison, options: &TextOptions) -> String {
    if comparison.change.edits.is_empty() && options.context.is_some() {
        return String::new();
    }
    let steps = merge::steps(comparison.pages, comparison.change);
    let mut pages = Sides { older: lines::older(&steps), newer: lines::newer(&steps) };
    if !options.colour {
        pages.older.iter_mut().chain(&mut pages.newer).for_each(absorb);
    }
    if options.context.is_some() {
        pages.older.iter_mut().chain(&mut pages.newer).for_each(shorten);
    }
    let rows = pairs::rows(&steps, &pages);
    let width = (options.width.saturating_sub(SEPARATOR) / 2).max(LEAST_COLUMN);
    let columns = Columns { pages: &pages, context: options.context, width, colour: options.colour };
    columns.text(comparison.names, &rows)
}

struct Columns<'a> {
    pages: &'a Sides<Vec<Line<'a>>>,
    context: Option<usize>,
    /// Of one column.
    width: usize,
    colour: bool,
}

impl Columns<'_> {
    fn text(&self, names: Sides<&str>, rows: &[Row]) -> String {
        let lines = self.pages.older.iter().chain(&self.pages.newer);
        let mut text = legend(&lines::kinds(lines), self.colour);
        self.push_names(&mut text, names);
        let changed: Vec<bool> = rows.iter().map(|row| self.sign(*row) != " ").collect();
        for passage in fold::fold(&changed, self.context) {
            match passage {
                fold::Passage::Shown(range) => rows[range].iter().for_each(|row| self.push_row(&mut text, *row)),
                fold::Passage::Folded(range) => {
                    self.push_dim(&mut text, &format!("⋯ {}", fold::describe(range.len())));
                }
            }
        }
        text
    }

    fn lines(&self, row: Row) -> Sides<Option<&Line<'_>>> {
        Sides {
            older: row.older.map(|line| &self.pages.older[line]),
            newer: row.newer.map(|line| &self.pages.newer[line]),
        }
    }

    /// What stands between the columns.
    fn sign(&self, row: Row) -> &'static str {
        let Sides { older, newer } = self.lines(row);
        match (older, newer) {
            _ if ![older, newer].into_iter().flatten().any(Line::is_changed) => " ",
            (_, None) => "<",
            (None, _) => ">",
            _ => "|",
        }
    }

    fn push_names(&self, text: &mut String, names: Sides<&str>) {
        let (older, newer) = (Line::plain(names.older), Line::plain(names.newer));
        self.push_pair(text, Sides { older: Some(&older), newer: Some(&newer) }, " ");
        let rule = "─".repeat(self.width);
        self.push_dim(text, &format!("{rule}   {rule}"));
    }

    fn push_row(&self, text: &mut String, row: Row) {
        self.push_pair(text, self.lines(row), self.sign(row));
    }

    fn push_pair(&self, text: &mut String, lines: Sides<Option<&Line>>, sign: &str) {
        let (older, newer) = (self.wrapped(lines.older), self.wrapped(lines.newer));
        for at in 0..older.len().max(newer.len()) {
            let painted = |row: &wrap::Row| (row.paint(self.colour), row.columns);
            let (left, columns) = older.get(at).map(painted).unwrap_or_default();
            let (right, _) = newer.get(at).map(painted).unwrap_or_default();
            let blanks = " ".repeat(self.width.saturating_sub(columns));
            text.push_str(format!("{left}{blanks} {sign} {right}").trim_end());
            text.push('\n');
        }
    }

    fn wrapped(&self, line: Option<&Line>) -> Vec<wrap::Row> {
        line.map_or_else(Vec::new, |line| wrap::wrap(line, self.width, self.width, self.colour))
    }

    fn push_dim(&self, text: &mut String, line: &str) {
        text.push_str(&painted(dim(), line, self.colour));
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{BEFORE, NOW, Pair, many_words};

    fn shown(older: &str, newer: &str, width: usize) -> String {
        side_by_side(&Pair::of(older, newer).comparison(), &TextOptions { width, ..TextOptions::default() })
    }

    #[test]
    fn lines_that_belong_together_stand_side_by_side() {
        insta::assert_snapshot!(shown(BEFORE, NOW, 78), @"
        {+added+} [-dropped-] {=copied=} [=shrunk=] [~replaced~]{~by~} [<moved<]{>here>}

        old.html                                new.html
        ─────────────────────────────────────   ─────────────────────────────────────
        The harbour café                        The harbour café
        We open from nine to [~five.~]        | We open from nine to {~six,~} {+also
                                              | on Sundays.+}
                                              > {>Find us behind>} {=the=} {>old
                                              > lighthouse.>}
        Fish comes fresh from the boats every   Fish comes fresh from the boats every
        day.                                    day.
        Coffee                                  Coffee
        ⋯ 2 lines unchanged
        Milk                                    Milk
        Water                                   Water
        Soup  [-4.50-]                        | Soup  {+4.90+}
        Bread  1.20                             Bread  1.20
        The kitchen closes an hour before the | The kitchen closes an hour before the
        house[-, so come early-].             | house.
        Dogs are welcome. [=Dogs are          | Dogs are welcome.
        welcome.=]                            |
        [<Find us behind<] the [<old          | {=Fish comes fresh from=} the {=boats
        lighthouse<].                         | every day=}.
        ");
    }

    #[test]
    fn columns_are_as_wide_as_their_ideographs() {
        insta::assert_snapshot!(shown("<p>東京大学の研究チームは新しい方法を発表した。", "<p>京都大学の研究チームは方法を発表した。", 43), @"
        [-dropped-] [~replaced~]{~by~}

        old.html               new.html
        ────────────────────   ────────────────────
        [~東京~]大学の研究チ | {~京都~}大学の研究チ
        ームは[-新しい-]方法 | ームは方法を発表し
        を発表した。         | た。
        ");
    }

    #[test]
    fn a_reflowed_line_is_no_change() {
        let rows = shown("<p>one two three<p>four", "<p>one two<p>three<p>five", 40);
        assert!(!rows.contains(" > "), "{rows}");
    }

    #[test]
    fn equal_and_empty_pages_work() {
        assert_eq!(shown("<p>same", "<p>same", 40), "");
        assert!(shown("", "<p>new", 40).ends_with("> {+new+}\n"));
        assert!(shown("<p>old", "", 40).ends_with("[-old-]            <\n"));
    }

    #[test]
    fn a_page_of_which_every_word_changed_takes_linear_time() {
        let rows = shown(&many_words("a", '\n'), &many_words("b", '\n'), 60);
        assert!(rows.lines().count() > 100_000);
    }
}
