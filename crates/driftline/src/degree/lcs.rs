//! What do two pages have in common, in order? The canonical longest common subsequence (rule R5).
//!
//! Many longest common subsequences exist and the papers do not say which one counts, so the rules
//! fix one: match the common prefix, then the common suffix, then trace the textbook table back from
//! its end, preferring a match, then a step in the shorter page. The table is never built: a row is
//! a string of bits (`band`), 64 cells a machine word, and only the rows' changes are remembered.
//!
//! The common bag of words bounds the length from above, so a band around the diagonal is searched
//! first, and the band is widened until it provably holds every longest common subsequence
//! ([`Aligner::align`]); near-equal pages therefore cost next to nothing.
//!
//! Heuristic diffs are no substitute: on unrelated pages they miss up to 16 of 17 common words.

mod band;

use band::{Band, Reach};

use super::vocabulary::WordId;

/// The most work one alignment may cost: the number of machine words (64 cells of the table each)
/// that it touches.
///
/// It is enough for two pages of 262,144 words that have nothing in common (about two seconds), and
/// for much longer ones if they resemble each other. Beyond it only alignments near the diagonal
/// are searched, and the result says that it was bounded. 1 MB holds 524,288 words of a letter, which
/// would take ten seconds.
pub const MOST_BLOCK_STEPS: u64 = 1 << 30;

/// A word that is not part of the common subsequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leftover {
    /// Where it stands on its page.
    pub index: u32,
    /// How many common words stand before it: leftovers of both pages with the same gap stand
    /// between the same two common words.
    pub gap: u32,
}

/// What an alignment found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Alignment {
    /// Words of the first page that are not common, in order.
    pub first: Vec<Leftover>,
    /// Words of the second page that are not common, in order.
    pub second: Vec<Leftover>,
    /// How many words are common.
    pub length: usize,
    /// Was the search cut short? Then there may be a longer common subsequence.
    pub bounded: bool,
}

/// Finds common subsequences; reuse it to reuse its memory.
#[derive(Debug, Default)]
pub struct Aligner {
    band: Band,
}

impl Aligner {
    /// An aligner without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many blocks of 64 cells were computed so far, in all alignments.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.band.steps()
    }

    /// The canonical longest common subsequence of `shorter` and `longer`.
    ///
    /// The names are rule R5's order: the shorter page first; of two equally long ones, the one
    /// that comes first as a list of words.
    pub fn align(&mut self, shorter: &[WordId], longer: &[WordId]) -> Alignment {
        self.align_within(shorter, longer, MOST_BLOCK_STEPS)
    }

    /// [`align`](Self::align) with at most `steps` block steps.
    pub fn align_within(&mut self, shorter: &[WordId], longer: &[WordId], steps: u64) -> Alignment {
        debug_assert!(shorter.len() <= longer.len(), "rule R5: the shorter page first");
        let prefix = common_prefix(shorter, longer);
        let (x, y) = (&shorter[prefix..], &longer[prefix..]);
        let suffix = common_suffix(x, y);
        let (x, y) = (&x[..x.len() - suffix], &y[..y.len() - suffix]);
        let mut alignment = Alignment::default();
        if x.is_empty() || y.is_empty() {
            alignment.first = (0..x.len() as u32).map(|index| Leftover { index, gap: 0 }).collect();
            alignment.second = (0..y.len() as u32).map(|index| Leftover { index, gap: 0 }).collect();
        } else {
            self.align_middle(x, y, steps, &mut alignment);
        }
        for leftover in alignment.first.iter_mut().chain(&mut alignment.second) {
            leftover.index += prefix as u32;
            leftover.gap += prefix as u32;
        }
        alignment.length = shorter.len() - alignment.first.len();
        alignment
    }

    /// Widens the band until it must hold every longest common subsequence.
    ///
    /// A path that leaves `u` words of `x` unmatched never strays more than `u` from the diagonals
    /// between the two corners, so a band of half-width `u` or more is exact: a cell on a longest
    /// path has its true value there, all others have at most theirs, and the trace back asks of
    /// a neighbour only whether it is as good. `u` is at least `x.len()` minus the common bag.
    fn align_middle(&mut self, x: &[WordId], y: &[WordId], steps: u64, alignment: &mut Alignment) {
        let common = self.band.load(x, y);
        let Some(widest) = widest_half_width(x.len(), y.len(), steps) else {
            // The pages' lengths differ so much that even the narrowest straight band is too large.
            let half_width = (steps / y.len() as u64 * 32) as usize;
            self.band.fill(Reach::Slanted { half_width });
            alignment.bounded = true;
            return self.band.trace_back(x, y, alignment);
        };
        let mut half_width = first_half_width(x.len(), common).min(widest);
        loop {
            let length = self.band.fill(Reach::Straight { half_width });
            let unmatched = x.len() - length;
            if half_width >= unmatched || half_width >= widest {
                alignment.bounded = half_width < unmatched;
                self.band.trace_back(x, y, alignment);
                return;
            }
            half_width = (half_width * 3).min(unmatched).min(widest);
        }
    }
}

/// The first band: somewhat wider than the common bag demands, as some words will have moved; all
/// of the table if the band would be most of it anyway.
fn first_half_width(x: usize, common: usize) -> usize {
    let half_width = (x - common) * 3 / 2 + 32;
    if half_width * 3 > x { x } else { half_width }
}

/// The half-width of the widest band that costs at most `steps`, if there is one.
fn widest_half_width(x: usize, y: usize, steps: u64) -> Option<usize> {
    let columns_a_row = (steps / y as u64).saturating_mul(64);
    if columns_a_row >= x as u64 + 128 {
        return Some(x);
    }
    let half_width = (columns_a_row as usize).checked_sub(y - x)? / 2;
    (half_width >= 64).then_some(half_width.min(x))
}

fn common_prefix(x: &[WordId], y: &[WordId]) -> usize {
    x.iter().zip(y).take_while(|(x, y)| x == y).count()
}

fn common_suffix(x: &[WordId], y: &[WordId]) -> usize {
    x.iter().rev().zip(y.iter().rev()).take_while(|(x, y)| x == y).count()
}
