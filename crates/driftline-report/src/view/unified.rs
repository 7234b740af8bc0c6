//! What changed, for mails and `patch`? Lines with `-` and `+`, in the format of `diff -u`.
//!
//! Lines are compared by their words, as everything here is: two lines that differ in punctuation or
//! in noise that was asked to be ignored are the same line, printed as the older page has it. So a
//! patch always fits the older page's text, and says nothing where no word changed.

use std::fmt::Write;
use std::ops::Range;

use driftline::change::Sides;
use driftline::degree::lcs::{Aligner, Alignment, Leftover};
use driftline::degree::vocabulary::{Vocabulary, WordId};
use driftline::page::Page;

use super::Comparison;
use crate::summary::safe;

/// The lines of both pages in the format of `diff -u`, with so many lines of context; nothing, if no
/// word changed.
///
/// What commands a terminal or turns the direction of writing becomes U+FFFD here too, so a page with
/// escape sequences cannot be patched.
#[must_use]
pub fn unified(comparison: &Comparison, context: usize) -> String {
    if comparison.change.edits.is_empty() {
        return String::new();
    }
    let pages = Sides { older: Lines::of(comparison.pages.older), newer: Lines::of(comparison.pages.newer) };
    let hunks = hunks(&pages);
    if hunks.is_empty() {
        return String::new();
    }
    let mut patch = format!("--- {}\n+++ {}\n", name(comparison.names.older), name(comparison.names.newer));
    let mut shift = 0;
    for group in hunks.chunk_by(|one, next| next.older.start - one.older.end <= context.saturating_mul(2)) {
        shift = push_group(&mut patch, &pages, group, context, shift);
    }
    patch
}

/// Lines that changed.
#[derive(Debug, Clone)]
struct Hunk {
    older: Range<usize>,
    newer: Range<usize>,
}

/// A page's lines, with their ends.
struct Lines<'a> {
    text: Vec<&'a str>,
    /// The words of each line in the form in which they are compared, or, without words, what stands there.
    keys: Vec<String>,
    has_words: Vec<bool>,
}

impl<'a> Lines<'a> {
    fn of(page: &'a Page) -> Self {
        let text: Vec<&str> = page.text().split_inclusive('\n').collect();
        let mut words = page.word_spans().iter().zip(page.words()).peekable();
        let (mut keys, mut has_words, mut end) = (Vec::new(), Vec::new(), 0);
        for line in &text {
            end += line.len();
            let mut key = String::new();
            while let Some((_, word)) = words.next_if(|(span, _)| (span.start as usize) < end) {
                key.push_str(word);
                key.push('\n');
            }
            has_words.push(!key.is_empty());
            if key.is_empty() {
                key.push_str(line.trim());
            }
            // `patch` cannot add a line behind one without an end, unless it takes that one out first.
            if !line.ends_with('\n') {
                key.push('\0');
            }
            keys.push(key);
        }
        Self { text, keys, has_words }
    }

    /// Equal lines have equal numbers.
    fn numbers(&self, vocabulary: &mut Vocabulary) -> Vec<WordId> {
        self.keys.iter().map(|key| vocabulary.intern(key)).collect()
    }

    fn push(&self, patch: &mut String, sign: char, lines: Range<usize>) {
        for line in &self.text[lines] {
            patch.push(sign);
            patch.push_str(&safe::for_patch(line));
            if !line.ends_with('\n') {
                patch.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
}

/// The hunks in which a word changed: lines that are not common, between the same two common lines.
fn hunks(pages: &Sides<Lines>) -> Vec<Hunk> {
    let mut vocabulary = Vocabulary::new();
    let older = pages.older.numbers(&mut vocabulary);
    let newer = pages.newer.numbers(&mut vocabulary);
    let (older, newer) = if older.len() <= newer.len() {
        let Alignment { first, second, .. } = Aligner::new().align(&older, &newer);
        (first, second)
    } else {
        let Alignment { first, second, .. } = Aligner::new().align(&newer, &older);
        (second, first)
    };
    let has_words = |lines: &Lines, range: &Range<usize>| lines.has_words[range.clone()].contains(&true);
    let mut all = by_gap(&older, &newer);
    all.retain(|hunk| has_words(&pages.older, &hunk.older) || has_words(&pages.newer, &hunk.newer));
    all
}

/// Joins the leftovers of each gap.
fn by_gap(older: &[Leftover], newer: &[Leftover]) -> Vec<Hunk> {
    let mut hunks = Vec::new();
    let (mut older_done, mut newer_done) = (0, 0);
    while let Some(gap) =
        [older.get(older_done), newer.get(newer_done)].into_iter().flatten().map(|left| left.gap).min()
    {
        let count = |left: &[Leftover]| left.iter().take_while(|leftover| leftover.gap == gap).count();
        let (from_older, from_newer) = (count(&older[older_done..]), count(&newer[newer_done..]));
        // Before a gap stand as many common lines as its number, and the leftovers of earlier gaps.
        let start = |done: usize| gap as usize + done;
        hunks.push(Hunk {
            older: start(older_done)..start(older_done) + from_older,
            newer: start(newer_done)..start(newer_done) + from_newer,
        });
        older_done += from_older;
        newer_done += from_newer;
    }
    hunks
}

/// Prints hunks that share their context. `shift` is by how many lines the patch has made the page longer so far.
fn push_group(patch: &mut String, pages: &Sides<Lines>, group: &[Hunk], context: usize, shift: isize) -> isize {
    let (Some(first), Some(last)) = (group.first(), group.last()) else {
        return shift;
    };
    let start = first.older.start.saturating_sub(context);
    let end = last.older.end.saturating_add(context).min(pages.older.text.len());
    let grown: isize = group.iter().map(|hunk| hunk.newer.len().cast_signed() - hunk.older.len().cast_signed()).sum();
    let length = end - start;
    let _ = writeln!(
        patch,
        "@@ -{} +{} @@",
        range(start, length),
        range(start.saturating_add_signed(shift), length.saturating_add_signed(grown))
    );
    let mut at = start;
    for hunk in group {
        pages.older.push(patch, ' ', at..hunk.older.start);
        pages.older.push(patch, '-', hunk.older.clone());
        pages.newer.push(patch, '+', hunk.newer.clone());
        at = hunk.older.end;
    }
    pages.older.push(patch, ' ', at..end);
    shift + grown
}

/// A name as the head of a patch has it: a tab ends one with blanks, which would end there otherwise.
fn name(name: &str) -> String {
    let name = safe::for_terminal(name);
    let end = if name.contains(char::is_whitespace) { "\t" } else { "" };
    format!("{name}{end}")
}

/// A range of lines as `diff -u` writes it: counted from 1, an empty one by the line before it.
fn range(start: usize, length: usize) -> String {
    match length {
        0 => format!("{start},0"),
        1 => (start + 1).to_string(),
        _ => format!("{},{length}", start + 1),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use driftline::page::{BodyKind, ReadOptions, WordRule};

    use super::*;
    use crate::sample::Pair;

    fn plain(older: &str, newer: &str) -> Pair {
        let options = ReadOptions { kind: Some(BodyKind::Text), words: WordRule::Whitespace, ..ReadOptions::default() };
        Pair::read(older, newer, &options)
    }

    #[test]
    fn a_patch_has_names_places_and_lines() {
        let pair = Pair::of(
            "<h1>News</h1><p>Open from nine to five.<p>a<p>b<p>c<p>d<p>e<p>f<p>The end.",
            "<h1>News!</h1><p>Open from nine to six.<p>a<p>b<p>c<p>d<p>e<p>f<p>The very end.",
        );
        insta::assert_snapshot!(unified(&pair.comparison(), 1), @"
        --- old.html
        +++ new.html
        @@ -1,3 +1,3 @@
         News
        -Open from nine to five.
        +Open from nine to six.
         a
        @@ -8,2 +8,2 @@
         f
        -The end.
        +The very end.
        ");
    }

    #[test]
    fn punctuation_alone_is_no_line_of_a_patch() {
        assert_eq!(unified(&Pair::of("<p>a, b<p>-<p>c", "<p>a. b<p>c<p>|").comparison(), 3), "");
        let pair = Pair::of("<p>a, b<p>-<p>c<p>d<p>e", "<p>a. b<p>c<p>|<p>d<p>x");
        assert_eq!(unified(&pair.comparison(), 0), "--- old.html\n+++ new.html\n@@ -5 +5 @@\n-e\n+x\n");
    }

    #[test]
    fn a_name_with_blanks_ends_with_a_tab() {
        let pair = Pair::of("a", "b");
        let mut comparison = pair.comparison();
        comparison.names.newer = "my\tpage\n.html";
        assert!(unified(&comparison, 3).starts_with("--- old.html\n+++ my  page\u{fffd}.html\t\n@@"));
    }

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        let patch = unified(&plain("a", "a\u{1b}[2J b\u{7}").comparison(), 3);
        assert!(!patch.contains(['\u{1b}', '\u{7}']), "{patch:?}");
    }

    /// The older text, patched by the `patch` of this machine, which `scripts/check` installs.
    fn patched(older: &str, newer: &str, context: usize) -> String {
        let folder = tempfile::tempdir().unwrap();
        let (text, patch) = (folder.path().join("text"), folder.path().join("patch"));
        std::fs::write(&text, older).unwrap();
        std::fs::write(&patch, unified(&plain(older, newer).comparison(), context)).unwrap();
        let status = Command::new("patch").arg("--quiet").arg(&text).arg(&patch).status();
        assert!(status.expect("this test needs the command `patch`").success());
        std::fs::read_to_string(text).unwrap()
    }

    #[test]
    fn patch_turns_the_older_text_into_the_newer() {
        let long: String = (0..60).flat_map(|line| ["line ".to_owned(), line.to_string(), "\n".to_owned()]).collect();
        let edited = long.replace("line 7\n", "").replace("line 30", "row 30\nand more").replace("line 59\n", "end");
        let pairs = [
            (long.as_str(), edited.as_str()),
            (&edited, &long),
            ("", "a\nb\n"),
            ("a\nb\n", ""),
            ("a", "a\nb"),
            ("a\nb", "b"),
            ("a\r\nb\r\n", "a\r\nc\r\n"),
            ("\n\na\n", "b\n\na\n\nc\n"),
        ];
        for (older, newer) in pairs {
            for context in [0, 1, 3, usize::MAX] {
                assert_eq!(patched(older, newer, context), newer, "from {older:?} with {context} lines of context");
            }
        }
    }
}
