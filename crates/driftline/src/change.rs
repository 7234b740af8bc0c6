//! The difference between two versions of a page: one value decides the alert, is stored, is shown and is sent.

mod form;
mod scope;

use std::borrow::Cow;

use crate::degree::edit::Edit;
use crate::degree::{Degree, Measurement};
use crate::limit::Limit;
use crate::page::Page;
use crate::region::importance::Importance;
use crate::region::{Aspects, Region, ResourceChange};
pub use crate::sides::Sides;
pub use scope::Scope;

/// The version of the format in which a [`Change`] is stored and sent: it grows when a member
/// changes its meaning or goes, not when one comes.
pub const FORMAT: u32 = 3;

/// The difference between two versions of a page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// How much changed, by every metric, and in which ways.
    pub measurement: Measurement,
    /// Which words changed, in reading order.
    pub edits: Vec<Edit>,
    /// Which aspects of the page changed.
    pub changed: Aspects,
    /// Where it changed, in the order of the page. Degree and regions agree: the degree is 0 if and
    /// only if no region's content changed, as long as no operation is free.
    pub regions: Vec<Region>,
    /// Links, images and other resources that were lost or gained.
    pub resources: Vec<ResourceChange>,
    /// The title, if it changed.
    pub title: Option<Sides<String>>,
    /// How much all of it matters.
    pub importance: Importance,
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

    /// Did nothing change, neither a word nor the markup around it?
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

    /// The change with its first edits only, if there are more: then [`Limit::Edits`] is among the limits.
    #[must_use]
    pub fn with_edits_up_to(&self, most: usize) -> Cow<'_, Self> {
        if self.edits.len() <= most {
            return Cow::Borrowed(self);
        }
        let mut limits = self.measurement.limits.clone();
        limits.push(Limit::Edits);
        let measurement = Measurement { limits, ..self.measurement.clone() };
        Cow::Owned(Self { measurement, edits: self.edits[..most].to_vec(), ..self.clone() })
    }
}
