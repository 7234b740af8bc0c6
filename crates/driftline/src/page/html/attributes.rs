//! Which tags have too many attributes for the parser?
//!
//! html5ever and xml5ever compare each attribute of a tag with all before it: a tag with a million
//! attributes would take an hour. The parser cannot be stopped inside a tag, so the text of such a
//! tag is cut before the parser sees it. Ordinary tags end soon and cost one search for `>`.
//!
//! Scripts, styles and comments hold `<` without meaning a tag (`i<n`), so they are passed over.
//! Inside SVG they would be markup after all; hence a tag in them is cut too, but only when it is
//! absurd, and never over an end tag: of a real script nothing is lost that anyone reads.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem};

/// The most attributes of one tag; real pages stay below 100.
const MOST_ATTRIBUTES: usize = 1_024;
/// The same inside scripts and their like.
const MOST_IN_RAW_TEXT: usize = 4_096;

/// A shorter tag cannot have more than [`MOST_ATTRIBUTES`]: each takes two bytes at least.
const LONG_TAG: usize = 2 * MOST_ATTRIBUTES;

/// The text without the attributes that are too many, and borrowed if there are none.
pub(super) fn bounded(text: &str) -> Cow<'_, str> {
    let mut cuts = Vec::new();
    find_cuts(text.as_bytes(), &mut cuts);
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::new();
    let mut copied = 0;
    for Range { start, end } in cuts {
        kept.push_str(&text[copied..start]);
        copied = end;
    }
    kept.push_str(&text[copied..]);
    Cow::Owned(kept)
}

/// The parts of the text to leave out.
fn find_cuts(bytes: &[u8], cuts: &mut Vec<Range<usize>>) {
    let mut at = 0;
    while let Some(length) = memchr(b'<', &bytes[at..]) {
        at += length + 1;
        let rest = &bytes[at..];
        if rest.starts_with(b"!--") {
            at = memmem::find(rest, b"-->").map_or(bytes.len(), |length| at + length);
        } else if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            let end = find_cut(bytes, at, MOST_ATTRIBUTES, cuts);
            at = match raw_text_name(rest) {
                Some(name) => pass_raw_text(bytes, end, name, cuts),
                None => end,
            };
        }
    }
}

/// The end of the tag that begins here; notes what is to be left out of it.
fn find_cut(bytes: &[u8], start: usize, most: usize, cuts: &mut Vec<Range<usize>>) -> usize {
    let near = &bytes[start..bytes.len().min(start + LONG_TAG)];
    if let Some(length) = memchr(b'>', near) {
        // A `>` inside quotes ends nothing, but then the rest is looked at as text, not as a tag,
        // and `LONG_TAG` bytes hold few attributes.
        return start + length;
    }
    if near.len() < LONG_TAG {
        return bytes.len();
    }
    let (cut, end) = read_tag(bytes, start, most);
    cuts.extend(cut.map(|cut| cut..end));
    end
}

/// Elements whose text is not markup.
fn raw_text_name(tag: &[u8]) -> Option<&'static [u8]> {
    const NAMES: [&[u8]; 8] = [b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"];
    let name = &tag[..skip(tag, 0, |byte| !ends_name(byte))];
    NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

/// Passes over raw text up to its end tag; leaves out what would be an absurd tag if it were one.
fn pass_raw_text(bytes: &[u8], start: usize, name: &[u8], cuts: &mut Vec<Range<usize>>) -> usize {
    let is_end = |at: &usize| bytes.get(at + 2..at + 2 + name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name));
    let end = memmem::find_iter(&bytes[start..], b"</").map(|at| start + at).find(is_end).unwrap_or(bytes.len());
    let mut at = start;
    while let Some(length) = memchr(b'<', &bytes[at..end]) {
        at += length + 1;
        if bytes[at..end].first().is_some_and(u8::is_ascii_alphabetic) {
            let stop = memmem::find(&bytes[at..end], b"</").map_or(end, |length| at + length);
            at = find_cut(&bytes[..stop], at, MOST_IN_RAW_TEXT, cuts);
        }
    }
    end
}

/// Where the attributes of a tag become too many, if they do, and where the tag ends.
fn read_tag(bytes: &[u8], start: usize, most: usize) -> (Option<usize>, usize) {
    let (mut at, mut cut, mut attributes) = (skip(bytes, start, |byte| !ends_name(byte)), None, 0);
    loop {
        at = skip(bytes, at, |byte| byte.is_ascii_whitespace() || byte == b'/');
        match bytes.get(at) {
            None | Some(b'>') => return (cut, at),
            Some(_) => attributes += 1,
        }
        if attributes > most && cut.is_none() {
            cut = Some(at);
        }
        // A name has one byte at least, even if that is `=`.
        at = skip(bytes, at + 1, |byte| !ends_name(byte) && byte != b'=');
        let value = skip(bytes, at, |byte| byte.is_ascii_whitespace());
        if bytes.get(value) == Some(&b'=') {
            at = skip_value(bytes, skip(bytes, value + 1, |byte| byte.is_ascii_whitespace()));
        }
    }
}

/// Behind the value that begins here.
fn skip_value(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => (skip(bytes, at + 1, |byte| byte != quote) + 1).min(bytes.len()),
        _ => skip(bytes, at, |byte| !byte.is_ascii_whitespace() && byte != b'>'),
    }
}

fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>')
}

/// The first position from `at` on whose byte is not `wanted`.
fn skip(bytes: &[u8], at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let at = at.min(bytes.len());
    bytes[at..].iter().position(|&byte| !wanted(byte)).map_or(bytes.len(), |length| at + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(prefix: &str) -> String {
        (0..5_000).map(|number| format!("{prefix}{number}='é'")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ordinary_tags_and_long_values_are_left_alone() {
        let long = format!("<img src='data:{}' alt=\"{}\">a < b", "x".repeat(50_000), "y > z ".repeat(5_000));
        for text in ["", "<", "<p class=x>a", &"<b>".repeat(5_000), &long] {
            assert!(matches!(bounded(text), Cow::Borrowed(_)), "{}", &text[..text.len().min(20)]);
        }
    }

    #[test]
    fn a_tag_with_too_many_attributes_keeps_the_first_ones() {
        let many = many("a");
        let text = format!("<i>é</i><p {many}>word <q {many}");
        let cut = bounded(&text);
        assert!(cut.contains("a1023=") && !cut.contains("a1024="));
        assert!(cut.contains("word"));
    }

    #[test]
    fn a_script_that_compares_numbers_loses_nothing_that_is_read() {
        let numbers = (0..20_000).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
        for (before, after) in [("<script>", "</script>"), ("<!-- ", " -->"), ("<STYLE>", "</Style>")] {
            let text = format!("{before}for(i=0;i<n;i++){{d=[{numbers}]}}{after}<p>word</p>");
            assert!(bounded(&text).ends_with(&format!("{after}<p>word</p>")), "{before}");
        }
    }

    #[test]
    fn an_absurd_tag_cannot_hide_in_the_style_of_a_drawing() {
        let text = format!("<svg><style><p {}", many("a"));
        assert!(!bounded(&text).contains("a4096="));
    }
}
