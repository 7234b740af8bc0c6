//! The table of the longest common subsequence, 64 cells a machine word, inside a band.
//!
//! Row `j` of the table belongs to word `j` of `y`; bit `i` of a row is 0 where the table grows
//! from column `i` to column `i + 1` (Crochemore et al. 2001, Hyyrö 2004). A row follows from the
//! one before by an addition, and differs from it only in blocks where the row's word stands in
//! `x`, or to which the addition carries. So only those blocks are touched ([`Band::advance`]), and
//! only their old values are remembered: the trace back undoes row after row. When that memory
//! exceeds [`MOST_UNDO_STEPS`], it is dropped, the row is kept as a checkpoint, and the trace back
//! computes the part between two checkpoints a second time.
//!
//! Blocks that the band has left keep their last value and blocks that it has not reached keep
//! their first (all ones): both mean "nothing matches there", so every value is that of a real
//! common subsequence.

use super::{Alignment, Leftover};
use crate::degree::vocabulary::WordId;

/// How many block changes are remembered before a checkpoint is made: 12 bytes each, 48 MB.
const MOST_UNDO_STEPS: usize = 1 << 22;

/// No entry: the word does not stand in `x`.
const ABSENT: u32 = u32::MAX;

/// The bits of one block of columns in which a word stands.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    block: u32,
    mask: u64,
}

/// The columns at which each word of `x` stands, and the rows' words in the same numbering.
#[derive(Debug, Default)]
struct Columns {
    /// The entries of word `w` are `entries[starts[w]..starts[w + 1]]`, by rising block.
    entries: Vec<Entry>,
    starts: Vec<u32>,
    /// The number of each row's word, or [`ABSENT`].
    rows: Vec<u32>,
    /// From word ids to the dense numbering; all [`ABSENT`] between two calls.
    numbers: Vec<u32>,
}

/// What a row changed, for undoing it.
#[derive(Debug, Default)]
struct Undo {
    blocks: Vec<u32>,
    values: Vec<u64>,
    /// Where the changes of each row end, from row `first_row` on.
    ends: Vec<u32>,
    first_row: usize,
}

/// A row kept while the rows before it were forgotten.
#[derive(Debug)]
struct Checkpoint {
    row: usize,
    blocks: Vec<u64>,
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
    half_width: usize,
    most_undo_steps: usize,
}

impl Band {
    /// Takes in the two sequences; the size of their common bag.
    pub(super) fn load(&mut self, x: &[WordId], y: &[WordId]) -> usize {
        self.x_len = x.len();
        if self.most_undo_steps == 0 {
            self.most_undo_steps = MOST_UNDO_STEPS;
        }
        self.columns.load(x, y)
    }

    /// Computes all rows; the length of the longest common subsequence inside the band.
    pub(super) fn fill(&mut self, half_width: usize) -> usize {
        self.half_width = half_width;
        self.blocks.clear();
        self.blocks.resize(self.x_len.div_ceil(64), u64::MAX);
        self.checkpoints.clear();
        self.undo.restart(0);
        for row in 0..self.columns.rows.len() {
            if self.undo.blocks.len() > self.most_undo_steps {
                self.checkpoint(row);
            }
            self.advance(row);
        }
        self.blocks.iter().map(|block| block.count_zeros() as usize).sum()
    }

    fn checkpoint(&mut self, row: usize) {
        // The blocks before the undone rows are what the trace back starts again from.
        self.checkpoints.push(Checkpoint { row, blocks: self.blocks.clone() });
        self.undo.restart(row);
    }

    /// Computes row `row` from the one before it.
    fn advance(&mut self, row: usize) {
        let word = self.columns.rows[row];
        if word != ABSENT {
            let (lowest, highest) = self.reach(row);
            let entries = self.columns.entries_from(word, lowest);
            let mut carry = false;
            let mut next = 0;
            for &Entry { block, mask } in entries.iter().take_while(|entry| entry.block <= highest) {
                while carry && next < block {
                    carry = step(&mut self.blocks, &mut self.undo, next, 0, carry);
                    next += 1;
                }
                carry = step(&mut self.blocks, &mut self.undo, block, mask, carry);
                next = block + 1;
            }
            while carry && next <= highest {
                carry = step(&mut self.blocks, &mut self.undo, next, 0, carry);
                next += 1;
            }
        }
        self.undo.ends.push(self.undo.blocks.len() as u32);
    }

    /// The first and the last block that the band covers in this row.
    fn reach(&self, row: usize) -> (u32, u32) {
        let surplus = self.columns.rows.len() - self.x_len;
        let lowest = row.saturating_sub(surplus + self.half_width);
        let highest = (row + self.half_width).min(self.x_len - 1);
        ((lowest / 64) as u32, (highest / 64) as u32)
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
            self.retreat(j);
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

    /// Undoes row `row`.
    fn retreat(&mut self, row: usize) {
        if row < self.undo.first_row {
            self.replay(row);
        }
        self.undo.ends.pop();
        let start = self.undo.ends.last().map_or(0, |&end| end as usize);
        while self.undo.blocks.len() > start {
            if let (Some(block), Some(value)) = (self.undo.blocks.pop(), self.undo.values.pop()) {
                self.blocks[block as usize] = value;
            }
        }
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
        self.undo.restart(first);
        for row in first..=row {
            self.advance(row);
        }
    }
}

/// One block of one row; what the addition carries to the next block.
#[inline]
fn step(blocks: &mut [u64], undo: &mut Undo, block: u32, mask: u64, carry: bool) -> bool {
    let old = blocks[block as usize];
    let (sum, overflow) = old.overflowing_add(old & mask);
    let (sum, overflow_by_carry) = sum.overflowing_add(u64::from(carry));
    let new = sum | (old & !mask);
    if new != old {
        undo.blocks.push(block);
        undo.values.push(old);
        blocks[block as usize] = new;
    }
    overflow | overflow_by_carry
}

impl Undo {
    fn restart(&mut self, row: usize) {
        self.blocks.clear();
        self.values.clear();
        self.ends.clear();
        self.first_row = row;
    }
}

impl Columns {
    fn load(&mut self, x: &[WordId], y: &[WordId]) -> usize {
        let highest = x.iter().chain(y).max().map_or(0, |&word| word as usize + 1);
        if self.numbers.len() < highest {
            self.numbers.resize(highest, ABSENT);
        }
        let words = self.number_words(x);
        self.collect_entries(x, words);
        self.rows.clear();
        self.rows.extend(y.iter().map(|&word| self.numbers[word as usize]));
        for &word in x {
            self.numbers[word as usize] = ABSENT;
        }
        self.common_bag(words)
    }

    /// Numbers the words of `x` densely; how many there are.
    fn number_words(&mut self, x: &[WordId]) -> usize {
        let mut words = 0;
        for &word in x {
            let number = &mut self.numbers[word as usize];
            if *number == ABSENT {
                *number = words;
                words += 1;
            }
        }
        words as usize
    }

    fn collect_entries(&mut self, x: &[WordId], words: usize) {
        // Two passes, counting then filling, with the last block seen of each word in between.
        let mut last_block = vec![ABSENT; words];
        self.starts.clear();
        self.starts.resize(words + 1, 0);
        for (column, &word) in x.iter().enumerate() {
            let number = self.numbers[word as usize] as usize;
            let block = (column / 64) as u32;
            if last_block[number] != block {
                last_block[number] = block;
                self.starts[number + 1] += 1;
            }
        }
        for word in 0..words {
            self.starts[word + 1] += self.starts[word];
        }
        self.entries.clear();
        self.entries.resize(self.starts[words] as usize, Entry::default());
        let mut ends: Vec<u32> = self.starts[..words].to_vec();
        for (column, &word) in x.iter().enumerate() {
            let number = self.numbers[word as usize] as usize;
            let block = (column / 64) as u32;
            let is_new = ends[number] == self.starts[number] || self.entries[ends[number] as usize - 1].block != block;
            if is_new {
                self.entries[ends[number] as usize].block = block;
                ends[number] += 1;
            }
            self.entries[ends[number] as usize - 1].mask |= 1 << (column % 64);
        }
    }

    /// How many words the two sequences have in common, whatever their order.
    fn common_bag(&self, words: usize) -> usize {
        let mut left: Vec<u32> = (0..words)
            .map(|word| self.entries_from(word as u32, 0).iter().map(|entry| entry.mask.count_ones()).sum())
            .collect();
        let mut common = 0;
        for &row in self.rows.iter().filter(|&&row| row != ABSENT) {
            if left[row as usize] > 0 {
                left[row as usize] -= 1;
                common += 1;
            }
        }
        common
    }

    /// The entries of a word from block `lowest` on.
    fn entries_from(&self, word: u32, lowest: u32) -> &[Entry] {
        let entries = &self.entries[self.starts[word as usize] as usize..self.starts[word as usize + 1] as usize];
        match entries.first() {
            Some(first) if first.block < lowest => &entries[entries.partition_point(|entry| entry.block < lowest)..],
            _ => entries,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator of numbers, so that the test needs no crate.
    fn noise(seed: &mut u64, below: u64) -> u32 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((*seed >> 33) % below) as u32
    }

    fn trace(x: &[WordId], y: &[WordId], most_undo_steps: usize) -> (Alignment, usize) {
        let mut band = Band { most_undo_steps, ..Band::default() };
        band.load(x, y);
        band.fill(x.len());
        let checkpoints = band.checkpoints.len();
        let mut alignment = Alignment::default();
        band.trace_back(x, y, &mut alignment);
        (alignment, checkpoints)
    }

    #[test]
    fn a_trace_back_over_checkpoints_is_the_same_as_one_without() {
        let mut seed = 7;
        for words in [2, 5, 40, 400] {
            let x: Vec<_> = (0..500).map(|_| noise(&mut seed, words)).collect();
            let y: Vec<_> = (0..700).map(|_| noise(&mut seed, words)).collect();
            let (whole, none) = trace(&x, &y, usize::MAX);
            let (in_parts, many) = trace(&x, &y, 64);
            assert_eq!((none, many > 3), (0, true), "{words} words made {many} checkpoints");
            assert_eq!(in_parts, whole);
        }
    }
}
