//! Bytes of a segment, a piece at a time.

use std::io::{self, BufRead, Read};

use super::Store;

/// Reads a range of a segment in pieces.
pub struct RangeReader<'a> {
    store: &'a Store,
    name: String,
    next: u64,
    end: u64,
    piece: u64,
    buffer: Vec<u8>,
    read: usize,
}

/// Most records fit the first piece; the pieces of a long one grow, so that requests are few.
const FIRST_PIECE: u64 = 64 << 10;
const LARGEST_PIECE: u64 = 4 << 20;

impl<'a> RangeReader<'a> {
    pub(super) fn new(store: &'a Store, name: &str, offset: u64, length: u64) -> Self {
        let end = offset.saturating_add(length);
        Self { store, name: name.to_owned(), next: offset, end, piece: FIRST_PIECE, buffer: Vec::new(), read: 0 }
    }
}

impl BufRead for RangeReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.buffer.len() && self.next < self.end {
            let until = self.end.min(self.next + self.piece);
            self.buffer = self.store.read(&self.name, self.next..until).map_err(io::Error::other)?;
            self.read = 0;
            // A store that answers with less is at the end of the segment.
            self.next = if self.buffer.is_empty() { self.end } else { self.next + self.buffer.len() as u64 };
            self.piece = (self.piece * 4).min(LARGEST_PIECE);
        }
        Ok(&self.buffer[self.read..])
    }

    fn consume(&mut self, count: usize) {
        self.read = (self.read + count).min(self.buffer.len());
    }
}

impl Read for RangeReader<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(output)?;
        self.consume(count);
        Ok(count)
    }
}
