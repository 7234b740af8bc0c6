//! The lines of an archive: one for each record that holds something captured, in the order of the file.
//!
//! Which records have a line, and what it says, follows cdxj-indexer: responses, revisits, resources and metadata
//! (but not lines of `name: value` about other records); the digest is the one that the record claims, or that of
//! its payload if it claims none.

use std::io::{self, BufRead, Read};

use sha1::{Digest as _, Sha1};

use super::Line;
use super::date::time_of;
use crate::warc::{self, Kind, Reader, Record};
use driftline_catalog::surt;

/// Makes lines of the records of an archive.
pub struct Index<R: Read> {
    reader: Reader<R>,
    filename: String,
    digests: Digests,
    /// Records from here on are no longer asked for.
    end: u64,
}

/// What to do about a record that claims no digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digests {
    /// Its line has the digest of its payload.
    Computed,
    /// Its line has none.
    Claimed,
}

/// A line, and what it is the line of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// The line.
    pub line: Line,
    /// What the record is.
    pub kind: Kind,
}

/// Why a record has no line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoLine {
    /// It cannot be read.
    #[error(transparent)]
    Warc(#[from] warc::Error),
    /// It does not say when it was captured.
    #[error("the record at byte {offset} has no date that can be read")]
    Date {
        /// Where the record begins.
        offset: u64,
    },
    /// Several records share a compressed member, so none of them can be found by its offset.
    #[error("the record at byte {offset} is compressed together with others, so that no index can say where it is")]
    NotSeekable {
        /// Where their member begins.
        offset: u64,
    },
}

impl<R: Read> Index<R> {
    /// Lines for this archive; `filename` is what they call it.
    pub fn new(reader: Reader<R>, filename: impl Into<String>, digests: Digests) -> Self {
        Self { reader, filename: filename.into(), digests, end: u64::MAX }
    }

    /// Only of the records that begin before this byte of the file. The reader has to go on behind it: where a
    /// record ends shows at the next.
    #[must_use]
    pub fn until(self, end: u64) -> Self {
        Self { end, ..self }
    }

    fn line(&mut self, record: Record) -> Result<Indexed, NoLine> {
        let offset = record.place.offset;
        let digest = record.headers.get("WARC-Payload-Digest").filter(|digest| !digest.is_empty()).map(str::to_owned);
        let is_wanted = digest.is_none() && record.kind != Kind::Revisit && self.digests == Digests::Computed;
        let mut body = self.reader.body_reader();
        let head = if has_head(&record) { Head::read(&mut body) } else { Head::default() };
        let digest = if is_wanted { Some(sha1_of(&mut body)) } else { digest };
        let mime = match record.kind {
            Kind::Revisit => Some("warc/revisit".to_owned()),
            Kind::Response => head.content_type.as_deref().map(essence),
            _ => record.headers.get("Content-Type").map(essence),
        };
        let Some(extent) = self.reader.finish() else {
            return Err(self.reader.damage_of(offset).map_or(NoLine::NotSeekable { offset }, NoLine::Warc));
        };
        let line = Line {
            key: surt::key(record.target_uri.as_deref().unwrap_or_default()),
            at: time_of(&record).ok_or(NoLine::Date { offset })?,
            mime,
            status: head.status,
            digest,
            length: Some(extent.length),
            offset: Some(extent.offset),
            filename: Some(self.filename.clone()),
            url: record.target_uri,
            ..Line::default()
        };
        Ok(Indexed { line, kind: record.kind })
    }
}

impl<R: Read> Iterator for Index<R> {
    type Item = Result<Indexed, NoLine>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let next = self.reader.next()?;
            let offset = next.as_ref().map_or_else(warc::Error::offset, |record| Some(record.place.offset));
            if offset.is_some_and(|offset| offset >= self.end) {
                self.end = 0;
                return None;
            }
            match next {
                Ok(record) if has_line(&record) => return Some(self.line(record)),
                Ok(_) => {}
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}

/// Would this record have a line if it had a date?
pub(crate) fn lacks_date(record: &Record) -> Option<NoLine> {
    (has_line(record) && time_of(record).is_none()).then_some(NoLine::Date { offset: record.place.offset })
}

/// Does this record hold something that was captured?
fn has_line(record: &Record) -> bool {
    match record.kind {
        Kind::Response | Kind::Revisit => true,
        Kind::Resource | Kind::Metadata => record.headers.get("Content-Type") != Some("application/warc-fields"),
        _ => false,
    }
}

/// Does it begin with a head of HTTP?
fn has_head(record: &Record) -> bool {
    let uri = record.target_uri.as_deref().unwrap_or_default();
    let is_answer = matches!(record.kind, Kind::Response | Kind::Revisit);
    is_answer && ["http:", "https:"].iter().any(|scheme| uri.starts_with(scheme))
}

/// A type without its parameters.
fn essence(content_type: &str) -> String {
    let end = content_type.find(|character: char| character == ';' || character.is_whitespace());
    content_type[..end.unwrap_or(content_type.len())].to_owned()
}

/// The digest of what is left of a body, as far as it can be read.
fn sha1_of(body: &mut impl Read) -> String {
    let mut digest = Sha1::new();
    let mut buffer = vec![0; 64 << 10];
    while let Ok(count) = body.read(&mut buffer) {
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
    }
    format!("sha1:{}", data_encoding::BASE32.encode(&digest.finalize()))
}

/// What a line says of the head of an answer; as lenient as warcio is, which takes any first line.
#[derive(Default)]
struct Head {
    status: Option<String>,
    content_type: Option<String>,
}

/// The most bytes of a head.
const MOST_HEAD: u64 = 4 << 20;

impl Head {
    /// Reads a head, up to the empty line behind it.
    fn read(body: &mut impl BufRead) -> Self {
        let mut head = Self::default();
        let mut room = MOST_HEAD;
        let Some(first) = line(body, &mut room).filter(|first| !first.is_empty()) else {
            return head;
        };
        let status = first.split_once(' ').map_or("", |(_, rest)| rest.trim());
        let mut has_headers = false;
        let mut is_type = false;
        while let Some(line) = line(body, &mut room).filter(|line| !line.is_empty()) {
            if has_headers && line.starts_with([' ', '\t']) {
                if let (true, Some(value)) = (is_type, &mut head.content_type) {
                    value.push_str(&line);
                }
                continue;
            }
            has_headers = true;
            let header = line.split_once(':').filter(|(name, _)| name.trim_end().eq_ignore_ascii_case("content-type"));
            is_type = header.is_some() && head.content_type.is_none();
            if let (true, Some((_, value))) = (is_type, header) {
                head.content_type = Some(value.trim_start().to_owned());
            }
        }
        if !status.is_empty() || has_headers {
            head.status = Some(status.split(' ').next().unwrap_or_default().to_owned());
        }
        head
    }
}

/// The next line without its end; none at the end of the body.
fn line(body: &mut impl BufRead, room: &mut u64) -> Option<String> {
    let mut bytes = Vec::new();
    let read: io::Result<usize> = body.take(*room).read_until(b'\n', &mut bytes);
    *room -= bytes.len() as u64;
    if read.is_err() || bytes.is_empty() {
        return None;
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // What is not in UTF-8 is in Latin 1, as headers were once.
        Err(other) => other.into_bytes().into_iter().map(char::from).collect(),
    };
    Some(text.trim_end().to_owned())
}
