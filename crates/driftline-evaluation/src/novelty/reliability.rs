//! Reliability of a probability: of all pages that are new with a probability of about 0.7, about 70 % should be new.

use serde::Serialize;

/// Bins between 0 and 1.
const BINS: usize = 10;

/// What became of probabilities.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// Ten bins from 0 to 1.
    pub bins: Vec<Bin>,
    /// Brier's score: the mean squared distance from what came true; 0 is best, 0.25 is a coin.
    pub brier: Option<f64>,
}

/// Pages of about the same probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The lowest probability in it; the next bin begins 0.1 above, and the last one holds 1 too.
    pub from: f64,
    /// How many pages are in it.
    pub pages: usize,
    /// How many of them were new.
    pub novel: usize,
    /// Their mean probability; 0 without pages.
    pub mean: f64,
}

impl Bin {
    /// The share that was new; none without pages.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.pages > 0).then(|| self.novel as f64 / self.pages as f64)
    }
}

impl Reliability {
    /// Of pages with their probability and whether they were new.
    #[must_use]
    pub fn of(pages: impl Iterator<Item = (f64, bool)>) -> Self {
        let empty = |bin: usize| Bin { from: bin as f64 / BINS as f64, pages: 0, novel: 0, mean: 0.0 };
        let mut bins: Vec<Bin> = (0..BINS).map(empty).collect();
        let (mut count, mut squares) = (0_usize, 0.0);
        for (probability, is_novel) in pages {
            let bin = &mut bins[place(probability)];
            bin.pages += 1;
            bin.novel += usize::from(is_novel);
            bin.mean += (probability - bin.mean) / bin.pages as f64;
            count += 1;
            squares += (probability - f64::from(u8::from(is_novel))).powi(2);
        }
        Self { bins, brier: (count > 0).then(|| squares / count as f64) }
    }
}

#[expect(clippy::cast_sign_loss, reason = "what is below 0 or no number belongs to the first bin")]
fn place(probability: f64) -> usize {
    ((probability * BINS as f64) as usize).min(BINS - 1)
}
