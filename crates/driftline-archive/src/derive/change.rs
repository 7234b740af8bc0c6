//! A change as the archive keeps it: the [`Change`] itself, with its two numbers beside it.

use driftline::change::{Change, FORMAT};
use serde_json::{Value, json};

/// The most edits that are kept of a change: the first ones. How many words changed is in the measurement.
pub const MOST_EDITS: usize = 5_000;

/// What differs between two versions, as the catalog keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// How much, from 0 to 1.
    pub degree: f64,
    /// How much it matters, from 0 to 1; not known of what cannot be read.
    pub importance: Option<f64>,
    /// All of it: a [`Change`], or `format` and `opaque` of what cannot be read.
    pub body: Value,
}

impl Difference {
    /// What is not text differs wholly: versions that do not differ are none.
    pub(super) fn opaque() -> Self {
        Self { degree: 1.0, importance: None, body: json!({ "format": FORMAT, "opaque": true }) }
    }
}

impl From<&Change> for Difference {
    fn from(change: &Change) -> Self {
        let (degree, importance) = (change.measurement.headline().get(), Some(change.importance.score));
        // What has no place in JSON is in no change.
        Self { degree, importance, body: json!(change.with_edits_up_to(MOST_EDITS)) }
    }
}
