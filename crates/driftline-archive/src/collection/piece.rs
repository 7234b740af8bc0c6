//! In which pieces is an archive read? Large ones first, small ones at the end, so that all threads end together.
//!
//! A reader has to find where a piece begins (see [`warc::starts_from`]), which costs as much as reading 128 KB: so
//! no piece is very small. Only gzip is split. Without compression, looking for the places takes as long as reading,
//! and the other packings cannot be read from anywhere.

use std::io::{self, Read};

use super::Source;
use crate::cdxj::{Digests, Index};
use crate::warc::{self, Reader};

/// How gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// A piece is at most so long, so that what was found in it fits into memory.
const LONGEST: u64 = 64 << 20;
/// An archive that has not so many pieces of the least size stays whole.
const FEWEST: u64 = 16;

/// Who reads archives: how many threads, and in which pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Readers {
    /// How many threads.
    pub threads: usize,
    /// How many bytes a piece has at least.
    pub least: u64,
}

impl Default for Readers {
    /// A thread for each core.
    fn default() -> Self {
        Self { threads: rayon::current_num_threads(), least: 2 << 20 }
    }
}

impl Readers {
    /// The pieces of an archive, in its order.
    pub(super) fn split<'a>(&self, source: &'a Source) -> Vec<Piece<'a>> {
        // What cannot be opened is told by who reads it.
        let mut borders = self.starts(source).unwrap_or_else(|_| vec![0]);
        borders.push(u64::MAX);
        borders.windows(2).map(|border| Piece { source, start: border[0], end: border[1] }).collect()
    }

    fn starts(&self, source: &Source) -> io::Result<Vec<u64>> {
        let wanted = self.wanted(source.size());
        let Some(mut section) = source.section()?.filter(|_| !wanted.is_empty()) else { return Ok(vec![0]) };
        let mut first = Vec::new();
        section.by_ref().take(GZIP.len() as u64).read_to_end(&mut first)?;
        if first == GZIP { warc::starts_from(&mut section, &wanted) } else { Ok(vec![0]) }
    }

    /// Where pieces should begin, but for the first.
    fn wanted(&self, size: u64) -> Vec<u64> {
        let least = self.least.max(1);
        let shares = 2 * self.threads as u64;
        let (mut wanted, mut start) = (Vec::new(), 0);
        if self.threads < 2 || size / FEWEST < least {
            return wanted;
        }
        loop {
            let rest = size - start;
            let length = (rest / shares).min(LONGEST).max(least);
            if rest < length.saturating_add(least) {
                return wanted;
            }
            start += length;
            wanted.push(start);
        }
    }
}

/// Some records of an archive, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    source: &'a Source,
    start: u64,
    /// Where the next piece begins.
    end: u64,
}

impl<'a> Piece<'a> {
    /// The archive.
    #[must_use]
    pub fn source(&self) -> &'a Source {
        self.source
    }

    /// The lines of its records. `advance` hears how many bytes were read.
    ///
    /// # Errors
    /// If the archive cannot be opened.
    pub fn index<'b>(&self, digests: Digests, advance: &'b (dyn Fn(u64) + Sync)) -> io::Result<Index<Counted<'b>>> {
        let input = if self.start == 0 { self.source.open()? } else { self.source.open_at(self.start)? };
        let input = Counted { input, room: self.end - self.start, advance };
        Ok(Index::new(Reader::from_offset(input, self.start), self.source.name(), digests).until(self.end))
    }
}

/// Bytes of an archive, of which is told how many were read.
pub struct Counted<'a> {
    input: Box<dyn Read + Send>,
    /// What is read beyond belongs to the next piece.
    room: u64,
    advance: &'a (dyn Fn(u64) + Sync),
}

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(to)?;
        let own = self.room.min(count as u64);
        self.room -= own;
        (self.advance)(own);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_become_smaller_and_none_is_too_small_or_too_large() {
        let readers = Readers { threads: 2, least: 2 << 20 };
        let mut wanted = readers.wanted(10 << 30);
        wanted.insert(0, 0);
        wanted.push(10 << 30);
        let lengths: Vec<u64> = wanted.windows(2).map(|border| border[1] - border[0]).collect();
        assert!(lengths.is_sorted_by(|one, next| one >= next || *next < 4 << 20), "{lengths:?}");
        assert!(lengths.iter().all(|&length| (2 << 20..=LONGEST).contains(&length)), "{lengths:?}");
        assert!(readers.wanted(31 << 20).is_empty() && readers.wanted(0).is_empty());
        assert!(Readers { threads: 1, ..readers }.wanted(10 << 30).is_empty());
        assert!(Readers { threads: usize::MAX >> 1, least: 0 }.wanted(1_000).len() == 999);
    }
}
