//! How alike are documents of one design on this site? A fixed threshold is brittle: sites of long
//! articles are far less alike than sites of short ones.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// How alike the last documents were to the nearest one of their own design.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Level {
    fits: VecDeque<f64>,
}

impl Level {
    /// Before anything was seen, a site is taken for an ordinary one: so alike on average, with so much
    /// spread, as if so many documents had been seen.
    const USUAL: (f64, f64, f64) = (0.8, 0.1, 3.0);
    /// A document is foreign if it is less alike than usual by so many standard deviations …
    const DEVIATIONS: f64 = 4.5;
    /// … but always below the first share of what is usual, and never above the second.
    const SHARES: (f64, f64) = (0.4, 0.65);

    /// Learns from a document that found its design.
    pub(super) fn learn(&mut self, likeness: f64, history: usize) {
        if self.fits.len() == history {
            self.fits.pop_front();
        }
        self.fits.push_back(likeness);
    }

    /// Can it have been learned from so long a history?
    pub(super) fn is_sound(&self, history: usize) -> bool {
        self.fits.len() <= history && self.fits.iter().all(|fit| (0.0..=1.0).contains(fit))
    }

    /// How alike a document has to be to one of a design, to be of that design too.
    pub(super) fn cutoff(&self) -> f64 {
        let (usual, spread, weight) = Self::USUAL;
        let count = weight + self.fits.len() as f64;
        let mean = (usual * weight + self.fits.iter().sum::<f64>()) / count;
        let squares: f64 = self.fits.iter().map(|fit| (fit - mean).powi(2)).sum();
        let deviation = ((spread.powi(2) * weight + squares) / count).sqrt();
        let (least, most) = Self::SHARES;
        (mean - Self::DEVIATIONS * deviation).clamp(least * mean, most * mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cutoff_of(fits: impl IntoIterator<Item = f64>) -> f64 {
        let mut level = Level::default();
        fits.into_iter().for_each(|fit| level.learn(fit, 20));
        level.cutoff()
    }

    #[test]
    fn a_site_whose_documents_are_less_alike_gets_a_lower_cutoff() {
        let (alike, unlike) = (cutoff_of([0.95; 20]), cutoff_of([0.5, 0.9].repeat(10)));
        assert!(unlike < 0.35 && alike > 0.5, "{unlike} {alike}");
    }

    #[test]
    fn only_the_last_documents_count() {
        assert_eq!(cutoff_of([0.2; 100].into_iter().chain([0.9; 20])), cutoff_of([0.9; 20]));
    }

    #[test]
    fn a_new_site_is_taken_for_an_ordinary_one() {
        assert!((0.3..0.5).contains(&cutoff_of([])));
    }
}
