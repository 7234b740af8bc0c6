//! Parameters of the detectors: the history that all share, and what each has for itself.

use serde::{Deserialize, Serialize};

use super::detectors::cluster::ClusterParameters;
use super::detectors::new_avg_drop::NewAvgDropParameters;
use super::detectors::statistics::StatisticsParameters;

/// What the detectors depend on.
///
/// It is stored as one flat object. What a stored one does not have, because it is older than the parameter,
/// is the default; what this version does not know is an error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// h: with how many documents before it a document is compared.
    pub history: usize,
    /// Of CLUSTER.
    #[serde(flatten)]
    pub cluster: ClusterParameters,
    /// Of NEW-AVG-DROP.
    #[serde(flatten)]
    pub new_avg_drop: NewAvgDropParameters,
    /// Of STATISTICS.
    #[serde(flatten)]
    pub statistics: StatisticsParameters,
    /// From which certainty on a detector that gives one reports.
    pub certainty: f64,
}

impl Parameters {
    /// The values of Gottron's paper, and of the rules where it is silent.
    pub const GOTTRON: Self = Self {
        history: 20,
        cluster: ClusterParameters::GOTTRON,
        new_avg_drop: NewAvgDropParameters::GOTTRON,
        statistics: StatisticsParameters::GOTTRON,
        certainty: 0.5,
    };

    /// The longest history: every document is compared with this many.
    pub const MOST_HISTORY: usize = 1_000;

    /// The same with another history; a horizon that does not fit into it is cut.
    #[must_use]
    pub fn with_history(mut self, history: usize) -> Self {
        self.history = history;
        self.cluster.horizon = self.cluster.horizon.min(history.saturating_sub(1));
        self
    }

    /// The same parameters, if they make sense.
    ///
    /// # Errors
    /// If a share is not from 0 to 1, or the history is too short for a triangle, too long, or not longer
    /// than the horizon.
    pub fn checked(self) -> Result<Self, InvalidParameters> {
        if !(2..=Self::MOST_HISTORY).contains(&self.history) {
            return Err(InvalidParameters::History { history: self.history });
        }
        self.cluster.check(self.history)?;
        self.new_avg_drop.check()?;
        self.statistics.check()?;
        InvalidParameters::unless_share("certainty", self.certainty)?;
        Ok(self)
    }
}

impl Default for Parameters {
    fn default() -> Self {
        Self::GOTTRON
    }
}

/// Why parameters make no sense.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidParameters {
    /// A share outside 0..=1.
    #[error("the {name} must be from 0 to 1, not {share}")]
    Share {
        /// Which.
        name: &'static str,
        /// Its value.
        share: f64,
    },
    /// A history that is too short or too long.
    #[error("the history must be from 2 to {} documents, not {history}", Parameters::MOST_HISTORY)]
    History {
        /// What was asked for.
        history: usize,
    },
    /// A horizon that leaves nothing before it.
    #[error("the horizon must be at least 1 and shorter than the history ({history}), not {horizon}")]
    Horizon {
        /// What was asked for.
        horizon: usize,
        /// The history.
        history: usize,
    },
}

impl InvalidParameters {
    /// An error if the share is outside 0..=1.
    pub(super) fn unless_share(name: &'static str, share: f64) -> Result<(), Self> {
        if (0.0..=1.0).contains(&share) { Ok(()) } else { Err(Self::Share { name, share }) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_stored_object_may_be_older_than_a_parameter_but_not_newer() {
        let stored = json!({ "history": 9, "cluster_rate": 0.3, "drop": 0.25 });
        let expected = Parameters {
            history: 9,
            cluster: ClusterParameters { rate: 0.3, ..ClusterParameters::GOTTRON },
            new_avg_drop: NewAvgDropParameters { drop: 0.25 },
            ..Parameters::GOTTRON
        };
        assert_eq!(serde_json::from_value::<Parameters>(stored).unwrap(), expected);
        let error = serde_json::from_value::<Parameters>(json!({ "history": 9, "colour": 1 })).unwrap_err();
        assert!(error.to_string().contains("unknown field `colour`"), "{error}");
    }

    #[test]
    fn all_are_stored_in_one_flat_object() {
        let stored = serde_json::to_value(Parameters::GOTTRON).unwrap();
        let expected = json!({
            "history": 20, "horizon": 4, "cluster_threshold": 0.15, "cluster_rate": 0.15,
            "drop": 0.5, "level": 0.999, "certainty": 0.5,
        });
        assert_eq!(stored, expected);
        assert_eq!(serde_json::from_value::<Parameters>(stored).unwrap(), Parameters::GOTTRON);
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let usual = Parameters::GOTTRON;
        let wrong = |change: fn(&mut Parameters)| {
            let mut parameters = usual;
            change(&mut parameters);
            parameters.checked().unwrap_err().to_string()
        };
        assert_eq!(wrong(|p| p.history = 1), "the history must be from 2 to 1000 documents, not 1");
        assert!(wrong(|p| p.cluster.horizon = 20).starts_with("the horizon must be at least 1"));
        assert!(wrong(|p| p.cluster.rate = 1.5).starts_with("the cluster rate must be from 0 to 1"));
        assert!(wrong(|p| p.new_avg_drop.drop = f64::NAN).starts_with("the drop must"));
        assert!(wrong(|p| p.statistics.level = -0.1).starts_with("the level must"));
        assert!(wrong(|p| p.certainty = 2.0).starts_with("the certainty must"));
        assert_eq!(usual.checked(), Ok(usual));
    }
}
