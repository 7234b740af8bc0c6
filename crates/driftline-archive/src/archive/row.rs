//! What does the catalog say about a record? The same, whoever asks: the writer, the importer, and the
//! one who finds it after a crash.

use std::io::BufRead;

use crate::Time;
use crate::http::Head;
use crate::stated::{Mismatches, Stated};
use crate::warc::{self, Kind, Reader, Record};
use driftline_catalog::digest::{Algorithm, Digester};
use driftline_catalog::{CaptureKind, NewCapture, Original, surt};

/// A longer head of an answer is taken for its body.
const MOST_HEAD: usize = 1 << 20;

/// What is read at once.
const PIECE: usize = 64 << 10;

/// A record as the catalog sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// The capture in it, if it holds one. Where it stands is for the caller to say: offset and length are 0.
    pub capture: Option<NewCapture>,
    /// Are all bytes there that the record says it has?
    pub is_whole: bool,
}

/// Reads the record that `reader` has just returned to its end, in little memory.
///
/// # Errors
/// If it cannot be read to its end.
pub fn describe<R: BufRead>(reader: &mut Reader<R>, record: &Record) -> Result<Described, warc::Error> {
    let start = reader.body(MOST_HEAD)?.bytes;
    read(reader, record, &start, |_| ())
}

/// The same, with the digests that the record states and its bytes do not have.
pub(crate) fn describe_and_check<R: BufRead>(
    reader: &mut Reader<R>,
    record: &Record,
) -> Result<(Described, Mismatches), warc::Error> {
    let start = reader.body(MOST_HEAD)?.bytes;
    let mut stated = Stated::of(record, &start);
    let described = read(reader, record, &start, |piece| stated.update(piece))?;
    Ok((described, stated.finish()))
}

/// Reads what is left of a record behind `start`, and passes it on.
fn read<R: BufRead>(
    reader: &mut Reader<R>,
    record: &Record,
    start: &[u8],
    mut pass: impl FnMut(&[u8]),
) -> Result<Described, warc::Error> {
    let mut payload = Payload::of(record, start);
    let mut length = start.len() as u64;
    loop {
        let piece = reader.body(PIECE)?.bytes;
        if piece.is_empty() {
            break;
        }
        length += piece.len() as u64;
        payload.add(&piece);
        pass(&piece);
    }
    Ok(Described { capture: payload.capture(record), is_whole: length == record.length })
}

/// What is known of a record's content.
struct Payload {
    head: Option<Head>,
    length: u64,
    /// None if the record says its digest itself.
    digester: Option<Digester>,
}

impl Payload {
    fn of(record: &Record, start: &[u8]) -> Self {
        let is_http = matches!(record.kind, Kind::Response | Kind::Revisit);
        let (head, body) = match is_http.then(|| Head::parse(start)) {
            Some(Ok((head, body))) => (Some(head), body),
            _ => (None, start),
        };
        let is_named = record.headers.get("WARC-Payload-Digest").is_some() || record.kind == Kind::Revisit;
        let digester = (!is_named).then(|| Digester::new(Algorithm::Sha1));
        let mut payload = Self { head, length: 0, digester };
        payload.add(body);
        payload
    }

    fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if let Some(digester) = &mut self.digester {
            digester.update(bytes);
        }
    }

    fn capture(self, record: &Record) -> Option<NewCapture> {
        let kind = match record.kind {
            Kind::Response => CaptureKind::Response,
            Kind::Revisit => CaptureKind::Revisit,
            Kind::Resource => CaptureKind::Resource,
            Kind::Conversion => CaptureKind::Conversion,
            _ => return None,
        };
        let header = |name| record.headers.get(name);
        let url = record.target_uri.clone()?;
        let at = record.date.as_deref()?.parse().ok()?;
        let computed = self.digester.map(|digester| digester.finish().to_string());
        let head = self.head.as_ref();
        let content_type = match kind {
            CaptureKind::Resource | CaptureKind::Conversion => header("Content-Type"),
            _ => head.and_then(Head::content_type),
        };
        Some(NewCapture {
            key: surt::key(&url),
            at,
            kind,
            status: head.map(|head| head.status),
            mime: content_type.map(essence),
            digest: header("WARC-Payload-Digest").map(str::to_owned).or(computed),
            payload_length: (kind != CaptureKind::Revisit).then_some(self.length),
            redirect: head.and_then(|head| redirect(&url, head)),
            record_id: header("WARC-Record-ID").map(|id| id.trim_matches(['<', '>']).to_owned()),
            refers_to: (kind == CaptureKind::Revisit).then(|| original(record)).flatten(),
            url,
            offset: 0,
            length: 0,
        })
    }
}

/// What a revisit refers to. Without an address it is its own.
fn original(record: &Record) -> Option<Original> {
    let at: Time = record.headers.get("WARC-Refers-To-Date")?.parse().ok()?;
    let url = record.headers.get("WARC-Refers-To-Target-URI").or(record.target_uri.as_deref())?;
    Some(Original { url: url.trim_matches(['<', '>']).to_owned(), at })
}

/// A `Content-Type` without its parameters.
fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Where an answer sends the reader on to.
fn redirect(url: &str, head: &Head) -> Option<String> {
    let location = head.headers.get("Location").filter(|_| (300..400).contains(&head.status))?;
    let joined = url::Url::parse(url).and_then(|base| base.join(location));
    Some(joined.map_or_else(|_| location.to_owned(), String::from))
}
