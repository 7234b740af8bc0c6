//! Reading of a capture: its record is read alone, from wherever its segment is by now; an unchanged
//! one takes its body from its original.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::error::is_damage;
use super::{Archive, Error};
use crate::http::{Head, Response};
use crate::warc::{self, Reader, Record};
use driftline_catalog::digest::Digest;
use driftline_catalog::{CaptureKind, NewCapture, Original, StoredCapture};

/// A head of an answer is not longer; and what is read for it beyond the limit of a body.
pub(super) const MOST_HEAD: usize = 1 << 20;

/// What a capture says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// An answer over HTTP.
    Http(Response),
    /// A file, without the protocol that brought it.
    Resource {
        /// What it is, such as `text/html`, if the record says so.
        content_type: Option<String>,
        /// Its bytes.
        body: Vec<u8>,
        /// Was the body longer than the limit?
        is_cut: bool,
    },
}

impl Found {
    /// Its body, decoded.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        match self {
            Self::Http(response) => &response.body,
            Self::Resource { body, .. } => body,
        }
    }

    /// What it is by the word of the server, if it says anything.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        match self {
            Self::Http(response) => response.head.content_type(),
            Self::Resource { content_type, .. } => content_type.as_deref(),
        }
    }
}

/// A record as it stands in its segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRecord {
    /// Its head.
    pub record: Record,
    /// Its block, up to a limit.
    pub block: Vec<u8>,
    /// Was the block longer than the limit?
    pub is_cut: bool,
}

pub(super) fn read(archive: &Archive, capture: &StoredCapture, limit: usize) -> Result<Found, Error> {
    if_moved(archive, capture, |capture| read_where_it_was(archive, capture, limit))
}

/// Reads a capture; if that fails and the capture has been moved to another segment meanwhile, reads it there.
fn if_moved<T>(
    archive: &Archive,
    capture: &StoredCapture,
    read: impl Fn(&StoredCapture) -> Result<T, Error>,
) -> Result<T, Error> {
    let failed = match read(capture) {
        Err(error) if error.is_lost() || is_gone(&error) => error,
        done => return done,
    };
    match archive.catalog.capture(capture.id)? {
        Some(now) if now != *capture => read(&now),
        _ => Err(failed),
    }
}

fn read_where_it_was(archive: &Archive, capture: &StoredCapture, limit: usize) -> Result<Found, Error> {
    // A coded body may be longer than what it decodes to, but hardly by more than its head.
    let most = limit.saturating_add(MOST_HEAD);
    let own = record_at(archive, capture, most)?;
    match capture.capture.kind {
        CaptureKind::Resource | CaptureKind::Conversion => Ok(resource(own, limit)),
        CaptureKind::Response if is_of_another_protocol(&own) => Ok(resource(own, limit)),
        CaptureKind::Response => Ok(Found::Http(response(&own, limit)?)),
        CaptureKind::Revisit => {
            let original = original(archive, capture)?;
            let found = record_at(archive, &original, most)?;
            if original.capture.kind != CaptureKind::Response || is_of_another_protocol(&found) {
                return Ok(resource(found, limit));
            }
            Ok(Found::Http(joined(&own.block, found, limit)?))
        }
    }
}

fn resource(raw: RawRecord, limit: usize) -> Found {
    let RawRecord { record, mut block, is_cut } = raw;
    let is_cut = is_cut || block.len() > limit;
    block.truncate(limit);
    Found::Resource { content_type: record.headers.get("Content-Type").map(str::to_owned), body: block, is_cut }
}

/// Is it an answer over something else than HTTP, such as that of a name server that Heritrix keeps?
fn is_of_another_protocol(raw: &RawRecord) -> bool {
    let url = raw.record.target_uri.as_deref().unwrap_or_default();
    let is_of_web = url.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
    !is_of_web && Head::parse(&raw.block).is_err()
}

/// The own head of an unchanged answer with the body of its original. "Not modified" is no answer of its
/// own: it stands for the one before.
fn joined(own: &[u8], original: RawRecord, limit: usize) -> Result<Response, Error> {
    let head = match Head::parse(own) {
        Ok((head, behind)) if head.status != 304 => own[..own.len() - behind.len()].to_vec(),
        _ => return response(&original, limit),
    };
    let (_, body) = Head::parse(&original.block)?;
    let block = [&head, body].concat();
    response(&RawRecord { block, ..original }, limit)
}

fn response(raw: &RawRecord, limit: usize) -> Result<Response, Error> {
    let mut response = Response::parse(&raw.block, limit)?;
    response.is_cut |= raw.is_cut;
    Ok(response)
}

/// The capture that has the body of an unchanged one: the one that it names, if that has its digest; or else one of the
/// named address, or of its own, with its digest, the nearest in time. So does pywb. Without a digest only the one that
/// is named can be it.
pub(super) fn original(archive: &Archive, revisit: &StoredCapture) -> Result<StoredCapture, Error> {
    let NewCapture { url, at, digest, refers_to, .. } = &revisit.capture;
    if let Some(name) = refers_to
        && let Some(found) = named(archive, name, digest.as_deref())?
    {
        return Ok(found);
    }
    let Some(digest) = digest else { return Err(no_original(revisit)) };
    archive.catalog.original_near(url, digest, *at)?.ok_or_else(|| no_original(revisit))
}

/// The capture that a revisit with this digest names.
pub(super) fn named(archive: &Archive, name: &Original, digest: Option<&str>) -> Result<Option<StoredCapture>, Error> {
    let Original { url, at } = name;
    let is_it = |capture: &StoredCapture| {
        let digests = capture.capture.digest.as_deref().zip(digest);
        capture.capture.kind != CaptureKind::Revisit && digests.is_none_or(|(one, other)| Digest::same(one, other))
    };
    if let Some(found) = archive.catalog.originals_at(url, *at)?.into_iter().find(is_it) {
        return Ok(Some(found));
    }
    // One whose time was rounded: any with the same body will do.
    digest.map_or(Ok(None), |digest| Ok(archive.catalog.original_near(url, digest, *at)?))
}

fn no_original(revisit: &StoredCapture) -> Error {
    let capture = &revisit.capture;
    let (url, at) =
        capture.refers_to.as_ref().map_or((&capture.url, capture.at), |original| (&original.url, original.at));
    Error::NoOriginal { asked: capture.url.clone(), url: url.clone(), at }
}

/// The record of a capture, with `limit` bytes of its block.
pub(super) fn record(archive: &Archive, capture: &StoredCapture, limit: usize) -> Result<RawRecord, Error> {
    if_moved(archive, capture, |capture| record_at(archive, capture, limit))
}

fn record_at(archive: &Archive, capture: &StoredCapture, limit: usize) -> Result<RawRecord, Error> {
    let input = bytes(archive, &capture.segment, capture.capture.offset, capture.capture.length)
        .map_err(|error| if is_gone(&error) { failed(capture, error.to_string()) } else { error })?;
    read_record(capture, input, limit)
}

/// The first record of these bytes, if it is that of the capture.
fn read_record(capture: &StoredCapture, input: impl Read, limit: usize) -> Result<RawRecord, Error> {
    let mut reader = Reader::new(input);
    let record = match reader.next() {
        Some(record) => record.map_err(|error| unread(capture, error))?,
        None => return Err(failed(capture, "there is nothing".to_owned())),
    };
    if record.target_uri.as_deref() != Some(capture.capture.url.as_str()) {
        return Err(failed(capture, "it is the record of something else".to_owned()));
    }
    let body = reader.body(limit).map_err(|error| unread(capture, error))?;
    Ok(RawRecord { record, block: body.bytes, is_cut: body.is_cut })
}

/// Is it that there is no such segment?
fn is_gone(error: &Error) -> bool {
    match error {
        Error::File { source, .. } => source.kind() == io::ErrorKind::NotFound,
        error => error.is_lost(),
    }
}

fn failed(capture: &StoredCapture, why: String) -> Error {
    let NewCapture { url, offset, .. } = &capture.capture;
    Error::Record { url: url.clone(), segment: capture.segment.clone(), offset: *offset, why }
}

/// Are the bytes not those of a record, or did they not come?
fn unread(capture: &StoredCapture, error: warc::Error) -> Error {
    if is_damage(&error) {
        return failed(capture, error.to_string());
    }
    let NewCapture { url, offset, .. } = &capture.capture;
    Error::Unread { url: url.clone(), segment: capture.segment.clone(), offset: *offset, source: Arc::new(error) }
}

/// Bytes of a segment, wherever it is. It may be closed or uploaded while we look.
pub(super) fn bytes<'a>(
    archive: &'a Archive,
    name: &str,
    offset: u64,
    length: u64,
) -> Result<Box<dyn BufRead + 'a>, Error> {
    for _ in 0..3 {
        for path in archive.folder.paths(name) {
            match part(&path, offset, length) {
                Ok(reader) => return Ok(Box::new(reader)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::file("read", &path)(error)),
            }
        }
        if archive.store.is_remote() && archive.store.has(name)? {
            return Ok(Box::new(archive.store.reader(name, offset, length)));
        }
    }
    if !archive.store.is_remote() && !archive.folder.path().exists() {
        return Err(Error::NoFolder { path: archive.folder.path().to_owned() });
    }
    let is_missing = io::Error::new(io::ErrorKind::NotFound, "it is not there");
    Err(Error::file("open", &archive.folder.closed(name))(is_missing))
}

fn part(path: &std::path::Path, offset: u64, length: u64) -> io::Result<impl BufRead + use<>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(BufReader::new(file.take(length)))
}
