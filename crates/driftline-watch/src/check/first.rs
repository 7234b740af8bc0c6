//! The first look at a watch: how much was kept, for the person who waits for it.

use driftline::feed::Feed;
use driftline::page::{Page, ReadOptions};

use super::case::Case;
use super::versions::Version;

/// What the first check of a watch kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstLook {
    /// A page.
    Page {
        /// How many words it has.
        words: usize,
        /// What the zone has of it, if the watch has one.
        zone: Option<ZoneLook>,
    },
    /// A feed with this many items.
    Feed(usize),
    /// A feed with this many items that is watched as a page.
    FeedAsPage(usize),
    /// A list with this many members that are watched.
    List(usize),
    /// A file of this many bytes that is not text.
    File(usize),
}

/// What a zone has of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ZoneLook {
    /// How many elements it matches.
    pub matches: usize,
    /// How many words they have.
    pub words: usize,
}

impl Case<'_> {
    /// Notes what the first check kept; later ones note nothing.
    pub(super) fn look(&mut self, look: impl FnOnce() -> FirstLook) {
        if self.state.seen.is_none() {
            self.first = Some(look());
        }
    }
}

impl FirstLook {
    /// A page that was read with the zones of the watch.
    pub(super) fn of_page(version: &Version, page: &Page) -> Self {
        match page.zone_matches() {
            None => {
                let feed = Feed::read(version.source(), &ReadOptions::default());
                let page = Self::Page { words: page.word_count(), zone: None };
                feed.format.map_or(page, |_| Self::FeedAsPage(feed.items.len()))
            }
            Some(matches) => {
                let words = Page::read(version.source(), &ReadOptions::default()).word_count();
                Self::Page { words, zone: Some(ZoneLook { matches, words: page.word_count() }) }
            }
        }
    }
}
