//! What becomes of an unchanged capture whose original goes? The first of them takes the body over; the others refer
//! to it from now on. Their names stay, so that whatever belongs to them still does.

use std::fmt::{Display, Write};
use std::io::{self, Read};

use super::copy::pack;
use crate::archive::{Archive, Error, Parcel, RawRecord};
use crate::capture::CREDENTIALS;
use crate::http::{self, Head};
use crate::warc::{Extent, Reader, Record};
use driftline_catalog::digest::{Algorithm, Digest, Digester};
use driftline_catalog::{CaptureKind, Original, StoredCapture, Turned};

/// A longer head of an answer is taken for its body; and no revisit says more of itself.
const MOST_HEAD: usize = 1 << 20;

/// What only a revisit says of itself, and what is said anew.
const REPLACED: [&str; 9] = [
    "WARC-Type",
    "WARC-Profile",
    "WARC-Refers-To",
    "WARC-Refers-To-Target-URI",
    "WARC-Refers-To-Date",
    "WARC-Block-Digest",
    "Content-Type",
    "Content-Length",
    CREDENTIALS,
];

/// The revisit with the body of its original: its own head, unless that only says "as before".
pub(super) fn whole(
    archive: &Archive,
    revisit: &StoredCapture,
    original: &StoredCapture,
    parcel: &mut Parcel,
) -> Result<(Turned, Extent), Error> {
    let own = archive.record(revisit, MOST_HEAD)?;
    let body = Body::of(archive, original)?;
    let is_file = original.capture.kind != CaptureKind::Response;
    let (status, head, author) = match Head::parse(&own.block) {
        _ if is_file => (None, Vec::new(), &own.record),
        Ok((head, behind)) if head.status != 304 => {
            (Some(head.status), http::ended(&own.block[..own.block.len() - behind.len()]), &own.record)
        }
        _ => (original.capture.status, http::ended(&body.head), &body.record),
    };
    let length = body.length();
    let mut digester = Digester::new(Algorithm::Sha1);
    digester.update(&head);
    io::copy(&mut body.open(archive, original)?.1, &mut digester).map_err(pack)?;
    let content_type = if is_file { body.content_type.as_str() } else { "application/http; msgtype=response" };
    let kind = if is_file { CaptureKind::Resource } else { CaptureKind::Response };
    let mut text = format!("WARC/1.1\r\nWARC-Type: {}\r\n", if is_file { "resource" } else { "response" });
    push_kept(&mut text, &own.record);
    // Whether secrets were sent for the head is known of the record that it comes from.
    if let Some(said) = author.headers.get(CREDENTIALS) {
        push(&mut text, CREDENTIALS, said);
    }
    push_block(&mut text, &digester.finish(), content_type, head.len() as u64 + length);
    let (_, rest) = body.open(archive, original)?;
    let mut record = text.as_bytes().chain(head.as_slice()).chain(rest).chain(&b"\r\n\r\n"[..]);
    let extent = parcel.add(&mut record).map_err(pack)?;
    let mime = revisit.capture.mime.clone().filter(|_| status == revisit.capture.status);
    let turned = Turned {
        capture: revisit.id,
        kind,
        status,
        mime: mime.or_else(|| original.capture.mime.clone()),
        payload_length: Some(length),
        refers_to: None,
    };
    Ok((turned, extent))
}

/// The revisit, which refers to another capture now.
pub(super) fn refer(
    archive: &Archive,
    revisit: &StoredCapture,
    heir: &StoredCapture,
    parcel: &mut Parcel,
) -> Result<(Turned, Extent), Error> {
    let RawRecord { record, block, .. } = archive.record(revisit, MOST_HEAD)?;
    let mut text = "WARC/1.1\r\nWARC-Type: revisit\r\n".to_owned();
    push_kept(&mut text, &record);
    if let Some(said) = record.headers.get(CREDENTIALS) {
        push(&mut text, CREDENTIALS, said);
    }
    let profile = record.headers.get("WARC-Profile").unwrap_or(IDENTICAL);
    let (url, at) = (&heir.capture.url, heir.capture.at);
    push(&mut text, "WARC-Profile", profile);
    push(&mut text, "WARC-Refers-To-Target-URI", url);
    push(&mut text, "WARC-Refers-To-Date", at);
    if let Some(id) = &heir.capture.record_id {
        push(&mut text, "WARC-Refers-To", format_args!("<{id}>"));
    }
    let content_type = record.headers.get("Content-Type").unwrap_or("application/http; msgtype=response");
    push_block(&mut text, &Digest::sha1(&block), content_type, block.len() as u64);
    let extent = parcel.add(&mut text.as_bytes().chain(block.as_slice()).chain(&b"\r\n\r\n"[..])).map_err(pack)?;
    let capture = &revisit.capture;
    let turned = Turned {
        capture: revisit.id,
        kind: CaptureKind::Revisit,
        status: capture.status,
        mime: capture.mime.clone(),
        payload_length: capture.payload_length,
        refers_to: Some(Original { url: url.clone(), at }),
    };
    Ok((turned, extent))
}

/// What a revisit is if it does not say so.
const IDENTICAL: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// All that a record says of itself and that stays true.
fn push_kept(text: &mut String, record: &Record) {
    for (name, value) in record.headers.iter() {
        if !REPLACED.iter().any(|replaced| replaced.eq_ignore_ascii_case(name)) {
            push(text, name, value);
        }
    }
}

/// What is said of the block, and the end of the head.
fn push_block(text: &mut String, digest: &Digest, content_type: &str, length: u64) {
    push(text, "WARC-Block-Digest", digest);
    push(text, "Content-Type", content_type);
    push(text, "Content-Length", length);
    text.push_str("\r\n");
}

/// A line of a head.
fn push(text: &mut String, name: &str, value: impl Display) {
    // Memory takes all that is written.
    let _ = write!(text, "{name}: {value}\r\n");
}

/// Where the body of an original stands in its record.
struct Body {
    record: Record,
    head: Vec<u8>,
    content_type: String,
}

impl Body {
    fn of(archive: &Archive, original: &StoredCapture) -> Result<Self, Error> {
        let RawRecord { record, block, .. } = archive.record(original, MOST_HEAD)?;
        let head = match Head::parse(&block) {
            Ok((_, behind)) if original.capture.kind == CaptureKind::Response => {
                block[..block.len() - behind.len()].to_vec()
            }
            _ => Vec::new(),
        };
        let content_type = record.headers.get("Content-Type").unwrap_or("application/octet-stream").to_owned();
        Ok(Self { record, head, content_type })
    }

    fn length(&self) -> u64 {
        self.record.length - self.head.len() as u64
    }

    /// Reads it: the head, and what stands behind it.
    fn open<'a>(
        &self,
        archive: &'a Archive,
        original: &StoredCapture,
    ) -> Result<(Vec<u8>, impl Read + use<'a>), Error> {
        let mut reader = Reader::new(archive.packed(original)?);
        let next = reader.next().transpose().map_err(|error| pack(error.into()))?;
        if next.is_none() {
            return Err(pack(io::ErrorKind::UnexpectedEof.into()));
        }
        let head = reader.body(self.head.len()).map_err(|error| pack(error.into()))?.bytes;
        Ok((head, Rest(reader)))
    }
}

/// What is left of a block.
struct Rest<R: Read>(Reader<R>);

impl<R: Read> Read for Rest<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.body_reader().read(to)
    }
}
