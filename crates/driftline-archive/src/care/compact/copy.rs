//! How does what stays of a segment get into another one? Record by record, byte for byte.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::Arc;

use super::super::rows::Rows;
use super::super::{files, walk};
use super::held::Print;
use super::plan::{Plan, Turn};
use super::{Compact, CompactError, Mode, turn};
use crate::archive::{Archive, Error, Parcel};
use crate::segment::Compacted;
use crate::warc::write::Packing;
use crate::warc::{Extent, Kind, Reader, Record};
use driftline_catalog::{Moved, Segment, StoredCapture, Turned};

/// So many bytes are written at once.
const PARCEL: u64 = 4 << 20;

/// Records that stay and stand side by side: they are copied in one go, since each read of an object store is a
/// request.
struct Run {
    segment: String,
    extent: Extent,
    captures: Vec<(i64, Extent)>,
}

/// Writes what stays.
pub(super) struct Copier<'a> {
    archive: &'a Archive,
    what: Compact,
    advance: &'a (dyn Fn(u64) + Sync),
    is_stopping: &'a dyn Fn() -> bool,
    run: Option<Run>,
    parcel: Parcel,
    /// The captures in the parcel.
    waiting: Vec<(i64, Extent)>,
    segments: Vec<Compacted>,
    moved: Vec<Moved>,
    turned: Vec<Turned>,
    /// In a dry run: how many bytes would have been written.
    counted: u64,
}

/// Everything that the catalog has to be told: captures that moved, revisits that turned, and the new segments with
/// their lengths.
pub(super) type Parts = (Vec<Moved>, Vec<Turned>, Vec<(String, u64)>);

impl<'a> Copier<'a> {
    pub(super) fn new(archive: &'a Archive, what: &Compact, advance: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self {
            archive,
            what: what.clone(),
            advance,
            is_stopping: &|| false,
            run: None,
            parcel: archive.parcel(archive.packing()),
            waiting: Vec::new(),
            segments: Vec::new(),
            moved: Vec::new(),
            turned: Vec::new(),
            counted: 0,
        }
    }

    /// The same, which breaks off if it is asked to.
    pub(super) fn until(self, is_stopping: &'a dyn Fn() -> bool) -> Self {
        Self { is_stopping, ..self }
    }

    /// Copies what stays of a segment.
    pub(super) fn copy(&mut self, plan: &Plan, segment: &Segment) -> Result<(), CompactError> {
        let name = segment.name.as_str();
        let damaged = |offset, why: String| CompactError::Damaged { segment: name.to_owned(), offset, why };
        let packing = Packing::of_name(name).ok_or_else(|| damaged(0, "it is no segment".to_owned()))?;
        if self.parcel.packing() != packing {
            // What waits was packed in another way.
            self.flush()?;
            self.parcel = self.archive.parcel(packing);
        }
        let mut rows = Rows::new(self.archive, name);
        let no_record =
            |row: StoredCapture| damaged(row.capture.offset, "the catalog names a record that is not there".to_owned());
        let stays = |row: &StoredCapture| !plan.ids.contains(&row.id);
        let mut reader = Reader::new(self.open(name, 0, segment.bytes)?);
        let (mut warcinfo, mut end) = (None, 0);
        while let Some(next) = reader.next() {
            let record = next.map_err(|error| damaged(walk::place(&error).unwrap_or(end), error.to_string()))?;
            let offset = record.place.offset;
            let extent = reader.finish().ok_or_else(|| damaged(offset, "the record is not packed alone".to_owned()))?;
            end = extent.offset + extent.length;
            (self.advance)(extent.length);
            if (self.is_stopping)() {
                return Err(CompactError::Stopped);
            }
            while let Some(row) = rows.next_before(offset)? {
                if stays(&row) {
                    return Err(no_record(row));
                }
            }
            let row = rows.next_at(offset)?;
            if row.as_ref().is_some_and(|row| row.capture.length != extent.length) {
                return Err(damaged(offset, "the catalog knows another length of the record".to_owned()));
            }
            if record.kind == Kind::Warcinfo {
                // It only matters if something of what it describes stays.
                warcinfo = Some(extent);
                continue;
            }
            if row.as_ref().map_or_else(|| goes_along(&record, &plan.names), |row| !stays(row)) {
                continue;
            }
            if let Some(extent) = warcinfo.take() {
                self.verbatim(name, extent, None)?;
            }
            let turn = row.as_ref().and_then(|row| Some((row, plan.turns.get(&row.id)?)));
            match turn {
                Some((row, turn)) => self.turn(row, turn)?,
                None => self.verbatim(name, extent, row.map(|row| row.id))?,
            }
        }
        while let Some(row) = rows.next_before(u64::MAX)? {
            if stays(&row) {
                return Err(no_record(row));
            }
        }
        Ok(self.end_run()?)
    }

    fn open(&self, name: &str, offset: u64, length: u64) -> Result<Box<dyn Read + 'a>, Error> {
        use std::io::{Seek, SeekFrom};
        let Some(mut file) = files::open(self.archive, name)? else {
            return Ok(Box::new(self.archive.store().reader(name, offset, length)));
        };
        file.seek(SeekFrom::Start(offset)).map_err(Error::file("read", self.archive.folder().path()))?;
        Ok(Box::new(file.take(length)))
    }

    /// Takes a record over as it is.
    fn verbatim(&mut self, name: &str, extent: Extent, capture: Option<i64>) -> Result<(), Error> {
        if self.what.mode == Mode::DryRun {
            self.counted += extent.length;
            return Ok(());
        }
        let captures = capture.map(|capture| (capture, extent));
        match &mut self.run {
            Some(Run { segment, extent: run, captures: own })
                if segment == name
                    && run.offset + run.length == extent.offset
                    && (run.length < PARCEL || capture.is_none()) =>
            {
                run.length += extent.length;
                own.extend(captures);
            }
            _ => {
                self.end_run()?;
                if capture.is_some() {
                    self.flush_if_full()?;
                }
                self.run = Some(Run { segment: name.to_owned(), extent, captures: captures.into_iter().collect() });
            }
        }
        Ok(())
    }

    /// Copies the records that wait side by side.
    fn end_run(&mut self) -> Result<(), Error> {
        let Some(Run { segment, extent: run, captures }) = self.run.take() else { return Ok(()) };
        let mut members = self.open(&segment, run.offset, run.length)?;
        let put = self.parcel.add_packed(&mut members).map_err(pack)?;
        if put.length != run.length {
            return Err(pack(io::ErrorKind::UnexpectedEof.into()));
        }
        let moved = |extent: Extent| Extent { offset: put.offset + (extent.offset - run.offset), ..extent };
        self.waiting.extend(captures.into_iter().map(|(capture, extent)| (capture, moved(extent))));
        Ok(())
    }

    /// Writes a revisit anew.
    fn turn(&mut self, row: &StoredCapture, turn: &Turn) -> Result<(), Error> {
        self.end_run()?;
        self.flush_if_full()?;
        let (turned, put) = match turn {
            Turn::Whole(original) => turn::whole(self.archive, row, original, &mut self.parcel)?,
            Turn::Refer(heir) => turn::refer(self.archive, row, heir, &mut self.parcel)?,
        };
        self.turned.push(turned);
        self.waiting.push((row.id, put));
        Ok(())
    }

    /// Writes the parcel to a segment if it is full. Only a capture begins another, so that what belongs to one stays
    /// beside it.
    fn flush_if_full(&mut self) -> Result<(), Error> {
        if self.parcel.length() >= PARCEL { self.flush() } else { Ok(()) }
    }

    /// Writes the parcel to a segment.
    fn flush(&mut self) -> Result<(), Error> {
        let packing = self.parcel.packing();
        let mut parcel = std::mem::replace(&mut self.parcel, self.archive.parcel(packing));
        if self.what.mode == Mode::DryRun {
            self.counted += parcel.length();
            return Ok(());
        }
        if parcel.length() == 0 {
            return Ok(());
        }
        let has_room = |last: &Compacted| last.packing == packing && last.length < self.archive.segment_bytes();
        if !self.segments.last().is_some_and(has_room) {
            self.begin(packing)?;
        }
        let Some(segment) = self.segments.last_mut() else { return Err(Error::Closed) };
        let start = segment.length;
        segment.append(&mut parcel)?;
        self.moved.extend(self.waiting.drain(..).map(|(capture, extent)| Moved {
            capture,
            segment: segment.name.clone(),
            offset: start + extent.offset,
            length: extent.length,
        }));
        Ok(())
    }

    fn begin(&mut self, packing: Packing) -> Result<(), Error> {
        let archive = self.archive;
        let is_taken = |name: &str| {
            let is_stored = || archive.store().is_remote() && archive.store().has(name).unwrap_or(true);
            Ok(archive.catalog().segment(name)?.is_some() || is_stored())
        };
        self.segments.push(archive.folder().begin_compacted(packing, self.what.now, is_taken)?);
        Ok(())
    }

    /// Puts everything on the disk.
    pub(super) fn finish(&mut self) -> Result<(), CompactError> {
        self.flush()?;
        self.segments.iter().try_for_each(Compacted::sync)?;
        if self.what.mode == Mode::Real {
            self.archive.folder().sync()?;
        }
        Ok(())
    }

    /// Removes what was written. What stays behind is swept up by whoever opens the archive next.
    pub(super) fn take_back(self) {
        for segment in self.segments {
            let _ = segment.remove();
        }
    }

    /// How many bytes were written, or would have been.
    pub(super) fn bytes(&self) -> u64 {
        self.counted + self.segments.iter().map(|segment| segment.length).sum::<u64>()
    }

    pub(super) fn into_parts(self) -> Parts {
        let segments = self.segments.into_iter().map(|segment| (segment.name, segment.length)).collect();
        (self.moved, self.turned, segments)
    }
}

/// Does a record that is no capture belong only to captures that go?
fn goes_along(record: &Record, names: &HashSet<Print>) -> bool {
    let links = ["WARC-Concurrent-To", "WARC-Refers-To"];
    let is_companion = matches!(record.kind, Kind::Request | Kind::Metadata | Kind::Continuation);
    let mut linked = record.headers.iter().filter(|(name, _)| links.iter().any(|link| name.eq_ignore_ascii_case(link)));
    let goes = |(_, id): (&str, &str)| names.contains(&Print::of(id.trim_matches(['<', '>'])));
    match linked.next() {
        Some(first) if is_companion => goes(first) && linked.all(goes),
        _ => false,
    }
}

pub(super) fn pack(source: io::Error) -> Error {
    Error::Pack { source: Arc::new(source) }
}
