//! The rows of a segment in the order of the file, a page at a time.

use std::collections::VecDeque;

use crate::archive::{Archive, Error};
use driftline_catalog::StoredCapture;

/// So many rows are asked for at once.
const ROWS: u32 = 1_000;

pub(super) struct Rows<'a> {
    archive: &'a Archive,
    name: &'a str,
    waiting: VecDeque<StoredCapture>,
    from: u64,
    is_done: bool,
}

impl<'a> Rows<'a> {
    pub(super) fn new(archive: &'a Archive, name: &'a str) -> Self {
        Self { archive, name, waiting: VecDeque::new(), from: 0, is_done: false }
    }

    /// The next row, if its record begins before this place.
    pub(super) fn next_before(&mut self, offset: u64) -> Result<Option<StoredCapture>, Error> {
        self.next_if(|own| own < offset)
    }

    /// The next row, if its record begins here.
    pub(super) fn next_at(&mut self, offset: u64) -> Result<Option<StoredCapture>, Error> {
        self.next_if(|own| own == offset)
    }

    fn next_if(&mut self, wanted: impl FnOnce(u64) -> bool) -> Result<Option<StoredCapture>, Error> {
        if self.waiting.is_empty() && !self.is_done {
            let rows = self.archive.catalog().captures_in(self.name, self.from, ROWS)?;
            self.is_done = rows.len() < ROWS as usize;
            self.from = rows.last().map_or(self.from, |last| last.capture.offset + 1);
            self.waiting = rows.into();
        }
        let is_wanted = self.waiting.front().is_some_and(|row| wanted(row.capture.offset));
        Ok(if is_wanted { self.waiting.pop_front() } else { None })
    }
}
