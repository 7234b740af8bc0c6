//! The options of a comparison.

use crate::change::{Change, CompareRecord, IdfRecord};
use crate::degree::cosine::Idf;
use crate::degree::ied::{Costs, Variant};
use crate::degree::shingle;
use crate::region::RegionOptions;

/// How pages are compared: what the papers leave to the user.
#[derive(Debug, Clone)]
pub struct CompareOptions {
    /// The prices of copy and move.
    pub costs: Costs,
    /// The words in a shingle, `k`; at least 1.
    pub shingle_length: usize,
    /// The weights of words in COS.
    pub idf: Idf,
    /// The variant of IED whose operations and edits are told.
    pub variant: Variant,
    /// How changed regions are paired, graded and weighed.
    pub regions: RegionOptions,
}

impl CompareOptions {
    /// The papers' shingles have ten words.
    pub const SHINGLE_LENGTH: usize = shingle::LENGTH;

    /// The options with which a change was found, to find it again. A corpus and the blocks of a site, of which a change
    /// has only the sizes, must be put in by the caller.
    #[must_use]
    pub fn of(change: &Change) -> Self {
        let CompareRecord { costs, shingle_length, idf, weights, typedist, ref attribute_weights, .. } =
            change.compared;
        Self {
            costs,
            shingle_length,
            idf: if idf == IdfRecord::Pair { Idf::Pair } else { Idf::None },
            variant: change.measurement.variant,
            regions: RegionOptions {
                weights,
                typedist,
                attribute_weights: attribute_weights.clone().unwrap_or_default(),
                ..RegionOptions::default()
            },
        }
    }

    /// The record of these options in a change; its measurement has the variant.
    pub(super) fn record(&self) -> CompareRecord {
        CompareRecord::of(self.costs, self.shingle_length, &self.idf, &self.regions)
    }
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            costs: Costs::PAPER,
            shingle_length: Self::SHINGLE_LENGTH,
            idf: Idf::None,
            variant: Variant::Phases,
            regions: RegionOptions::default(),
        }
    }
}
