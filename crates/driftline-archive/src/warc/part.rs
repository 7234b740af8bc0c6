//! How can several threads read one file? Each a part of it, from one record to another.
//!
//! A part has to begin where a reader of the whole file would find a record. In gzip that is where a member
//! begins with a record; but a page may be an archive itself, which stands in its own member as it is if it cannot
//! be compressed. Such a copy is interrupted after 65,535 bytes at the latest (RFC 1951, section 3.2.4). So a
//! place counts if from there on members without a fault follow each other for longer than that. A file without
//! compression is looked through; bodies are skipped.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

use super::gzip::{MAGIC, Whole};
use super::window::Window;
use super::{Format, Packing, Reader, Record, arc, head, member};

/// Members in a row of more bytes than this are not a copy.
const COPY: usize = 1 << 17;
/// So many places are tried in each part. One in 16 MB is none.
const MOST_TRIED: usize = 100;
/// A body that is longer is not read.
const LONG: u64 = 1 << 20;

/// Some records of a file, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The file.
    pub path: PathBuf,
    /// Where the first record begins.
    pub start: u64,
    /// Where the records end.
    pub end: u64,
}

impl Part {
    /// A reader of these records, with their places in the file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(&self) -> io::Result<Reader<Take<File>>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.start))?;
        Ok(Reader::from_offset(file.take(self.end - self.start), self.start))
    }
}

/// Splits a file into `count` parts or less, of about the same size. Read one after the other, they have the
/// same records as the file.
///
/// # Errors
/// If the file cannot be read.
pub fn parts(path: &Path, count: usize) -> io::Result<Vec<Part>> {
    let mut file = File::open(path)?;
    let mut starts = starts(&mut file, count)?;
    let end = file.seek(SeekFrom::End(0))?;
    starts.push(end.max(starts.last().copied().unwrap_or(0)));
    let part = |border: &[u64]| Part { path: path.to_owned(), start: border[0], end: border[1] };
    Ok(starts.windows(2).map(part).collect())
}

/// Where the parts begin if a file is split into `count` parts or less.
///
/// # Errors
/// If the file cannot be read.
pub fn starts(file: &mut (impl Read + Seek), count: usize) -> io::Result<Vec<u64>> {
    let length = file.seek(SeekFrom::End(0))?;
    let count = count.max(1) as u64;
    let wanted: Vec<u64> = (1..count).map(|part| length / count * part).filter(|&offset| offset > 0).collect();
    starts_from(file, &wanted)
}

/// Where the parts begin if each begins at the first record from its wanted place on, and the first at the
/// beginning. The places are in order; where no record is found up to the next place, no part begins.
///
/// # Errors
/// If the file cannot be read.
pub fn starts_from(file: &mut (impl Read + Seek), wanted: &[u64]) -> io::Result<Vec<u64>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let mut first = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut first)?;
    let mut starts = vec![0];
    if first == MAGIC {
        let ends = wanted.iter().skip(1).copied().chain([length]);
        for (&from, to) in wanted.iter().zip(ends) {
            starts.extend(first_member(file, from, to)?);
        }
        starts.dedup();
    } else {
        first_records(file, wanted, &mut starts)?;
    }
    Ok(starts)
}

/// The first place from `from` to `to` where a member begins with a record for sure.
fn first_member(file: &mut (impl Read + Seek), from: u64, to: u64) -> io::Result<Option<u64>> {
    let (mut at, mut whole, mut buffer) = (from, Whole::default(), Vec::new());
    for _ in 0..MOST_TRIED {
        file.seek(SeekFrom::Start(at))?;
        let mut window = Window::new(&mut *file, at);
        if !window.find(&MAGIC)? || window.position() >= to {
            return Ok(None);
        }
        let start = window.position();
        if is_row(&mut window, &mut whole, &mut buffer)? && !follows_empty(file, start)? {
            return Ok(Some(start));
        }
        at = start + 1;
    }
    Ok(None)
}

/// Do members follow each other from here on, each with a record?
fn is_row<R: Read>(window: &mut Window<R>, whole: &mut Whole, buffer: &mut Vec<u8>) -> io::Result<bool> {
    let start = window.position();
    while window.position() - start <= COPY as u64 && !window.fill_buf()?.is_empty() {
        let Some(bytes) = whole.unpack_from(window, buffer) else { return Ok(false) };
        let line = member::first_line(&buffer[..bytes]);
        // An empty member belongs to the next record, but cannot stand for one.
        let is_later = window.position() > start && bytes == 0;
        if !is_later && !head::begins_warc(line) && !arc::is_head(line) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Does an empty member end here? It has neither a checksum nor a length.
fn follows_empty(file: &mut (impl Read + Seek), offset: u64) -> io::Result<bool> {
    let mut trailer = [1; 8];
    file.seek(SeekFrom::Start(offset.saturating_sub(8)))?;
    file.read_exact(&mut trailer)?;
    Ok(trailer == [0; 8])
}

/// Looks through a file that is not compressed, for the first record from each of these places on.
fn first_records(file: &mut (impl Read + Seek), wanted: &[u64], starts: &mut Vec<u64>) -> io::Result<()> {
    let mut wanted = wanted.iter().peekable();
    let (mut offset, mut format) = (0, None);
    while wanted.peek().is_some() {
        file.seek(SeekFrom::Start(offset))?;
        let mut reader = Reader::resume(&mut *file, offset, format);
        let Some(end) = first_long(&mut reader, |record| {
            format = Some(record.format);
            let start = record.place.offset;
            if wanted.next_if(|&&wanted| wanted <= start).is_some() {
                while wanted.next_if(|&&wanted| wanted <= start).is_some() {}
                starts.push(start);
            }
        }) else {
            break;
        };
        offset = end;
    }
    Ok(())
}

/// Passes records on until one is long, and says where that ends; none at the end of the file.
fn first_long<R: Read>(reader: &mut Reader<R>, mut pass: impl FnMut(&Record)) -> Option<u64> {
    loop {
        // What is wrong is told when the part is read.
        let Ok(record) = reader.next()? else { continue };
        if reader.packing() != Packing::Plain {
            return None;
        }
        pass(&record);
        if record.length > LONG {
            let body = record.place.offset + reader.head_bytes().len() as u64;
            return body.checked_add(record.length);
        }
    }
}

impl<R: Read> Reader<R> {
    /// A reader that goes on behind the body of a record of this format.
    fn resume(input: R, offset: u64, format: Option<Format>) -> Self {
        let mut reader = Self::from_offset(input, offset);
        if let Some(format) = format {
            reader.state = super::State::Between;
            reader.members.is_arc = format == Format::Arc;
        }
        reader
    }
}
