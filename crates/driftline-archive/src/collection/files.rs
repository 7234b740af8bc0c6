//! The archives of a collection: files, and archives within WACZ files, read from any record on.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::NamedTempFile;

use super::Skips;
use super::section::Section;
use crate::cdxj::lacks_date;
use crate::wacz::{Member, Wacz, WaczError};
use crate::warc::Reader;

/// The room in which archives are unpacked whose records cannot be sought: so many bytes for all of them together, in
/// the folder for temporary files.
pub(super) struct Room(AtomicU64);

impl Default for Room {
    fn default() -> Self {
        Self(AtomicU64::new(16 << 30))
    }
}

impl Room {
    /// Takes some of it; an error if there is not as much left.
    fn take(&self, bytes: u64) -> io::Result<()> {
        let taken = self.0.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(drop).map_err(|left| {
            let told =
                "its records can only be sought when it is unpacked, and no more than 16 GiB are unpacked at once";
            io::Error::other(format!(
                "{told} ({left} bytes are left)\nhint: `driftline archive import` reads it without unpacking"
            ))
        })
    }
}

impl Write for Metered<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room.take(bytes.len() as u64)?;
        self.output.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// A file that takes up room.
struct Metered<'a> {
    output: &'a mut File,
    room: &'a Room,
}

/// How a file begins whose records are packed with a dictionary ("WARC Zstandard compression", IIPC).
const DICTIONARY: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// An archive, WARC or ARC: a file, or a member of a WACZ file.
#[derive(Debug, Clone)]
pub struct Source {
    path: PathBuf,
    /// The member, if the file is a WACZ file.
    member: Option<(Arc<Wacz>, Member)>,
}

impl Source {
    /// A file as it is.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), member: None }
    }

    /// The archives in a WACZ file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_wacz(path: &Path) -> Result<Vec<Self>, WaczError> {
        let wacz = Arc::new(Wacz::open(path)?);
        let own = |member: &Member| Self { path: path.to_owned(), member: Some((Arc::clone(&wacz), member.clone())) };
        Ok(wacz.archives().map(own).collect())
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What an index calls it: its name without folders.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.member {
            Some((_, member)) => member.file_name().to_owned(),
            None => self.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }

    /// How many bytes it has.
    #[must_use]
    pub fn size(&self) -> u64 {
        match &self.member {
            Some((_, member)) => member.size,
            None => self.path.metadata().map_or(0, |about| about.len()),
        }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        match &self.member {
            Some((wacz, member)) => wacz.open_member(member),
            None => Ok(Box::new(File::open(&self.path)?)),
        }
    }

    /// Its bytes, to be read from anywhere; none if it is deflated.
    pub(super) fn section(&self) -> io::Result<Option<Section>> {
        let place = match &self.member {
            Some((_, member)) => member.stored_at(),
            None => Some((0, self.size())),
        };
        place.map(|place| Section::new(File::open(&self.path)?, place)).transpose()
    }

    /// Its bytes from here on.
    ///
    /// # Errors
    /// If it cannot be opened or sought.
    pub fn open_at(&self, offset: u64) -> io::Result<Box<dyn Read + Send>> {
        if let Some((wacz, member)) = &self.member {
            return wacz.open_member_at(member, offset);
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(Box::new(file))
    }

    /// Can it be read from anywhere? A deflated member cannot, nor zstd with a dictionary at the beginning.
    pub(super) fn is_seekable(&self) -> io::Result<bool> {
        let mut start = Vec::new();
        self.open()?.take(DICTIONARY.len() as u64).read_to_end(&mut start)?;
        Ok(start != DICTIONARY && self.member.as_ref().is_none_or(|(_, member)| member.is_stored()))
    }
}

/// All archives of a collection.
#[derive(Default)]
pub(super) struct Files {
    files: Vec<(Source, Option<NamedTempFile>)>,
}

impl Files {
    pub(super) fn new(sources: Vec<Source>) -> Self {
        Self { files: sources.into_iter().map(|source| (source, None)).collect() }
    }

    /// Reads this one from what it was unpacked to.
    pub(super) fn set_unpacked(&mut self, number: u32, unpacked: NamedTempFile) {
        if let Some((_, own)) = self.files.get_mut(number as usize) {
            *own = Some(unpacked);
        }
    }

    pub(super) fn path(&self, number: u32) -> &Path {
        self.files.get(number as usize).map_or(Path::new(""), |(source, _)| source.path())
    }

    /// Can its records be read from where they begin, as far as is known?
    pub(super) fn is_sought(&self, number: u32) -> bool {
        let file = self.files.get(number as usize);
        file.is_none_or(|(source, unpacked)| unpacked.is_some() || source.is_seekable().unwrap_or(true))
    }

    /// Reads records from here on.
    pub(super) fn open_at(&self, number: u32, offset: u64) -> io::Result<Reader<Box<dyn Read + Send>>> {
        let (source, unpacked) = self.files.get(number as usize).ok_or(io::ErrorKind::NotFound)?;
        let input = match unpacked {
            None => source.open_at(offset)?,
            Some(unpacked) => {
                let mut file = unpacked.reopen()?;
                file.seek(SeekFrom::Start(offset))?;
                Box::new(file)
            }
        };
        Ok(Reader::from_offset(input, offset))
    }
}

/// Writes all records of an archive into a temporary file, one after the other as they are, so that each of them
/// can be read from where it begins.
pub(super) fn unpack(source: &Source, room: &Room, skips: &mut Skips) -> io::Result<NamedTempFile> {
    let mut unpacked = NamedTempFile::new()?;
    let mut output = io::BufWriter::with_capacity(1 << 20, Metered { output: unpacked.as_file_mut(), room });
    let mut reader = Reader::new(source.open()?);
    let mut block = vec![0; 64 << 10];
    while let Some(record) = reader.next() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                skips.push(source.path(), error);
                continue;
            }
        };
        if let Some(reason) = lacks_date(&record) {
            skips.push(source.path(), reason);
        }
        output.write_all(reader.head_bytes())?;
        // What is damaged in a block is told by the next step of the reader; what cannot be written ends it all.
        while let Ok(count @ 1..) = reader.body_reader().read(&mut block) {
            output.write_all(&block[..count])?;
        }
        output.write_all(b"\r\n\r\n")?;
    }
    output.flush()?;
    drop(output);
    Ok(unpacked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_archives_share_the_room_to_unpack_in() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.warc");
        let record = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n";
        std::fs::write(&path, record).unwrap();
        let (source, room, mut skips) = (Source::file(&path), Room(AtomicU64::new(100)), Skips::default());
        let unpacked = unpack(&source, &room, &mut skips).unwrap();
        assert_eq!(std::fs::read_to_string(unpacked.path()).unwrap(), record);
        let refused = unpack(&source, &room, &mut skips).unwrap_err().to_string();
        assert!(refused.contains("hint: `driftline archive import`"), "{refused}");
    }
}
