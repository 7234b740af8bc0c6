//! Which records of a segment are whole? Every byte of them is unpacked, and every checksum checked.
//!
//! A page may hold anything, such as members with records, and what cannot be compressed stands in its own member as it
//! is. So what looks like a record behind a torn one may be a piece of a page, put there to be taken for a capture. Only
//! a row of records that comes to the very end of a file that was closed cannot be: it would have to go through the
//! checksum of the page's own member, which nobody knows before it is written.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use crate::archive::describe;
use crate::warc::write::Packing;
use crate::warc::{Kind, Reader};
use driftline_catalog::NewCapture;
use driftline_catalog::digest::Mismatch;

/// Whole records one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// Where the first one begins.
    pub(crate) start: u64,
    /// The end of the last one.
    pub(crate) end: u64,
    /// The captures among them.
    pub(crate) captures: Vec<NewCapture>,
    /// Digests that were wrong already at the import, by the notes among them.
    pub(crate) imported_digests: Vec<Mismatch>,
    /// Is there anything but what says who wrote the segment?
    pub(crate) has_content: bool,
}

/// The whole records from `start` on, up to the first one that is not, or to `length`.
pub(crate) fn row(file: &File, packing: Packing, start: u64, length: u64) -> io::Result<Row> {
    row_of(file, packing, start, length, false)
}

/// The records at the end of a segment that was closed, behind damage at `from`: the first row that comes to `length`.
pub(crate) fn last_row(file: &File, packing: Packing, from: u64, length: u64) -> io::Result<Option<Row>> {
    let mut at = from;
    while let Some(start) = next_member(file, packing, at, length)? {
        let row = row_of(file, packing, start, length, true)?;
        if row.end == length {
            return Ok(Some(row));
        }
        at = row.end.max(start + 1);
    }
    Ok(None)
}

/// Is there anything from `from` on that looks like a whole record?
pub(crate) fn has_record(file: &File, packing: Packing, from: u64, length: u64) -> io::Result<bool> {
    let mut at = from;
    while let Some(start) = next_member(file, packing, at, length)? {
        if record_at(file, packing, start, length)?.is_some() {
            return Ok(true);
        }
        at = start + 1;
    }
    Ok(false)
}

fn row_of(file: &File, packing: Packing, start: u64, length: u64, is_behind_damage: bool) -> io::Result<Row> {
    let mut row = Row { start, end: start, ..Row::default() };
    while row.end < length {
        if is_behind_damage && !is_checked(file, packing, row.end)? {
            break;
        }
        let Some((packed, found)) = record_at(file, packing, row.end, length)? else { break };
        row.end += packed;
        row.has_content |= found.kind != Kind::Warcinfo;
        row.captures.extend(found.capture);
        row.imported_digests.extend(found.imported_digests);
    }
    Ok(row)
}

/// Do checksums stand for all of this member? What a longer head of gzip holds, and frames of zstd without a checksum,
/// may be anything.
fn is_checked(mut file: &File, packing: Packing, offset: u64) -> io::Result<bool> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.take(12).read_to_end(&mut head)?;
    Ok(match (packing, &head[..]) {
        // `wget` notes lengths in 12 bytes; a checksum and the head of another member would need more.
        (Packing::Gzip, [_, _, _, flags, .., low, high]) => {
            *flags == 0 || *flags == GZIP_EXTRA && u16::from_le_bytes([*low, *high]) <= 16
        }
        (Packing::Zstd, [_, _, _, _, descriptor, ..]) => descriptor & ZSTD_CHECKSUM != 0,
        _ => false,
    })
}

const GZIP_EXTRA: u8 = 4;
const ZSTD_CHECKSUM: u8 = 4;

/// A whole record.
struct Found {
    kind: Kind,
    capture: Option<NewCapture>,
    imported_digests: Vec<Mismatch>,
}

/// The packed length of the record that begins here and what is in it; none if it is not whole.
fn record_at(mut file: &File, packing: Packing, offset: u64, length: u64) -> io::Result<Option<(u64, Found)>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut input = Counted { input: BufReader::new(file.take(length - offset)), count: 0, failed: None };
    let read = match packing {
        Packing::Gzip => whole(flate2::bufread::GzDecoder::new(&mut input)),
        Packing::Zstd => zstd::Decoder::with_buffer(&mut input).ok().and_then(|decoder| whole(decoder.single_frame())),
    };
    if let Some(error) = input.failed {
        return Err(error);
    }
    Ok(read.map(|found| {
        let capture = found.capture.map(|capture| NewCapture { offset, length: input.count, ..capture });
        (input.count, Found { capture, ..found })
    }))
}

/// Reads one record, which must be all that the decoder holds.
fn whole(decoder: impl Read) -> Option<Found> {
    let mut decoder = Watched { input: decoder, failed: false };
    let mut reader = Reader::new(BufReader::new(&mut decoder));
    let record = reader.next()?.ok()?;
    let described = describe(&mut reader, &record).ok()?;
    // Nothing may follow it, and the checksum at the end has to be right.
    let is_last = reader.next().is_none();
    drop(reader);
    let is_empty = matches!(io::copy(&mut decoder, &mut io::sink()), Ok(0));
    let is_whole = is_last && is_empty && !decoder.failed && described.is_whole;
    let found = Found { kind: record.kind, capture: described.capture, imported_digests: described.imported_digests };
    is_whole.then_some(found)
}

/// Where the next member may begin.
fn next_member(mut file: &File, packing: Packing, from: u64, length: u64) -> io::Result<Option<u64>> {
    let magic: &[u8] = match packing {
        Packing::Gzip => &[0x1f, 0x8b, 0x08],
        Packing::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
    };
    file.seek(SeekFrom::Start(from.min(length)))?;
    let mut input = file.take(length.saturating_sub(from));
    let (mut window, mut start) = (Vec::new(), from);
    loop {
        if (&mut input).take(BUFFER).read_to_end(&mut window)? == 0 {
            return Ok(None);
        }
        if let Some(found) = memchr::memmem::find(&window, magic) {
            return Ok(Some(start + found as u64));
        }
        // The beginning of a member may stand across two windows.
        let done = window.len().saturating_sub(magic.len() - 1);
        window.drain(..done);
        start += done as u64;
    }
}

const BUFFER: u64 = 64 << 10;

/// Remembers that something could not be unpacked, even if the reader made do with what came before it.
struct Watched<R> {
    input: R,
    failed: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(output);
        self.failed |= read.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        read
    }
}

/// Counts what is taken, and remembers what the disk refused: that is no torn record.
struct Counted<R> {
    input: R,
    count: u64,
    failed: Option<io::Error>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(output)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.input.fill_buf() {
            Ok(bytes) => Ok(bytes),
            Err(error) => {
                let kind = error.kind();
                self.failed = Some(error);
                Err(kind.into())
            }
        }
    }

    fn consume(&mut self, count: usize) {
        self.count += count as u64;
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests;
