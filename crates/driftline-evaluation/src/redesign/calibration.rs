//! Calibration of the certainty: of all that was said with a certainty of about 0.7, about 70 % should be
//! redesigns.

use driftline::redesign::Detector;
use serde::Serialize;

use super::Outcome;

/// Findings of driftline's own detector of about the same certainty.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The lowest certainty in it; the next bin begins 0.1 above, and the last one holds 1 too.
    pub from: f64,
    /// How many documents were suspected so. A document counts once in each bin, however often it was said.
    pub suspected: usize,
    /// How many of them were redesigns.
    pub redesigns: usize,
}

impl Bin {
    /// The share that were redesigns; none if nothing was suspected so.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.suspected > 0).then(|| self.redesigns as f64 / self.suspected as f64)
    }
}

const BINS: usize = 10;

/// Ten bins from 0 to 1, over all streams, for one length of history.
#[must_use]
pub fn bins<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>, history: usize) -> Vec<Bin> {
    let mut bins: Vec<Bin> =
        (0..BINS).map(|bin| Bin { from: bin as f64 / BINS as f64, suspected: 0, redesigns: 0 }).collect();
    for outcome in outcomes {
        for trial in outcome.trials.iter().filter(|trial| trial.history() == history) {
            for said in trial.said(Detector::Driftline) {
                let Some(first) = said.first() else { continue };
                let is_redesign = outcome.truth.redesigns.contains(&first.document);
                let mut is_seen = [false; BINS];
                said.iter()
                    .filter_map(|finding| finding.certainty)
                    .for_each(|certainty| is_seen[place(certainty)] = true);
                for (bin, _) in bins.iter_mut().zip(is_seen).filter(|(_, seen)| *seen) {
                    bin.suspected += 1;
                    bin.redesigns += usize::from(is_redesign);
                }
            }
        }
    }
    bins
}

#[expect(clippy::cast_sign_loss, reason = "what is below 0 or no number belongs to the first bin")]
fn place(certainty: f64) -> usize {
    ((certainty * BINS as f64) as usize).min(BINS - 1)
}
