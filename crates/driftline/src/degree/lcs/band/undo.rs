//! What rows of the table overwrote, so that they can be undone from the last to the first.

/// Overwritten blocks, row after row.
#[derive(Debug, Default)]
pub(super) struct Undo {
    values: Vec<u64>,
    /// Where neighbouring values were: the first block and how many.
    runs: Vec<(u32, u32)>,
    /// How many runs there are at the end of each row, from `first_row` on.
    row_ends: Vec<u32>,
    first_row: usize,
}

impl Undo {
    /// Forgets everything; the next row is number `row`.
    pub(super) fn restart(&mut self, row: usize) {
        self.values.clear();
        self.runs.clear();
        self.row_ends.clear();
        self.first_row = row;
    }

    /// How many blocks are remembered.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The first row that can be undone.
    pub(super) fn first_row(&self) -> usize {
        self.first_row
    }

    /// Remembers one block.
    #[inline]
    pub(super) fn remember(&mut self, block: u32, value: u64) {
        self.values.push(value);
        self.runs.push((block, 1));
    }

    /// Remembers neighbouring blocks.
    pub(super) fn remember_run(&mut self, first: u32, values: &[u64]) {
        self.values.extend_from_slice(values);
        self.runs.push((first, values.len() as u32));
    }

    /// Ends a row.
    pub(super) fn end_row(&mut self) {
        self.row_ends.push(self.runs.len() as u32);
    }

    /// Puts back what the last row overwrote in the first `wanted` blocks.
    pub(super) fn undo_row(&mut self, blocks: &mut [u64], wanted: usize) {
        self.row_ends.pop();
        let start = self.row_ends.last().map_or(0, |&end| end as usize);
        for (first, length) in self.runs.drain(start..).rev() {
            let (first, length) = (first as usize, length as usize);
            let kept = self.values.len() - length;
            let length = length.min(wanted.saturating_sub(first));
            blocks[first..first + length].copy_from_slice(&self.values[kept..kept + length]);
            self.values.truncate(kept);
        }
    }
}
