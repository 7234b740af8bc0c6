//! The options of a comparison.

use crate::degree::cosine::Idf;
use crate::degree::ied::{Costs, Variant};
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
    pub const SHINGLE_LENGTH: usize = 10;
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
