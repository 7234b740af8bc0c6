//! Where does a word of the page's text stand in the source's text?
//!
//! Words are cut out of collapsed text, marks are put into the text as it was written. Both have the
//! same letters in the same order and differ in white space only.

use std::ops::Range;

/// The places in `raw` of the spans of `collapsed`, which come in order.
pub(super) fn in_raw(raw: &str, collapsed: &str, spans: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut at = Steps { raw: raw.as_bytes(), collapsed: collapsed.as_bytes(), in_raw: 0, in_collapsed: 0 };
    spans
        .map(|span| {
            at.go_to(span.start);
            at.skip_blanks();
            let start = at.in_raw;
            at.go_to(span.end);
            start..at.in_raw
        })
        .collect()
}

struct Steps<'a> {
    raw: &'a [u8],
    collapsed: &'a [u8],
    in_raw: usize,
    in_collapsed: usize,
}

impl Steps<'_> {
    fn go_to(&mut self, collapsed: usize) {
        while self.in_collapsed < collapsed.min(self.collapsed.len()) && self.in_raw < self.raw.len() {
            if self.raw[self.in_raw] == self.collapsed[self.in_collapsed] {
                self.in_collapsed += 1;
            } else if self.collapsed[self.in_collapsed].is_ascii_whitespace() {
                // One blank, or the end of a line, stands for a run of others.
                self.in_collapsed += 1;
            }
            self.in_raw += 1;
        }
    }

    /// Goes over white space that collapsed to nothing.
    fn skip_blanks(&mut self) {
        let next = self.collapsed.get(self.in_collapsed);
        while self.raw.get(self.in_raw).is_some_and(|byte| Some(byte) != next && byte.is_ascii_whitespace()) {
            self.in_raw += 1;
        }
    }
}

/// Writes text so that a parser reads the same text.
pub(super) fn escape(out: &mut String, text: &str) {
    escape_with(out, text, |byte| match byte {
        b'&' => Some("&amp;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#13;"),
        _ => None,
    });
}

/// Writes an attribute; one whose name no tag can hold is left out.
pub(super) fn attribute(out: &mut String, name: &str, value: &str) {
    let is_bad = |char: char| char.is_control() || matches!(char, ' ' | '"' | '\'' | '>' | '/' | '=' | '<');
    if name.is_empty() || name.contains(is_bad) {
        return;
    }
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape_with(out, value, |byte| match byte {
        b'&' => Some("&amp;"),
        b'"' => Some("&quot;"),
        b'<' => Some("&lt;"),
        b'>' => Some("&gt;"),
        b'\r' => Some("&#13;"),
        _ => None,
    });
    out.push('"');
}

fn escape_with(out: &mut String, text: &str, reference: impl Fn(u8) -> Option<&'static str>) {
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(reference) = reference(byte) {
            out.push_str(&text[written..at]);
            out.push_str(reference);
            written = at + 1;
        }
    }
    out.push_str(&text[written..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_behind_any_white_space() {
        let spans = |raw, collapsed, spans: &[(usize, usize)]| {
            let found = in_raw(raw, collapsed, spans.iter().map(|&(start, end)| start..end));
            found.into_iter().map(|span| (span.start, span.end)).collect::<Vec<_>>()
        };
        assert_eq!(spans("\n  one \t two", "one two", &[(0, 3), (4, 7)]), [(3, 6), (9, 12)]);
        assert_eq!(spans("\n  one \t two", " one two", &[(1, 4), (5, 8)]), [(3, 6), (9, 12)]);
        assert_eq!(spans("1 \n May  2", "1 May 2", &[(0, 7)]), [(0, 10)]);
        assert_eq!(spans("  a\n  b", "  a\n  b", &[(6, 7)]), [(6, 7)]);
    }

    #[test]
    fn names_that_break_tags_are_left_out() {
        let mut out = String::new();
        for name in ["a", "b\"", "c d", "", "@e"] {
            attribute(&mut out, name, "&\"\r");
        }
        assert_eq!(out, " a=\"&amp;&quot;&#13;\" @e=\"&amp;&quot;&#13;\"");
    }
}
