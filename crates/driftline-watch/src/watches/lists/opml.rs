//! Which feeds does somebody read? OPML, which every feed reader writes.

use std::collections::HashSet;

use super::xml::{Seen, walk};
use super::{Listed, MOST_BYTES, Member, NotAList};
use crate::watches::validate;

/// Reads a list of feeds. Folders become tags.
///
/// # Errors
/// If it is none.
pub fn parse(bytes: &[u8]) -> Result<Listed, NotAList> {
    let is_cut = bytes.len() > MOST_BYTES;
    let (mut listed, mut seen, mut root) = (Listed::default(), HashSet::new(), None);
    // The title of each open outline; none for a feed.
    let mut folders: Vec<Option<String>> = Vec::new();
    let walked = walk(&bytes[..bytes.len().min(MOST_BYTES)], |event| {
        match event {
            Seen::Opened { name, attributes } => {
                if root.get_or_insert_with(|| name.clone()) != "opml" {
                    return false;
                }
                if name == "outline" {
                    let text = |key: &str| attributes.get(key).map(|text| text.trim().to_owned());
                    let title = text("title").filter(|title| !title.is_empty()).or_else(|| text("text"));
                    match text("xmlurl").filter(|url| !url.is_empty()) {
                        None => folders.push(title),
                        Some(url) => {
                            let tags = tags(&folders, attributes.get("category"));
                            let (title, lastmod) = (title.unwrap_or_default(), String::new());
                            listed.take(&mut seen, Member { url, title, lastmod, tags });
                            folders.push(None);
                        }
                    }
                }
            }
            Seen::Closed { name, .. } if name == "outline" => {
                folders.pop();
            }
            Seen::Closed { .. } => {}
        }
        !listed.is_cut
    });
    if root.as_deref() != Some("opml") {
        return Err(NotAList::Other { expected: "OPML" });
    }
    match walked {
        Err(error) if !is_cut => Err(error),
        _ => {
            listed.is_cut |= is_cut;
            Ok(listed)
        }
    }
}

/// The folders around a feed, and its categories: `/Science/Physics,/News`.
fn tags(folders: &[Option<String>], category: Option<&String>) -> Vec<String> {
    let categories = category.into_iter().flat_map(|text| text.split([',', '/']));
    let names = folders.iter().flatten().map(String::as_str).chain(categories);
    let mut tags: Vec<String> =
        names.map(|name| name.trim().replace(['#', ',', '/', '\\'], " ").trim().to_owned()).collect();
    tags.retain(|tag| validate::tag(tag).is_ok());
    tags.sort();
    tags.dedup();
    tags
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn feeds_are_read_with_their_folders() {
        let text = "<?xml version=\"1.0\"?><opml version=\"2.0\"><head><title>Mine</title></head><body>\
            <outline text=\"Science\"><outline type=\"rss\" text=\"A &amp; B\" xmlUrl=\"http://a.example/rss\"/>\
            <outline text=\"Physics\"><outline title=\"C\" xmlUrl=\"http://c.example/feed\" category=\"/News/World\"></outline></outline>\
            </outline><outline text=\"D\" XMLURL=\"http://d.example/\"/><outline xmlUrl='file:///etc/passwd'/></body></opml>";
        let listed = parse(text.as_bytes()).unwrap();
        let told: Vec<String> =
            listed.members.iter().map(|member| format!("{} {} {:?}", member.url, member.title, member.tags)).collect();
        assert_eq!(
            told,
            [
                "http://a.example/rss A & B [\"Science\"]",
                "http://c.example/feed C [\"News\", \"Physics\", \"Science\", \"World\"]",
                "http://d.example/ D []"
            ]
        );
        assert_eq!(listed.skipped, ["file:///etc/passwd"]);
    }

    #[test]
    fn other_files_are_told_from_lists_of_feeds() {
        for text in ["", "x", "<rss/>", "<html>"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
