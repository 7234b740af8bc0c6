//! Cells of a row of table 2.

use crate::redesign::Row;

/// The columns of [`of`].
pub(super) const COLUMNS: [&str; 11] =
    ["h", "TP", "TN", "FP", "FN", "precision", "recall", "F1", "median", "mean", "worst"];

/// The name of the column that a row of [`of`] ends with: the median delay over all redesigns.
pub(super) const OF_ALL: &str = "of all";

/// The numbers of a row, without its name and with the median delay over all redesigns at the end.
pub(super) fn of(row: &Row) -> [String; 12] {
    let confusion = &row.confusion;
    [
        row.history.to_string(),
        confusion.true_positives.to_string(),
        confusion.true_negatives.to_string(),
        confusion.false_positives.to_string(),
        confusion.false_negatives.to_string(),
        format!("{:.2}", confusion.precision()),
        format!("{:.2}", confusion.recall()),
        format!("{:.2}", confusion.f1()),
        documents(row.delays.median()),
        row.mean_delay().map_or_else(none, |delay| format!("{delay:.1}")),
        row.worst_delay().map_or_else(none, |delay| delay.to_string()),
        if row.delays.missed() > 0 && row.delays.median_of_all().is_none() {
            "never".to_owned()
        } else {
            documents(row.delays.median_of_all())
        },
    ]
}

fn documents(delay: Option<f64>) -> String {
    delay.map_or_else(none, |delay| delay.to_string())
}

fn none() -> String {
    "–".to_owned()
}
