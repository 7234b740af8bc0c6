//! What differs between two versions of a page? One value decides the alert, is stored, is shown
//! and is sent.

use serde::Serialize;

use crate::degree::compare::Measurement;
use crate::degree::edit::Edit;

/// A pair of things, one of the older page and one of the newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Sides<T> {
    /// Of the older page.
    #[serde(rename = "old")]
    pub older: T,
    /// Of the newer page.
    #[serde(rename = "new")]
    pub newer: T,
}

/// The difference between two versions of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// How much changed, by every metric, and in which ways.
    pub measurement: Measurement,
    /// Which words changed, in reading order.
    pub edits: Vec<Edit>,
}

impl Change {
    /// Did any word change?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }
}
