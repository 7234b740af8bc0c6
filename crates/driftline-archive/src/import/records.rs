//! How do records of WARC and ARC files come in? As they are: their members if each has its own, else packed anew.
//!
//! A record is read once, in little memory, to say what the catalog will say of it. If it stands alone in a gzip
//! member, or is not packed at all, its bytes are then copied from the file. If not, they are held on the way. What
//! is wrong with a record is told behind it, so a record is only taken when the next one has been looked for.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use super::arc::{convert, no};
use super::batch::{Batch, Bytes, Held};
use super::made::spool;
use super::source::Source;
use super::summary::{Reason, Skip, Summary};
use super::{Error, Run};
use crate::archive::{Described, describe_and_check};
use crate::stated::Mismatches;
use crate::stated::noted::note;
use crate::warc::{self, Format, Kind, Packing, Place, Reader, Record, write};
use driftline_catalog::Origin;

type Fault = (Reason, String);

/// Reads all records of a source that are not in the archive yet.
pub(super) fn read(run: &Run<'_>, source: &Source) -> Result<Summary, Error> {
    let failed = |error| Error::read(&source.path, error);
    let Some(start) = run.begin(&source.progress(source.start(), false).map_err(failed)?)? else {
        run.advance(source.size());
        return Ok(Summary { unchanged: 1, ..Summary::default() });
    };
    let mut reading = Reading::new(run, source)?;
    let mut reader = Reader::from_offset(source.open(start).map_err(failed)?, start);
    let mut seen = source.start();
    let mut is_readable = true;
    while let Some(next) = reader.next() {
        match next {
            Ok(record) => {
                reading.settle();
                let offset = record.place.offset;
                run.advance(offset.saturating_sub(seen));
                seen = seen.max(offset);
                if reading.batch.is_full() {
                    let is_place =
                        record.place.within == 0 && matches!(reader.packing(), Packing::Gzip | Packing::Plain);
                    let progress = is_place.then(|| source.progress(offset, false)).transpose().map_err(failed)?;
                    reading.batch.flush(progress)?;
                }
                reading.take(&mut reader, &record);
            }
            Err(error) => {
                is_readable &= !matches!(error, warc::Error::Io { .. });
                reading.fault(&error);
            }
        }
    }
    reading.settle();
    run.advance((source.start() + source.size()).saturating_sub(seen));
    let progress = is_readable.then(|| source.progress(source.size(), true)).transpose().map_err(failed)?;
    reading.batch.finish(progress)
}

/// The reading of one source.
pub(super) struct Reading<'run> {
    source: &'run Source,
    pub(super) batch: Batch<'run>,
    packing: write::Packing,
    /// Does the last record share its member with others?
    is_shared: bool,
    /// The last record, until it is known that nothing is wrong with it.
    pending: Option<(Place, Held)>,
    /// The place of what was passed over last: two faults of one record are one.
    told: Option<u64>,
}

impl<'run> Reading<'run> {
    pub(super) fn new(run: &'run Run<'run>, source: &'run Source) -> Result<Self, Error> {
        let file = source.file().map_err(|error| Error::read(&source.path, error))?;
        let packing = run.archive.map_or_else(Default::default, crate::Archive::packing);
        Ok(Self { source, batch: Batch::new(run, file), packing, is_shared: false, pending: None, told: None })
    }

    /// Takes the last record, with which nothing is wrong.
    pub(super) fn settle(&mut self) {
        if let Some((place, mut held)) = self.pending.take() {
            if let Some(capture) = &mut held.capture {
                let (source, offset) = (self.source.name.clone(), place.offset);
                let (added, operator) = self.batch.by();
                capture.origin = Some(Origin { source, offset, added, operator: operator.to_owned() });
            }
            self.batch.push(held);
        }
    }

    /// Something is wrong, perhaps with the last record.
    pub(super) fn fault(&mut self, error: &warc::Error) {
        let (reason, offset) = reason(error);
        self.pending.take_if(|(place, _)| Some(place.offset) == offset);
        self.settle();
        self.skip(offset, reason, error.to_string());
    }

    /// Reads a record, and holds it until the next.
    pub(super) fn take<R: BufRead>(&mut self, reader: &mut Reader<R>, record: &Record) {
        self.is_shared = record.place.within > 0;
        match self.hold(reader, record) {
            Ok(held) => self.pending = Some((record.place, held)),
            Err((reason, detail)) => self.skip(Some(record.place.offset), reason, detail),
        }
    }

    fn skip(&mut self, offset: Option<u64>, reason: Reason, detail: String) {
        if offset.is_none() || self.told != offset {
            self.told = offset;
            self.batch.skip(Skip { offset, ..Skip::new(&self.source.name, reason, detail) });
        }
    }

    fn hold<R: BufRead>(&mut self, reader: &mut Reader<R>, record: &Record) -> Result<Held, Fault> {
        if record.format == Format::Arc {
            let (block, length) = spool(&mut reader.body_reader()).map_err(|error| torn(&error))?;
            return if length == record.length { convert(record, block, length) } else { Err(short()) };
        }
        let is_same = reader.packing() == Packing::Gzip && self.packing == write::Packing::Gzip;
        let can_copy = self.source.is_range() && !self.is_shared;
        if !can_copy || !is_same && reader.packing() != Packing::Plain {
            return copied(reader, record);
        }
        let described = describe_and_check(reader, record).map_err(|error| told(&error))?;
        let (packing, extent) = (reader.packing(), reader.finish());
        match extent {
            Some(extent) if packing == Packing::Plain => held(record, described, Bytes::Plain(extent)),
            Some(extent) if reader.is_alone() => held(record, described, Bytes::Packed(extent)),
            _ => self.again(record),
        }
    }

    /// Reads a record once more that turned out to share its member, or to stand in several.
    fn again(&self, record: &Record) -> Result<Held, Fault> {
        let input = self.source.open(record.place.offset).map_err(|error| torn(&error))?;
        let mut reader = Reader::from_offset(input, record.place.offset);
        let same = reader.next().and_then(Result::ok).filter(|same| same.place == record.place);
        let same = same.ok_or_else(|| no(Reason::Unreadable))?;
        copied(&mut reader, &same)
    }
}

/// A record that is held here.
fn copied<R: BufRead>(reader: &mut Reader<R>, record: &Record) -> Result<Held, Fault> {
    let head = reader.head_bytes().to_vec();
    let copied = spool(&mut head.as_slice().chain(reader.body_reader()));
    let (mut bytes, length) = copied.map_err(|error| torn(&error))?;
    bytes.seek(SeekFrom::Start(0)).map_err(|error| torn(&error))?;
    let mut copy = Reader::new(BufReader::new(&mut bytes));
    let again = copy.next().and_then(Result::ok).ok_or_else(|| no(Reason::Malformed))?;
    let described = describe_and_check(&mut copy, &again).map_err(|error| told(&error))?;
    drop(copy);
    held(record, described, Bytes::Made(bytes, length))
}

fn held(record: &Record, (described, mismatches): (Described, Mismatches), bytes: Bytes) -> Result<Held, Fault> {
    if !described.is_whole {
        return Err(short());
    }
    let is_capture = matches!(record.kind, Kind::Response | Kind::Revisit | Kind::Resource | Kind::Conversion);
    if is_capture && described.capture.is_none() {
        return Err(no(if record.target_uri.is_none() { Reason::NoAddress } else { Reason::NoTime }));
    }
    let relation = |name| record.headers.get(name).map(|id| id.trim_matches(['<', '>']).to_owned());
    let about = relation("WARC-Concurrent-To").or_else(|| relation("WARC-Refers-To")).filter(|_| !is_capture);
    let note = note(record, &mismatches);
    Ok(Held { bytes, capture: described.capture, about, url: record.target_uri.clone(), mismatches, note })
}

fn short() -> Fault {
    (Reason::Truncated, "the record has not as many bytes as it says".to_owned())
}

fn told(error: &warc::Error) -> Fault {
    (reason(error).0, error.to_string())
}

fn torn(error: &std::io::Error) -> Fault {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<warc::Error>());
    inner.map_or_else(|| (Reason::Unreadable, error.to_string()), told)
}

/// Why, and where.
fn reason(error: &warc::Error) -> (Reason, Option<u64>) {
    match error {
        warc::Error::Malformed { place, .. } => (Reason::Malformed, Some(place.offset)),
        warc::Error::Truncated { place } => (Reason::Truncated, Some(place.offset)),
        warc::Error::Damaged { offset, .. } => (Reason::Damaged, Some(*offset)),
        warc::Error::Io { offset, .. } => (Reason::Unreadable, Some(*offset)),
        _ => (Reason::Malformed, None),
    }
}
