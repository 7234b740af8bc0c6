//! Where did a page change, how badly, and in which way?
//!
//! Artail and Fawaz ("A fast HTML Web page change detection approach", section 3.3) compare the
//! subtrees below `body` by three similarities, of paths, attributes and words ([`similarity`]),
//! and call a page changed if one of them has no exact likeness ([`artail`]). The approach that
//! they improve on compares all nodes with all others ([`original`]). Both are kept as printed, to
//! be measured against: they pair and grade well and detect badly, for they are deaf to order, to
//! repetition and to everything outside those subtrees. driftline's own detector ([`detect`]) stands
//! on an exact ordered comparison, and takes the paper's similarity only to pair and to grade.
//!
//! Rules S1 to S10: `docs/reference/rules.md`.

pub mod artail;
pub mod comparison;
pub mod counts;
pub mod detect;
pub mod experiment;
mod finding;
pub mod grade;
pub mod importance;
pub mod original;
pub mod similarity;
mod subtrees;
pub mod synthesis;
mod weights;
pub mod zone;

pub use detect::{Detector, resource_nodes, resources};
pub(crate) use detect::{Found, Input, detect};
pub use finding::{Aspects, Place, Region, RegionKind, ResourceChange, ResourceFate, ResourceKind};
pub use subtrees::{Subtree, Subtrees};
pub use weights::{AttributeWeights, AttributeWeightsError};
