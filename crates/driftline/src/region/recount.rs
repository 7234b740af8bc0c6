//! The regions of a change, counted and weighed by some of its edits and resources only.

use super::detect::{Draft, Graded, changed_words, operations};
use super::finding::{Aspects, Region, ResourceChange};
use super::importance::{self, Importance, Site};
use crate::degree::edit::Edit;
use crate::degree::ied::Operations;
use crate::page::Page;
use crate::sides::Sides;

/// What is in each region and in none inside it.
pub(crate) struct Contents {
    words: Vec<Sides<Vec<u32>>>,
    operations: Vec<Operations>,
    resources: Vec<usize>,
}

impl Contents {
    /// Of these edits and resources.
    pub(crate) fn of(pages: Sides<&Page>, regions: &[Region], edits: &[Edit], resources: &[ResourceChange]) -> Self {
        let graded: Vec<Graded> = regions.iter().map(|region| Graded::of(region, region.changed)).collect();
        let drafts: Vec<Draft> = graded.iter().map(|graded| graded.draft).collect();
        Self {
            words: changed_words(pages, drafts.iter(), edits),
            operations: operations(pages, &drafts, edits),
            resources: importance::by_region(pages, &graded, resources).iter().map(Vec::len).collect(),
        }
    }

    /// Whether there is anything in a region, by its number.
    pub(crate) fn is_any(&self, at: usize) -> bool {
        let Sides { older, newer } = &self.words[at];
        self.resources[at] > 0 || self.operations[at].total() > 0 || !older.is_empty() || !newer.is_empty()
    }
}

/// The regions with what is in them, and how much all of it matters.
pub(crate) fn weighed(
    pages: Sides<&Page>,
    regions: &[&Region],
    edits: &[Edit],
    resources: &[ResourceChange],
    has_title: bool,
) -> (Vec<Region>, Importance) {
    let drafts: Vec<Draft> = regions.iter().map(|region| Graded::of(region, region.changed).draft).collect();
    let operations = operations(pages, &drafts, edits);
    let changed = |region: &Region, operations: &Operations| Aspects {
        content: region.changed.content && (operations.total() > 0 || region.operations.total() == 0),
        ..region.changed
    };
    let graded: Vec<Graded> = (regions.iter().zip(&operations))
        .map(|(region, operations)| Graded::of(region, changed(region, operations)))
        .collect();
    let scores = importance::score(pages, &graded, edits, resources, &Site::default());
    let parts = regions.iter().zip(graded).zip(operations).zip(scores.regions);
    let regions = parts.map(|(((region, graded), operations), importance)| Region {
        changed: graded.changed,
        operations,
        importance,
        ..(*region).clone()
    });
    let all = if has_title { scores.page.max(importance::title()) } else { scores.page };
    (regions.collect(), all)
}
