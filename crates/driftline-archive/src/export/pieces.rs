//! Which bytes of a segment belong to the captures that are wanted?
//!
//! The catalog knows where captures are, and nothing of the requests and metadata beside them. Those lie in the gaps
//! between captures; so only the gaps beside a wanted capture are read, however large the segment is.

use std::collections::HashSet;
use std::ops::Range;

use super::ExportError;
use crate::warc::{Kind, Reader, Record};
use crate::{Archive, Time};
use driftline_catalog::{Segment, StoredCapture};

/// How many captures are asked for at once.
const PAGE: u32 = 1_000;

/// A piece of a segment: whole records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// The record of a capture.
    Capture(Range<u64>),
    /// Records beside captures.
    Beside(Range<u64>),
}

impl Piece {
    /// Where it is in the segment.
    pub(super) fn range(&self) -> Range<u64> {
        match self {
            Self::Capture(range) | Self::Beside(range) => range.clone(),
        }
    }
}

/// Passes all of a segment on, in its order and without a gap.
pub(super) fn all(
    archive: &Archive,
    segment: &Segment,
    mut take: impl FnMut(Piece) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let (mut from, mut end) = (0, 0);
    loop {
        let page = archive.catalog().captures_in(&segment.name, from, PAGE)?;
        let Some(last) = page.last() else { break };
        from = last.capture.offset.saturating_add(1);
        for stored in &page {
            let start = stored.capture.offset;
            let stop = start.saturating_add(stored.capture.length).min(segment.bytes);
            // A row that cannot be right says nothing: what is there is beside captures.
            if start < end || stop <= start {
                continue;
            }
            if end < start {
                take(Piece::Beside(end..start))?;
            }
            take(Piece::Capture(start..stop))?;
            end = stop;
        }
    }
    if end < segment.bytes { take(Piece::Beside(end..segment.bytes)) } else { Ok(()) }
}

/// Passes the records of the wanted captures on, in the order of the segment, each as the bytes that it takes there.
pub(super) fn of(
    archive: &Archive,
    segment: &Segment,
    wanted: &HashSet<u64>,
    mut take: impl FnMut(Piece) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut before: Option<Neighbour> = None;
    let (mut from, mut end) = (0, 0);
    loop {
        let page = archive.catalog().captures_in(&segment.name, from, PAGE)?;
        let Some(last) = page.last() else { break };
        from = last.capture.offset.saturating_add(1);
        for stored in &page {
            let own = wanted.contains(&stored.capture.offset).then(|| Neighbour::of(stored));
            let start = stored.capture.offset;
            in_gap(archive, segment, end..start, [before.as_ref(), own.as_ref()], &mut take)?;
            end = start.saturating_add(stored.capture.length);
            if own.is_some() {
                take(Piece::Capture(start..end))?;
            }
            before = own;
        }
    }
    in_gap(archive, segment, end..segment.bytes, [before.as_ref(), None], &mut take)
}

/// What is known of a capture that others are beside.
struct Neighbour {
    url: String,
    at: Time,
    record_id: Option<String>,
}

impl Neighbour {
    fn of(StoredCapture { capture, .. }: &StoredCapture) -> Self {
        Self { url: capture.url.clone(), at: capture.at, record_id: capture.record_id.clone().map(|id| bare(&id)) }
    }

    /// Does this request, or these metadata, belong to it? They say so, or have its address and time.
    fn has(&self, record: &Record) -> bool {
        if !matches!(record.kind, Kind::Request | Kind::Metadata) {
            return false;
        }
        let names_it = |(name, value): (&str, &str)| {
            ["WARC-Concurrent-To", "WARC-Refers-To"].iter().any(|own| name.eq_ignore_ascii_case(own))
                && Some(bare(value)) == self.record_id
        };
        let at = record.date.as_deref().and_then(|date| date.parse().ok());
        record.headers.iter().any(names_it) || (record.target_uri.as_ref() == Some(&self.url) && at == Some(self.at))
    }
}

/// The name of a record without the brackets around it.
fn bare(id: &str) -> String {
    id.trim().trim_matches(['<', '>']).to_owned()
}

/// Passes those records of a gap on that belong to a neighbour.
fn in_gap(
    archive: &Archive,
    segment: &Segment,
    gap: Range<u64>,
    neighbours: [Option<&Neighbour>; 2],
    take: &mut impl FnMut(Piece) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    if gap.is_empty() || neighbours.iter().all(Option::is_none) {
        return Ok(());
    }
    let bytes = archive.bytes(&segment.name, gap.start, gap.end - gap.start)?;
    // The start of a record that belongs to one of them; it ends where the next one begins.
    let mut pending = None;
    for record in Reader::from_offset(bytes, gap.start) {
        // What is damaged is nobody's; `verify` tells it.
        let Ok(record) = record else { continue };
        if let Some(start) = pending.take() {
            take(Piece::Beside(start..record.place.offset))?;
        }
        let belongs = neighbours.iter().flatten().any(|neighbour| neighbour.has(&record));
        pending = belongs.then_some(record.place.offset);
    }
    pending.map_or(Ok(()), |start| take(Piece::Beside(start..gap.end)))
}
