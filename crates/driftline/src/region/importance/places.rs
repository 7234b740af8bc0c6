//! The importance of some words or a link of one version, without a comparison of both.
//!
//! A caller that finds out by itself what changed, such as what of a page changed besides the template of its site, gets
//! the same numbers as the regions of a change.

use super::region::{of_resource, of_words};
use super::shared::SharedBlocks;
use super::version::Version;
use super::{Importance, title};
use crate::page::Page;
use crate::region::finding::ResourceChange;

/// The places of one version of a page.
///
/// ```
/// use driftline::page::{Page, ReadOptions};
/// use driftline::region::importance::Places;
///
/// let page = Page::read("<main><p>The mayor resigned.</main><footer>Our island</footer>", &ReadOptions::default());
/// let mut places = Places::new(&page);
/// assert!(places.words(&[0, 1, 2]).score > 5.0 * places.words(&[3, 4]).score);
/// ```
pub struct Places<'a>(Version<'a>);

impl<'a> Places<'a> {
    /// The places of this version.
    #[must_use]
    pub fn new(page: &'a Page) -> Self {
        Self(Version::new(page, &SharedBlocks::default()))
    }

    /// How much a change of these words matters, by their numbers: as much as in the place that matters most.
    pub fn words(&mut self, words: &[u32]) -> Importance {
        of_words(&mut self.0, words)
    }

    /// How much a resource matters that this version has and the other one has not.
    pub fn resource(&mut self, resource: &ResourceChange) -> Importance {
        of_resource(&mut self.0, resource)
    }

    /// How much another title matters.
    #[must_use]
    pub fn title() -> Importance {
        title()
    }
}
