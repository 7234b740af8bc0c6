//! The catalog's row of a record: the same for the writer, the importer, and the recovery after a crash.

use std::io::BufRead;

use crate::Time;
use crate::http::{Head, Response};
use crate::stated::noted::noted;
use crate::stated::{Mismatches, Stated};
use crate::warc::{self, Kind, Reader, Record};
use driftline_catalog::digest::{Algorithm, Digest, Digester, Mismatch};
use driftline_catalog::{CaptureKind, NewCapture, Original, surt};

/// A longer head of an answer is taken for its body.
const MOST_HEAD: usize = 1 << 20;

/// A longer body that is coded has no digest of what it says.
const MOST_CODED: usize = 16 << 20;

/// What is read at once.
const PIECE: usize = 64 << 10;

/// A record as the catalog sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// The capture in it, if it holds one. Where it stands is for the caller to say: offset and length are 0.
    pub capture: Option<NewCapture>,
    /// Are all bytes there that the record says it has?
    pub is_whole: bool,
    /// Digests that were wrong already at the import, if the record is a note of them.
    pub imported_digests: Vec<Mismatch>,
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
    let imported_digests = noted(record, start);
    Ok(Described { capture: payload.capture(record), is_whole: length == record.length, imported_digests })
}

/// What is known of a record's content.
struct Payload {
    head: Option<Head>,
    length: u64,
    /// None if the record says its digest itself.
    digester: Option<Digester>,
    /// The whole answer, if its body is coded or in pieces, and not too long.
    coded: Option<Vec<u8>>,
    /// Whether it was.
    is_too_long: bool,
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
        let is_coded = |head: &Head| head.is_chunked() || head.list("Content-Encoding").next().is_some();
        let coded = head.as_ref().filter(|head| record.kind == Kind::Response && is_coded(head));
        let coded = coded.map(|_| start[..start.len() - body.len()].to_vec());
        let mut payload = Self { head, length: 0, digester, coded, is_too_long: false };
        payload.add(body);
        payload
    }

    fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        if let Some(digester) = &mut self.digester {
            digester.update(bytes);
        }
        if let Some(coded) = self.coded.take_if(|coded| coded.len() + bytes.len() > MOST_CODED) {
            drop(coded);
            self.is_too_long = true;
        }
        if let Some(coded) = &mut self.coded {
            coded.extend_from_slice(bytes);
        }
    }

    /// The digest of the body without its codings: that of the payload if it has none.
    fn body_digest(&self, payload: Option<&str>) -> Option<String> {
        let Some(coded) = &self.coded else {
            let payload: Digest = payload.filter(|_| !self.is_too_long)?.parse().ok()?;
            return (payload.algorithm == Algorithm::Sha1).then(|| payload.to_string());
        };
        let response = Response::parse(coded, MOST_CODED).ok().filter(|response| !response.is_cut)?;
        response.unknown_coding.is_none().then(|| Digest::sha1(&response.body).to_string())
    }

    fn capture(mut self, record: &Record) -> Option<NewCapture> {
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
        let computed = self.digester.take().map(|digester| digester.finish().to_string());
        let digest = header("WARC-Payload-Digest").map(str::to_owned).or(computed);
        let body_digest = self.body_digest(digest.as_deref()).filter(|_| kind != CaptureKind::Revisit);
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
            digest,
            body_digest,
            payload_length: (kind != CaptureKind::Revisit).then_some(self.length),
            redirect: head.and_then(|head| redirect(&url, head)),
            record_id: header("WARC-Record-ID").map(|id| id.trim_matches(['<', '>']).to_owned()),
            refers_to: (kind == CaptureKind::Revisit).then(|| original(record)).flatten(),
            origin: None,
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
