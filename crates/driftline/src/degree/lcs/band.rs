//! The table of the longest common subsequence, 64 cells a machine word, inside a band.
//!
//! Row `j` of the table belongs to word `j` of `y`; bit `i` of a row is 0 where the table grows
//! from column `i` to column `i + 1` (Crochemore et al. 2001, Hyyrö 2004). A row follows from the
//! one before by an addition, and differs from it only in blocks where the row's word stands in
//! `x`, or to which the addition carries. So a rare word touches only a few blocks
//! ([`Band::advance_rare`]), and only what a row overwrites is remembered ([`undo`]): the trace
//! back undoes row after row. When that memory exceeds [`MOST_UNDO_BLOCKS`], it is dropped, the row
//! is kept as a checkpoint, and the trace back computes the part between two checkpoints again.
//!
//! Blocks that the band has left keep their last value and blocks that it has not reached keep
//! their first (all ones): both mean "nothing matches there", so every value is that of a real
//! common subsequence.

mod columns;
mod undo;

use super::{Alignment, Leftover};
use crate::degree::vocabulary::WordId;
use columns::{Columns, Entry, Places};
use undo::Undo;

/// How many overwritten blocks are remembered before a checkpoint is made: 8 to 16 bytes each.
const MOST_UNDO_BLOCKS: usize = 1 << 22;

/// A row kept while the rows before it were forgotten.
#[derive(Debug)]
struct Checkpoint {
    row: usize,
    blocks: Vec<u64>,
}

/// Which columns of a row are computed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reach {
    /// Those at most `half_width` off the diagonals between the two corners: exact if wide enough.
    Straight { half_width: usize },
    /// Those at most `half_width` off the straight line from corner to corner: an estimate for
    /// pages whose lengths differ so much that the diagonals between the corners are too many.
    Slanted { half_width: usize },
}

impl Default for Reach {
    fn default() -> Self {
        Self::Straight { half_width: 0 }
    }
}

/// The table inside a band.
#[derive(Debug, Default)]
pub(super) struct Band {
    columns: Columns,
    /// The current row.
    blocks: Vec<u64>,
    undo: Undo,
    checkpoints: Vec<Checkpoint>,
    x_len: usize,
    reach: Reach,
    most_undo_blocks: usize,
    /// Blocks that were computed, in all.
    steps: u64,
}

impl Band {
    /// Takes in the two sequences; the size of their common bag.
    pub(super) fn load(&mut self, x: &[WordId], y: &[WordId]) -> usize {
        self.x_len = x.len();
        if self.most_undo_blocks == 0 {
            self.most_undo_blocks = MOST_UNDO_BLOCKS;
        }
        self.columns.load(x, y)
    }

    /// How many blocks were computed so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Computes all rows; the length of the longest common subsequence inside the band.
    pub(super) fn fill(&mut self, reach: Reach) -> usize {
        self.reach = reach;
        self.blocks.clear();
        self.blocks.resize(self.x_len.div_ceil(64), u64::MAX);
        self.checkpoints.clear();
        self.restart(0);
        for row in 0..self.columns.rows() {
            if self.undo.len() > self.most_undo_blocks {
                self.checkpoints.push(Checkpoint { row, blocks: self.blocks.clone() });
                self.undo.restart(row);
            }
            self.advance(row);
        }
        self.blocks.iter().map(|block| block.count_zeros() as usize).sum()
    }

    /// Forgets how to undo rows before `row`.
    fn restart(&mut self, row: usize) {
        self.undo.restart(row);
        self.columns.rewind();
    }

    /// Computes row `row` from the one before it.
    fn advance(&mut self, row: usize) {
        let (lowest, highest) = self.reach(row);
        match self.columns.places(row, lowest) {
            Places::None => {}
            Places::Few(entries) => {
                self.steps += entries.len() as u64;
                advance_rare(&mut self.blocks, &mut self.undo, entries, highest);
            }
            Places::Many(masks) => {
                let blocks = &mut self.blocks[lowest..=highest];
                self.steps += blocks.len() as u64;
                self.undo.remember_run(lowest as u32, blocks);
                advance_frequent(blocks, &masks[lowest..=highest]);
            }
        }
        self.undo.end_row();
    }

    /// The first and the last block that the band covers in this row.
    fn reach(&self, row: usize) -> (usize, usize) {
        let rows = self.columns.rows();
        let (from, to) = match self.reach {
            Reach::Straight { half_width } => {
                (row.saturating_sub(rows - self.x_len + half_width), row.saturating_add(half_width))
            }
            Reach::Slanted { half_width } => {
                let centre = (row as u64 * self.x_len as u64 / rows as u64) as usize;
                (centre.saturating_sub(half_width), centre + half_width)
            }
        };
        (from / 64, to.min(self.x_len - 1) / 64)
    }

    /// Reads the canonical common subsequence off the rows, from the last to the first.
    pub(super) fn trace_back(&mut self, x: &[WordId], y: &[WordId], alignment: &mut Alignment) {
        let (mut i, mut j) = (x.len(), y.len());
        let mut matched = 0;
        while i > 0 && j > 0 {
            let same = x[i - 1] == y[j - 1];
            if !same && self.blocks[(i - 1) / 64] >> ((i - 1) % 64) & 1 == 1 {
                i -= 1;
                alignment.first.push(Leftover { index: i as u32, gap: matched });
                continue;
            }
            j -= 1;
            // The columns behind `i` are never asked for again.
            self.retreat(j, i.div_ceil(64));
            if same {
                i -= 1;
                matched += 1;
            } else {
                alignment.second.push(Leftover { index: j as u32, gap: matched });
            }
        }
        alignment.first.extend((0..i).rev().map(|i| Leftover { index: i as u32, gap: matched }));
        alignment.second.extend((0..j).rev().map(|j| Leftover { index: j as u32, gap: matched }));
        for leftovers in [&mut alignment.first, &mut alignment.second] {
            leftovers.reverse();
            // Counted from the end so far.
            leftovers.iter_mut().for_each(|leftover| leftover.gap = matched - leftover.gap);
        }
    }

    /// Undoes row `row` in the first `wanted` blocks.
    fn retreat(&mut self, row: usize, wanted: usize) {
        if row < self.undo.first_row() {
            self.replay(row);
        }
        self.undo.undo_row(&mut self.blocks, wanted);
    }

    /// Computes the rows up to `row` again, from the checkpoint before them.
    fn replay(&mut self, row: usize) {
        self.checkpoints.pop();
        let first = if let Some(checkpoint) = self.checkpoints.last() {
            self.blocks.copy_from_slice(&checkpoint.blocks);
            checkpoint.row
        } else {
            self.blocks.fill(u64::MAX);
            0
        };
        self.restart(first);
        for row in first..=row {
            self.advance(row);
        }
    }
}

/// A row whose word stands in few blocks: only those are touched, and those to which they carry.
fn advance_rare(blocks: &mut [u64], undo: &mut Undo, entries: &[Entry], highest: usize) {
    let mut carry = false;
    let mut next = 0;
    for &Entry { block, mask } in entries {
        let block = block as usize;
        if block > highest {
            break;
        }
        while carry && next < block {
            carry = step(blocks, undo, next, 0, carry);
            next += 1;
        }
        carry = step(blocks, undo, block, mask, carry);
        next = block + 1;
    }
    while carry && next <= highest {
        carry = step(blocks, undo, next, 0, carry);
        next += 1;
    }
}

/// One block of one row; what the addition carries to the next block.
#[inline]
fn step(blocks: &mut [u64], undo: &mut Undo, block: usize, mask: u64, carry: bool) -> bool {
    let old = blocks[block];
    let (new, carry) = next_block(old, mask, carry);
    if new != old {
        undo.remember(block as u32, old);
        blocks[block] = new;
    }
    carry
}

/// A row whose word stands in many blocks: all are touched, without asking, two at a time.
fn advance_frequent(blocks: &mut [u64], masks: &[u64]) {
    let mut carry = false;
    let (pairs, last) = blocks.as_chunks_mut::<2>();
    let (pair_masks, last_mask) = masks.as_chunks::<2>();
    for ([low, high], [low_mask, high_mask]) in pairs.iter_mut().zip(pair_masks) {
        let old = u128::from(*low) | u128::from(*high) << 64;
        let mask = u128::from(*low_mask) | u128::from(*high_mask) << 64;
        let (sum, overflow) = old.carrying_add(old & mask, carry);
        let new = sum | (old & !mask);
        (*low, *high, carry) = (new as u64, (new >> 64) as u64, overflow);
    }
    for (block, &mask) in last.iter_mut().zip(last_mask) {
        (*block, carry) = next_block(*block, mask, carry);
    }
}

/// A block of the next row, and what the addition carries to the block behind it.
#[inline]
fn next_block(old: u64, mask: u64, carry: bool) -> (u64, bool) {
    let (sum, carry) = old.carrying_add(old & mask, carry);
    (sum | (old & !mask), carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of numbers, so that the test needs no crate.
    fn noise(seed: &mut u64, below: u64) -> u32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*seed >> 33) % below) as u32
    }

    fn trace(x: &[WordId], y: &[WordId], most_undo_blocks: usize) -> (Alignment, usize) {
        let mut band = Band { most_undo_blocks, ..Band::default() };
        band.load(x, y);
        band.fill(Reach::Straight { half_width: x.len() });
        let checkpoints = band.checkpoints.len();
        let mut alignment = Alignment::default();
        band.trace_back(x, y, &mut alignment);
        (alignment, checkpoints)
    }

    #[test]
    fn a_trace_back_over_checkpoints_is_the_same_as_one_without() {
        let mut seed = 7;
        for words in [2, 5, 40, 400] {
            let x: Vec<_> = (0..500).map(|_| WordId::new(noise(&mut seed, words))).collect();
            let y: Vec<_> = (0..700).map(|_| WordId::new(noise(&mut seed, words))).collect();
            let (whole, none) = trace(&x, &y, usize::MAX);
            let (in_parts, many) = trace(&x, &y, 64);
            assert_eq!((none, many > 3), (0, true), "{words} words made {many} checkpoints");
            assert_eq!(in_parts, whole);
        }
    }
}
