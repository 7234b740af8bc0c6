//! Where did a page change, how badly, and in which way?
//!
//! Artail and Fawaz ("A fast HTML Web page change detection approach", section 3.3) compare the
//! subtrees below `body` by three similarities, of paths, attributes and words ([`similarity`]),
//! and call a page changed if one of them has no exact likeness ([`artail`]). It is kept as printed, to
//! be measured against: it pairs and grades well and detects badly, for it is deaf to order, to
//! repetition and to everything outside those subtrees. driftline's own detector ([`detect`]) is based
//! on an exact ordered comparison, and takes the paper's similarity only to pair and to grade. The
//! paper's experiments are in `driftline-evaluation`.
//!
//! Rules S1 to S10: `docs/reference/rules.md`.

pub mod artail;
pub mod comparison;
pub mod detect;
mod finding;
pub mod grade;
pub mod importance;
mod place;
pub(crate) mod recount;
pub mod similarity;
mod subtrees;
mod weights;
pub mod zone;

pub(crate) use detect::{Found, Input, detect, total};
pub use detect::{RegionOptions, resource_nodes, resources};
pub use finding::{Aspects, Region, RegionKind, ResourceChange, ResourceFate, ResourceKind};
pub use place::{ChangedPlaces, Place, RegionChange};
pub use subtrees::{Subtree, Subtrees};
pub use weights::{AttributeWeights, AttributeWeightsError};
