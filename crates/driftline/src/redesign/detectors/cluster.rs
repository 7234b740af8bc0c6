//! CLUSTER (T8): did one cluster of documents end where another began?
//!
//! A document joins the cluster of the most similar one before it. A cluster that lies wholly before the
//! last h2 documents and one that lies wholly within them are a shift from one template to another. Only
//! clusters of the last `h` documents can grow, so all others are forgotten.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::{Detect, MARGIN, Observation};
use crate::redesign::stripe::Stripe;
use crate::redesign::{Detector, Finding, InvalidParameters, Parameters};

/// Parameters of CLUSTER.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClusterParameters {
    /// h2: the newest documents, in which it looks for the new template.
    pub horizon: usize,
    /// From which similarity on it puts a document with another one.
    #[serde(rename = "cluster_threshold")]
    pub threshold: f64,
    /// The share of the history that a cluster has at least to count.
    #[serde(rename = "cluster_rate")]
    pub rate: f64,
}

impl ClusterParameters {
    /// The paper's.
    pub const GOTTRON: Self = Self { horizon: 4, threshold: 0.15, rate: 0.15 };

    pub(in crate::redesign) fn check(self, history: usize) -> Result<(), InvalidParameters> {
        InvalidParameters::unless_share("cluster threshold", self.threshold)?;
        InvalidParameters::unless_share("cluster rate", self.rate)?;
        let Self { horizon, .. } = self;
        if (1..history).contains(&horizon) { Ok(()) } else { Err(InvalidParameters::Horizon { horizon, history }) }
    }
}

impl Default for ClusterParameters {
    fn default() -> Self {
        Self::GOTTRON
    }
}

/// The clusters of the last `h` documents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cluster {
    /// Which cluster each document is in, the newest last.
    labels: VecDeque<u64>,
    /// How many clusters were opened.
    opened: u64,
    /// Those that were reported.
    reported: BTreeSet<u64>,
}

/// Where the documents of a cluster stand in the history.
#[derive(Default)]
struct Place {
    before: usize,
    after: usize,
    /// How many documents of the history precede the cluster's first after the horizon.
    first: usize,
}

impl Detect for Cluster {
    fn see(&mut self, document: Observation<'_>, parameters: &Parameters, findings: &mut Vec<Finding>) {
        let (Observation { stripe, .. }, Parameters { cluster: parameters, .. }) = (document, parameters);
        let Some(at) = stripe.newest() else { return };
        self.assign(stripe, parameters.threshold);
        if self.labels.len() < stripe.history() {
            return;
        }
        let places = self.places(stripe.history().saturating_sub(parameters.horizon));
        self.reported.retain(|label| places.contains_key(label));
        let fewest = parameters.rate * stripe.history() as f64 - MARGIN;
        let is_large = |documents: usize| documents as f64 >= fewest;
        if !places.values().any(|place| place.after == 0 && is_large(place.before)) {
            return;
        }
        let begun = places.into_iter().filter(|(_, place)| place.before == 0 && is_large(place.after));
        let mut first: Vec<_> =
            begun.filter(|&(label, _)| self.reported.insert(label)).map(|(_, place)| place.first).collect();
        first.sort_unstable();
        let oldest = (at + 1).saturating_sub(stripe.history());
        findings.extend(first.into_iter().map(|first| Finding::redesign(Detector::Cluster, oldest + first, at)));
    }
}

impl Cluster {
    /// The cluster of the newest document; clusters are numbered from 0 in the order in which they open.
    #[must_use]
    pub fn newest(&self) -> Option<u64> {
        self.labels.back().copied()
    }

    /// Puts the newest document with the most similar one before it, the nearest of several; or alone.
    fn assign(&mut self, stripe: &Stripe, threshold: f64) {
        let known = stripe.row().iter().zip(self.labels.iter().rev());
        let nearest = known.reduce(|best, other| if other.0 > best.0 { other } else { best });
        let label = match nearest {
            Some((&similarity, &label)) if similarity >= threshold => label,
            _ => {
                self.opened = self.opened.wrapping_add(1);
                self.opened.wrapping_sub(1)
            }
        };
        self.labels.push_back(label);
        while self.labels.len() > stripe.history() {
            self.labels.pop_front();
        }
    }

    /// Where the clusters stand, if the horizon comes after so many documents of the history.
    fn places(&self, horizon: usize) -> BTreeMap<u64, Place> {
        let mut places = BTreeMap::<u64, Place>::new();
        for (index, &label) in self.labels.iter().enumerate() {
            let place = places.entry(label).or_default();
            if index < horizon {
                place.before += 1;
                continue;
            }
            if place.after == 0 {
                place.first = index;
            }
            place.after += 1;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: Parameters = Parameters {
        history: 5,
        cluster: ClusterParameters { horizon: 2, rate: 0.4, ..ClusterParameters::GOTTRON },
        ..Parameters::GOTTRON
    };

    /// Documents of one letter are similar, all others are not.
    fn see(documents: &str) -> (Vec<(usize, usize)>, Cluster) {
        let documents = documents.as_bytes();
        let (mut rule, mut stripe, mut findings) = (Cluster::default(), Stripe::new(5), Vec::new());
        for (at, document) in documents.iter().enumerate() {
            let similarity = |other: &u8| if other == document { 0.8 } else { 0.1 };
            stripe.push(documents[..at].iter().rev().map(similarity).collect());
            rule.see(Observation::of_similarities(&stripe), &PARAMETERS, &mut findings);
        }
        (findings.iter().map(|finding| (finding.document, finding.at)).collect(), rule)
    }

    #[test]
    fn a_shift_between_large_clusters_is_reported_once() {
        assert_eq!(see("aaaaaabb").0, [(6, 7)]);
        assert_eq!(see("aaaaaabbbbbbbb").0, [(6, 7)]);
    }

    #[test]
    fn an_outlier_is_no_cluster() {
        assert_eq!(see("aaaaaabaaaa").0.len(), 0);
    }

    #[test]
    fn an_old_design_that_returns_within_the_history_is_no_shift() {
        assert_eq!(see("aaaabaa").0.len(), 0);
    }

    #[test]
    fn a_design_that_was_forgotten_is_new_again() {
        assert_eq!(see("aaaaabbbbbbaa").0, [(5, 6), (11, 12)]);
    }

    #[test]
    fn clusters_outside_of_the_history_are_forgotten() {
        let alternating: String = (b'a'..=b'z').flat_map(|letter| [char::from(letter); 6]).collect();
        let (reports, rule) = see(&alternating);
        assert_eq!(reports.len(), 25);
        assert_eq!((rule.labels.len(), rule.reported.len(), rule.newest()), (5, 1, Some(25)));
    }
}
