//! One record: its head, made line by line, and its block.

use std::io::Read;

use super::{Packing, Unwritable, is_name};
use crate::Time;
use crate::warc::Kind;
use driftline_catalog::digest::{Algorithm, Digester};

/// A record that is to be written.
///
/// `WARC-Warcinfo-ID` is left out: by the standard a record belongs to the `warcinfo` record before it, and a
/// packed record does not know yet into which segment it goes.
#[derive(Debug, Clone)]
pub struct NewRecord {
    head: String,
    id: String,
}

/// Why a `revisit` is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// The payload has the digest of an earlier one.
    IdenticalPayload,
    /// The server said 304.
    NotModified,
}

impl Profile {
    /// Its name in the standard.
    #[must_use]
    pub fn uri(self) -> &'static str {
        match self {
            Self::IdenticalPayload => "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
            Self::NotModified => "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
        }
    }
}

impl NewRecord {
    /// A record of this kind and time, with an id of its own.
    #[must_use]
    pub fn new(kind: Kind, at: Time) -> Self {
        Self::named(kind, at, uuid::Uuid::new_v4())
    }

    /// A record of this kind and time, with this id.
    #[must_use]
    pub fn named(kind: Kind, at: Time, id: uuid::Uuid) -> Self {
        let id = format!("<urn:uuid:{id}>");
        let head = format!("WARC/1.1\r\nWARC-Type: {}\r\nWARC-Record-ID: {id}\r\nWARC-Date: {at}\r\n", type_of(kind));
        Self { head, id }
    }

    /// Its id, in angle brackets.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Adds a line to its head.
    ///
    /// # Errors
    /// If the name is none, or a control character is in the value.
    pub fn with(mut self, name: &str, value: &str) -> Result<Self, Unwritable> {
        if !is_name(name) || value.chars().any(char::is_control) {
            return Err(Unwritable::new(name, value));
        }
        self.head.push_str(name);
        self.head.push_str(": ");
        self.head.push_str(value);
        self.head.push_str("\r\n");
        Ok(self)
    }

    /// Its head, for a block of so many bytes. Behind the block come two empty lines: [`END`](Self::END).
    #[must_use]
    pub fn head(&self, length: u64) -> String {
        format!("{}Content-Length: {length}\r\n\r\n", self.head)
    }

    /// What stands behind each block.
    pub const END: &[u8] = b"\r\n\r\n";

    /// The whole record with the digest of its block. The block is in two parts, the head of an answer and its
    /// body, so that neither is copied.
    #[must_use]
    pub fn whole<'a>(&self, first: &'a [u8], second: &'a [u8]) -> Whole<'a> {
        let mut digester = Digester::new(Algorithm::Sha1);
        digester.update(first);
        digester.update(second);
        let head = format!("{}WARC-Block-Digest: {}\r\n", self.head, digester.finish());
        let head = Self { head, id: String::new() }.head((first.len() + second.len()) as u64);
        Whole { head, first, second }
    }
}

/// A record with its block.
pub struct Whole<'a> {
    head: String,
    first: &'a [u8],
    second: &'a [u8],
}

impl Whole<'_> {
    /// Its bytes, from its first line to the empty lines behind it.
    #[must_use]
    pub fn reader(&self) -> impl Read + use<'_> {
        self.head.as_bytes().chain(self.first).chain(self.second).chain(NewRecord::END)
    }
}

/// The `WARC-Type` of a kind.
fn type_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Response => "response",
        Kind::Resource => "resource",
        Kind::Request => "request",
        Kind::Warcinfo => "warcinfo",
        Kind::Metadata => "metadata",
        Kind::Revisit => "revisit",
        Kind::Conversion => "conversion",
        Kind::Continuation => "continuation",
        Kind::ArcHeader | Kind::Other => "unknown",
    }
}

/// The `warcinfo` record of a segment, packed.
///
/// # Errors
/// If the name of the file cannot be written.
pub(crate) fn warcinfo(packing: Packing, name: &str, at: Time) -> Result<Vec<u8>, Unwritable> {
    let lines = [
        ("software", concat!("driftline/", env!("CARGO_PKG_VERSION"))),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
    ];
    let block = super::fields(lines)?;
    let record = NewRecord::new(Kind::Warcinfo, at)
        .with("WARC-Filename", name)?
        .with("Content-Type", "application/warc-fields")?;
    let mut packed = Vec::new();
    packing.pack(&mut record.whole(&block, &[]).reader(), &mut packed).expect("memory takes all that is written");
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{NewRecord, warcinfo};
    use crate::Time;
    use crate::warc::write::Packing;
    use crate::warc::{Kind, Reader};

    #[test]
    fn what_is_written_is_read() {
        let record = NewRecord::new(Kind::Resource, Time::default())
            .with("WARC-Target-URI", "http://example.org/")
            .unwrap()
            .with("Content-Type", "text/plain; ü")
            .unwrap();
        let mut bytes = Vec::new();
        record.whole(b"first ", b"second").reader().read_to_end(&mut bytes).unwrap();
        let mut reader = Reader::new(bytes.as_slice());
        let read = reader.next().unwrap().unwrap();
        assert_eq!((read.kind, read.length), (Kind::Resource, 12));
        assert_eq!(read.headers.get("WARC-Record-ID"), Some(record.id()));
        assert_eq!(read.headers.get("Content-Type"), Some("text/plain; ü"));
        assert_eq!(reader.body(100).unwrap().bytes, b"first second");
        assert!(reader.next().is_none());
    }

    #[test]
    fn no_value_breaks_a_line() {
        for value in ["a\r\nWARC-Type: response", "a\nb", "a\rb", "a\0b", "a\u{85}b"] {
            assert!(NewRecord::new(Kind::Metadata, Time::default()).with("X", value).is_err(), "{value:?}");
        }
        assert!(NewRecord::new(Kind::Metadata, Time::default()).with("X: y\r\nZ", "value").is_err());
    }

    #[test]
    fn a_segment_says_who_wrote_it() {
        for packing in [Packing::Gzip, Packing::Zstd] {
            let packed = warcinfo(packing, "name.warc.gz", Time::default()).unwrap();
            let mut reader = Reader::new(packed.as_slice());
            let record = reader.next().unwrap().unwrap();
            assert_eq!((record.kind, record.headers.get("WARC-Filename")), (Kind::Warcinfo, Some("name.warc.gz")));
            assert!(reader.body(1 << 10).unwrap().bytes.starts_with(b"software: driftline/"));
        }
    }
}
