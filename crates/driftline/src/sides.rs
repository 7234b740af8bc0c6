//! A pair of things, one of each version of a page.

use serde::{Deserialize, Serialize};

/// A pair of things, one of the older page and one of the newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sides<T> {
    /// Of the older page.
    #[serde(rename = "old")]
    pub older: T,
    /// Of the newer page.
    #[serde(rename = "new")]
    pub newer: T,
}
