//! Names of metrics and kinds for people.

use crate::metrics::Sensitivity;
use crate::metrics::experiment::Setup;
use driftline::degree::Metric;
use driftline::degree::edit::EditKind;

pub(super) use crate::report::labels::{counted, grouped, list, percent, plain};

/// A metric's name in the papers: `10SH`.
pub(super) fn metric(metric: Metric, setup: &Setup) -> String {
    match metric {
        Metric::Shingle => format!("{}{}", setup.options.shingle_length, metric.label()),
        other => other.label().to_owned(),
    }
}

/// One letter, as in tables of 80 columns.
pub(super) fn letter(sensitivity: Sensitivity) -> char {
    match sensitivity {
        Sensitivity::Effective => 'e',
        Sensitivity::Over => 'o',
        Sensitivity::Under => 'u',
        Sensitivity::Irregular => 'i',
    }
}

/// One word, as in files.
pub(super) fn sensitivity(sensitivity: Sensitivity) -> &'static str {
    match sensitivity {
        Sensitivity::Effective => "effective",
        Sensitivity::Over => "over",
        Sensitivity::Under => "under",
        Sensitivity::Irregular => "irregular",
    }
}

/// `add and drop`.
pub(super) fn kinds(kinds: &[EditKind]) -> String {
    list(&kinds.iter().map(|&one| one.name()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_read_as_prose() {
        assert_eq!(kinds(&[EditKind::Add]), "add");
        assert_eq!(kinds(&EditKind::ALL[..3]), "add, drop and copy");
    }

    #[test]
    fn a_metric_is_called_as_in_the_papers() {
        let setup = Setup::default();
        let names = Metric::ALL.iter().map(|&one| metric(one, &setup)).collect::<Vec<_>>();
        assert_eq!(names[..8], ["BW", "COS", "WD", "ED", "10SH", "IED", "IED refined", "IED gap"]);
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), Metric::ALL.len(), "{names:?}");
    }
}
