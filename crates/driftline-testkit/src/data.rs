//! Real test data: a small subset in the repository, and the whole collection in `../shared/data`.
//!
//! Both have the same layout, so a test runs the same assertions on either. A test on [`subset`] runs everywhere. A
//! test on [`shared`] is marked `#[ignore = "needs the shared data"]`, and `scripts/check` runs those where the
//! collection is there.

use std::path::{Path, PathBuf};

/// The subset that is committed, with its origins and licences in its `README.md`.
#[must_use]
pub fn subset() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// The whole collection.
///
/// # Panics
/// If this machine does not have it.
#[must_use]
pub fn shared() -> PathBuf {
    find_shared().expect("the shared data is in `../shared/data`, seen from the root of the project")
}

/// The whole collection, or the subset where there is none: for benches.
#[must_use]
pub fn largest() -> PathBuf {
    find_shared().unwrap_or_else(subset)
}

/// The whole collection, if this machine has it.
pub(crate) fn find_shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    folder.is_dir().then_some(folder)
}
