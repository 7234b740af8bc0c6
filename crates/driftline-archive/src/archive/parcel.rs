//! Batches of packed records and their captures, which are appended in one piece.
//!
//! Whoever has captures packs them on its own thread, so that all cores compress; the one thread that
//! writes then only copies bytes. A parcel is acknowledged as a whole, or not at all.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use tempfile::SpooledTempFile;

use super::writer::Ticket;
use crate::warc::Extent;
use crate::warc::write::Packing;
use driftline_catalog::{NewCapture, Progress};

/// A larger parcel waits in a temporary file.
pub(super) const MOST_IN_MEMORY: usize = 8 << 20;

/// Records ready to be appended.
pub struct Parcel {
    packing: Packing,
    bytes: SpooledTempFile,
    length: u64,
    captures: Vec<NewCapture>,
    imported: Option<Progress>,
    ticket: Option<Ticket>,
}

impl Parcel {
    /// An empty parcel. An archive takes only parcels of its own [packing](crate::Archive::packing). A large one
    /// waits in a file in `folder`, without a name: the disk of the archive has room for it or not in any case.
    #[must_use]
    pub fn new(packing: Packing, folder: &Path) -> Self {
        let bytes = SpooledTempFile::new_in(MOST_IN_MEMORY, folder);
        Self { packing, bytes, length: 0, captures: Vec::new(), imported: None, ticket: None }
    }

    /// How much memory it takes.
    pub(super) fn weight(&self) -> usize {
        if self.bytes.is_rolled() { 0 } else { usize::try_from(self.length).unwrap_or(MOST_IN_MEMORY) }
    }

    /// Lets it hold its place in the queue for as long as it is there.
    pub(super) fn hold(&mut self, ticket: Ticket) {
        self.ticket = Some(ticket);
    }

    /// How its records are packed.
    #[must_use]
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// How many bytes it has by now.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The captures in it; their offsets count from its beginning.
    #[must_use]
    pub fn captures(&self) -> &[NewCapture] {
        &self.captures
    }

    /// Packs a record: its head, its block and the two empty lines behind it. Says where it stands.
    ///
    /// # Errors
    /// If the record cannot be read, or there is no room for a temporary file.
    pub fn add(&mut self, record: &mut impl Read) -> io::Result<Extent> {
        let packing = self.packing;
        self.extent(|bytes| packing.pack(record, bytes))
    }

    /// Takes a record over as it is: a whole member, packed in the [packing](Self::packing) of this parcel.
    ///
    /// # Errors
    /// If it cannot be read, or there is no room for a temporary file.
    pub fn add_packed(&mut self, member: &mut impl Read) -> io::Result<Extent> {
        self.extent(|bytes| io::copy(member, bytes).map(drop))
    }

    /// Names a capture whose record was added: its `offset` and `length` are those of the extent.
    pub fn push(&mut self, capture: NewCapture) {
        self.captures.push(capture);
    }

    /// How far an import is once this parcel is acknowledged.
    pub fn set_imported(&mut self, progress: Progress) {
        self.imported = Some(progress);
    }

    fn extent(&mut self, write: impl FnOnce(&mut SpooledTempFile) -> io::Result<()>) -> io::Result<Extent> {
        let offset = self.length;
        // What a failed record left behind is overwritten.
        self.bytes.seek(SeekFrom::Start(offset))?;
        write(&mut self.bytes)?;
        self.length = self.bytes.stream_position()?;
        Ok(Extent { offset, length: self.length - offset })
    }

    /// Copies all of it to the end of a segment.
    pub(crate) fn write_to(&mut self, output: &mut impl Write) -> io::Result<()> {
        self.bytes.seek(SeekFrom::Start(0))?;
        let copied = io::copy(&mut (&mut self.bytes).take(self.length), output)?;
        if copied == self.length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// The captures as they are once the parcel stands at `start` of a segment.
    pub(super) fn settle(self, start: u64) -> (Vec<NewCapture>, Option<Progress>) {
        let mut captures = self.captures;
        captures.iter_mut().for_each(|capture| capture.offset += start);
        (captures, self.imported)
    }
}
