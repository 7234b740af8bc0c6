//! How are the links among unidentified pages kept? As gaps, in a byte each where they are small.
//!
//! Pages are numbered in host order, so most links stay near: in the crawls measured 1.1 to 1.4 bytes a link. A gap
//! below 255 is its own byte; any other is the byte 255 and four more. There is nothing to branch on but that, which
//! a processor foresees: a link costs about as much to decode as to look its score up.
//!
//! A row is: the gap from the row before, how many links it has, its first source (as a difference from the row
//! itself, sign in the lowest bit), and the gaps between its sources.

/// Rows of one block, being written.
#[derive(Debug, Default)]
pub(super) struct RowsWriter {
    bytes: Vec<u8>,
    next: u32,
}

impl RowsWriter {
    /// Rows from this one on.
    pub(super) fn new(first: u32) -> Self {
        Self { bytes: Vec::new(), next: first }
    }

    /// The next row: its sources, of which there is one at least, ascending.
    pub(super) fn push(&mut self, row: u32, sources: &[u32]) {
        let Some((&first, rest)) = sources.split_first() else { return };
        self.put(row - self.next);
        self.put(sources.len() as u32);
        let distance = first.wrapping_sub(row).cast_signed();
        self.put(((distance << 1) ^ (distance >> 31)).cast_unsigned());
        let mut last = first;
        for &source in rest {
            self.put(source - last - 1);
            last = source;
        }
        self.next = row + 1;
    }

    fn put(&mut self, value: u32) {
        match u8::try_from(value) {
            Ok(byte) if byte < u8::MAX => self.bytes.push(byte),
            _ => {
                self.bytes.push(u8::MAX);
                self.bytes.extend(value.to_le_bytes());
            }
        }
    }

    /// What was written.
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Rows of one block, being read.
#[derive(Debug, Clone)]
pub(super) struct Rows<'a> {
    bytes: &'a [u8],
    next: u32,
}

impl<'a> Rows<'a> {
    /// What was [written](RowsWriter) from this row on.
    pub(super) fn new(bytes: &'a [u8], first: u32) -> Self {
        Self { bytes, next: first }
    }

    /// Shows the sources of the next row, and says which it is.
    #[inline]
    pub(super) fn next(&mut self, mut visit: impl FnMut(u32)) -> Option<u32> {
        if self.bytes.is_empty() {
            return None;
        }
        let row = self.next + self.take();
        let count = self.take();
        let first = self.take();
        let mut source = row.wrapping_add((first >> 1) ^ (first & 1).wrapping_neg());
        visit(source);
        for _ in 1..count {
            source += self.take() + 1;
            visit(source);
        }
        self.next = row + 1;
        Some(row)
    }

    #[inline]
    fn take(&mut self) -> u32 {
        const WHOLE: &str = "a block holds whole rows, as they were written";
        let (&byte, rest) = self.bytes.split_first().expect(WHOLE);
        self.bytes = rest;
        if byte < u8::MAX {
            return u32::from(byte);
        }
        let (word, rest) = self.bytes.split_first_chunk().expect(WHOLE);
        self.bytes = rest;
        u32::from_le_bytes(*word)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_come_back_as_they_were_written(
            rows in prop::collection::btree_map(0_u32..100_000, prop::collection::btree_set(0..u32::MAX, 1..20), 0..20),
            first in 0_u32..1000,
        ) {
            let rows: BTreeMap<u32, BTreeSet<u32>> = rows.into_iter().map(|(row, sources)| (row + first, sources)).collect();
            let mut writer = RowsWriter::new(first);
            for (&row, sources) in &rows {
                writer.push(row, &sources.iter().copied().collect::<Vec<_>>());
            }
            let bytes = writer.finish();
            let (mut reader, mut read) = (Rows::new(&bytes, first), BTreeMap::new());
            let mut sources = BTreeSet::new();
            while let Some(row) = reader.next(|source| { sources.insert(source); }) {
                read.insert(row, std::mem::take(&mut sources));
            }
            prop_assert_eq!(read, rows);
        }
    }

    #[test]
    fn a_near_link_takes_a_byte() {
        let mut writer = RowsWriter::new(1000);
        writer.push(1000, &[990, 991, 1005, 1259]);
        assert_eq!(writer.finish().len(), 3 + 3);
    }
}
