//! Where did a zone go when its selector finds nothing any more?
//!
//! Sites are rebuilt: wrappers come, ids and classes get new names, and a selector that worked for
//! years matches nothing, or something else. The paper's baseline looks for a zone as the most
//! similar subtree of the newer page. So a zone carries a [`ZoneFingerprint`] of what it was;
//! [`relocate`] finds it again with a certainty, and [`follow`] reads a pair of pages that way.

mod fingerprint;
mod follow;
mod search;

pub use fingerprint::{FingerprintError, ZoneFingerprint};
pub use follow::{Fate, Followed, Purpose, ZoneFate, follow};
pub use search::{Found, find_again, relocate};

#[cfg(test)]
mod tests;
