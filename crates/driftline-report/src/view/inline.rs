//! Which words changed, read in a terminal? Both pages in one, line by line, changed words marked.

use driftline::degree::edit::EditKind;

use super::absorb::absorb;
use super::lines::{self, Extent, Line};
use super::mark::{dim, legend, painted};
use super::shorten::shorten;
use super::{Comparison, TextOptions, fold, wrap};
use crate::summary::merge;

/// Columns before the text: what happened to the line.
const GUTTER: usize = 2;
/// Columns before the second and later rows of a line, after the gutter.
const INDENT: usize = 2;
/// Narrower text is not readable.
const LEAST_WIDTH: usize = 16;

/// Both pages in one, changed words marked, lines far from a change folded.
///
/// Without colours `{+…+}` stands around added words and `[-…-]` around dropped ones; a first line
/// explains all marks in use. Nothing, if no word changed and the unchanged lines are not asked for.
#[must_use]
pub fn text(comparison: &Comparison, options: &TextOptions) -> String {
    if comparison.change.edits.is_empty() && options.context.is_some() {
        return String::new();
    }
    let (kinds, body) = body(comparison, options);
    legend(&kinds, options.colour) + &body
}

/// The lines without the explanation of their marks, and the kinds that it has to explain.
pub(super) fn body(comparison: &Comparison, options: &TextOptions) -> (Vec<EditKind>, String) {
    let mut lines = lines::merged(&merge::steps(comparison.pages, comparison.change));
    if !options.colour {
        lines.iter_mut().for_each(absorb);
    }
    if options.context.is_some() {
        lines.iter_mut().for_each(shorten);
    }
    let mut text = String::new();
    let changed: Vec<bool> = lines.iter().map(Line::is_changed).collect();
    for passage in fold::fold(&changed, options.context) {
        match passage {
            fold::Passage::Shown(range) => lines[range].iter().for_each(|line| push_line(&mut text, line, options)),
            fold::Passage::Folded(range) => push_fold(&mut text, range.len(), options.colour),
        }
    }
    (lines::kinds(&lines), text)
}

fn push_fold(text: &mut String, lines: usize, colour: bool) {
    text.push_str(&painted(dim(), &format!("  ⋯ {}", fold::describe(lines)), colour));
    text.push('\n');
}

fn push_line(text: &mut String, line: &Line, options: &TextOptions) {
    let width = options.width.max(LEAST_WIDTH) - GUTTER;
    let mut gutter = match line.extent() {
        Extent::Nothing => "  ",
        Extent::Part => "~ ",
        Extent::Gone => "- ",
        Extent::New => "+ ",
    };
    for row in wrap::wrap(line, width, width - INDENT, options.colour) {
        let row = format!("{gutter}{}", row.paint(options.colour));
        text.push_str(row.trim_end());
        text.push('\n');
        gutter = "    ";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{BEFORE, NOW, Pair, many_words};

    fn shown(older: &str, newer: &str) -> String {
        text(&Pair::of(older, newer).comparison(), &TextOptions::default())
    }

    #[test]
    fn changed_words_are_marked_and_far_lines_folded() {
        insta::assert_snapshot!(shown(BEFORE, NOW), @"
        {+added+} [-dropped-] {=copied=} [=shrunk=] [~replaced~]{~by~} [<moved<]{>here>}

          The harbour café
        ~ We open from nine to [~five.~]{~six,~} {+also on Sundays.+}
        + {>Find us behind>} {=the=} {>old lighthouse.>}
          Fish comes fresh from the boats every day.
          Coffee
          ⋯ 2 lines unchanged
          Milk
          Water
        ~ Soup  [-4.50-]{+4.90+}
          Bread  1.20
        ~ The kitchen closes an hour before the house[-, so come early-].
        ~ Dogs are welcome. [=Dogs are welcome.=]
        - [<Find us behind<]
        ~ {=Fish comes fresh from=} the [<old lighthouse<]{=boats every day=}.
        ");
    }

    #[test]
    fn a_new_price_stands_behind_the_old_one_if_the_line_below_went() {
        let rows = shown("<p>Apple: 1.20</p><p>Pear: 2.00</p><p>Fig: 3</p>", "<p>Apple: 1.30</p><p>Fig: 3</p>");
        insta::assert_snapshot!(rows, @"
        [-dropped-] [~replaced~]{~by~}

        ~ Apple: [~1.20~]{~1.30~}
        - [-Pear: 2.00-]
          Fig: 3
        ");
    }

    #[test]
    fn a_new_price_in_a_table_stands_behind_the_old_one_if_the_row_below_went() {
        let older = "<table><tr><td>Apple<td>1.20<tr><td>Pear<td>2.00<tr><td>Fig<td>3</table>";
        let rows = shown(older, "<table><tr><td>Apple<td>1.30<tr><td>Fig<td>3</table>");
        insta::assert_snapshot!(rows, @"
        [-dropped-] [~replaced~]{~by~}

        ~ Apple  [~1.20~]{~1.30~}
        - [-Pear  2.00-]
          Fig  3
        ");
    }

    #[test]
    fn colours_take_the_place_of_brackets() {
        let options = TextOptions { colour: true, ..TextOptions::default() };
        let text = text(&Pair::of("<p>It costs 5 euros.", "<p>It costs 6 euros.").comparison(), &options);
        insta::assert_snapshot!(text.replace('\u{1b}', "^"), @"
        ^[1m^[9m^[38;5;132mreplaced^[0m ^[1m^[4m^[38;5;132mby^[0m

        ~ It costs ^[1m^[9m^[38;5;132m5^[0m^[1m^[4m^[38;5;132m6^[0m euros.
        ");
    }

    #[test]
    fn long_lines_are_wrapped_with_their_marks() {
        let older = "<p>Ideas are worth little until somebody carries them out with patience.";
        let newer = "<p>Ideas are worth little until a whole team of kind people carries them out with patience.";
        let pair = Pair::of(older, newer);
        insta::assert_snapshot!(text(&pair.comparison(), &TextOptions { width: 30, ..TextOptions::default() }), @"
        {+added+} [~replaced~]{~by~}

        ~ Ideas are worth little until
            [~somebody~]{~a~} {+whole
            team of kind people+}
            carries them out with
            patience.
        ");
    }

    #[test]
    fn one_change_in_a_huge_line_does_not_show_all_of_it() {
        let line = many_words("a", ' ');
        let rows = shown(&line, &line.replace("a50000", "news"));
        assert!(rows.contains("{~news~}"), "{rows}");
        assert_eq!(rows.matches(" ⋯").count(), 2, "{rows}");
        assert!(rows.lines().count() < 20);
    }

    #[test]
    fn equal_pages_show_nothing_unless_all_lines_are_asked_for() {
        assert_eq!(shown("<p>same<p>page", "<p>same<p>page."), "");
        let pair = Pair::of("<p>same<p>page", "<p>same<p>page.");
        let options = TextOptions { context: None, ..TextOptions::default() };
        assert_eq!(text(&pair.comparison(), &options), "  same\n  page.\n");
    }

    #[test]
    fn an_empty_page_has_only_dropped_or_added_words() {
        assert_eq!(shown("<p>a<p>b", ""), "[-dropped-]\n\n- [-a-]\n- [-b-]\n");
        assert_eq!(shown("", "<p>a<p>b"), "{+added+}\n\n+ {+a+}\n+ {+b+}\n");
        assert_eq!(shown("", ""), "");
    }

    #[test]
    fn east_asian_text_is_marked_by_words_and_wrapped_by_columns() {
        let pair = Pair::of(
            "<p>東京大学の研究チームは新しい方法を発表した。",
            "<p>京都大学の研究チームは新しい方法と結果を発表した。",
        );
        insta::assert_snapshot!(text(&pair.comparison(), &TextOptions { width: 40, ..TextOptions::default() }), @"
        {+added+} [~replaced~]{~by~}

        ~ [~東京~]{~京都~}大学の研究チームは新し
            い方法{+と結果+}を発表した。
        ");
    }

    #[test]
    fn commands_to_the_terminal_are_shown_not_sent() {
        let text = shown("<p>a b", "<p>a \u{1b}]0;title\u{7}\u{1b}[31m\u{9b}2J b \u{202e}c");
        assert!(!text.chars().any(|char| char != '\n' && char.is_control() || char == '\u{202e}'), "{text:?}");
        assert!(text.contains("\u{fffd}[31m"), "{text:?}");
    }

    #[test]
    fn a_page_of_which_every_word_changed_takes_linear_time() {
        let pair = Pair::of(&many_words("a", ' '), &many_words("b", ' '));
        let rows = text(&pair.comparison(), &TextOptions::default());
        assert!(rows.lines().all(|row| row.len() <= 80));
        assert!(rows.contains("a99999") && rows.contains("b99999"), "the last words are there");
    }
}
