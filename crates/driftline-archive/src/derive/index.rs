//! Which segments does the catalog not know? Whatever their records say of themselves is enough to index them.
//!
//! Who opens an archive to write indexes the segments in its folder already; these are those in an object store.

use crate::archive::{Archive, Error, describe};
use crate::warc::Reader;
use crate::warc::write::Packing;
use driftline_catalog::{Batch, NewCapture, Segment, SegmentState};

/// So many captures go into the catalog at once.
const BATCH: usize = 1_000;

/// Indexes all segments that the catalog does not know: their names, and how many captures each holds.
pub(super) fn index(archive: &Archive) -> Result<Vec<(String, u64)>, Error> {
    let catalog = archive.catalog();
    let mut indexed = Vec::new();
    for (name, length) in archive.store().list()? {
        let known = catalog.segment(&name)?;
        let is_done = |known: &Segment| known.state == SegmentState::Dropped || known.bytes >= length;
        if Packing::of_name(&name).is_none() || known.as_ref().is_some_and(is_done) {
            continue;
        }
        // One that was interrupted goes on where it stopped.
        let start = known.map_or(0, |known| known.bytes);
        let captures = index_one(archive, &name, start, length)?;
        let state = if archive.store().is_remote() { SegmentState::Stored } else { SegmentState::Closed };
        catalog.put_segment(&Segment { name: name.clone(), state, bytes: length })?;
        indexed.push((name, captures));
    }
    Ok(indexed)
}

/// Indexes a segment from a byte on. What is damaged is left out; `verify` tells of it.
fn index_one(archive: &Archive, name: &str, start: u64, length: u64) -> Result<u64, Error> {
    let catalog = archive.catalog();
    let mut reader = Reader::from_offset(archive.store().reader(name, start, length - start), start);
    let (mut captures, mut count, mut end) = (Vec::new(), 0, start);
    while let Some(next) = reader.next() {
        let Ok(record) = next else { continue };
        let described = describe(&mut reader, &record);
        let (Ok(described), Some(extent)) = (described, reader.finish()) else { continue };
        end = extent.offset + extent.length;
        let place = |capture| NewCapture { offset: extent.offset, length: extent.length, ..capture };
        catalog.put_imported_digests(&described.imported_digests.iter().collect::<Vec<_>>())?;
        captures.extend(described.capture.filter(|_| described.is_whole).map(place));
        if captures.len() >= BATCH {
            count += add(archive, name, end, &mut captures)?;
        }
    }
    Ok(count + add(archive, name, end, &mut captures)?)
}

fn add(archive: &Archive, name: &str, segment_end: u64, captures: &mut Vec<NewCapture>) -> Result<u64, Error> {
    let batch = Batch { segment: name.to_owned(), segment_end, captures: std::mem::take(captures), imported: None };
    archive.catalog().add(std::slice::from_ref(&batch))?;
    Ok(batch.captures.len() as u64)
}
