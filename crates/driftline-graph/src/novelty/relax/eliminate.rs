//! What if sweeps do not settle? Gauss's elimination, over the entries that there are.
//!
//! Each equation is dominated by its diagonal, so it is stable in any order and needs no pivots. Pages with few links
//! go first and those that all link to, such as front pages, last: then a chain of pages with a front page, which
//! sweeps take for ever with, keeps a handful of entries a row.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Entries after which it is given up: 64 MB.
const MOST: usize = 4 << 20;

/// `diagonal[p] · x[p] - weight · Σ x[q] = right[p]`, over the sources q of each page p.
pub(super) struct Equations<'a, S> {
    pub(super) diagonal: &'a [f64],
    pub(super) weight: f64,
    pub(super) right: Vec<f64>,
    pub(super) sources: S,
}

/// A row behind its diagonal, which is 1, by places in the order of elimination.
type Row = Vec<(u32, f64)>;

impl<'a, S: Fn(usize) -> &'a [u32]> Equations<'a, S> {
    /// The x of each page; nothing if that takes too much memory.
    pub(super) fn solve(self) -> Option<Vec<f64>> {
        let order = self.order();
        let mut places = vec![0_u32; order.len()];
        (0..).zip(&order).for_each(|(place, &page)| places[page as usize] = place);
        let mut rows: Vec<Row> = Vec::with_capacity(order.len());
        let mut right = Vec::with_capacity(order.len());
        let mut work = Work { values: vec![0.0; order.len()], used: vec![false; order.len()], ..Work::default() };
        let mut entries = 0;
        for &page in &order {
            let (row, value) = self.reduce(page as usize, &places, &rows, &right, &mut work);
            entries += row.len();
            if entries > MOST {
                return None;
            }
            rows.push(row);
            right.push(value);
        }
        for place in (0..rows.len()).rev() {
            let known: f64 = rows[place].iter().map(|&(other, entry)| entry * right[other as usize]).sum();
            right[place] -= known;
        }
        Some(places.iter().map(|&place| right[place as usize]).collect())
    }

    fn order(&self) -> Vec<u32> {
        let mut degrees = vec![0_usize; self.diagonal.len()];
        for page in 0..degrees.len() {
            let sources = (self.sources)(page);
            degrees[page] += sources.len();
            sources.iter().for_each(|&source| degrees[source as usize] += 1);
        }
        let mut order: Vec<u32> = (0..degrees.len() as u32).collect();
        order.sort_by_key(|&page| degrees[page as usize]);
        order
    }

    /// The next row without what those before it settle, and its right side.
    fn reduce(&self, page: usize, places: &[u32], rows: &[Row], right: &[f64], work: &mut Work) -> (Row, f64) {
        let own = rows.len() as u32;
        work.add(own, own, self.diagonal[page]);
        for &source in (self.sources)(page) {
            work.add(own, places[source as usize], -self.weight);
        }
        let mut value = self.right[page];
        while let Some(Reverse(before)) = work.before.pop() {
            let factor = work.take(before);
            value -= factor * right[before as usize];
            for &(other, entry) in &rows[before as usize] {
                work.add(own, other, -factor * entry);
            }
        }
        let diagonal = work.take(own);
        let behind = std::mem::take(&mut work.behind);
        let row = behind.into_iter().map(|other| (other, work.take(other) / diagonal));
        (row.collect(), value / diagonal)
    }
}

/// The row that is being reduced.
#[derive(Default)]
struct Work {
    values: Vec<f64>,
    used: Vec<bool>,
    /// Places with an entry before the row's own, the first on top, and behind it.
    before: BinaryHeap<Reverse<u32>>,
    behind: Vec<u32>,
}

impl Work {
    fn add(&mut self, own: u32, place: u32, value: f64) {
        if !std::mem::replace(&mut self.used[place as usize], true) {
            match place.cmp(&own) {
                std::cmp::Ordering::Less => self.before.push(Reverse(place)),
                std::cmp::Ordering::Equal => (),
                std::cmp::Ordering::Greater => self.behind.push(place),
            }
        }
        self.values[place as usize] += value;
    }

    fn take(&mut self, place: u32) -> f64 {
        self.used[place as usize] = false;
        std::mem::take(&mut self.values[place as usize])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_chain_is_solved_at_once() {
        // Each page is linked to by its neighbours; before the first comes 1, behind the last 0: a straight line.
        let count = 20_000_usize;
        let neighbours = |page: usize| [page.checked_sub(1), Some(page + 1).filter(|&next| next < count)];
        let sources: Vec<Vec<u32>> =
            (0..count).map(|page| neighbours(page).into_iter().flatten().map(|other| other as u32).collect()).collect();
        let mut right = vec![0.0; count];
        right[0] = 1.0;
        let diagonal = vec![2.0; count];
        let equations =
            Equations { diagonal: &diagonal, weight: 1.0, right, sources: |page: usize| sources[page].as_slice() };
        for (page, score) in equations.solve().unwrap().into_iter().enumerate() {
            let expected = 1.0 - (page + 1) as f64 / (count + 1) as f64;
            assert!((score - expected).abs() < 1e-9, "{page}: {score} for {expected}");
        }
    }

    proptest! {
        #[test]
        fn what_is_found_solves_the_equations(
            rows in prop::collection::vec((prop::collection::btree_set(0_u32..30, 0..8), 1_u32..4, 0_u32..4), 30),
        ) {
            let sources: Vec<Vec<u32>> = (0..).zip(&rows)
                .map(|(page, row)| row.0.iter().copied().filter(|&other| other != page).collect()).collect();
            let diagonal: Vec<f64> =
                sources.iter().zip(&rows).map(|(own, row)| own.len() as f64 + f64::from(row.1)).collect();
            let right: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let of = |page: usize| sources[page].as_slice();
            let found = Equations { diagonal: &diagonal, weight: 0.9, right: right.clone(), sources: of }.solve().unwrap();
            for page in 0..30 {
                let sum: f64 = sources[page].iter().map(|&source| found[source as usize]).sum();
                prop_assert!((diagonal[page] * found[page] - 0.9 * sum - right[page]).abs() < 1e-9);
            }
        }
    }
}
