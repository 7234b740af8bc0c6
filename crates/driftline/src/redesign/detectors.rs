//! Detectors of redesigns: one trait, and the table of those that there are.
//!
//! Four are Gottron's, kept as the paper has them, with its weaknesses, to be measured against. Where it is
//! silent, rules T5 to T8 decide. The fifth is driftline's own. Each looks at every document once, in order,
//! remembers only what the stripe does not hold, and can be saved between two documents.

pub mod adaptive;
pub mod cluster;
pub mod max_avg_diff;
pub mod new_avg_drop;
pub mod statistics;

use serde::{Deserialize, Serialize};

use self::adaptive::Adaptive;
use self::cluster::Cluster;
use self::max_avg_diff::MaxAvgDiff;
use self::new_avg_drop::NewAvgDrop;
use self::statistics::Statistics;
use super::stripe::Stripe;
use super::{Finding, Parameters};

/// Averages that differ by less are equal (T6).
pub(crate) const MARGIN: f64 = 1e-12;

/// A detector of redesigns.
pub trait Detect {
    /// Looks at the newest document, and adds to `findings` what it shows. Every document has to be seen, in
    /// order.
    fn see(&mut self, document: Observation<'_>, parameters: &Parameters, findings: &mut Vec<Finding>);

    /// Does it read [`Observation::likeness`]? If nobody does, it is not computed.
    fn needs_likeness(&self) -> bool {
        false
    }

    /// The places in the history, the oldest first, of the documents of the design before `document` and of
    /// those of the design that begins with it; none if the detector does not know.
    fn sides(&self, _document: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        None
    }

    /// Can it have been saved after this many documents? A state is a file that people can edit.
    fn is_sound(&self, _documents: usize, _history: usize) -> bool {
        true
    }
}

/// The newest document, as detectors see it.
#[derive(Debug, Clone, Copy)]
pub struct Observation<'a> {
    /// Gottron's similarities (CTSS) of the last documents, up to this one.
    pub stripe: &'a Stripe,
    /// [`Template::likeness`](super::template::Template::likeness) to the documents before it, the nearest
    /// first.
    pub likeness: &'a [f64],
    /// The number of its shingles, if that is known.
    pub size: Option<usize>,
}

impl<'a> Observation<'a> {
    /// A document of which only the similarities to those before it are known: they are its likeness too.
    #[must_use]
    pub fn of_similarities(stripe: &'a Stripe) -> Self {
        Self { stripe, likeness: stripe.row(), size: None }
    }
}

/// The names of detectors, and a type that can hold the state of any of them, from one table.
macro_rules! detectors {
    ($($(#[$doc:meta])* $detector:ident($state:ty) { name: $name:literal, gives_certainty: $gives_certainty:literal })*) => {
        /// Who detects.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Detector {
            $($(#[$doc])* #[serde(rename = $name)] $detector,)*
        }

        impl Detector {
            /// All, in the paper's order, then driftline's own.
            pub const ALL: &'static [Self] = &[$(Self::$detector),*];

            /// Its name on the command line and in JSON.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$detector => $name,)* }
            }

            /// Those of all that are chosen, in the order of [`ALL`](Self::ALL).
            pub fn chosen(chosen: &[Self]) -> impl Iterator<Item = Self> {
                Self::ALL.iter().copied().filter(|detector| chosen.contains(detector))
            }

            /// Do its findings have a [certainty](Finding::certainty)? Then it says more than once what it thinks
            /// of a document, and may withdraw it.
            #[must_use]
            pub const fn gives_certainty(self) -> bool {
                match self { $(Self::$detector => $gives_certainty,)* }
            }
        }

        /// The state of any detector.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum AnyDetector {
            $($(#[$doc])* #[serde(rename = $name)] $detector($state),)*
        }

        impl AnyDetector {
            /// A detector that has seen nothing.
            #[must_use]
            pub fn new(detector: Detector) -> Self {
                match detector { $(Detector::$detector => Self::$detector(<$state>::default()),)* }
            }

            /// Which it is.
            #[must_use]
            pub fn detector(&self) -> Detector {
                match self { $(Self::$detector(_) => Detector::$detector,)* }
            }

            fn get(&self) -> &dyn Detect {
                match self { $(Self::$detector(state) => state,)* }
            }

            fn get_mut(&mut self) -> &mut dyn Detect {
                match self { $(Self::$detector(state) => state,)* }
            }
        }
    };
}

detectors! {
    /// Gottron: the average similarity of a new document drops.
    NewAvgDrop(NewAvgDrop) { name: "new-avg-drop", gives_certainty: false }
    /// Gottron: no document is as similar to older ones as the new ones are on average.
    MaxAvgDiff(MaxAvgDiff) { name: "max-avg-diff", gives_certainty: false }
    /// Gottron: a t-test tells the two triangles apart.
    Statistics(Statistics) { name: "statistics", gives_certainty: false }
    /// Gottron: one cluster of documents ends where another begins.
    Cluster(Cluster) { name: "cluster", gives_certainty: false }
    /// driftline's own, which adapts to the site.
    Driftline(Adaptive) { name: "driftline", gives_certainty: true }
}

impl Detect for AnyDetector {
    fn see(&mut self, document: Observation<'_>, parameters: &Parameters, findings: &mut Vec<Finding>) {
        self.get_mut().see(document, parameters, findings);
    }

    fn needs_likeness(&self) -> bool {
        self.get().needs_likeness()
    }

    fn sides(&self, document: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        self.get().sides(document)
    }

    fn is_sound(&self, documents: usize, history: usize) -> bool {
        self.get().is_sound(documents, history)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two designs, each for a while.
    fn findings(detector: Detector) -> Vec<Finding> {
        let parameters = Parameters::default().with_history(5);
        let (mut state, mut stripe, mut findings) = (AnyDetector::new(detector), Stripe::new(5), Vec::new());
        for at in 0..30_usize {
            let similarity = |other: usize| if (other < 15) == (at < 15) { 0.8 + 0.01 * (at % 3) as f64 } else { 0.05 };
            stripe.push((at.saturating_sub(5)..at).rev().map(similarity).collect());
            state.see(Observation::of_similarities(&stripe), &parameters, &mut findings);
        }
        findings
    }

    #[test]
    fn every_detector_keeps_to_what_the_table_says_of_it() {
        for &detector in Detector::ALL {
            assert_eq!(AnyDetector::new(detector).detector(), detector);
            assert_eq!(serde_json::to_value(detector).unwrap(), detector.name());
            let findings = findings(detector);
            assert!(!findings.is_empty(), "{}", detector.name());
            for finding in findings {
                assert_eq!(finding.detector, detector);
                assert_eq!(finding.certainty.is_some(), detector.gives_certainty(), "{finding:?}");
            }
        }
    }
}
