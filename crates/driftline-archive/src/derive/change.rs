//! The row of a change in the catalog: its JSON, with its degree and importance as columns.

use driftline::change::{self, Change, Sides};
use driftline_catalog as catalog;
use serde_json::{Value, json};

use super::Recipe;

/// The row for the change between two captures; of none, the captures differ wholly and cannot be read.
#[must_use]
pub fn row(captures: Sides<i64>, change: Option<&Change>) -> catalog::Change {
    catalog::Change {
        older: captures.older,
        newer: captures.newer,
        recipe: Recipe::CHANGE,
        degree: change.map_or(1.0, |change| change.measurement.headline().get()),
        importance: change.map(|change| change.importance.score),
        body: match change {
            Some(change) => json!(change.clone().bounded()),
            None => json!({ "format": change::FORMAT, "opaque": true }),
        },
        ..catalog::Change::default()
    }
}

/// The change of a row; none if the captures could not be read.
///
/// # Errors
/// If the row has something else, or a change of a format that is not known.
pub fn change(row: &catalog::Change) -> Result<Option<Change>, serde_json::Error> {
    let is_opaque = row.body.get("opaque").and_then(Value::as_bool).unwrap_or_default();
    if is_opaque { Ok(None) } else { serde_json::from_value(row.body.clone()).map(Some) }
}
