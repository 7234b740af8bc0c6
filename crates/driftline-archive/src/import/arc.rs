//! How does a record of ARC become one of WARC? Its block as it is, under a head that says the same.

use std::io::{BufReader, Read, Seek, SeekFrom};

use tempfile::SpooledTempFile;

use super::batch::{Bytes, Held};
use super::made::{id, spool};
use super::summary::Reason;
use crate::Time;
use crate::archive::describe;
use crate::stated::Mismatches;
use crate::warc::write::{NewRecord, target_uri};
use crate::warc::{Kind, Reader, Record};
use driftline_catalog::digest::{Algorithm, Digester};

/// Why a record could not be converted.
type Fault = (Reason, String);

/// Converts a record whose block is this.
pub(super) fn convert(record: &Record, mut block: SpooledTempFile, length: u64) -> Result<Held, Fault> {
    let failed = |error: &dyn std::fmt::Display| (Reason::Unreadable, error.to_string());
    let at: Time = record.date.as_deref().and_then(|date| date.parse().ok()).ok_or_else(|| no(Reason::NoTime))?;
    let url = target_uri(record.target_uri.as_deref().ok_or_else(|| no(Reason::NoAddress))?);
    let mut start = [0; 5];
    let rewound = |bytes: &mut SpooledTempFile| bytes.seek(SeekFrom::Start(0)).map_err(|error| failed(&error));
    rewound(&mut block)?;
    let is_http = record.is_http() && block.read_exact(&mut start).is_ok() && &start == b"HTTP/";
    let (kind, content_type) = match (record.kind, is_http) {
        (Kind::ArcHeader, _) => (Kind::Metadata, "text/plain"),
        (_, true) => (Kind::Response, "application/http; msgtype=response"),
        (_, false) => (
            Kind::Resource,
            record.headers.get("Content-type").filter(|own| own.contains('/')).unwrap_or("application/octet-stream"),
        ),
    };
    // By what it holds and not by its place: the same record may come again from a file that is packed otherwise.
    let mut digester = Digester::new(Algorithm::Sha1);
    rewound(&mut block)?;
    std::io::copy(&mut block, &mut digester).map_err(|error| failed(&error))?;
    let name = id(&["arc", &url, &at.to_string(), &length.to_string(), &digester.finish().to_string()]);
    let head = || {
        let head =
            NewRecord::named(kind, at, name).with("WARC-Target-URI", &url)?.with("Content-Type", content_type)?;
        match record.ip().filter(|ip| ip.parse::<std::net::IpAddr>().is_ok_and(|ip| !ip.is_unspecified())) {
            Some(ip) => head.with("WARC-IP-Address", ip),
            None => Ok(head),
        }
    };
    let head = head().map_err(|error: crate::warc::write::Unwritable| (Reason::Malformed, error.to_string()))?;
    rewound(&mut block)?;
    let capture = if kind == Kind::Metadata {
        None
    } else {
        let text = head.head(length);
        let mut reader = Reader::new(BufReader::new(text.as_bytes().chain(&mut block)));
        let read = reader.next().and_then(Result::ok).ok_or_else(|| no(Reason::Malformed))?;
        describe(&mut reader, &read).map_err(|error| failed(&error))?.capture
    };
    let digest = capture.as_ref().and_then(|capture| capture.digest.clone());
    let head = match &digest {
        Some(digest) => head.with("WARC-Payload-Digest", digest).map_err(|error| failed(&error))?,
        None => head,
    };
    rewound(&mut block)?;
    let (bytes, length) = spool(&mut head.head(length).as_bytes().chain(block)).map_err(|error| failed(&error))?;
    Ok(Held {
        bytes: Bytes::Made(bytes, length),
        capture,
        about: None,
        url: Some(url),
        mismatches: Mismatches::default(),
        note: None,
    })
}

/// What a record lacks.
pub(super) fn no(reason: Reason) -> Fault {
    let detail = match reason {
        Reason::NoTime => "the record has no date that can be read",
        Reason::NoAddress => "the record has no address",
        _ => "the record cannot be read",
    };
    (reason, detail.to_owned())
}
