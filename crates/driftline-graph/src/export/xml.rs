//! How is text written in XML? Escaped, and without what XML cannot hold at all.

use std::fmt::{self, Display, Write};

/// Text, fit for an element or an attribute.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for sign in self.0.chars() {
            match sign {
                '&' => to.write_str("&amp;")?,
                '<' => to.write_str("&lt;")?,
                '>' => to.write_str("&gt;")?,
                '"' => to.write_str("&quot;")?,
                '\t' | '\n' | '\r' => write!(to, "&#{};", sign as u32)?,
                // Not even an escape of these is well-formed XML 1.0.
                '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => to.write_char('\u{fffd}')?,
                _ => to.write_char(sign)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_is_escaped_and_what_cannot_be_is_replaced() {
        let escaped = Escaped("a&b<c>\"d'\te\u{0}\u{1b}\u{ffff}ü\u{1f600}").to_string();
        assert_eq!(escaped, "a&amp;b&lt;c&gt;&quot;d'&#9;e\u{fffd}\u{fffd}\u{fffd}ü\u{1f600}");
    }
}
