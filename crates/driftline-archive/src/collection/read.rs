//! What did a page say? The record of a capture, read and decoded; of a revisit, its original's.

use super::Collection;
use super::entries::{Entry, Kind, digest_hash};
use crate::Time;
use crate::http::{self, NotHttp};
use crate::warc::{self, Headers};
use driftline_catalog::seconds::second;
use driftline_catalog::surt;

/// What a capture holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The address that it is a capture of.
    pub url: String,
    /// When it was captured.
    pub at: Time,
    /// What the server answered; none if it came without HTTP.
    pub status: Option<u16>,
    /// What it is, by the server's word.
    pub content_type: Option<String>,
    /// The body, decoded.
    pub body: Vec<u8>,
    /// Is the body longer than that, or was the record cut?
    pub is_cut: bool,
}

/// Why a capture cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read there.
    #[error("cannot read the capture at byte {offset} of `{file}`: {reason}")]
    Record {
        /// The file.
        file: String,
        /// Where the record should be.
        offset: u64,
        /// What is wrong.
        reason: warc::Error,
    },
    /// There is no record at the place that the index says, or one of something else.
    #[error(
        "at byte {offset} of `{file}` there is no capture of `{url}`\nhint: the index beside it is not its own; without the index, the file is read through"
    )]
    Elsewhere {
        /// The file.
        file: String,
        /// Where the record should be.
        offset: u64,
        /// What should be there.
        url: String,
    },
    /// The record needs a dictionary that stands at the beginning of the file.
    #[error(
        "cannot read the capture at byte {offset} of `{file}`: its records are packed with a dictionary\nhint: without the index beside it, the file is unpacked and read through"
    )]
    Dictionary {
        /// The file.
        file: String,
        /// Where the record is.
        offset: u64,
    },
    /// It is no answer of a server.
    #[error("the capture of `{url}` of {} cannot be read: {reason}", .at.digits())]
    Http {
        /// The address.
        url: String,
        /// When it was captured.
        at: Time,
        /// What is wrong.
        reason: NotHttp,
    },
    /// The original of a revisit is in none of the files.
    #[error("the capture of `{url}` of {} only says that nothing had changed, and the one before it is in none of the files", .at.digits())]
    NoOriginal {
        /// The address.
        url: String,
        /// When it was captured.
        at: Time,
    },
}

/// A record as it stands there.
struct Raw {
    headers: Headers,
    kind: warc::Kind,
    body: warc::Body,
}

impl Collection {
    /// Reads what a capture holds, with `limit` bytes of the body at most.
    ///
    /// # Errors
    /// If the file cannot be read, or the original of a revisit is not there.
    pub fn read(&self, entry: &Entry, limit: usize) -> Result<Document, ReadError> {
        let raw = self.raw(entry, limit)?;
        if raw.kind != warc::Kind::Revisit {
            return self.document(entry, raw, limit);
        }
        let original = self
            .original(entry, &raw)
            .ok_or_else(|| ReadError::NoOriginal { url: self.url(entry).to_owned(), at: entry.at })?;
        let document = self.document(original, self.raw(original, limit)?, limit)?;
        Ok(Document { url: self.url(entry).to_owned(), at: entry.at, ..document })
    }

    fn raw(&self, entry: &Entry, limit: usize) -> Result<Raw, ReadError> {
        let failed =
            |reason| ReadError::Record { file: self.file(entry).display().to_string(), offset: entry.offset, reason };
        let elsewhere = || ReadError::Elsewhere {
            file: self.file(entry).display().to_string(),
            offset: entry.offset,
            url: self.url(entry).to_owned(),
        };
        let opened = self.files.open_at(entry.file, entry.offset);
        let mut reader = opened.map_err(|source| failed(warc::Error::Io { offset: entry.offset, source }))?;
        let record = reader.next().ok_or_else(elsewhere)?.map_err(|reason| {
            // An index was believed, so nobody has looked at the file before.
            if self.files.is_sought(entry.file) {
                return failed(reason);
            }
            ReadError::Dictionary { file: self.file(entry).display().to_string(), offset: entry.offset }
        })?;
        let is_own = record.target_uri.as_deref().is_some_and(|url| surt::key(url) == surt::key(self.url(entry)));
        if !is_own || record.place.offset != entry.offset {
            return Err(elsewhere());
        }
        // The head of the answer is a part of the body here; what is too much is cut later.
        let body = reader.body(limit.saturating_add(ROOM_FOR_HEAD)).map_err(failed)?;
        Ok(Raw { headers: record.headers, kind: record.kind, body })
    }

    fn document(&self, entry: &Entry, raw: Raw, limit: usize) -> Result<Document, ReadError> {
        let (url, at) = (self.url(entry).to_owned(), entry.at);
        let is_http =
            raw.kind == warc::Kind::Response && url.get(..4).is_some_and(|own| own.eq_ignore_ascii_case("http"));
        if !is_http {
            let content_type = raw.headers.get("Content-Type").map(str::to_owned);
            let (mut body, mut is_cut) = (raw.body.bytes, raw.body.is_cut);
            is_cut |= body.len() > limit;
            body.truncate(limit);
            return Ok(Document { url, at, status: None, content_type, body, is_cut });
        }
        let response = http::Response::parse(&raw.body.bytes, limit);
        let response = response.map_err(|reason| ReadError::Http { url: url.clone(), at, reason })?;
        Ok(Document {
            url,
            at,
            status: Some(response.head.status),
            content_type: response.head.content_type().map(str::to_owned),
            body: response.body,
            is_cut: response.is_cut || raw.body.is_cut,
        })
    }

    /// The capture that has the body of a revisit, by the rule of [`Archive::original`](crate::Archive::original): the
    /// one that it names, if that has its digest; or else one of the named address, or of its own, with its digest, the
    /// nearest in time.
    fn original(&self, entry: &Entry, raw: &Raw) -> Option<&Entry> {
        let own = self.url(entry);
        let named = raw.headers.get("WARC-Refers-To-Target-URI").unwrap_or(own);
        let time = raw.headers.get("WARC-Refers-To-Date").and_then(|date| date.parse::<Time>().ok());
        let digest = raw.headers.get("WARC-Payload-Digest").map_or(entry.digest, digest_hash);
        let of_url = |url| self.captures_of(url).iter().filter(|other| other.kind != Kind::Revisit);
        let by_name = time.and_then(|time| {
            let same = |other: &&Entry| digest == 0 || other.digest == 0 || other.digest == digest;
            let captures = of_url(named).filter(|other| second(other.at) == second(time)).filter(same);
            captures.min_by_key(|other| (self.url(other) != named, other.at.distance(time)))
        });
        let by_digest = |url, at: Time| {
            let same = of_url(url).filter(|other| digest != 0 && other.digest == digest);
            same.min_by_key(|other| (self.url(other) != url, other.at.distance(at), other.at))
        };
        let by_name = by_name.or_else(|| by_digest(named, time.unwrap_or(entry.at)));
        by_name.or_else(|| by_digest(own, entry.at))
    }
}

/// How many bytes the head of an answer may have beside the body.
const ROOM_FOR_HEAD: usize = 1 << 20;
