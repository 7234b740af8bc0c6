//! Where are the links among unidentified pages? In memory as long as they fit, then in a temporary file.
//!
//! Blocks of the file are read whole, each by its place: what fits the page cache is there, and nothing is mapped.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Blocks of rows, in the order of rows.
#[derive(Debug)]
pub(super) struct Store {
    blocks: Vec<Block>,
    file: Option<File>,
}

/// Some rows, and where they are.
#[derive(Debug)]
pub(super) struct Block {
    /// Unidentified pages, by number; those without a row have no links from others.
    pub(super) rows: Range<u32>,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Memory(Vec<u8>),
    File { offset: u64, length: usize },
}

/// Blocks on their way into a store, from many threads at once.
#[derive(Debug)]
pub(super) struct Intake {
    left: AtomicUsize,
    file: Mutex<Option<(File, u64)>>,
}

impl Intake {
    /// Keeps so many bytes in memory.
    pub(super) fn new(memory: usize) -> Self {
        Self { left: AtomicUsize::new(memory), file: Mutex::default() }
    }

    /// Keeps a block.
    pub(super) fn keep(&self, rows: Range<u32>, mut bytes: Vec<u8>) -> io::Result<Block> {
        let take = |left: usize| left.checked_sub(bytes.len());
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
            bytes.shrink_to_fit();
            return Ok(Block { rows, place: Place::Memory(bytes) });
        }
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (file, end) = match &mut *file {
            Some(own) => own,
            none => none.insert((tempfile::tempfile()?, 0)),
        };
        file.write_all(&bytes)?;
        let offset = *end;
        *end += bytes.len() as u64;
        Ok(Block { rows, place: Place::File { offset, length: bytes.len() } })
    }

    /// The store of these blocks, which are in the order of rows.
    pub(super) fn finish(self, blocks: Vec<Block>) -> Store {
        let file = self.file.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Store { blocks, file: file.map(|(file, _)| file) }
    }
}

impl Store {
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many bytes all rows take.
    pub(super) fn size(&self) -> u64 {
        self.blocks.iter().map(|block| block.place.length() as u64).sum()
    }

    /// The bytes of a block, in memory or read into `room`.
    pub(super) fn read<'a>(&'a self, block: &'a Block, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        match (&block.place, &self.file) {
            (Place::Memory(bytes), _) => Ok(bytes),
            (Place::File { offset, length }, Some(file)) => {
                room.resize(*length, 0);
                read_at(file, room, *offset)?;
                Ok(room)
            }
            (Place::File { .. }, None) => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Place {
    fn length(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File { length, .. } => *length,
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, room: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, room, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut room: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !room.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, room, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (room, offset) = (&mut room[read..], offset + read as u64),
        }
    }
    Ok(())
}
