//! Which address is it? Keys in sorted order, each told by how it differs from the one before (front coding).
//!
//! Keys stand in blocks of 32. The first of a block is whole; each other one says how many bytes it shares with the
//! one before, and the rest. Behind the blocks stand their places (`u64` each), and last of all the number of keys,
//! the place of the places, and a mark. So a key is found by a binary search over the blocks' first keys and one
//! block's reading, and any key is read by one block's reading; the file is mapped.

mod cursor;
mod write;

use std::io;
use std::path::Path;

use webgraph::utils::MmapHelper;

use super::mapped::{self, damaged};
use cursor::Cursor;

pub(crate) use write::UrlsWriter;

/// So many keys stand in a block.
const BLOCK: u32 = 32;
/// What a file of keys ends with.
const MARK: [u8; 8] = *b"dl-urls1";
/// Number of keys, place of the places, mark.
const TAIL: usize = 24;

/// Sorted keys on disk; their places are numbered from 0.
#[derive(Debug)]
pub struct Urls {
    bytes: MmapHelper<u8>,
    count: u32,
    /// Where the blocks end and their places begin.
    index: usize,
}

impl Urls {
    /// The file of a snapshot's folder.
    pub(crate) const FILE: &str = "urls";

    /// Opens the file of a snapshot's folder.
    ///
    /// # Errors
    /// If it cannot be read, or its parts do not fit.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let bytes = mapped::bytes(&folder.join(Self::FILE))?;
        let all: &[u8] = bytes.as_ref();
        let (rest, tail) =
            all.split_at_checked(all.len().wrapping_sub(TAIL)).ok_or_else(|| damaged("it is too short"))?;
        if tail[16..] != MARK {
            return Err(damaged("it is no file of addresses"));
        }
        let count = u32::try_from(number(&tail[..8])).map_err(|_| damaged("it has too many addresses"))?;
        let index = usize::try_from(number(&tail[8..16])).map_err(|_| damaged("its index is misplaced"))?;
        if index.checked_add(8 * count.div_ceil(BLOCK) as usize) != Some(rest.len()) {
            return Err(damaged("its index is misplaced"));
        }
        Ok(Self { bytes, count, index })
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key at a place.
    ///
    /// # Errors
    /// If there is no such place, or the file is damaged.
    pub fn get(&self, place: u32) -> io::Result<String> {
        let mut cursor = self.block(place / BLOCK)?;
        for _ in 0..=place % BLOCK {
            cursor.advance()?;
        }
        cursor.text()
    }

    /// The place of a key.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn find(&self, key: &str) -> io::Result<Option<u32>> {
        // The last block that does not begin behind the key.
        let (mut from, mut to) = (0, self.count.div_ceil(BLOCK));
        while from < to {
            let middle = from.midpoint(to);
            let mut head = self.block(middle)?;
            head.advance()?;
            if head.key() <= key.as_bytes() { from = middle + 1 } else { to = middle }
        }
        let Some(block) = from.checked_sub(1) else { return Ok(None) };
        let mut cursor = self.block(block)?;
        for place in block * BLOCK..self.count.min((block + 1) * BLOCK) {
            cursor.advance()?;
            match cursor.key().cmp(key.as_bytes()) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Ok(Some(place)),
                std::cmp::Ordering::Greater => break,
            }
        }
        Ok(None)
    }

    /// All keys in order.
    #[must_use]
    pub fn iter(&self) -> Keys<'_> {
        Keys { urls: self, next: 0, end: self.count, cursor: Cursor::new(&[]) }
    }

    /// The keys of the block of a place, and the place of the first of them: for who reads neighbours.
    pub(crate) fn around(&self, place: u32) -> (u32, Keys<'_>) {
        let first = place / BLOCK * BLOCK;
        let end = self.count.min(first.saturating_add(BLOCK));
        (first, Keys { urls: self, next: first, end, cursor: Cursor::new(&[]) })
    }

    /// A cursor before the first key of a block.
    fn block(&self, block: u32) -> io::Result<Cursor<'_>> {
        if block >= self.count.div_ceil(BLOCK) {
            return Err(damaged("there is no such address"));
        }
        let all: &[u8] = self.bytes.as_ref();
        let at = self.index + 8 * block as usize;
        let from = number(&all[at..at + 8]);
        let from = usize::try_from(from).ok().filter(|from| *from < self.index);
        let from = from.ok_or_else(|| damaged(format!("block {block} is misplaced")))?;
        Ok(Cursor::new(&all[from..self.index]))
    }
}

impl<'a> IntoIterator for &'a Urls {
    type Item = io::Result<String>;
    type IntoIter = Keys<'a>;

    fn into_iter(self) -> Keys<'a> {
        self.iter()
    }
}

/// Keys in order; ends after an error.
#[derive(Debug)]
pub struct Keys<'a> {
    urls: &'a Urls,
    next: u32,
    end: u32,
    cursor: Cursor<'a>,
}

impl Keys<'_> {
    fn read(&mut self) -> io::Result<String> {
        if self.next.is_multiple_of(BLOCK) {
            self.cursor = self.urls.block(self.next / BLOCK)?;
        }
        self.cursor.advance()?;
        self.next += 1;
        self.cursor.text()
    }
}

impl Iterator for Keys<'_> {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let key = self.read();
        if key.is_err() {
            self.next = self.end;
        }
        Some(key)
    }
}

/// Eight bytes, little-endian.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests;
