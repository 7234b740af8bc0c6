//! The bodies that revisits refer to: earlier ones of the same file, found by their digests.

use std::collections::HashMap;

use crate::collection::{Source, digest_hash};
use crate::warc::{Kind, Reader, Record};

/// The most bodies that are remembered; a file of a crawl has a tenth of that.
const MOST: usize = 1 << 20;

/// Where the pages of a file begin, by the digests of their bodies.
pub(super) struct Originals<'a> {
    source: &'a Source,
    places: HashMap<u64, u64>,
}

impl<'a> Originals<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        Self { source, places: HashMap::new() }
    }

    /// Remembers where a page begins.
    pub(super) fn remember(&mut self, record: &Record) {
        if let Some(digest) = digest(record).filter(|_| record.place.within == 0 && self.places.len() < MOST) {
            self.places.entry(digest).or_insert(record.place.offset);
        }
    }

    /// The answer that a revisit refers to, as it was sent, and whether it is longer than this.
    pub(super) fn find(&self, revisit: &Record, limit: usize) -> Option<(Vec<u8>, bool)> {
        let wanted = digest(revisit)?;
        let offset = *self.places.get(&wanted)?;
        let mut reader = Reader::from_offset(self.source.open_at(offset).ok()?, offset);
        let record = reader.next()?.ok()?;
        if record.kind != Kind::Response || digest(&record) != Some(wanted) {
            return None;
        }
        let body = reader.body(limit).ok()?;
        Some((body.bytes, body.is_cut))
    }
}

fn digest(record: &Record) -> Option<u64> {
    let digest = record.headers.get("WARC-Payload-Digest").filter(|digest| !digest.is_empty())?;
    Some(digest_hash(digest))
}
