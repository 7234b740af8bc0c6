//! Captures as one WARC file, a gzip member a record.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read, Write};
use std::ops::Range;

use super::{ExportError, Exported, Selection, pieces};
use crate::Archive;
use crate::archive::Error;
use crate::catalog::{CaptureKind, Segment, SegmentState};
use crate::warc::write::Packing;
use crate::warc::{self, Reader};

/// Writes the captures that are wanted with their requests and metadata, segment after segment. The whole archive is
/// copied as it is. An unchanged capture brings the one along that holds its body.
///
/// # Errors
/// If the archive cannot be read, or the output fails.
pub fn warc(archive: &Archive, selection: &Selection, output: &mut dyn Write) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    let chosen = if selection.is_all() { None } else { Some(choose(archive, selection, &mut exported)?) };
    for segment in archive.catalog().segments()? {
        if segment.state == SegmentState::Dropped {
            continue;
        }
        let mut copy = |bytes: Range<u64>| copy(archive, &segment, bytes, output, &mut exported.bytes);
        match chosen.as_ref().map(|chosen| chosen.get(&segment.name)) {
            None => copy(0..segment.bytes)?,
            Some(None) => {}
            Some(Some(wanted)) => pieces::of(archive, &segment, wanted, copy)?,
        }
    }
    if chosen.is_none() {
        exported.captures = archive.catalog().stats()?.captures.count;
    }
    Ok(exported)
}

/// The places of the captures that are wanted, by segment.
type Chosen = BTreeMap<String, HashSet<u64>>;

fn choose(archive: &Archive, selection: &Selection, exported: &mut Exported) -> Result<Chosen, ExportError> {
    let mut chosen = Chosen::new();
    let mut originals = Vec::new();
    for stored in selection.of(archive.catalog()) {
        let stored = stored?;
        exported.captures += 1;
        if stored.capture.kind == CaptureKind::Revisit {
            match archive.original(&stored) {
                Ok(original) => originals.push((original.segment, original.capture.offset)),
                Err(Error::NoOriginal { .. }) => exported.without_original += 1,
                Err(error) => return Err(error.into()),
            }
        }
        chosen.entry(stored.segment).or_default().insert(stored.capture.offset);
    }
    for (segment, offset) in originals {
        exported.originals += u64::from(chosen.entry(segment).or_default().insert(offset));
    }
    Ok(chosen)
}

/// Copies bytes of a segment, which are whole records, and counts what is written. Those that are packed in another
/// way than gzip are packed anew.
fn copy(
    archive: &Archive,
    segment: &Segment,
    bytes: Range<u64>,
    output: &mut dyn Write,
    written: &mut u64,
) -> Result<(), ExportError> {
    let length = bytes.end - bytes.start;
    let mut input = archive.bytes(&segment.name, bytes.start, length)?;
    let mut output = Counted { output, written };
    if Packing::of_name(&segment.name) == Some(Packing::Gzip) {
        let copied = io::copy(&mut input, &mut output)?;
        if copied == length {
            return Ok(());
        }
        let place = (segment.name.clone(), bytes.start + copied);
        return Err(ExportError::Segment { name: place.0, offset: place.1, why: "it ends there".to_owned() });
    }
    let mut reader = Reader::from_offset(input, bytes.start);
    while let Some(record) = reader.next() {
        let failed = |error: warc::Error| ExportError::Segment {
            name: segment.name.clone(),
            offset: bytes.start,
            why: error.to_string(),
        };
        record.map_err(failed)?;
        let head = reader.head_bytes().to_vec();
        let mut whole = head.as_slice().chain(reader.body_reader()).chain(b"\r\n\r\n".as_slice());
        Packing::Gzip.pack(&mut whole, &mut output)?;
    }
    Ok(())
}

/// Counts what is written.
struct Counted<'a> {
    output: &'a mut dyn Write,
    written: &'a mut u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.output.write(bytes)?;
        *self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
