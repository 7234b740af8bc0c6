//! Why something in an archive could not be read, and where.

use std::io;

use super::Place;

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
    /// What should be a record is none, or something is wrong with the record that was read last. Reading goes
    /// on at the next one.
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

    /// Where in the file it is, if it is not about all of it.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::NotWarc { .. } => None,
            Self::Malformed { place, .. } | Self::Truncated { place } => Some(place.offset),
            Self::Damaged { offset, .. } | Self::Io { offset, .. } => Some(*offset),
        }
    }

    /// Is what was read good, and only not all of it there?
    pub(super) fn is_early_end(&self) -> bool {
        matches!(self, Self::Damaged { source, .. } if source.kind() == io::ErrorKind::UnexpectedEof)
    }
}

/// As [`Read`](io::Read) tells it.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::Truncated { .. } => io::ErrorKind::UnexpectedEof,
            Error::Io { source, .. } => source.kind(),
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}

/// What a file is whose first line is this, if it is not an archive.
pub(super) fn other_format(line: &[u8]) -> Option<&'static str> {
    let signatures: [(&[u8], _); 4] = [
        (b"PK\x03\x04", "a zip archive (WACZ?)"),
        (b" CDX ", "a CDX index"),
        (b"!OpenWayback-CDXJ", "a CDXJ index"),
        (b"HTTP/", "an HTTP response"),
    ];
    signatures.iter().find(|(start, _)| line.starts_with(start)).map(|&(_, what)| what)
}
