//! The records of an archive that are about pages: responses, resources, revisits, and the metadata of WAT.

use std::io::{self, Read};
use std::path::Path;

use driftline::novelty::answer::is_read;
use driftline::novelty::crawl::SkipReason;

use super::answer::{self, Answer};
use super::body::Parser;
use super::originals::Originals;
use super::{Extracted, LinkedPage, LinksError, skip_reason, wat};
use crate::Time;
use crate::cdxj::time_of;
use crate::collection::Source;
use crate::http::{Head, Response};
use crate::warc::{self, Kind, Reader, Record};

/// The most bytes that are read to see what an answer is.
const HEAD: usize = 64 << 10;

/// The most bytes of an answer, as it was sent; of a longer one the beginning counts.
const MOST: usize = 8 << 20;

/// Passes on what an archive holds, in its order.
pub(super) fn read<E: From<LinksError>>(
    source: &Source,
    advance: &dyn Fn(u64),
    take: &mut dyn FnMut(Extracted) -> Result<(), E>,
) -> Result<(), E> {
    let path = source.path();
    let input = source.open().map_err(|source| LinksError::Open { path: path.to_owned(), source })?;
    let mut reading = Reading {
        reader: Reader::new(Counting { input, advance }),
        originals: Originals::new(source),
        parser: Parser::default(),
        is_torn: false,
    };
    while let Some(next) = reading.reader.next() {
        let found = match next {
            Ok(record) => {
                reading.is_torn = false;
                reading.found(&record)
            }
            Err(error) => {
                reading.is_torn = is_early_end(&error);
                Some(Extracted::Skipped(skip_reason_of(error, path)?))
            }
        };
        // That a file is torn is reported once, at its end.
        if let Some(found) = found.filter(|found| *found != Extracted::Skipped(skip_reason::TORN)) {
            take(found)?;
        }
    }
    if reading.is_torn { take(Extracted::Skipped(skip_reason::TORN)) } else { Ok(()) }
}

/// Why a record is skipped; an error if the disk is to blame and not the file.
fn skip_reason_of(error: warc::Error, path: &Path) -> Result<SkipReason, LinksError> {
    match error {
        warc::Error::NotWarc { .. } => Ok(skip_reason::NOT_WARC),
        warc::Error::Malformed { .. } => Ok(skip_reason::MALFORMED),
        ref early if is_early_end(early) => Ok(skip_reason::TORN),
        warc::Error::Io { ref source, .. }
            if !matches!(source.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) =>
        {
            Err(LinksError::Read { path: path.to_owned(), source: error })
        }
        _ => Ok(skip_reason::DAMAGED),
    }
}

/// Is there no more of the file, although there should be?
fn is_early_end(error: &warc::Error) -> bool {
    match error {
        warc::Error::Truncated { .. } => true,
        warc::Error::Damaged { source, .. } | warc::Error::Io { source, .. } => {
            source.kind() == io::ErrorKind::UnexpectedEof
        }
        _ => false,
    }
}

struct Reading<'a> {
    reader: Reader<Counting<'a>>,
    originals: Originals<'a>,
    parser: Parser,
    /// Whether the file ended in the record that was read last.
    is_torn: bool,
}

impl Reading<'_> {
    /// What a record says; none if it is about no page.
    fn found(&mut self, record: &Record) -> Option<Extracted> {
        let url = record.target_uri.as_deref().filter(|url| is_web(url))?;
        match record.kind {
            Kind::Response => Some(self.answer(url, record)),
            Kind::Resource => self.file(url, record),
            Kind::Revisit => Some(self.revisit(url, record)),
            Kind::Metadata if wat::is_meant(record) => self.metadata(),
            Kind::Conversion => Some(Extracted::Skipped(skip_reason::CONVERTED)),
            Kind::Continuation => Some(Extracted::Skipped(skip_reason::IN_PIECES)),
            _ => None,
        }
    }

    /// The beginning of the body, and then the rest of it if it is a page.
    fn bytes(&mut self, room: usize, mut bytes: Vec<u8>) -> Result<(Vec<u8>, bool), SkipReason> {
        let more = match self.reader.body(room) {
            Ok(more) => more,
            Err(error) if is_early_end(&error) => {
                self.is_torn = true;
                // What is there of it was read before.
                return if bytes.is_empty() { Err(skip_reason::TORN) } else { Ok((bytes, true)) };
            }
            Err(_) => return Err(skip_reason::DAMAGED),
        };
        if bytes.is_empty() {
            bytes = more.bytes;
        } else {
            bytes.extend_from_slice(&more.bytes);
        }
        Ok((bytes, more.is_cut))
    }

    fn answer(&mut self, url: &str, record: &Record) -> Extracted {
        self.try_answer(url, record).unwrap_or_else(Extracted::Skipped)
    }

    fn try_answer(&mut self, url: &str, record: &Record) -> Result<Extracted, SkipReason> {
        let (start, _) = self.bytes(HEAD, Vec::new())?;
        let (head, _) = Head::parse(&start).map_err(|_| skip_reason::NOT_HTTP)?;
        let times = PageTimes::of(record, &head);
        match answer::classify(url, head.status, |name| head.headers.get(name)) {
            Answer::Page => {
                let (bytes, is_cut) = self.bytes(MOST, start)?;
                self.originals.remember(record);
                let response = Response::parse(&bytes, MOST).map_err(|_| skip_reason::NOT_HTTP)?;
                self.parser.page(url, &times, &response, is_cut || response.is_cut)
            }
            Answer::Unchanged => Ok(times.without_body(url)),
            Answer::Redirect(to) => Ok(Extracted::Redirect { from: url.to_owned(), to }),
            Answer::Skipped(reason) => Err(reason),
        }
    }

    /// A file without the protocol that brought it: what wget and browsers leave.
    fn file(&mut self, url: &str, record: &Record) -> Option<Extracted> {
        let content_type = record.content_type()?;
        if !is_read(url, Some(content_type)) {
            return None;
        }
        let times = PageTimes { fetched: time_of(record), last_modified: None };
        let found = self
            .bytes(MOST, Vec::new())
            .and_then(|(bytes, is_cut)| self.parser.text(url, &times, (&bytes, Some(content_type)), is_cut));
        Some(found.unwrap_or_else(Extracted::Skipped))
    }

    /// A page that was as it had been. What it had been may stand in this file.
    fn revisit(&mut self, url: &str, record: &Record) -> Extracted {
        let start = self.bytes(HEAD, Vec::new()).map(|(bytes, _)| bytes).unwrap_or_default();
        let head = Head::parse(&start).ok().map(|(head, _)| head);
        let times = head
            .as_ref()
            .map_or(PageTimes { fetched: time_of(record), last_modified: None }, |head| PageTimes::of(record, head));
        if let Some(head) = &head {
            match answer::classify(url, head.status, |name| head.headers.get(name)) {
                Answer::Redirect(to) => return Extracted::Redirect { from: url.to_owned(), to },
                Answer::Skipped(reason) => return Extracted::Skipped(reason),
                Answer::Page | Answer::Unchanged => {}
            }
        }
        let Some((original, is_cut)) = self.originals.find(record, HEAD + MOST) else { return times.without_body(url) };
        let response = Response::parse(&original, MOST).map_err(|_| skip_reason::NOT_HTTP);
        let page = response.and_then(|response| {
            let is_cut = is_cut || response.is_cut;
            self.parser.page(url, &times.or(&response.head), &response, is_cut)
        });
        page.unwrap_or_else(|_| times.without_body(url))
    }

    fn metadata(&mut self) -> Option<Extracted> {
        match self.bytes(HEAD + MOST, Vec::new()) {
            Ok((_, true)) => Some(Extracted::Skipped(skip_reason::LONG_METADATA)),
            Ok((bytes, false)) => wat::found(&bytes),
            Err(reason) => Some(Extracted::Skipped(reason)),
        }
    }
}

/// The times of a page: when it was fetched, and its `Last-Modified`.
pub(super) struct PageTimes {
    pub(super) fetched: Option<Time>,
    pub(super) last_modified: Option<Time>,
}

impl PageTimes {
    fn of(record: &Record, head: &Head) -> Self {
        Self { fetched: time_of(record), last_modified: answer::last_modified(head.headers.get("Last-Modified")) }
    }

    /// With what the answer said that a revisit refers to.
    fn or(&self, original: &Head) -> Self {
        let said = || answer::last_modified(original.headers.get("Last-Modified"));
        Self { fetched: self.fetched, last_modified: self.last_modified.or_else(said) }
    }

    /// A page that was crawled, and no more is known.
    pub(super) fn without_body(&self, url: &str) -> Extracted {
        Extracted::Page(Box::new(LinkedPage {
            url: url.to_owned(),
            fetched: self.fetched,
            last_modified: self.last_modified,
            sketch: None,
            links: Vec::new(),
            lacks: Some(skip_reason::NO_ORIGINAL),
        }))
    }
}

pub(super) fn is_web(url: &str) -> bool {
    let begins = |scheme: &str| url.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    begins("http://") || begins("https://")
}

/// A reader that reports how many bytes were read.
struct Counting<'a> {
    input: Box<dyn Read + Send>,
    advance: &'a dyn Fn(u64),
}

impl Read for Counting<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(to)?;
        (self.advance)(count as u64);
        Ok(count)
    }
}
