//! A page as it was when another monitor kept nothing but its text.
//!
//! Monitors write the text of a page each in its own way: with signs before the items of a list, addresses after links, or
//! without what they take for noise. So what only one of the two texts has says nothing. But where words stand between
//! the same words as now, and are others, the page has changed. The older page is the newer one with these words put
//! back, and is compared as any other is.

use std::collections::HashMap;
use std::ops::Range;

use driftline::page::Limits;

/// More pairs of words are not compared.
const MOST_PAIRS: usize = 4_000_000;
/// Phrases are looked for in this many bytes in all; where they would be looked for in more, the texts are not compared.
const MOST_SEARCHED: usize = 256_000_000;
/// Elements whose text is none of the page's.
const UNREAD: [&str; 4] = ["script", "style", "title", "template"];

/// Words that were replaced: where they are in the older and in the newer text.
type Hunk = (Range<usize>, Range<usize>);

/// The words of a text, and where they are in it.
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    pub(super) spans: Vec<Range<usize>>,
}

impl<'a> Words<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.text.get(self.spans[at].clone()).unwrap_or_default()
    }

    fn all(&self) -> Vec<&'a str> {
        (0..self.spans.len()).map(|at| self.word(at)).collect()
    }

    /// The text of some words, with what is between them.
    fn phrase(&self, words: &Range<usize>) -> &'a str {
        let first = self.spans.get(words.start).map_or(0, |span| span.start);
        let end = self.spans.get(words.end.wrapping_sub(1)).map_or(0, |span| span.end);
        self.text.get(first..end).unwrap_or_default()
    }
}

/// The source of a page with the words that the older text had in place of those that it has now; none if no words were
/// replaced, or the texts are not of one page.
pub(super) fn before(older: &Words<'_>, newer: &Words<'_>, source: &str) -> Option<String> {
    let (old, new) = (older.all(), newer.all());
    let hunks = replaced(&old, &new)?;
    let mut by_words: HashMap<(&str, &str), usize> = HashMap::new();
    for (before, after) in &hunks {
        *by_words.entry((older.phrase(before), newer.phrase(after))).or_default() += 1;
    }
    if by_words.len().saturating_mul(newer.text.len() + source.len()) > MOST_SEARCHED {
        return None;
    }
    let outside = outside_of_tags(source);
    let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
    for ((before, after), count) in by_words {
        // As often in the text as it was replaced: else it is not known which of them.
        if places(newer.text, after).count() == count {
            let own = |range: &Range<usize>| {
                let start = range.start;
                places(&source[range.clone()], after).map(move |at| start + at)
            };
            edits.extend(outside.iter().flat_map(own).map(|at| (at..at + after.len(), before)));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    edits.dedup_by(|next, before| next.0.start < before.0.end);
    let added = edits.iter().fold(0_usize, |bytes, (_, before)| bytes.saturating_add(before.len()));
    if edits.is_empty() || added.saturating_add(source.len()) > Limits::DEFAULT.bytes {
        return None;
    }
    let mut page = String::with_capacity(source.len());
    let mut end = 0;
    for (range, before) in edits {
        page.push_str(&source[end..range.start]);
        before.chars().for_each(|char| escape(char, &mut page));
        end = range.end;
    }
    page.push_str(&source[end..]);
    Some(page)
}

/// Adds a character as HTML that means it in every encoding: the page may declare another one than UTF-8.
fn escape(char: char, html: &mut String) {
    if char.is_ascii() && !matches!(char, '&' | '<') {
        html.push(char);
    } else {
        html.extend(["&#", &u32::from(char).to_string(), ";"]);
    }
}

/// The runs of words that are others between the same words; none if the texts have less than half of the shorter one in
/// common and more than single values were replaced.
fn replaced(old: &[&str], new: &[&str]) -> Option<Vec<Hunk>> {
    let pairs = common(old, new)?;
    let has_number = |word: &str| word.chars().any(char::is_numeric);
    let (counts_old, counts_new) = (counts(old), counts(new));
    let count = |counts: &HashMap<&str, usize>, word: &str| counts.get(word).copied().unwrap_or_default();
    let is_other = |before: &Range<usize>, after: &Range<usize>| {
        let is_rarer = |word: &&str| count(&counts_new, word) < count(&counts_old, word);
        let is_more_frequent = |word: &&str| count(&counts_new, word) > count(&counts_old, word);
        old[before.clone()].iter().all(is_rarer) && new[after.clone()].iter().all(is_more_frequent)
    };
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    for (next_old, next_new) in pairs.iter().copied().chain([(old.len(), new.len())]) {
        let (before, after) = (at_old..next_old, at_new..next_new);
        if !before.is_empty() && !after.is_empty() && is_other(&before, &after) {
            hunks.push((before, after));
        }
        (at_old, at_new) = (next_old + 1, next_new + 1);
    }
    let are_values = hunks.iter().all(|(before, after)| {
        before.len() == 1 && after.len() == 1 && has_number(old[before.start]) && has_number(new[after.start])
    });
    let is_one_page = pairs.len() * 2 >= old.len().min(new.len()) || are_values && old.len() == new.len();
    (is_one_page && !hunks.is_empty()).then_some(hunks)
}

/// How often a text has each of its words.
fn counts<'a>(words: &[&'a str]) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    for word in words {
        *counts.entry(*word).or_default() += 1;
    }
    counts
}

/// A longest common subsequence, by the numbers of its words; none if there are too many words.
fn common(old: &[&str], new: &[&str]) -> Option<Vec<(usize, usize)>> {
    let first = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (rest_old, rest_new) = (&old[first..], &new[first..]);
    let last = rest_old.iter().rev().zip(rest_new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (rows, columns) = (rest_old.len() - last, rest_new.len() - last);
    if rows.saturating_mul(columns) > MOST_PAIRS {
        return None;
    }
    let at = |row: usize, column: usize| row * (columns + 1) + column;
    let mut longest = vec![0_u32; (rows + 1) * (columns + 1)];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            longest[at(row, column)] = if rest_old[row] == rest_new[column] {
                longest[at(row + 1, column + 1)] + 1
            } else {
                longest[at(row + 1, column)].max(longest[at(row, column + 1)])
            };
        }
    }
    let mut pairs: Vec<(usize, usize)> = (0..first).map(|at| (at, at)).collect();
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        if rest_old[row] == rest_new[column] {
            pairs.push((first + row, first + column));
            (row, column) = (row + 1, column + 1);
        } else if longest[at(row + 1, column)] >= longest[at(row, column + 1)] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs.extend((0..last).map(|at| (first + rows + at, first + columns + at)));
    Some(pairs)
}

/// Where a phrase begins in a text, as whole words.
fn places<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    // `1.5` is no whole word in `31.5`, nor in `1.55` or `1.5.2`.
    let is_number =
        |sign: Option<char>, next: Option<char>| matches!(sign, Some('.' | ',')) && next.is_some_and(char::is_numeric);
    let all = text.match_indices(phrase).filter(move |(at, _)| {
        let mut before = text[..*at].chars().rev();
        let mut after = text[at + phrase.len()..].chars();
        let ([before, earlier], [after, later]) = ([before.next(), before.next()], [after.next(), after.next()]);
        !is_part(before) && !is_part(after) && !is_number(before, earlier) && !is_number(after, later)
    });
    all.map(|(at, _)| at)
}

/// The parts of a source that are text: not in tags, comments and elements that nobody reads.
fn outside_of_tags(source: &str) -> Vec<Range<usize>> {
    let lower = source.to_ascii_lowercase();
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < source.len() {
        let Some(open) = lower[at..].find('<').map(|open| at + open) else {
            parts.push(at..source.len());
            break;
        };
        parts.push(at..open);
        let name = lower[open + 1..].split(|char: char| !char.is_ascii_alphanumeric()).next().unwrap_or_default();
        let end = if lower[open..].starts_with("<!--") {
            lower[open..].find("-->").map(|end| open + end + 3)
        } else if UNREAD.contains(&name) {
            let close = format!("</{name}");
            lower[open..].find(&close).and_then(|close| end_of_tag(&lower, open + close))
        } else {
            end_of_tag(&lower, open)
        };
        at = end.unwrap_or(source.len());
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The end of a tag that begins at a place: after its first `>` outside of quoted values.
fn end_of_tag(source: &str, open: usize) -> Option<usize> {
    let (mut quote, mut is_value) = (None, false);
    for (at, byte) in source.bytes().enumerate().skip(open) {
        match byte {
            _ if quote.is_some() => quote = quote.filter(|quote| *quote != byte),
            b'>' => return Some(at + 1),
            b'"' | b'\'' if is_value => quote = Some(byte),
            _ => is_value = byte == b'=' || is_value && byte.is_ascii_whitespace(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words<'_> {
        let is_sign = |char: char| char.is_whitespace() || matches!(char, '<' | '>' | '*' | '!');
        let pieces = text.split(is_sign).filter(|piece| !piece.is_empty());
        let spans = pieces.map(|piece| {
            let start = piece.as_ptr() as usize - text.as_ptr() as usize;
            start..start + piece.len()
        });
        Words { text, spans: spans.collect() }
    }

    fn back(older: &str, newer: &str, source: &str) -> Option<String> {
        before(&words(older), &words(newer), source)
    }

    #[test]
    fn words_that_were_replaced_are_put_back_and_nothing_else() {
        let source = "<title>31.5 EUR</title><p id=31.5>It costs <b>31.5</b> EUR<!-- 31.5 --><script>31.5</script>";
        let older = back("* It costs 19.5 EUR", "It costs 31.5 EUR", source).unwrap();
        assert_eq!(older, source.replace("<b>31.5<", "<b>19.5<"));
        assert_eq!(
            back("the lamp is in stock now", "the lamp is sold out now", "<p>the lamp is <b>sold out</b> now").unwrap(),
            "<p>the lamp is <b>in stock</b> now"
        );
        assert_eq!(back("19.5", "31.5", "<b>31.5</b>").unwrap(), "<b>19.5</b>");
        assert_eq!(back("a 1 b", "a 2 b", "<p>a 2 b 1.2 2.5 12").unwrap(), "<p>a 1 b 1.2 2.5 12");
    }

    #[test]
    fn a_value_with_a_bracket_in_quotes_is_no_text() {
        let source = r#"<p title="more > 31.5" class=a"b>It costs 31.5 EUR <i title='"> 31.5'>"#;
        let older = back("It costs 19.5 EUR", "It costs 31.5 EUR", source).unwrap();
        assert_eq!(older, source.replace("costs 31.5", "costs 19.5"));
    }

    #[test]
    fn words_that_are_put_back_mean_the_same_in_every_encoding() {
        let older = back("it costs 5€ & more", "it costs nothing now more", "<p>it costs nothing now more").unwrap();
        assert_eq!(older, "<p>it costs 5&#8364; &#38; more");
    }

    #[test]
    fn many_phrases_of_a_long_page_are_not_looked_for() {
        let text = |number: usize| (0..1_000).map(|at| format!("same{at} {} ", at * 2 + number)).collect::<String>();
        let source = format!("<p>{}<!--{}-->", text(5_001), " ".repeat(300_000));
        assert_eq!(back(&text(10_000), &text(5_001), &source), None);
        assert!(back(&text(10_000), &text(5_001), &source[..30_000]).is_some());
    }

    #[test]
    fn what_only_one_of_the_texts_has_says_nothing() {
        for (older, newer) in [
            ("1 one 2 two 3 three", "one two three"),
            ("one two", "one two three"),
            ("one", "one"),
            ("", "one"),
            ("quite another page", "of other words here"),
            ("2 of 3", "3 of 2"),
        ] {
            assert_eq!(back(older, newer, &format!("<p>{newer}")), None, "{older}");
        }
    }

    #[test]
    fn a_word_that_is_elsewhere_too_is_not_put_back() {
        assert_eq!(back("pay 5 or 7 now", "pay 7 or 7 now", "<p>pay 7 or 7 now"), None);
        assert_eq!(back("a 5 b 5 c", "a 7 b 7 c", "<p>a 7 b 7 c").unwrap(), "<p>a 5 b 5 c");
    }
}
