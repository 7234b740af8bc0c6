//! The difference between two versions of a page: one value decides the alert, is stored, is shown and is sent.
//!
//! A change is complete: with its two captures it is enough for every view, and nothing is compared again. Its
//! serialised form is read back as the same value; [`Change::bounded`] is what fits into a database.

mod bound;
mod form;
mod record;
mod scope;

use std::borrow::Cow;

use crate::degree::edit::Edit;
use crate::degree::{Degree, Measurement};
use crate::page::{Page, ReadRecord};
use crate::region::importance::Importance;
use crate::region::{Aspects, Region, ResourceChange};
pub use crate::sides::Sides;
pub use bound::{MOST_EDITS, MOST_REGION_BYTES, MOST_RESOURCE_BYTES, MOST_TEXT_BYTES};
pub use record::{CompareRecord, IdfRecord};
pub use scope::Scope;

/// The version of the format in which a [`Change`] is stored and sent: it grows when a member
/// changes its meaning or goes, not when one comes.
pub const FORMAT: u32 = 4;

/// The difference between two versions of a page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The degree of change by every metric, and the numbers of changed words.
    pub measurement: Measurement,
    /// The runs of words that changed, in reading order.
    pub edits: Vec<Edit>,
    /// The aspects of the page that changed.
    pub changed: Aspects,
    /// The parts of the page that changed, in its order. Degree and regions agree: the degree is 0 if and
    /// only if no region's content changed, as long as no operation is free.
    pub regions: Vec<Region>,
    /// Links, images and other resources that were lost or gained.
    pub resources: Vec<ResourceChange>,
    /// The title, if it changed.
    pub title: Option<Sides<String>>,
    /// The importance of all of it, with the reasons.
    pub importance: Importance,
    /// The options with which each page was read: with its capture they give the page again.
    pub read: Sides<ReadRecord>,
    /// The options with which the pages were compared.
    pub compared: CompareRecord,
}

impl Change {
    /// How much changed, from 0 to 1: the headline, by the chosen variant of IED.
    #[must_use]
    pub fn degree(&self) -> Degree {
        self.measurement.headline()
    }

    /// The regions, the most important ones first; of equal ones, in the order of the page.
    #[must_use]
    pub fn regions_by_importance(&self) -> Vec<&Region> {
        let mut regions: Vec<&Region> = self.regions.iter().collect();
        regions.sort_by(|one, other| other.importance.score.total_cmp(&one.importance.score));
        regions
    }

    /// Whether nothing changed, neither a word nor the markup around it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty() && self.title.is_none()
    }

    /// What of the change between these pages is in a scope. A region of which nothing is left is left out, and all others
    /// are counted and weighed without the rest. The degree and the aspects stay those of the pages.
    #[must_use]
    pub fn within(&self, pages: Sides<&Page>, scope: &Scope<'_>) -> Cow<'_, Self> {
        scope::narrow(self, pages, scope)
    }
}
