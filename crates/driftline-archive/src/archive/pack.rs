//! Packing of a capture into records: the answer first, then the request, then metadata.
//!
//! The answer is a `response`; if the archive has its body already, a `revisit` that names the capture with
//! the body and keeps only the head. Only captures that the catalog knows are referred to, and they are
//! never taken back; so threads that append the same page at once write it twice at worst.
//!
//! Digests are what somebody claims, and SHA-1 can be forged: they only say where to look. The body of the original is
//! read and held against the new one, byte by byte.

use std::io::BufReader;
use std::sync::Arc;

use super::{Archive, Error, Parcel, describe, read};
use crate::Capture;
use crate::capture::{CREDENTIALS, Content, Exchange};
use crate::http::{self, Head};
use crate::warc::write::{NewRecord, Profile, Unwritable, Whole, fields, target_uri};
use crate::warc::{Extent, Kind, Reader};
use driftline_catalog::digest::{Algorithm, Digester};
use driftline_catalog::{CaptureKind, NewCapture, Original, StoredCapture};

/// The status of an answer that says "as before".
const NOT_MODIFIED: u16 = 304;

/// A longer body is written again rather than compared.
const MOST_COMPARED: u64 = 64 << 20;

/// Packs the records of captures that belong together.
pub(super) fn pack(parcel: &mut Parcel, archive: &Archive, captures: &[Capture]) -> Result<(), Error> {
    let (mut redirect, mut hops): (Option<String>, _) = (None, String::new());
    for (at, capture) in captures.iter().enumerate() {
        let url = target_uri(&capture.url);
        let is_hop = redirect.as_deref().is_some_and(|redirect: &str| target_uri(redirect) == url);
        let via = is_hop.then(|| captures[at - 1].url.as_str());
        hops = if is_hop { hops + "R" } else { String::new() };
        let packer = Packer { archive, capture, url };
        let row = packer.pack(parcel, via, &hops)?;
        redirect.clone_from(&row.redirect);
        parcel.push(row);
    }
    Ok(())
}

struct Packer<'a> {
    archive: &'a Archive,
    capture: &'a Capture,
    /// The address as WARC files write it.
    url: String,
}

impl Packer<'_> {
    fn pack(&self, parcel: &mut Parcel, via: Option<&str>, hops: &str) -> Result<NewCapture, Error> {
        let (row, id) = match &self.capture.content {
            Content::Http(exchange) => self.exchange(parcel, exchange)?,
            Content::Resource { content_type, body } => self.resource(parcel, content_type, body)?,
        };
        self.metadata(parcel, &id, via, hops)?;
        Ok(row)
    }

    fn record(&self, kind: Kind) -> Result<NewRecord, Unwritable> {
        NewRecord::new(kind, self.capture.at).with("WARC-Target-URI", &self.url)
    }

    fn resource(&self, parcel: &mut Parcel, content_type: &str, body: &[u8]) -> Result<(NewCapture, String), Error> {
        let record = self
            .record(Kind::Resource)?
            .with("WARC-Payload-Digest", &digest(&[body]))?
            .with("Content-Type", content_type)?;
        Ok((add_capture(parcel, &record.whole(body, &[]))?, record.id().to_owned()))
    }

    fn exchange(&self, parcel: &mut Parcel, exchange: &Exchange) -> Result<(NewCapture, String), Error> {
        let wire = http::ended(&exchange.head);
        let (head, behind) = Head::parse(&wire)?;
        // An empty line within the head ends it for every reader, whatever the server meant.
        let digest = digest(&[behind, &exchange.body]);
        let original = self.original(&head, &digest, &[behind, &exchange.body])?;
        let (kind, digest) = match &original {
            None => (Kind::Response, digest.as_str()),
            Some((_, original)) => (Kind::Revisit, original.capture.digest.as_deref().unwrap_or(&digest)),
        };
        let mut record = wired(self.record(kind)?, exchange)?.with("WARC-Payload-Digest", digest)?;
        if let Some((profile, original)) = &original {
            record = referring(record, *profile, original)?;
        }
        let record = record.with("Content-Type", "application/http; msgtype=response")?;
        let body: &[u8] = if original.is_some() { &[] } else { &exchange.body };
        let row = add_capture(parcel, &record.whole(&wire, body))?;
        if let Some(request) = &exchange.request {
            let question = wired(self.record(Kind::Request)?, exchange)?
                .with("WARC-Concurrent-To", record.id())?
                .with("Content-Type", "application/http; msgtype=request")?;
            add(parcel, &question.whole(request, &[]))?;
        }
        Ok((row, record.id().to_owned()))
    }

    /// The capture whose body this one has, if the archive has it.
    fn original(
        &self,
        head: &Head,
        digest: &str,
        body: &[&[u8]; 2],
    ) -> Result<Option<(Profile, StoredCapture)>, Error> {
        // Readers go through captures in their order, and must have met the original before.
        let (catalog, at) = (self.archive.catalog(), self.capture.at);
        let (profile, found) = if head.status == NOT_MODIFIED {
            let page = catalog.page_before(&self.url, at)?.map(|page| self.whole(page)).transpose()?.flatten();
            (Profile::NotModified, page)
        } else {
            let found = catalog.response_before(&self.url, digest, at)?;
            (Profile::IdenticalPayload, found.filter(|found| self.is_same(found, head, body)))
        };
        let Some(original) = found else { return Ok(None) };
        // Whoever reads the revisit must come to just this one.
        let name = Original { url: original.capture.url.clone(), at: original.capture.at };
        let named = read::named(self.archive, &name, original.capture.digest.as_deref())?;
        Ok(named.filter(|named| named.id == original.id).map(|original| (profile, original)))
    }

    /// The answer that has the body of a page.
    fn whole(&self, page: StoredCapture) -> Result<Option<StoredCapture>, Error> {
        let is_fit = |original: &StoredCapture| {
            original.capture.kind == CaptureKind::Response && original.capture.at < self.capture.at
        };
        let found = if page.capture.kind == CaptureKind::Revisit { self.archive.original(&page) } else { Ok(page) };
        match found {
            Err(Error::NoOriginal { .. }) => Ok(None),
            found => found.map(|original| Some(original).filter(is_fit)),
        }
    }

    /// Has an answer this body, coded in the same way? One that cannot be read has not: then it is better to have
    /// the body again.
    fn is_same(&self, original: &StoredCapture, head: &Head, body: &[&[u8]; 2]) -> bool {
        let length = body[0].len() + body[1].len();
        if length == 0 || length as u64 > MOST_COMPARED || original.capture.payload_length != Some(length as u64) {
            return false;
        }
        let Ok(found) = self.archive.record(original, length + read::MOST_HEAD) else { return false };
        let Ok((own, bytes)) = Head::parse(&found.block) else { return false };
        let has_codings = |name| own.list(name).eq(head.list(name));
        let is_body = bytes.len() == length && bytes.starts_with(body[0]) && bytes.ends_with(body[1]);
        !found.is_cut && is_body && ["Transfer-Encoding", "Content-Encoding"].into_iter().all(has_codings)
    }

    fn metadata(&self, parcel: &mut Parcel, id: &str, via: Option<&str>, hops: &str) -> Result<(), Error> {
        let own = &self.capture.metadata;
        let is_named = |name: &str| own.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        let via = via.map(|via| [("via", via), ("hopsFromSeed", hops)]).into_iter().flatten();
        let lines = own.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let block = fields(lines.chain(via.filter(|(name, _)| !is_named(name))))?;
        if !block.is_empty() {
            let record = self
                .record(Kind::Metadata)?
                .with("WARC-Concurrent-To", id)?
                .with("Content-Type", "application/warc-fields")?;
            add(parcel, &record.whole(&block, &[]))?;
        }
        Ok(())
    }
}

/// What is known of the wire.
fn wired(mut record: NewRecord, exchange: &Exchange) -> Result<NewRecord, Unwritable> {
    if let Some(ip) = exchange.ip {
        record = record.with("WARC-IP-Address", &ip.to_string())?;
    }
    for protocol in &exchange.protocols {
        record = record.with("WARC-Protocol", protocol)?;
    }
    if let Some(cipher) = &exchange.cipher {
        record = record.with("WARC-Cipher-Suite", cipher)?;
    }
    match exchange.credentials.said() {
        Some(said) => record.with(CREDENTIALS, said),
        None => Ok(record),
    }
}

/// What a revisit says of its original.
fn referring(record: NewRecord, profile: Profile, original: &StoredCapture) -> Result<NewRecord, Unwritable> {
    let NewCapture { url, at, record_id, .. } = &original.capture;
    let record = record
        .with("WARC-Profile", profile.uri())?
        .with("WARC-Refers-To-Target-URI", url)?
        .with("WARC-Refers-To-Date", &at.to_string())?;
    match record_id {
        Some(id) => record.with("WARC-Refers-To", &format!("<{id}>")),
        None => Ok(record),
    }
}

fn digest(parts: &[&[u8]]) -> String {
    let mut digester = Digester::new(Algorithm::Sha1);
    parts.iter().for_each(|part| digester.update(part));
    digester.finish().to_string()
}

fn add(parcel: &mut Parcel, record: &Whole) -> Result<Extent, Error> {
    parcel.add(&mut record.reader()).map_err(|error| Error::Pack { source: Arc::new(error) })
}

/// Adds a record, and says what the catalog will say of it.
fn add_capture(parcel: &mut Parcel, record: &Whole) -> Result<NewCapture, Error> {
    let extent = add(parcel, record)?;
    let mut reader = Reader::new(BufReader::new(record.reader()));
    let read = reader.next().and_then(Result::ok).expect("what was just written is a record");
    let described = describe(&mut reader, &read).expect("memory can be read");
    let capture = described.capture.expect("it has an address and a date");
    Ok(NewCapture { offset: extent.offset, length: extent.length, ..capture })
}
