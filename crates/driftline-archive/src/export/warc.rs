//! Captures as one WARC file, a gzip member a record.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufReader, Read, Seek, Write};
use std::ops::Range;

use tempfile::SpooledTempFile;

use super::mask::{self, Rewritten};
use super::pieces::{self, Piece};
use super::{ExportError, Exported, Secrets, Selection};
use crate::Archive;
use crate::archive::Error;
use crate::warc::write::Packing;
use crate::warc::{self, Reader};
use driftline_catalog::{CaptureKind, Segment, SegmentState};

/// Writes the captures that are wanted with their requests and metadata, segment after segment. An unchanged capture
/// brings the one along that holds its body. Records are copied as they are, but for headers that have to be masked.
///
/// # Errors
/// If the archive cannot be read, or the output fails.
pub fn warc(
    archive: &Archive,
    selection: &Selection,
    secrets: Secrets,
    output: &mut dyn Write,
) -> Result<Exported, ExportError> {
    let mut exported = Exported::default();
    let chosen = if selection.is_all() { None } else { Some(choose(archive, selection, &mut exported)?) };
    for segment in archive.catalog().segments()? {
        if segment.state == SegmentState::Dropped {
            continue;
        }
        let mut copier = Copier { segment: &segment, secrets, output: &mut *output, exported: &mut exported };
        match chosen.as_ref().map(|chosen| chosen.get(&segment.name)) {
            None if secrets == Secrets::Kept => {
                let all = Piece::Beside(0..segment.bytes);
                copier.copy(&mut archive.bytes(&segment.name, 0, segment.bytes)?, &all)?;
            }
            None => {
                let mut input = archive.bytes(&segment.name, 0, segment.bytes)?;
                pieces::all(archive, &segment, |piece| copier.copy(&mut input, &piece))?;
            }
            Some(None) => {}
            Some(Some(wanted)) => pieces::of(archive, &segment, wanted, |piece| {
                let Range { start, end } = piece.range();
                copier.copy(&mut archive.bytes(&segment.name, start, end - start)?, &piece)
            })?,
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

/// Copies pieces of a segment, and counts what is written.
struct Copier<'a> {
    segment: &'a Segment,
    secrets: Secrets,
    output: &'a mut dyn Write,
    exported: &'a mut Exported,
}

/// What is written instead of some bytes of a piece; nothing: they are left out.
type Edit = (Range<u64>, Option<Rewritten>);

impl Copier<'_> {
    /// Copies a piece, which consists of whole records and begins where `input` is. Those that are packed in another way
    /// than gzip are packed anew.
    fn copy(&mut self, input: &mut dyn Read, piece: &Piece) -> Result<(), ExportError> {
        let Range { start, end } = piece.range();
        let mut input = input.take(end - start);
        if Packing::of_name(&self.segment.name) != Some(Packing::Gzip) {
            let repacked = self.repack(&mut input, start);
            // The next piece begins behind this one, however much of it was needed.
            return repacked.and(io::copy(&mut input, &mut io::sink()).map(drop).map_err(ExportError::from));
        }
        if self.secrets == Secrets::Kept {
            return self.copy_bytes(&mut input, start..end);
        }
        let mut bytes = SpooledTempFile::new(mask::MOST_IN_MEMORY);
        let read = io::copy(&mut input, &mut bytes)?;
        if read < end - start {
            return Err(self.ends_at(start + read));
        }
        let edits = self.edits(&mut bytes, piece)?;
        bytes.rewind()?;
        let mut at = start;
        for (range, edit) in edits {
            self.copy_bytes(&mut bytes, at..range.start)?;
            io::copy(&mut (&mut bytes).take(range.end - range.start), &mut io::sink())?;
            if let Some(mut record) = edit.and_then(Rewritten::into_reader) {
                Packing::Gzip.pack(&mut record, &mut self.counted())?;
            }
            at = range.end;
        }
        self.copy_bytes(&mut bytes, at..end)
    }

    /// What has to be masked in a piece. What cannot be read is left out unless it is somebody else's: nobody knows what
    /// is in it.
    fn edits(&mut self, bytes: &mut SpooledTempFile, piece: &Piece) -> Result<Vec<Edit>, ExportError> {
        let Range { start, end } = piece.range();
        bytes.rewind()?;
        let mut reader = Reader::from_offset(BufReader::new(bytes), start);
        let mut edits: Vec<Edit> = Vec::new();
        let mut pending: Option<(u64, Option<Rewritten>)> = None;
        let mut harmless = None;
        while let Some(next) = reader.next() {
            let record = match next {
                Ok(record) => record,
                Err(error) => {
                    let done = edits.last().map_or(start, |(range, _)| range.end);
                    let at = error.offset().unwrap_or(done).clamp(done, end);
                    match &mut pending {
                        // What was masked turned out to be damaged.
                        Some((_, rewritten)) => *rewritten = None,
                        None if harmless != Some(at) => pending = Some((at, None)),
                        None => {}
                    }
                    continue;
                }
            };
            let at = record.place.offset;
            if let Some((from, rewritten)) = pending.take_if(|(from, _)| *from < at) {
                edits.push((from..at, rewritten));
            }
            if mask::is_suspect(&record) {
                match mask::rewrite(&mut reader, &record) {
                    Ok(Rewritten::Same(_)) => harmless = Some(at),
                    Ok(masked) => pending = Some((at, Some(masked))),
                    Err(_) => pending = Some((at, None)),
                }
            } else {
                harmless = Some(at);
                if matches!(piece, Piece::Capture(_)) {
                    // There is nothing else in it, and the rest of it does not matter.
                    break;
                }
            }
        }
        edits.extend(pending.map(|(from, rewritten)| (from..end, rewritten)));
        let left_out = edits.iter().filter(|(_, rewritten)| rewritten.is_none()).count();
        self.exported.left_out += left_out as u64;
        self.exported.masked += (edits.len() - left_out) as u64;
        Ok(edits)
    }

    /// Copies bytes as they are.
    fn copy_bytes(&mut self, input: &mut impl Read, bytes: Range<u64>) -> Result<(), ExportError> {
        let length = bytes.end - bytes.start;
        let copied = io::copy(&mut input.take(length), &mut self.counted())?;
        if copied == length { Ok(()) } else { Err(self.ends_at(bytes.start + copied)) }
    }

    /// Packs records anew.
    fn repack(&mut self, input: &mut dyn Read, start: u64) -> Result<(), ExportError> {
        let mut reader = Reader::from_offset(BufReader::new(input), start);
        let name = self.segment.name.clone();
        let failed =
            |error: warc::Error| ExportError::Segment { name: name.clone(), offset: start, why: error.to_string() };
        while let Some(record) = reader.next() {
            let record = record.map_err(&failed)?;
            let (head, mut begun) = (reader.head_bytes().to_vec(), Vec::new());
            if self.secrets == Secrets::Masked && mask::is_suspect(&record) {
                match mask::rewrite(&mut reader, &record).map_err(&failed)? {
                    Rewritten::Same(start) => begun = start,
                    masked @ Rewritten::Masked { .. } => {
                        self.exported.masked += 1;
                        if let Some(mut record) = masked.into_reader() {
                            Packing::Gzip.pack(&mut record, &mut self.counted())?;
                        }
                        continue;
                    }
                }
            }
            let block = begun.as_slice().chain(reader.body_reader());
            let mut whole = head.as_slice().chain(block).chain(b"\r\n\r\n".as_slice());
            Packing::Gzip.pack(&mut whole, &mut self.counted())?;
        }
        Ok(())
    }

    fn counted(&mut self) -> Counted<'_> {
        Counted { output: &mut *self.output, written: &mut self.exported.bytes }
    }

    fn ends_at(&self, offset: u64) -> ExportError {
        ExportError::Segment { name: self.segment.name.clone(), offset, why: "it ends there".to_owned() }
    }
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
