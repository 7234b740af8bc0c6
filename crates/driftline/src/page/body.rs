//! What kind of body is this? Declared, or recognised by its first bytes.

/// The kinds of body that become pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum BodyKind {
    /// HTML, or anything that a browser would read as such.
    Html,
    /// XML: feeds, sitemaps.
    Xml,
    /// JSON.
    Json,
    /// Plain text.
    Text,
}

impl BodyKind {
    /// The kind that a `Content-Type` names, if it is one of ours.
    #[must_use]
    pub fn from_content_type(content_type: &str) -> Option<Self> {
        let essence = content_type.split(';').next()?.trim().to_ascii_lowercase();
        Some(match essence.as_str() {
            "text/html" | "application/xhtml+xml" => Self::Html,
            "text/xml" | "application/xml" => Self::Xml,
            "application/json" | "text/json" => Self::Json,
            "text/plain" => Self::Text,
            other if other.ends_with("+xml") => Self::Xml,
            other if other.ends_with("+json") => Self::Json,
            _ => return None,
        })
    }

    /// The kind that a file name suggests.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
            "html" | "htm" | "xhtml" => Self::Html,
            "xml" | "rss" | "atom" => Self::Xml,
            "json" => Self::Json,
            "txt" | "text" | "md" => Self::Text,
            _ => return None,
        })
    }

    /// The kind that the text itself shows.
    #[must_use]
    pub fn sniff(text: &str) -> Self {
        let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if start.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(start).is_ok() {
            return Self::Json;
        }
        let opening: String = start.chars().take(1024).collect::<String>().to_ascii_lowercase();
        if opening.starts_with("<!doctype html") || opening.contains("<html") {
            return Self::Html;
        }
        let xml = ["<?xml", "<rss", "<feed", "<rdf:rdf", "<urlset", "<sitemapindex"];
        if xml.iter().any(|tag| opening.starts_with(tag)) {
            return Self::Xml;
        }
        if holds_a_tag(start) { Self::Html } else { Self::Text }
    }
}

/// Is there a `<` followed by a letter, `/` or `!` near the beginning?
fn holds_a_tag(text: &str) -> bool {
    let bytes = &text.as_bytes()[..text.len().min(4096)];
    bytes.windows(2).any(|pair| pair[0] == b'<' && (pair[1].is_ascii_alphabetic() || matches!(pair[1], b'/' | b'!')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_type_says_the_kind() {
        let kind = BodyKind::from_content_type;
        assert_eq!(kind("Text/HTML; charset=utf-8"), Some(BodyKind::Html));
        assert_eq!(kind("application/xhtml+xml"), Some(BodyKind::Html));
        assert_eq!(kind("application/rss+xml"), Some(BodyKind::Xml));
        assert_eq!(kind("application/ld+json"), Some(BodyKind::Json));
        assert_eq!(kind("image/png"), None);
    }

    #[test]
    fn a_body_without_a_type_is_recognised() {
        assert_eq!(BodyKind::sniff("\u{feff} {\"a\": [1]}"), BodyKind::Json);
        assert_eq!(BodyKind::sniff("[broken"), BodyKind::Text);
        assert_eq!(BodyKind::sniff("<?xml version='1.0'?><rss/>"), BodyKind::Xml);
        assert_eq!(BodyKind::sniff("<?xml version='1.0'?><html xmlns='x'>"), BodyKind::Html);
        assert_eq!(BodyKind::sniff("hello <b>there"), BodyKind::Html);
        assert_eq!(BodyKind::sniff("a < b and b > c"), BodyKind::Text);
        assert_eq!(BodyKind::sniff(""), BodyKind::Text);
    }
}
