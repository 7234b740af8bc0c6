//! Which captures are wanted? By address, by the beginning of addresses, by time; in the order of an index.

use std::vec;

use crate::Time;
use driftline_catalog::{Catalog, CatalogError, Cursor, NewCapture, StoredCapture, surt};

/// Which captures are wanted. Without addresses, those of all; `http`, `https` and `www.` do not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Captures of these addresses,
    pub urls: Vec<String>,
    /// or of addresses that begin so.
    pub prefixes: Vec<String>,
    /// Of this time or later.
    pub from: Option<Time>,
    /// Before this time.
    pub to: Option<Time>,
}

impl Selection {
    /// Is everything wanted?
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// The captures in the catalog, by key and time.
    #[must_use]
    pub fn of<'a>(&'a self, catalog: &'a Catalog) -> Selected<'a> {
        let mut ranges = self.ranges().into_iter();
        let current = ranges.next();
        Selected { catalog, selection: self, ranges, current, after: None, page: Vec::new().into_iter() }
    }

    /// The parts of the index in which they are, in its order, none within another.
    fn ranges(&self) -> Vec<Range> {
        if self.urls.is_empty() && self.prefixes.is_empty() {
            return vec![Range { key: String::new(), extent: Extent::Prefix }];
        }
        let urls = self.urls.iter().map(|url| Range { key: surt::key(url), extent: Extent::Key });
        let prefixes = self.prefixes.iter().map(|url| Range { key: start_of_keys(url), extent: Extent::Prefix });
        let mut ranges: Vec<_> = urls.chain(prefixes).collect();
        ranges.sort();
        ranges.dedup_by(|later, earlier| earlier.holds(&later.key));
        ranges
    }

    /// Is this capture wanted?
    #[must_use]
    pub fn wants(&self, NewCapture { url, key, at, .. }: &NewCapture) -> bool {
        let is_in_time = self.from.is_none_or(|from| *at >= from) && self.to.is_none_or(|to| *at < to);
        let is_named = || self.urls.iter().any(|wanted| surt::key(wanted) == *key);
        // A key forgets the last slash of an address and sorts its query, so the address is looked at too.
        let begins_so =
            |start: &String| key.starts_with(&start_of_keys(start)) && plain(url).starts_with(&plain(start));
        let any_address = self.urls.is_empty() && self.prefixes.is_empty();
        is_in_time && (any_address || is_named() || self.prefixes.iter().any(begins_so))
    }
}

/// A part of the index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    key: String,
    extent: Extent,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    /// All keys that begin so.
    Prefix,
    /// This key only.
    Key,
}

impl Range {
    fn holds(&self, key: &str) -> bool {
        match self.extent {
            Extent::Prefix => key.starts_with(&self.key),
            Extent::Key => key == self.key,
        }
    }
}

/// What the keys of addresses begin with that begin so.
fn start_of_keys(prefix: &str) -> String {
    surt::key(prefix.split(['?', '#']).next().unwrap_or_default())
}

/// An address without what does not matter for a prefix.
fn plain(url: &str) -> String {
    let url = url.split_once("://").map_or(url, |(_, rest)| rest);
    url.strip_prefix("www.").unwrap_or(url).to_ascii_lowercase()
}

/// Captures by key and time, a page of the catalog at a time.
pub struct Selected<'a> {
    catalog: &'a Catalog,
    selection: &'a Selection,
    ranges: vec::IntoIter<Range>,
    current: Option<Range>,
    /// The last capture that was seen in this part of the index.
    after: Option<Cursor>,
    page: vec::IntoIter<StoredCapture>,
}

/// How many captures are asked for at once.
const PAGE: u32 = 1_000;

impl Selected<'_> {
    /// The next capture of the part of the index that is being read; none at the end of the index.
    fn next_in_index(&mut self, range: &Range) -> Result<Option<StoredCapture>, CatalogError> {
        if self.page.len() == 0 {
            let start = || Cursor::before(&range.key);
            let after = self.after.take().unwrap_or_else(start);
            self.page = self.catalog.by_key(Some(&after), PAGE)?.into_iter();
        }
        let next = self.page.next();
        self.after = next.as_ref().map(Cursor::of);
        Ok(next)
    }
}

impl Iterator for Selected<'_> {
    type Item = Result<StoredCapture, CatalogError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let range = self.current.take()?;
            match self.next_in_index(&range) {
                Ok(Some(stored)) if range.holds(&stored.capture.key) => {
                    self.current = Some(range);
                    if self.selection.wants(&stored.capture) {
                        return Some(Ok(stored));
                    }
                }
                Ok(_) => {
                    self.current = self.ranges.next();
                    self.after = None;
                    self.page = Vec::new().into_iter();
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(selection: &Selection, url: &str, at: &str) -> bool {
        let key = surt::key(url);
        let in_a_range = selection.ranges().iter().any(|range| range.holds(&key));
        let capture = NewCapture { url: url.to_owned(), key, at: at.parse().unwrap(), ..capture() };
        assert!(in_a_range || !selection.wants(&capture), "{url} is wanted, and would not be found");
        selection.wants(&capture)
    }

    fn capture() -> NewCapture {
        NewCapture {
            url: String::new(),
            key: String::new(),
            at: Time::default(),
            kind: driftline_catalog::CaptureKind::Response,
            status: None,
            mime: None,
            digest: None,
            payload_length: None,
            redirect: None,
            record_id: None,
            refers_to: None,
            origin: None,
            body_digest: None,
            offset: 0,
            length: 0,
        }
    }

    #[test]
    fn a_prefix_is_one_of_the_address() {
        let selection = Selection { prefixes: vec!["http://www.example.org/News/".to_owned()], ..Selection::default() };
        assert!(wanted(&selection, "https://example.org/news/today", "2024"));
        assert!(wanted(&selection, "https://example.org/news/?b=1&a=2", "2024"));
        assert!(!wanted(&selection, "https://example.org/newsletter", "2024"));
        assert!(!wanted(&selection, "https://example.organic/news/", "2024"));
        let site = Selection { prefixes: vec!["https://example.org".to_owned()], ..Selection::default() };
        assert!(wanted(&site, "http://example.org/a", "2024") && !wanted(&site, "http://example.org.uk/", "2024"));
    }

    #[test]
    fn addresses_and_prefixes_add_up_and_times_cut() {
        let selection = Selection {
            urls: vec!["http://example.org/newsletter".to_owned()],
            prefixes: vec!["http://example.org/news/".to_owned()],
            from: Some("2020".parse().unwrap()),
            to: Some("2021".parse().unwrap()),
        };
        assert_eq!(selection.ranges().len(), 1, "one part of the index holds both");
        assert!(wanted(&selection, "https://example.org/newsletter", "2020"));
        assert!(wanted(&selection, "https://example.org/news/a", "2020-12-31T23:59:59Z"));
        assert!(!wanted(&selection, "https://example.org/news/a", "2021"));
        assert!(!wanted(&selection, "https://example.org/news/a", "2019"));
        assert!(!wanted(&selection, "https://example.org/newsroom", "2020"));
    }
}
