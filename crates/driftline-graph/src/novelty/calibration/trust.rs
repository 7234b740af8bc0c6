//! How far is a probability to be trusted? Learned on some sites, asked of others.
//!
//! Of a page with a Last-Modified it can be seen whether that is before the previous snapshot. The probability that a
//! page is new foretells how often it is: never for a new page, and for an old one as often as old pages around it do
//! not change. Sites are dealt into folds, each foretold by what the others teach; by how far the shares are off, for
//! each tenth of the probability, is the calibration error. It needs no truth.

use std::fmt;

use super::candidates::{Candidate, Candidates, FEATURES};
use super::directories::Modified;
use super::regression::{Example, Prior, fit, probability};

/// Sites are dealt into so many folds.
const FOLDS: u64 = 5;

/// Probabilities are compared with what came in so many parts.
const TENTHS: usize = 10;

/// Old pages around an old page that was never seen before are taken to change at least this often. Pages that a
/// crawler comes by again and again are the settled ones. Chosen on the development series, as the next three are.
const LEAST_CHANGE: f64 = 0.3;

/// A page with a Last-Modified stands for the pages of its site without, but for no more than this.
const MOST_STOOD_FOR: f64 = 20.0;

/// How much likelier an address names a month since the previous snapshot if the page is new than if it is old.
const DATED_NEW: f64 = 8.0;

/// The same for a month before: sites put old articles at new addresses, month and all.
const DATED_OLD: f64 = 0.5;

/// With fewer labels a calibration is what was believed beforehand.
const FEW: u64 = 30;

/// With fewer pages that are certainly old nothing contradicts it, whatever it says.
const FEW_OLD: u64 = 10;

/// What a calibration was learned from, and how it held.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Trust {
    /// Pages known to be old by their Last-Modified alone.
    pub unmodified: u64,
    /// Unidentified pages with a Last-Modified since the previous snapshot.
    pub modified: u64,
    /// Pages whose address names a month before the previous snapshot.
    pub dated_old: u64,
    /// Pages whose address names a month since the previous snapshot.
    pub dated_new: u64,
    /// By how much probabilities were off on sites that were not learned from, from 0 to 1; nothing if there are too
    /// few Last-Modified times to say.
    pub calibration_error: Option<f64>,
}

/// What a probability may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reliance {
    /// The series has labelled next to nothing: it is what was believed beforehand.
    Belief,
    /// It orders pages, but 0.8 is not four in five.
    Order,
    /// It orders pages, and 0.8 is about four in five.
    Share,
}

impl Trust {
    /// How many labels there are.
    #[must_use]
    pub fn labels(&self) -> u64 {
        self.unmodified + self.modified + self.dated_old + self.dated_new
    }

    /// What the probabilities may be used for.
    #[must_use]
    pub fn reliance(&self) -> Reliance {
        match self.calibration_error {
            _ if self.labels() < FEW => Reliance::Belief,
            Some(error) if error <= 0.1 => Reliance::Share,
            _ => Reliance::Order,
        }
    }
}

impl fmt::Display for Reliance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Belief => "too few labels to learn from: the probability is an educated guess in this series",
            Self::Order => "trust the order of the pages, not the percentages",
            Self::Share => "the percentages held on sites that were not learned from",
        })
    }
}

/// A labelled page.
#[derive(Debug, Clone, Copy)]
struct Label {
    site: u64,
    example: Example<FEATURES>,
    /// Whether its Last-Modified is before the previous snapshot, and how often that of an old page is since.
    modified: Option<(Modified, f64)>,
}

/// Labelled pages of some snapshots.
#[derive(Debug, Default)]
pub(super) struct Labelled {
    labels: Vec<Label>,
    trust: Trust,
}

impl Labelled {
    /// Adds those of a snapshot; beyond `most` only every second, fourth, …, which then stand for the others.
    pub(super) fn add(&mut self, candidates: &Candidates, most: usize) {
        let labelled = || candidates.iter().filter(|page| page.modified.is_some() || page.is_dated_new.is_some());
        let step = labelled().count().div_ceil(most.max(1)).max(1).next_power_of_two();
        for page in labelled() {
            self.trust.count(page);
        }
        self.labels.extend(labelled().step_by(step).map(|page| label(candidates, page, step)));
    }

    /// Those of some sites, as they teach: all weights together as much as there are labels.
    pub(super) fn examples(&self, of_site: impl Fn(u64) -> bool) -> Vec<Example<FEATURES>> {
        let chosen = self.labels.iter().filter(|label| of_site(label.site));
        let mut examples: Vec<_> = chosen.map(|label| label.example).collect();
        let total: f64 = examples.iter().map(|example| example.weight).sum();
        let scale = examples.len() as f64 / total.max(f64::MIN_POSITIVE);
        for example in &mut examples {
            example.weight *= scale;
        }
        examples
    }

    /// How far to trust what they teach.
    pub(super) fn trust(&self, prior: &Prior<FEATURES>) -> Trust {
        Trust { calibration_error: self.calibration_error(prior), ..self.trust }
    }

    fn calibration_error(&self, prior: &Prior<FEATURES>) -> Option<f64> {
        let mut foretold: Vec<Foretold> = Vec::new();
        for fold in 0..FOLDS {
            let weights = fit(&self.examples(|site| site % FOLDS != fold), prior);
            foretold.extend(self.labels.iter().filter(|label| label.site % FOLDS == fold).filter_map(|label| {
                let (modified, recent_if_old) = label.modified?;
                let new = probability(&weights, &label.example.features);
                Some(Foretold {
                    new,
                    modified,
                    settled: label.example.weight * (1.0 - recent_if_old),
                    weight: label.example.weight,
                })
            }));
        }
        let is_enough = foretold.len() as u64 >= FEW && self.trust.unmodified >= FEW_OLD;
        is_enough.then(|| error_of(&foretold))
    }
}

/// What was foretold of a page with a Last-Modified.
#[derive(Debug, Clone, Copy)]
struct Foretold {
    new: f64,
    modified: Modified,
    /// How many such pages would have a Last-Modified before the previous snapshot if all were old.
    settled: f64,
    weight: f64,
}

/// The calibration error: for each tenth, the pages foretold to be unmodified against those that are.
fn error_of(foretold: &[Foretold]) -> f64 {
    let mut off = [0.0; TENTHS];
    for page in foretold {
        let is_unmodified = page.modified == Modified::Before;
        let found = if is_unmodified { page.weight } else { 0.0 };
        let tenth = (1..TENTHS).filter(|tenth| page.new * TENTHS as f64 >= *tenth as f64).count();
        off[tenth] += page.settled * (1.0 - page.new) - found;
    }
    let all: f64 = foretold.iter().map(|page| page.settled).sum();
    (off.iter().map(|off| off.abs()).sum::<f64>() / all.max(f64::MIN_POSITIVE)).min(1.0)
}

impl Trust {
    fn count(&mut self, page: &Candidate) {
        *match (page.modified, page.is_dated_new) {
            (Some(Modified::Before), _) => &mut self.unmodified,
            (Some(Modified::Since), _) => &mut self.modified,
            (None, Some(true)) => &mut self.dated_new,
            (None, _) => &mut self.dated_old,
        } += 1;
    }
}

fn label(candidates: &Candidates, page: &Candidate, step: usize) -> Label {
    let site = candidates.site_of(page);
    let recent_if_old = candidates.around(page).recent_if_old.max(LEAST_CHANGE);
    let stands_for = f64::from(site.pages) / f64::from(site.modified.max(1));
    let (ratio, weight) = match (page.modified, page.is_dated_new) {
        (Some(Modified::Before), _) => (0.0, stands_for.min(MOST_STOOD_FOR)),
        (Some(Modified::Since), _) => (1.0 / recent_if_old, stands_for.min(MOST_STOOD_FOR)),
        (None, Some(true)) => (DATED_NEW, 1.0),
        (None, _) => (DATED_OLD, 1.0),
    };
    let features = candidates.features(page, page.modified.is_some());
    Label {
        site: site.code,
        example: Example { features, ratio, weight: weight * step as f64 },
        modified: page.modified.map(|modified| (modified, recent_if_old)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foretold(new: f64, modified: Modified, count: usize) -> Vec<Foretold> {
        vec![Foretold { new, modified, settled: 0.5, weight: 1.0 }; count]
    }

    #[test]
    fn probabilities_that_hold_have_no_error() {
        // Of 20 pages half are new. Of the ten old ones half have not changed: five, as foretold.
        let mut pages = foretold(0.5, Modified::Before, 5);
        pages.extend(foretold(0.5, Modified::Since, 15));
        assert_eq!(error_of(&pages), 0.0);
        let certain = foretold(1.0, Modified::Since, 20);
        assert_eq!(error_of(&certain), 0.0);
    }

    #[test]
    fn new_pages_that_are_old_are_an_error() {
        let pages = foretold(1.0, Modified::Before, 20);
        assert_eq!(error_of(&pages), 1.0);
    }

    #[test]
    fn percentages_are_trusted_only_where_they_held() {
        let many = Trust { unmodified: 20, modified: 20, ..Trust::default() };
        let held = |calibration_error| Trust { calibration_error, ..many }.reliance();
        assert_eq!(Trust::default().reliance(), Reliance::Belief);
        assert_eq!(Trust { dated_new: FEW - 1, ..Trust::default() }.reliance(), Reliance::Belief);
        assert_eq!(held(None), Reliance::Order);
        assert_eq!(held(Some(0.2)), Reliance::Order);
        assert_eq!(held(Some(0.05)), Reliance::Share);
    }
}
