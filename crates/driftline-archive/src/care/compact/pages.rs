//! The captures of a page: of its addresses, and of what a browser made of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::held::{Held, RENDERED, VIEW};
use super::rules::Page;
use crate::archive::{Archive, Error};
use driftline_catalog::StoredCapture;

/// Reads the captures of pages; names of segments are kept once.
pub(super) struct PageReader<'a> {
    archive: &'a Archive,
    segments: BTreeSet<Arc<str>>,
    /// Whether a browser made something of any page.
    has_made: bool,
}

impl<'a> PageReader<'a> {
    pub(super) fn new(archive: &'a Archive) -> Result<Self, Error> {
        let catalog = archive.catalog();
        let has_made = !catalog.urls(RENDERED, None, 1)?.is_empty() || !catalog.urls(VIEW, None, 1)?.is_empty();
        Ok(Self { archive, segments: BTreeSet::new(), has_made })
    }

    /// What is remembered of a capture.
    pub(super) fn held(&mut self, stored: &StoredCapture, url: &Arc<str>) -> Held {
        let segment = self.segments.get(stored.segment.as_str()).cloned();
        let segment = segment.unwrap_or_else(|| stored.segment.as_str().into());
        self.segments.insert(Arc::clone(&segment));
        Held::new(stored, Arc::clone(url), segment)
    }

    /// All captures of these addresses, and what a browser made of them.
    pub(super) fn captures(&mut self, urls: &[Arc<str>]) -> Result<Vec<Held>, Error> {
        let prefixes = if self.has_made { ["", RENDERED, VIEW].as_slice() } else { &[""] };
        let mut captures = Vec::new();
        for (url, prefix) in urls.iter().flat_map(|url| prefixes.iter().map(move |prefix| (url, prefix))) {
            let url: Arc<str> = format!("{prefix}{url}").into();
            let found = self.archive.catalog().captures_of(&url)?;
            captures.extend(found.iter().filter(|own| *own.capture.url == *url).map(|own| self.held(own, &url)));
        }
        Ok(captures)
    }

    /// Whether a page may have more captures than those of its own address.
    pub(super) fn has_parts(&self, page: &Page<'_>) -> bool {
        self.has_made || page.urls.len() > 1
    }

    /// Whether an address is of what a browser made of a page that has captures itself.
    pub(super) fn is_part(&self, url: &str) -> Result<bool, Error> {
        let Some(page) = [RENDERED, VIEW].iter().find_map(|prefix| url.strip_prefix(prefix)) else { return Ok(false) };
        Ok(self.archive.catalog().captures_of(page)?.iter().any(|own| own.capture.url == page))
    }
}
