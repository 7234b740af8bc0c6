//! How is a change kept? As `driftline measure --with regions` tells it, with its two numbers beside it.

use driftline::change::{Change, FORMAT};
use serde_json::{Value, json};

/// What differs between two versions, as the catalog keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// How much, from 0 to 1.
    pub degree: f64,
    /// How much it matters, from 0 to 1; not known of what cannot be read.
    pub importance: Option<f64>,
    /// All of it: `format`, the measurement, `changed`, `regions`, `resources`, `title`, `importance`, `why`.
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
        // A measurement is a struct, which always becomes an object.
        let mut body = json!(change.measurement);
        body["format"] = FORMAT.into();
        body["changed"] = json!(change.changed);
        body["importance"] = json!(change.importance.score);
        body["why"] = json!(change.importance.why());
        body["regions"] = json!(change.regions);
        body["resources"] = json!(change.resources);
        if let Some(title) = &change.title {
            body["title"] = json!(title);
        }
        Self { degree: change.measurement.headline().get(), importance: Some(change.importance.score), body }
    }
}
