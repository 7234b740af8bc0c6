//! Which records of an archive say something of pages? Answers of servers, files, revisits, and the metadata of WAT.

use std::io::{self, Read};

use anyhow::{Result, bail};
use driftline::novelty::answer::is_read;
use driftline::time::Time;
use driftline_archive::cdxj::time_of;
use driftline_archive::collection::Source;
use driftline_archive::http::{Head, Response};
use driftline_archive::warc::{self, Kind, Reader, Record};

use super::answer::{self, Answer};
use super::body::Parser;
use super::originals::Originals;
use super::{Captured, Found, reason, wat};

/// As much is read to see what an answer is.
const HEAD: usize = 64 << 10;

/// An answer is at most so long, as it was sent; of a longer one the beginning counts.
const MOST: usize = 8 << 20;

/// Passes on what an archive holds, in its order.
pub(super) fn read(source: &Source, advance: &dyn Fn(u64), take: &mut dyn FnMut(Found) -> Result<()>) -> Result<()> {
    let input = match source.open() {
        Ok(input) => Heard { input, advance },
        Err(error) => bail!("cannot open `{}`: {error}", source.path().display()),
    };
    let mut reading = Reading {
        reader: Reader::new(input),
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
                Some(Found::Skipped(passed_over(&error, source)?))
            }
        };
        // That a file is torn is told once, at its end.
        if let Some(found) = found.filter(|found| *found != Found::Skipped(reason::TORN)) {
            take(found)?;
        }
    }
    if reading.is_torn { take(Found::Skipped(reason::TORN)) } else { Ok(()) }
}

/// Why a record is passed over; an error if the disk is to blame and not the file.
fn passed_over(error: &warc::Error, source: &Source) -> Result<&'static str> {
    match error {
        warc::Error::NotWarc { .. } => Ok(reason::NOT_WARC),
        warc::Error::Malformed { .. } => Ok(reason::MALFORMED),
        error if is_early_end(error) => Ok(reason::TORN),
        warc::Error::Io { source: reason, .. }
            if !matches!(reason.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) =>
        {
            bail!("cannot read on in `{}`: {error}", source.path().display())
        }
        _ => Ok(reason::DAMAGED),
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
    reader: Reader<Heard<'a>>,
    originals: Originals<'a>,
    parser: Parser,
    /// Whether the file ended in the record that was read last.
    is_torn: bool,
}

impl Reading<'_> {
    /// What a record says; none if it is about no page.
    fn found(&mut self, record: &Record) -> Option<Found> {
        let url = record.target_uri.as_deref().filter(|url| is_web(url))?;
        match record.kind {
            Kind::Response => Some(self.answer(url, record)),
            Kind::Resource => self.file(url, record),
            Kind::Revisit => Some(self.revisit(url, record)),
            Kind::Metadata if wat::is_meant(record) => self.metadata(),
            Kind::Conversion => Some(Found::Skipped(reason::CONVERTED)),
            Kind::Continuation => Some(Found::Skipped(reason::IN_PIECES)),
            _ => None,
        }
    }

    /// The beginning of the body, and then the rest of it if it is a page.
    fn bytes(&mut self, room: usize, mut bytes: Vec<u8>) -> Result<(Vec<u8>, bool), &'static str> {
        let more = match self.reader.body(room) {
            Ok(more) => more,
            Err(error) if is_early_end(&error) => {
                self.is_torn = true;
                // What is there of it was read before.
                return if bytes.is_empty() { Err(reason::TORN) } else { Ok((bytes, true)) };
            }
            Err(_) => return Err(reason::DAMAGED),
        };
        if bytes.is_empty() {
            bytes = more.bytes;
        } else {
            bytes.extend_from_slice(&more.bytes);
        }
        Ok((bytes, more.is_cut))
    }

    fn answer(&mut self, url: &str, record: &Record) -> Found {
        self.try_answer(url, record).unwrap_or_else(Found::Skipped)
    }

    fn try_answer(&mut self, url: &str, record: &Record) -> Result<Found, &'static str> {
        let (start, _) = self.bytes(HEAD, Vec::new())?;
        let (head, _) = Head::parse(&start).map_err(|_| reason::NOT_HTTP)?;
        let about = About::of(record, &head);
        match answer::judge(url, head.status, |name| head.headers.get(name)) {
            Answer::Page => {
                let (bytes, is_cut) = self.bytes(MOST, start)?;
                self.originals.remember(record);
                let response = Response::parse(&bytes, MOST).map_err(|_| reason::NOT_HTTP)?;
                self.parser.page(url, &about, &response, is_cut || response.is_cut)
            }
            Answer::Unchanged => Ok(about.without_body(url)),
            Answer::Redirect(to) => Ok(Found::Redirect { from: url.to_owned(), to }),
            Answer::None(reason) => Err(reason),
        }
    }

    /// A file without the protocol that brought it: what wget and browsers leave.
    fn file(&mut self, url: &str, record: &Record) -> Option<Found> {
        let content_type = record.content_type()?;
        if !is_read(url, Some(content_type)) {
            return None;
        }
        let about = About { fetched: time_of(record), last_modified: None };
        let found = self
            .bytes(MOST, Vec::new())
            .and_then(|(bytes, is_cut)| self.parser.text(url, &about, (&bytes, Some(content_type)), is_cut));
        Some(found.unwrap_or_else(Found::Skipped))
    }

    /// A page that was as it had been. What it had been may stand in this file.
    fn revisit(&mut self, url: &str, record: &Record) -> Found {
        let start = self.bytes(HEAD, Vec::new()).map(|(bytes, _)| bytes).unwrap_or_default();
        let head = Head::parse(&start).ok().map(|(head, _)| head);
        let about = head
            .as_ref()
            .map_or(About { fetched: time_of(record), last_modified: None }, |head| About::of(record, head));
        if let Some(head) = &head {
            match answer::judge(url, head.status, |name| head.headers.get(name)) {
                Answer::Redirect(to) => return Found::Redirect { from: url.to_owned(), to },
                Answer::None(reason) => return Found::Skipped(reason),
                Answer::Page | Answer::Unchanged => {}
            }
        }
        let Some((original, is_cut)) = self.originals.find(record, HEAD + MOST) else { return about.without_body(url) };
        let response = Response::parse(&original, MOST).map_err(|_| reason::NOT_HTTP);
        let page = response.and_then(|response| {
            let is_cut = is_cut || response.is_cut;
            self.parser.page(url, &about.or(&response.head), &response, is_cut)
        });
        page.unwrap_or_else(|_| about.without_body(url))
    }

    fn metadata(&mut self) -> Option<Found> {
        match self.bytes(HEAD + MOST, Vec::new()) {
            Ok((_, true)) => Some(Found::Skipped(reason::LONG_METADATA)),
            Ok((bytes, false)) => wat::found(&bytes),
            Err(reason) => Some(Found::Skipped(reason)),
        }
    }
}

/// What is known of a page beside its body.
pub(super) struct About {
    pub(super) fetched: Option<Time>,
    pub(super) last_modified: Option<Time>,
}

impl About {
    fn of(record: &Record, head: &Head) -> Self {
        Self { fetched: time_of(record), last_modified: answer::last_modified(head.headers.get("Last-Modified")) }
    }

    /// With what the answer said that a revisit refers to.
    fn or(&self, original: &Head) -> Self {
        let said = || answer::last_modified(original.headers.get("Last-Modified"));
        Self { fetched: self.fetched, last_modified: self.last_modified.or_else(said) }
    }

    /// A page that was crawled, and no more is known.
    pub(super) fn without_body(&self, url: &str) -> Found {
        Found::Page(Captured {
            url: url.to_owned(),
            fetched: self.fetched,
            last_modified: self.last_modified,
            sketch: None,
            links: Vec::new(),
            lacks: Some(reason::NO_ORIGINAL),
        })
    }
}

pub(super) fn is_web(url: &str) -> bool {
    let begins = |scheme: &str| url.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
    begins("http://") || begins("https://")
}

/// Bytes, of which is told how many were read.
struct Heard<'a> {
    input: Box<dyn Read + Send>,
    advance: &'a dyn Fn(u64),
}

impl Read for Heard<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(to)?;
        (self.advance)(count as u64);
        Ok(count)
    }
}
