//! Which addresses does a file have, one a line?
//!
//! ```text
//! # a comment
//! https://example.org/             The title, if there is one
//! https://example.org/news  #news #daily  Another title
//! ```

use std::collections::HashSet;

use super::{Listed, MOST_BYTES, Member};
use crate::watches::{address, validate};

/// Reads all lines; what is no address is left out and named.
#[must_use]
pub fn parse(bytes: &[u8]) -> Listed {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_BYTES)]);
    let (mut listed, mut seen) = (Listed { is_cut: bytes.len() > MOST_BYTES, ..Listed::default() }, HashSet::new());
    for text in text.trim_start_matches('\u{feff}').lines() {
        match line(text) {
            Ok(None) => {}
            Ok(Some(member)) => listed.take(&mut seen, member),
            Err(_) => listed.take(&mut seen, Member { url: text.to_owned(), ..Member::default() }),
        }
    }
    listed
}

/// What a line names; nothing if it is empty or a comment.
pub(in crate::watches) fn line(text: &str) -> Result<Option<Member>, String> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let mut words = text.split_whitespace();
    let url = address::address(words.next().unwrap_or_default())?;
    let (mut title, mut tags) = (String::new(), Vec::new());
    for word in words {
        if let Some(name) = word.strip_prefix('#') {
            validate::tag(name)?;
            tags.push(name.to_owned());
        } else {
            let blank = if title.is_empty() { "" } else { " " };
            title = title + blank + word;
        }
    }
    Ok(Some(Member { url, title, lastmod: String::new(), tags }))
}

#[cfg(test)]
mod tests {
    use super::{line, parse};

    #[test]
    fn a_line_has_an_address_and_perhaps_tags_and_a_title() {
        let member = line("  https://example.org  #a The #b title ").unwrap().unwrap();
        assert_eq!((member.url.as_str(), member.title.as_str()), ("https://example.org/", "The title"));
        assert_eq!(member.tags, ["a", "b"]);
        assert_eq!(line("# https://example.org"), Ok(None));
        assert!(line("example.org").is_err() && line("file:///etc/passwd").is_err());
    }

    #[test]
    fn what_is_no_address_is_named() {
        let listed = parse(b"http://a.example/\r\n\r\nnonsense here\nhttp://a.example\n\xff\n");
        assert_eq!((listed.members.len(), listed.skipped.len()), (1, 2));
    }
}
