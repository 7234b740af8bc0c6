//! How do sorted keys wait, with what is known of each? Each by what it adds to the one before, packed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take, Write};
use std::path::Path;

use driftline::novelty::url::LONGEST;
use serde::{Deserialize, Serialize};
use zstd::stream::{read::Decoder, write::Encoder};

use super::known::Known;
use crate::sort::{Run, varint};

/// Packing looks back so many bytes (a power of two): what each file that is read takes in memory.
const WINDOW: u32 = 17;
/// How hard it is packed: about as fast as a disk writes.
const LEVEL: i32 = 1;
const READ_BUFFER: usize = 1 << 15;

/// What an open reader takes in memory: its window, the decoder, and buffers on both sides.
pub(super) const READER_BYTES: usize = (1 << WINDOW) + (1 << 18) + 2 * READ_BUFFER;

/// A part of a file that is packed by itself, and how many items it holds.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Section {
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) items: u64,
}

/// What reads a section.
pub(super) type Unpacked = BufReader<Decoder<'static, BufReader<Take<File>>>>;

impl Section {
    /// Writes a section where `to` stands.
    pub(super) fn write<W: Write + Seek>(
        to: &mut W,
        items: impl FnOnce(&mut Encoder<'static, &mut W>) -> io::Result<u64>,
    ) -> io::Result<Self> {
        let offset = to.stream_position()?;
        let mut encoder = Encoder::new(&mut *to, LEVEL)?;
        encoder.window_log(WINDOW)?;
        let items = items(&mut encoder)?;
        encoder.finish()?;
        Ok(Self { offset, bytes: to.stream_position()? - offset, items })
    }

    /// Reads it in the file that it is in.
    pub(super) fn open(self, path: &Path) -> io::Result<Unpacked> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let packed = BufReader::with_capacity(READ_BUFFER, file.take(self.bytes));
        let mut decoder = Decoder::with_buffer(packed)?;
        decoder.window_log_max(WINDOW)?;
        Ok(BufReader::with_capacity(READ_BUFFER, decoder))
    }
}

/// Writes keys in order.
#[derive(Debug)]
pub(super) struct KeysWriter<W> {
    to: W,
    last: Vec<u8>,
    count: u64,
}

impl<W: Write> KeysWriter<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, last: Vec::new(), count: 0 }
    }

    pub(super) fn push(&mut self, key: &[u8], known: &Known) -> io::Result<()> {
        debug_assert!(self.count == 0 || key > self.last.as_slice(), "keys are out of order");
        let shared = self.last.iter().zip(key).take_while(|(one, other)| one == other).count();
        varint::write(shared as u64, &mut self.to)?;
        varint::write((key.len() - shared) as u64, &mut self.to)?;
        self.to.write_all(&key[shared..])?;
        known.write(&mut self.to)?;
        self.last.truncate(shared);
        self.last.extend_from_slice(&key[shared..]);
        self.count += 1;
        Ok(())
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

/// Reads them.
pub(super) struct Keys {
    from: Unpacked,
    left: u64,
    is_over: bool,
    key: Vec<u8>,
    known: Known,
}

impl Keys {
    pub(super) fn open(path: &Path, section: Section) -> io::Result<Self> {
        let from = section.open(path)?;
        let mut keys = Self { from, left: section.items, is_over: false, key: Vec::new(), known: Known::default() };
        keys.advance()?;
        Ok(keys)
    }

    /// What is known of the key at the head; taken once.
    pub(super) fn take_known(&mut self) -> Known {
        std::mem::take(&mut self.known)
    }
}

impl Run for Keys {
    type Head = [u8];

    fn head(&self) -> Option<&[u8]> {
        (!self.is_over).then_some(self.key.as_slice())
    }

    fn advance(&mut self) -> io::Result<()> {
        let Some(left) = self.left.checked_sub(1) else {
            self.is_over = true;
            return Ok(());
        };
        self.left = left;
        read_key(&mut self.from, &mut self.key)?;
        self.known = Known::read(&mut self.from)?;
        Ok(())
    }
}

fn read_key(from: &mut impl BufRead, key: &mut Vec<u8>) -> io::Result<()> {
    let (shared, added) = (varint::read(from)? as usize, varint::read(from)? as usize);
    if shared > key.len() || added > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the staging folder is damaged"));
    }
    key.resize(shared + added, 0);
    from.read_exact(&mut key[shared..])
}
