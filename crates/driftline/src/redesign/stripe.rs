//! How alike are the newest documents and those before them? Gottron's similarity stripe.
//!
//! Of the matrix of all similarities only a stripe below the diagonal is computed, and of that only the
//! part that the detectors still look at is kept: the rows of the last `h` documents, each with its
//! similarities to the `h` documents before it, the nearest first.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The rows of the last documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stripe {
    history: usize,
    documents: usize,
    /// The newest last.
    rows: VecDeque<Vec<f64>>,
}

impl Stripe {
    /// A stripe of this width, before the first document.
    #[must_use]
    pub fn new(history: usize) -> Self {
        Self { history, documents: 0, rows: VecDeque::with_capacity(history) }
    }

    /// Adds a document: its similarities to the documents before it, the nearest first. More than the
    /// width of the stripe are ignored.
    pub fn push(&mut self, mut row: Vec<f64>) {
        row.truncate(self.history.min(self.documents));
        if self.rows.len() == self.history {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
        self.documents += 1;
    }

    /// Can it be the stripe of some documents?
    pub(super) fn is_sound(&self) -> bool {
        let (width, kept) = (self.history, self.rows.len());
        let fits = |(place, row): (usize, &Vec<f64>)| row.len() <= width.min(self.documents - kept + place);
        kept == self.documents.min(width)
            && self.rows.iter().enumerate().all(fits)
            && self.rows.iter().flatten().all(|similarity| (0.0..=1.0).contains(similarity))
    }

    /// h: the width.
    #[must_use]
    pub fn history(&self) -> usize {
        self.history
    }

    /// How many documents there were.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// The number of the newest document.
    #[must_use]
    pub fn newest(&self) -> Option<usize> {
        self.documents.checked_sub(1)
    }

    /// The similarities of the newest document to those before it, the nearest first.
    #[must_use]
    pub fn row(&self) -> &[f64] {
        self.rows.back().map_or(&[], Vec::as_slice)
    }

    /// The rows that are kept, the newest last.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[f64]> + ExactSizeIterator {
        self.rows.iter().map(Vec::as_slice)
    }

    /// avgsim of the newest document; none as long as the history is not full.
    #[must_use]
    pub fn average(&self) -> Option<f64> {
        let row = self.row();
        (row.len() == self.history).then(|| row.iter().sum::<f64>() / row.len() as f64)
    }

    /// The two triangles of the matrix S; none before there are 2h documents.
    #[must_use]
    pub fn triangles(&self) -> Option<Triangles<'_>> {
        (self.documents >= 2 * self.history).then_some(Triangles { stripe: self })
    }
}

/// The two triangles of the matrix S (figure 5), a slice a document, the oldest document first.
#[derive(Debug, Clone, Copy)]
pub struct Triangles<'a> {
    stripe: &'a Stripe,
}

impl<'a> Triangles<'a> {
    /// (1): one document is among the last `h`, the other is older.
    pub fn lower(self) -> impl Iterator<Item = &'a [f64]> + Clone {
        self.split().map(|(_, far)| far)
    }

    /// (2): both documents are among the last `h`.
    pub fn upper(self) -> impl Iterator<Item = &'a [f64]> + Clone {
        self.split().map(|(near, _)| near)
    }

    /// A document has as many of the last `h` before it as it has rows before its own.
    fn split(self) -> impl Iterator<Item = (&'a [f64], &'a [f64])> + Clone {
        let rows = self.stripe.rows.iter().enumerate();
        rows.map(|(within, row)| row.split_at(within.min(row.len())))
    }

    /// The most similar pair across the border, and the average similarity behind it (figure 7).
    #[must_use]
    pub fn indicators(self) -> Indicators {
        Indicators { max_lower: self.lower().flatten().copied().fold(0.0, f64::max), mean_upper: mean(self.upper()) }
    }
}

/// What MAX-AVG-DIFF compares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Indicators {
    /// The largest similarity in the lower triangle.
    pub max_lower: f64,
    /// The average similarity in the upper triangle.
    pub mean_upper: f64,
}

/// The average of all values; 0 of none. Summed by slices, so that half a million values stay exact to 1e-12.
pub(crate) fn mean<'a>(slices: impl Iterator<Item = &'a [f64]>) -> f64 {
    let (count, sum) =
        slices.fold((0, 0.0), |(count, sum), slice| (count + slice.len(), sum + slice.iter().sum::<f64>()));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Similarities that say which two documents they belong to: 100 i + j.
    fn stripe(history: usize, documents: usize) -> Stripe {
        let mut stripe = Stripe::new(history);
        for document in 0..documents {
            let before = (document.saturating_sub(history)..document).rev();
            stripe.push(before.map(|other| (100 * document + other) as f64).collect());
        }
        stripe
    }

    #[test]
    fn triangles_are_split_at_the_oldest_document_of_the_history() {
        let full = stripe(3, 6);
        let triangles = full.triangles().unwrap();
        assert_eq!(triangles.upper().flatten().copied().collect::<Vec<_>>(), [403.0, 504.0, 503.0]);
        assert_eq!(triangles.lower().collect::<Vec<_>>().concat(), [302.0, 301.0, 300.0, 402.0, 401.0, 502.0]);
        assert!(stripe(3, 5).triangles().is_none());
    }

    #[test]
    fn only_the_last_rows_are_kept() {
        let stripe = stripe(4, 100);
        assert_eq!(stripe.rows().len(), 4);
        assert_eq!(stripe.row(), [9998.0, 9997.0, 9996.0, 9995.0]);
        assert_eq!(stripe.average(), Some(9996.5));
    }

    #[test]
    fn a_row_is_no_longer_than_the_past() {
        let mut stripe = Stripe::new(3);
        stripe.push(vec![0.5, 0.5]);
        assert!(stripe.row().is_empty());
        stripe.push(vec![0.5, 0.5]);
        assert_eq!(stripe.row(), [0.5]);
    }
}
