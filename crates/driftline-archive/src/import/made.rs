//! How does a version become records? A `resource` with what the page said, and a `metadata` with the text of it,
//! where the monitor kept both. (A `conversion` would be one more capture of the page, and a false version.)
//!
//! The id of a record is made of what it says, so that the same version is the same record whenever it is imported.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use sha1::{Digest as _, Sha1};
use tempfile::SpooledTempFile;
use uuid::Uuid;

use super::batch::{Bytes, Held, MOST_HELD};
use super::kept::Version;
use super::summary::{Reason, Skip};
use crate::archive::describe;
use crate::stated::Mismatches;
use crate::warc::write::{NewRecord, Unwritable, target_uri};
use crate::warc::{Kind, Reader};
use driftline_catalog::digest::Digest;

/// The records of a version.
pub(super) fn records(version: &Version, file: &str) -> Result<Vec<Held>, Skip> {
    let failed = |error: &dyn std::fmt::Display| Skip::new(file, Reason::Malformed, error.to_string());
    let (record, held) = resource(version).map_err(|error| failed(&error))?;
    let mut all = vec![held.map_err(|error| failed(&error))?];
    if let Some(text) = &version.text {
        let made = text_of(version, text, &record).map_err(|error| failed(&error))?;
        all.push(made.map_err(|error| failed(&error))?);
    }
    Ok(all)
}

fn resource(version: &Version) -> Result<(NewRecord, io::Result<Held>), Unwritable> {
    let digest = Digest::sha1(&version.body).to_string();
    let record = named(Kind::Resource, version, &digest)?.with("Content-Type", &version.content_type)?;
    let held = spool(&mut record.whole(&version.body, &[]).reader()).and_then(|(bytes, length)| held(bytes, length));
    Ok((record, held))
}

fn text_of(version: &Version, text: &[u8], of: &NewRecord) -> Result<io::Result<Held>, Unwritable> {
    let digest = Digest::sha1(text).to_string();
    let record = named(Kind::Metadata, version, &digest)?
        .with("WARC-Concurrent-To", of.id())?
        .with("Content-Type", "text/plain; charset=utf-8")?;
    let about = of.id().trim_matches(['<', '>']).to_owned();
    let spooled = spool(&mut record.whole(text, &[]).reader());
    Ok(spooled.map(|(bytes, length)| Held {
        bytes: Bytes::Made(bytes, length - NewRecord::END.len() as u64),
        capture: None,
        about: Some(about),
        url: None,
        mismatches: Mismatches::default(),
        note: None,
    }))
}

fn named(kind: Kind, version: &Version, digest: &str) -> Result<NewRecord, Unwritable> {
    let url = target_uri(&version.url);
    let id = id(&[&format!("{kind:?}"), &url, &version.at.to_string(), digest]);
    NewRecord::named(kind, version.at, id).with("WARC-Target-URI", &url)?.with("WARC-Payload-Digest", digest)
}

/// An id that is made of these parts.
pub(super) fn id(parts: &[&str]) -> Uuid {
    let mut sha1 = Sha1::new();
    parts.iter().for_each(|part| {
        sha1.update((part.len() as u64).to_le_bytes());
        sha1.update(part);
    });
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&sha1.finalize()[..16]);
    uuid::Builder::from_sha1_bytes(bytes).into_uuid()
}

/// Bytes, in memory or, if there are many, in a temporary file.
pub(super) fn spool(input: &mut impl Read) -> io::Result<(SpooledTempFile, u64)> {
    let mut bytes = SpooledTempFile::new(MOST_HELD);
    let length = io::copy(input, &mut bytes)?;
    bytes.flush()?;
    Ok((bytes, length))
}

/// A whole record, with the empty lines behind it, as it is held.
fn held(mut bytes: SpooledTempFile, length: u64) -> io::Result<Held> {
    bytes.seek(SeekFrom::Start(0))?;
    let mut reader = Reader::new(BufReader::new(&mut bytes));
    let record = reader.next().and_then(Result::ok).ok_or(io::ErrorKind::InvalidData)?;
    let capture = describe(&mut reader, &record)?.capture;
    drop(reader);
    let url = record.target_uri;
    let bytes = Bytes::Made(bytes, length - NewRecord::END.len() as u64);
    Ok(Held { bytes, capture, about: None, url, mismatches: Mismatches::default(), note: None })
}
