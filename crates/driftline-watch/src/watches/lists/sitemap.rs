//! Which pages does a site say it has? `sitemap.xml`, an index of such, packed or not, or an address a line.

use std::collections::HashSet;

use super::xml::{Seen, walk};
use super::{Listed, MOST_BYTES, MOST_MEMBERS, Member, NotAList, plain};

/// How a file in gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a sitemap or an index of sitemaps; limits are [`super::MOST_MEMBERS`] and [`super::MOST_BYTES`].
///
/// # Errors
/// If it is none.
pub fn parse(bytes: &[u8]) -> Result<Listed, NotAList> {
    let unpacked = bytes.starts_with(&GZIP).then(|| driftline_archive::http::gunzip(bytes, MOST_BYTES));
    let bytes = match &unpacked {
        Some(None) => return Err(NotAList::Other { expected: "sitemap: it begins like gzip, and is none" }),
        Some(Some(unpacked)) => unpacked,
        None => bytes,
    };
    let is_cut = bytes.len() > MOST_BYTES;
    let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
    let start = bytes.iter().find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
    let mut listed = if start == Some(&b'<') { xml(bytes, is_cut)? } else { text(bytes)? };
    listed.is_cut |= is_cut;
    Ok(listed)
}

/// A file of addresses is a sitemap too.
fn text(bytes: &[u8]) -> Result<Listed, NotAList> {
    let listed = plain::parse(bytes);
    if listed.members.is_empty() { Err(NotAList::Other { expected: "sitemap" }) } else { Ok(listed) }
}

fn xml(bytes: &[u8], is_cut: bool) -> Result<Listed, NotAList> {
    let (mut listed, mut seen, mut current) = (Listed::default(), HashSet::new(), Member::default());
    let (mut root, mut within) = (None, String::new());
    let walked = walk(bytes, |event| {
        match event {
            Seen::Opened { name, .. } => {
                let root = root.get_or_insert_with(|| name.clone());
                if matches!(name.as_str(), "url" | "sitemap") {
                    (current, within) = (Member::default(), name);
                } else if !matches!(root.as_str(), "urlset" | "sitemapindex") {
                    return false;
                }
            }
            Seen::Closed { name, text } => match (within.as_str(), name.as_str()) {
                // `image:loc` stands behind `loc`, and has the same name without its prefix.
                ("url" | "sitemap", "loc") if current.url.is_empty() => current.url = text,
                ("url" | "sitemap", "lastmod") => current.lastmod = text,
                ("url", "url") => listed.take(&mut seen, std::mem::take(&mut current)),
                ("sitemap", "sitemap") if listed.lists.len() < MOST_MEMBERS => {
                    listed.lists.push(std::mem::take(&mut current.url));
                }
                _ => {}
            },
        }
        !listed.is_cut
    });
    match (walked, root.as_deref()) {
        // The end of what was cut off is missing.
        (Err(error), _) if !is_cut => Err(error),
        (_, Some("urlset" | "sitemapindex")) => Ok(listed),
        _ => Err(NotAList::Other { expected: "sitemap" }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Listed, MOST_MEMBERS, parse};

    fn urls(listed: &Listed) -> Vec<&str> {
        listed.members.iter().map(|member| member.url.as_str()).collect()
    }

    #[test]
    fn pages_of_a_sitemap_are_read_once_each() {
        let text = "\u{feff}<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
            <url><loc> http://example.org/a?b=1&amp;c=2 </loc><lastmod>2024-01-31</lastmod><image:image>\
            <image:loc>http://example.org/a.png</image:loc></image:image></url>\
            <url><loc><![CDATA[http://example.org/b]]></loc></url><url><loc>http://example.org/b</loc></url>\
            <url><loc>javascript:alert(1)</loc></url><url><loc>http://example.org/\u{e9}</loc></url></urlset>";
        let listed = parse(text.as_bytes()).unwrap();
        assert_eq!(
            urls(&listed),
            ["http://example.org/a?b=1&c=2", "http://example.org/b", "http://example.org/%C3%A9"]
        );
        assert_eq!(listed.members[0].lastmod, "2024-01-31");
        assert_eq!(listed.skipped, ["javascript:alert(1)"]);
    }

    #[test]
    fn an_index_names_sitemaps() {
        let text = "<sitemapindex><sitemap><loc>http://example.org/1.xml.gz</loc></sitemap></sitemapindex>";
        let listed = parse(text.as_bytes()).unwrap();
        assert_eq!((listed.lists, listed.members.len()), (vec!["http://example.org/1.xml.gz".to_owned()], 0));
    }

    #[test]
    fn lines_are_a_sitemap_too() {
        assert_eq!(urls(&parse(b"http://example.org/a\nhttp://example.org/b\n").unwrap()).len(), 2);
    }

    #[test]
    fn other_files_are_told_from_sitemaps() {
        for text in ["", "{}", "<html><body>404</body></html>", "<rss><channel/></rss>", "\u{1f}\u{8b}"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(&[0x1f, 0x8b, 8, 0, 1]).is_err());
    }

    #[test]
    fn hostile_files_end() {
        let deep = "<urlset>".to_owned() + &"<a>".repeat(100_000);
        assert!(parse(deep.as_bytes()).is_err());
        let bomb = "<!DOCTYPE u [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><urlset><url><loc>http://e.org/&b;</loc></url></urlset>";
        assert_eq!(urls(&parse(bomb.as_bytes()).unwrap()), ["http://e.org/&b;"]);
        let mut long = "<urlset>".to_owned();
        for number in 0..=MOST_MEMBERS {
            long += &format!("<url><loc>http://e.org/{number}</loc></url>");
        }
        let listed = parse(long.as_bytes()).unwrap();
        assert!(listed.is_cut && listed.members.len() == MOST_MEMBERS);
    }
}
