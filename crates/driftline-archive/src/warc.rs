//! What is in a WARC file? Its records, one after the other, in little memory.
//!
//! Archives are old, large and often broken: a crawler was killed, a disk was full, two files were
//! joined. So a record that cannot be read is told with its place, and the reader goes on at the next
//! one: the next gzip member, or the next line that begins with `WARC/`. Gzip and zstd may compress each
//! record by itself, as the standard asks, or the whole file, or blocks of it.

mod head;
mod member;
mod raw;

use std::io::{self, BufRead};

pub use head::{Headers, Kind};

use head::Head;
use member::Members;

/// Reads records. Take the next with [`next`](Iterator::next), then its body with [`body`](Self::body).
pub struct Reader<R: BufRead> {
    members: Members<R>,
    /// Bytes of the body of the last record that are not read yet.
    remaining: u64,
    /// Where the last record begins.
    place: Place,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was read.
    Start,
    /// A record begins here.
    Between,
    /// Something was malformed; what follows it is skipped up to the next record.
    Lost,
    /// Nothing can be read any more.
    End,
}

/// Where a record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The byte of the file at which the record begins, or the compressed member that it begins in.
    pub offset: u64,
    /// How many bytes of that member, uncompressed, stand before it. If there are none, a reader that is
    /// started at `offset` finds this record first.
    pub within: u64,
}

/// A record without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
    /// The address that it is about.
    pub target_uri: Option<String>,
    /// When it was captured, as it stands there; usually `2024-01-01T00:00:00Z`.
    pub date: Option<String>,
    /// How long it says its body is.
    pub length: u64,
    /// All that its head says.
    pub headers: Headers,
}

/// The body of a record, or the beginning of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Body {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Is this less than the record says it has, because of the limit or because the file has no more?
    pub is_cut: bool,
}

/// Why something could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It is another kind of file.
    #[error("this is {what}, not a WARC file")]
    NotWarc {
        /// What it is.
        what: &'static str,
    },
    /// What should be a record is none. Reading goes on at the next one.
    #[error("the record at byte {} is malformed: {what}", .place.offset)]
    Malformed {
        /// Where it begins.
        place: Place,
        /// What is wrong.
        what: &'static str,
    },
    /// Compressed bytes are damaged. Reading goes on at the next member.
    #[error("the compressed bytes from {offset} on are damaged: {source}")]
    Damaged {
        /// Where the member begins.
        offset: u64,
        /// What is wrong.
        source: io::Error,
    },
    /// The file ends within a record.
    #[error("the file ends within the record at byte {}", .place.offset)]
    Truncated {
        /// Where the record begins.
        place: Place,
    },
    /// The file cannot be read on.
    #[error("cannot read on after byte {offset}: {source}")]
    Io {
        /// How far it could be read.
        offset: u64,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    /// Is there nothing to be read after it?
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::NotWarc { .. } | Self::Truncated { .. } | Self::Io { .. })
    }
}

impl<R: BufRead> Reader<R> {
    /// A reader of a file from its beginning.
    pub fn new(input: R) -> Self {
        Self::from_offset(input, 0)
    }

    /// A reader of a file that stands at `offset`, where a record or a member begins.
    pub fn from_offset(input: R, offset: u64) -> Self {
        let state = if offset == 0 { State::Start } else { State::Between };
        Self { members: Members::new(input, offset), remaining: 0, place: Place::default(), state }
    }

    /// The body of the last record, `limit` bytes of it at most; empty when it was read already.
    ///
    /// # Errors
    /// If the file ends within it without having any of it, or is damaged there.
    pub fn body(&mut self, limit: usize) -> Result<Body, Error> {
        let mut body = Body::default();
        let read = self.take_body(limit as u64, |bytes| body.bytes.extend_from_slice(bytes));
        body.is_cut = self.remaining > 0;
        let read = match read {
            Err(Error::Truncated { .. }) if !body.bytes.is_empty() => Ok(()),
            read => read,
        };
        match read.and_then(|()| self.members.verify()) {
            Ok(()) => Ok(body),
            Err(error) => Err(self.give_up(error)),
        }
    }

    /// Passes up to `limit` bytes of the body on.
    fn take_body(&mut self, limit: u64, mut take: impl FnMut(&[u8])) -> Result<(), Error> {
        let mut wanted = limit.min(self.remaining);
        while wanted > 0 {
            self.members.fill()?;
            let bytes = self.members.bytes();
            if bytes.is_empty() {
                return Err(Error::Truncated { place: self.place });
            }
            if self.members.begins_record() {
                // Its own member has no more of it.
                return Ok(());
            }
            let count = bytes.len().min(usize::try_from(wanted).unwrap_or(usize::MAX));
            take(&bytes[..count]);
            self.members.consume(count);
            self.remaining -= count as u64;
            wanted -= count as u64;
        }
        Ok(())
    }

    /// The next record; none at the end.
    fn read_next(&mut self) -> Result<Option<Record>, Error> {
        self.take_body(u64::MAX, |_| {})?;
        self.remaining = 0;
        let Some(place) = self.first_line()? else {
            return Ok(None);
        };
        self.place = place;
        self.state = State::Lost;
        let head = Head::read(&mut self.members, place)?;
        self.state = State::Between;
        self.remaining = head.length;
        Ok(Some(head.record(place)))
    }

    /// The next line that begins a record. Before it there should only be empty lines.
    fn first_line(&mut self) -> Result<Option<Place>, Error> {
        loop {
            let Some((place, line)) = self.members.line(member::At::Record)? else {
                return Ok(None);
            };
            if line.starts_with(b"WARC/") {
                return Ok(Some(place));
            }
            if line.is_empty() || self.state == State::Lost {
                continue;
            }
            if let (State::Start, Some(what)) = (self.state, other_format(&line)) {
                return Err(Error::NotWarc { what });
            }
            self.state = State::Lost;
            return Err(Error::Malformed { place, what: "it does not begin with `WARC/`" });
        }
    }

    /// Remembers how to go on after an error.
    fn give_up(&mut self, error: Error) -> Error {
        self.remaining = 0;
        self.state = if error.is_last() { State::End } else { State::Lost };
        error
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::End {
            return None;
        }
        match self.read_next() {
            Ok(Some(record)) => Some(Ok(record)),
            Ok(None) => {
                self.state = State::End;
                None
            }
            Err(error) => Some(Err(self.give_up(error))),
        }
    }
}

/// What a file is whose first line is this, if it is not a WARC file.
fn other_format(line: &[u8]) -> Option<&'static str> {
    let signatures: [(&[u8], _); 6] = [
        (b"filedesc:", "an ARC file"),
        (b"PK\x03\x04", "a zip archive (WACZ?)"),
        (b" CDX ", "a CDX index"),
        (b"!OpenWayback-CDXJ", "a CDXJ index"),
        (b"\x5d\x2a\x4d\x18", "zstd with a dictionary"),
        (b"HTTP/", "an HTTP response"),
    ];
    signatures.iter().find(|(start, _)| line.starts_with(start)).map(|&(_, what)| what)
}
