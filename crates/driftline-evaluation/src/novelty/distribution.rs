//! The distribution of scores: zero apart, for it means that nothing is known; then twenty cells up to one.

use serde::Serialize;

use super::SLACK;

/// Cells between 0 and 1.
const CELLS: usize = 20;

/// How many scores lie where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Distribution {
    zero: usize,
    positive: [usize; CELLS],
}

/// Scores of about the same height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cell {
    /// The lowest score in it, but for the cell after zero, which has no lowest one.
    pub from: f64,
    /// Where the next one begins; the first cell holds nothing but zero, the last one holds 1 too.
    pub to: f64,
    /// How many scores are in it.
    pub pages: usize,
    /// How many are in it and in the cells before it.
    pub cumulative: usize,
}

impl Distribution {
    /// How many scores there are.
    #[must_use]
    pub fn total(&self) -> usize {
        self.zero + self.positive.iter().sum::<usize>()
    }

    /// The cells, that of zero first.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let edge = |place: usize| place as f64 / CELLS as f64;
        let mut cells = vec![Cell { from: 0.0, to: 0.0, pages: self.zero, cumulative: self.zero }];
        let mut cumulative = self.zero;
        for (place, &pages) in self.positive.iter().enumerate() {
            cumulative += pages;
            cells.push(Cell { from: edge(place), to: edge(place + 1), pages, cumulative });
        }
        cells
    }
}

impl FromIterator<f64> for Distribution {
    fn from_iter<T: IntoIterator<Item = f64>>(scores: T) -> Self {
        let mut distribution = Self::default();
        for score in scores {
            if score > 0.0 {
                distribution.positive[place(score)] += 1;
            } else {
                distribution.zero += 1;
            }
        }
        distribution
    }
}

#[expect(clippy::cast_sign_loss, reason = "only positive scores have a place")]
fn place(score: f64) -> usize {
    (((score + SLACK) * CELLS as f64) as usize).min(CELLS - 1)
}
