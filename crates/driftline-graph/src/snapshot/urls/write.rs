//! How are keys written? In order, as they come.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::cursor::write_length;
use super::{BLOCK, MARK, Urls};

/// The longest key; far above what any crawler fetches.
const LONGEST: usize = 1 << 24;

/// Writes sorted keys.
#[derive(Debug)]
pub(crate) struct UrlsWriter {
    out: BufWriter<File>,
    /// Where blocks begin: eight bytes for 32 keys are all that is held in memory.
    blocks: Vec<u64>,
    at: u64,
    count: u32,
    last: Vec<u8>,
    record: Vec<u8>,
}

impl UrlsWriter {
    /// Makes the file in a snapshot's folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        let out = BufWriter::new(driftline_files::create(&folder.join(Urls::FILE))?);
        Ok(Self { out, blocks: Vec::new(), at: 0, count: 0, last: Vec::new(), record: Vec::new() })
    }

    /// The next key, greater than those before.
    ///
    /// # Errors
    /// If it cannot be written, is out of order or too long, or there are too many.
    pub(crate) fn push(&mut self, key: &str) -> io::Result<()> {
        let key = key.as_bytes();
        if self.count > 0 && self.last.as_slice() >= key {
            return Err(io::Error::other("addresses are out of order"));
        }
        if key.len() > LONGEST || self.count == u32::MAX {
            return Err(io::Error::other("an address is too long, or there are too many"));
        }
        self.record.clear();
        let shared = if self.count.is_multiple_of(BLOCK) {
            self.blocks.push(self.at);
            0
        } else {
            let shared = self.last.iter().zip(key).take_while(|(last, own)| last == own).count();
            write_length(&mut self.record, shared);
            shared
        };
        write_length(&mut self.record, key.len() - shared);
        self.record.extend_from_slice(&key[shared..]);
        self.out.write_all(&self.record)?;
        self.at += self.record.len() as u64;
        self.count += 1;
        self.last.clear();
        self.last.extend_from_slice(key);
        Ok(())
    }

    /// Waits until all is on disk; how many there are.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<u32> {
        for number in self.blocks.iter().chain([&u64::from(self.count), &self.at]) {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.out.write_all(&MARK)?;
        self.out.into_inner()?.sync_all()?;
        Ok(self.count)
    }
}
