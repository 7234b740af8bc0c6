//! What of a page's text may reach a reader's screen? Everything but characters that command it.
//!
//! Pages are written by strangers. An escape sequence in a page could clear the terminal, rename its
//! window or colour a change away; a carriage return could write over a line; an override of the
//! direction of writing could show a line backwards, marks included. All of these become U+FFFD,
//! as wide as one letter.

use std::borrow::Cow;

/// Text fit for a terminal: one line, blanks for tabs (which part the cells of a table).
#[must_use]
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if !text.contains(|char| is_command(char) || is_direction(char)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\t' => safe.push_str("  "),
            _ if is_command(char) || is_direction(char) => safe.push(substitute(char)),
            _ => safe.push(char),
        }
    }
    Cow::Owned(safe)
}

/// Text fit for a web page, before it is escaped. Its elements keep directions apart.
pub(crate) fn for_html(text: &str) -> Cow<'_, str> {
    replaced(text, |char| is_command(char) && char != '\t')
}

/// A line fit for a patch: as it is, but for what commands a terminal or turns the direction of writing.
pub(super) fn for_patch(line: &str) -> Cow<'_, str> {
    let body = line.strip_suffix('\n').unwrap_or(line);
    let body = body.strip_suffix('\r').unwrap_or(body);
    let is_bad = |char| is_command(char) && char != '\t' || is_direction(char);
    if !body.contains(is_bad) {
        return Cow::Borrowed(line);
    }
    let safe = replaced(body, is_bad);
    Cow::Owned(format!("{safe}{}", &line[body.len()..]))
}

fn replaced(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&is_bad) {
        text.chars().map(|char| if is_bad(char) { substitute(char) } else { char }).collect()
    } else {
        Cow::Borrowed(text)
    }
}

/// Old Macs and Windows end lines with a carriage return; it is no attack to be shown.
fn substitute(bad: char) -> char {
    if bad == '\r' { ' ' } else { char::REPLACEMENT_CHARACTER }
}

/// Controls, and the two characters of Unicode that end a line or a paragraph.
fn is_command(char: char) -> bool {
    char.is_control() || matches!(char, '\u{2028}' | '\u{2029}')
}

/// Embeddings, overrides and isolates; not the plain marks of a direction, which Arabic and Hebrew
/// pages need.
fn is_direction(char: char) -> bool {
    matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_lose_their_escape() {
        assert_eq!(for_terminal("a\u{1b}[2Jb\u{9b}31mc\u{7f}\0"), "a\u{fffd}[2Jb\u{fffd}31mc\u{fffd}\u{fffd}");
        assert_eq!(for_html("a\u{1b}[2J\tb"), "a\u{fffd}[2J\tb");
    }

    #[test]
    fn text_without_commands_is_not_copied() {
        assert!(matches!(for_terminal("naïve 漢字 עברית"), Cow::Borrowed(_)));
        assert!(matches!(for_patch("a\tb\r\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn nothing_is_written_backwards_or_over() {
        assert_eq!(for_terminal("abc\u{202e}def\rgh\ti\u{200f}"), "abc\u{fffd}def gh  i\u{200f}");
    }

    #[test]
    fn a_patch_keeps_tabs_and_line_ends_and_nothing_else() {
        assert_eq!(for_patch("a\tb\rc\u{1b}\r\n"), "a\tb c\u{fffd}\r\n");
        assert_eq!(for_patch("abc\u{202e}def\u{2066}\u{200f}\n"), "abc\u{fffd}def\u{fffd}\u{200f}\n");
    }
}
