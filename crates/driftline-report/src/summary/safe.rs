//! Text of strangers, fit for a terminal, a web page or a message: without characters that command it, and escaped.
//!
//! Pages are written by strangers. An escape sequence in a page could clear the terminal, rename its
//! window or colour a change away; a carriage return could write over a line; an override of the
//! direction of writing could show a line backwards, marks included. All of these become U+FFFD,
//! as wide as one letter.

use std::borrow::Cow;
use std::fmt::Write;

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
#[must_use]
pub fn for_html(text: &str) -> Cow<'_, str> {
    replaced(text, |char| is_command(char) && char != '\t')
}

/// A line fit for a patch: as it is, but for what commands a terminal or turns the direction of writing.
#[must_use]
pub fn for_patch(line: &str) -> Cow<'_, str> {
    let body = line.strip_suffix('\n').unwrap_or(line);
    let body = body.strip_suffix('\r').unwrap_or(body);
    let is_bad = |char| is_command(char) && char != '\t' || is_direction(char);
    if !body.contains(is_bad) {
        return Cow::Borrowed(line);
    }
    let safe = replaced(body, is_bad);
    Cow::Owned(format!("{safe}{}", &line[body.len()..]))
}

/// One line without commands, white space as one blank: fit for a subject.
pub(crate) fn line(text: &str) -> String {
    for_terminal(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Lines without commands; a line end is one.
pub(crate) fn lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| for_terminal(line.trim_end_matches('\r')).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// Text inside of HTML, in an attribute as well.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // Old clients let a backtick end an attribute.
            '\'' | '`' => {
                let _ = write!(safe, "&#{};", char as u32);
            }
            _ => safe.push(char),
        }
    }
    safe
}

/// Whether an address may be clicked: only one of the web, which runs nothing.
#[must_use]
pub fn is_web(url: &str) -> bool {
    let begins = |scheme: &str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    (begins("http://") || begins("https://")) && !url.contains(|char: char| char.is_control() || char.is_whitespace())
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

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert!(is_web("https://example.org/a?b=c"));
        for bad in
            ["javascript:alert(1)", "data:text/html,x", "HTTP:/x", "https://a b", "http://a\nb", " http://a", "é"]
        {
            assert!(!is_web(bad), "{bad}");
        }
    }

    #[test]
    fn what_means_something_in_html_is_escaped() {
        assert_eq!(escaped("<a href=\"x\" b='y'>&`"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&#96;");
    }

    #[test]
    fn a_line_is_one_line_without_commands() {
        assert_eq!(line("a\r\nBcc: b\u{1b}[2J"), "a Bcc: b\u{fffd}[2J");
        assert_eq!(lines("a\r\nb\u{202e}"), "a\nb\u{fffd}");
    }
}
