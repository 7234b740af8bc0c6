//! Which tags have too many attributes for the parser?
//!
//! html5ever and xml5ever compare each attribute of a tag with all before it: a tag with a million
//! attributes would take an hour. The parser cannot be stopped inside a tag, so the text of such a
//! tag is cut before the parser sees it. Ordinary tags end soon and cost one search for `>`.

use std::borrow::Cow;

use memchr::memchr;

/// The most attributes of one tag; real pages stay below 100.
pub(super) const MOST_ATTRIBUTES: usize = 1_024;

/// A shorter tag cannot have more than [`MOST_ATTRIBUTES`]: each takes two bytes at least.
const LONG_TAG: usize = 2 * MOST_ATTRIBUTES;

/// The text without the attributes that are too many, and borrowed if there are none.
pub(super) fn bounded(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut kept, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(length) = memchr(b'<', &bytes[at..]) {
        at += length + 1;
        let near = &bytes[at..bytes.len().min(at + LONG_TAG)];
        let is_short = near.len() < LONG_TAG || !near[0].is_ascii_alphabetic() || memchr(b'>', near).is_some();
        if is_short {
            continue;
        }
        let (cut, end) = read_tag(bytes, at);
        if let Some(cut) = cut {
            kept.push_str(&text[copied..cut]);
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(&text[copied..]);
    Cow::Owned(kept)
}

/// Where the attributes of a tag become too many, if they do, and where the tag ends.
fn read_tag(bytes: &[u8], start: usize) -> (Option<usize>, usize) {
    let (mut at, mut cut, mut attributes) = (skip(bytes, start, |byte| !ends_name(byte)), None, 0);
    loop {
        at = skip(bytes, at, |byte| byte.is_ascii_whitespace() || byte == b'/');
        match bytes.get(at) {
            None | Some(b'>') => return (cut, at),
            Some(_) => attributes += 1,
        }
        if attributes > MOST_ATTRIBUTES && cut.is_none() {
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

    #[test]
    fn ordinary_tags_and_long_values_are_left_alone() {
        let long = format!("<img src='data:{}' alt=\"{}\">a < b", "x".repeat(50_000), "y > z ".repeat(5_000));
        for text in ["", "<", "<p class=x>a", &"<b>".repeat(5_000), &long] {
            assert!(matches!(bounded(text), Cow::Borrowed(_)), "{}", &text[..text.len().min(20)]);
        }
    }

    #[test]
    fn a_tag_with_too_many_attributes_keeps_the_first_ones() {
        let many = (0..5_000).map(|number| format!("a{number}='é'")).collect::<Vec<_>>().join(" ");
        let text = format!("<i>é</i><p {many}>word <q {many}");
        let cut = bounded(&text);
        assert!(cut.contains("a1023=") && !cut.contains("a1024="));
        assert!(cut.contains("word"));
    }
}
