//! How does text of strangers get into a message? Without commands, and escaped.

use std::fmt::Write;

use crate::view::safe;

/// One line, fit for a subject.
pub(super) fn line(text: &str) -> String {
    safe::for_terminal(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Lines without commands; a line end is one.
pub(super) fn lines(text: &str) -> String {
    text.split('\n')
        .map(|line| safe::for_terminal(line.trim_end_matches('\r')).into_owned())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Text inside of HTML, in an attribute as well.
pub(super) fn html(text: &str) -> String {
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

/// An address that may be clicked: only of the web.
pub(super) fn link(url: &str) -> &str {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    if is_web && !url.contains(|char: char| char.is_control() || char.is_whitespace()) { url } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert_eq!(link("https://example.org/a?b=c"), "https://example.org/a?b=c");
        for bad in
            ["javascript:alert(1)", "data:text/html,x", "HTTP:/x", "https://a b", "http://a\nb", " http://a", "é"]
        {
            assert_eq!(link(bad), "", "{bad}");
        }
    }

    #[test]
    fn what_means_something_in_html_is_escaped() {
        assert_eq!(html("<a href=\"x\" b='y'>&`"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&#96;");
    }

    #[test]
    fn a_line_is_one_line_without_commands() {
        assert_eq!(line("a\r\nBcc: b\u{1b}[2J"), "a Bcc: b\u{fffd}[2J");
        assert_eq!(lines("a\r\nb\u{202e}"), "a\nb\u{fffd}");
    }
}
