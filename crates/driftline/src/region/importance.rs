//! Does a change matter? By what happened, and where.
//!
//! A new footer may change more words than the loss of the one data set that a page is read for.
//! So the importance of a region is a product of two parts: what happened there (how many words,
//! not counting clocks and counters; which links and images; or only markup) and where it stands
//! (the main content, a menu, a footer; a block that other pages of the site share). A page matters
//! as much as its weightiest region, or a little more if much of its text changed in many places;
//! never as the sum of many trifles. All constants are in one table, `importance/weights.rs`.

mod address;
mod landmark;
mod names;
mod places;
mod reason;
mod region;
mod shared;
#[cfg(test)]
mod tests;
mod version;
mod volatile;
mod weights;

use std::fmt;

pub use landmark::Landmark;
pub use places::Places;
pub use reason::Reason;
pub use shared::SharedBlocks;
pub use volatile::Volatile;

use super::detect::{Graded, changed_words};
use super::finding::ResourceChange;
use crate::degree::edit::Edit;
use crate::page::Page;
use crate::sides::Sides;
use region::Scorer;
pub(super) use region::by_region;

/// How much a region, or a whole change, matters.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Importance {
    /// From 0 (noise) to 1.
    pub score: f64,
    /// Why: where it stands first, then what happened.
    pub reasons: Vec<Reason>,
}

impl Importance {
    /// The reasons in words.
    #[must_use]
    pub fn why(&self) -> Vec<String> {
        self.reasons.iter().map(Reason::to_string).collect()
    }

    /// The same for a block that stands on so many pages.
    fn shared_by(mut self, pages: u32) -> Self {
        self.score *= weights::shared(pages);
        self.reasons.insert(self.reasons.len().min(1), Reason::Shared(pages));
        self
    }

    /// The weightier of two.
    pub(super) fn max(self, other: Self) -> Self {
        if other.score > self.score { other } else { self }
    }
}

impl fmt::Display for Importance {
    /// All reasons: `in the footer, shared by 41 pages of the site, 12 words changed`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.why().join(", "))
    }
}

/// What is known of the site that a page belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Site {
    /// The blocks of its pages.
    pub shared_blocks: SharedBlocks,
}

/// How much all of it matters, and each region.
pub(super) struct Scores {
    pub(super) page: Importance,
    pub(super) regions: Vec<Importance>,
}

/// The scores of regions, and of the page by them, without its title.
pub(super) fn score(
    pages: Sides<&Page>,
    graded: &[Graded],
    edits: &[Edit],
    resources: &[ResourceChange],
    site: &Site,
) -> Scores {
    let words = changed_words(pages, graded.iter().map(|graded| &graded.draft), edits);
    let mut scorer = Scorer::new(pages, graded, resources, &site.shared_blocks);
    let numbered = graded.iter().zip(&words).enumerate();
    let regions: Vec<Importance> = numbered.map(|(at, (graded, words))| scorer.region(at, graded, words)).collect();
    let weightiest = regions.iter().fold(Importance::default(), |best, next| best.max(next.clone()));
    let page = weightiest.max(scorer.all_words());
    Scores { page, regions }
}

/// How much another title matters; nothing if it is the same.
pub(super) fn of_title(pages: Sides<&Page>) -> Importance {
    if !pages.older.has_other_title(pages.newer) {
        return Importance::default();
    }
    title()
}

/// How much another title matters.
pub(super) fn title() -> Importance {
    Importance { score: weights::TITLE, reasons: vec![Reason::Title] }
}
