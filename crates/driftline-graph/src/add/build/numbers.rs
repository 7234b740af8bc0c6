//! Which number does each address have? The one that an earlier snapshot gave it, or the next.

use std::io;
use std::path::Path;

use driftline::time::Time;

use super::addresses::List;
use super::bits::Ranked;
use crate::add::AddError;
use crate::add::known::Known;
use crate::series::{Batch, Series};
use crate::snapshot::write::{NumbersWriter, SketchesWriter, StatusWriter, UrlsWriter};
use crate::snapshot::{Keys, Node, Number, Status};
use crate::sort::{Merge, Run};

/// Writes what is known of all nodes, and their numbers; how many addresses are new to the series.
pub(super) fn write(series: &Series, keys: &List, nodes: &Ranked, folder: &Path) -> Result<u32, AddError> {
    let failed = |what| AddError::file(what, folder);
    let mut writers = Writers::create(series, nodes, folder).map_err(failed("write into"))?;
    let mut keys = keys.open().map_err(failed("read addresses for"))?;
    let mut node = Node::new(0);
    for place in 0.. {
        let Some(key) = keys.head() else { break };
        if nodes.contains(place) {
            let number = writers.number(key).map_err(failed("write addresses into"))?;
            let number = number.ok_or(AddError::TooManyAddresses)?;
            let known = keys.take_known();
            writers.push(node, number, known).map_err(failed("write addresses into"))?;
            node = node.next();
        }
        keys.advance().map_err(failed("read addresses for"))?;
    }
    writers.finish().map_err(failed("write addresses into"))
}

struct Writers<'a> {
    earlier: Merge<Named<'a>>,
    /// The number of the next address that is new.
    next: Number,
    urls: UrlsWriter,
    numbers: NumbersWriter,
    status: StatusWriter,
    sketches: SketchesWriter,
}

impl<'a> Writers<'a> {
    fn create(series: &'a Series, nodes: &Ranked, folder: &Path) -> io::Result<Self> {
        Ok(Self {
            earlier: Merge::new(series.batches().iter().map(Named::new).collect::<io::Result<_>>()?),
            next: series.next_number(),
            urls: UrlsWriter::create(folder)?,
            numbers: NumbersWriter::create(folder)?,
            status: StatusWriter::create(folder, nodes.count())?,
            sketches: SketchesWriter::create(folder)?,
        })
    }

    /// The number of a key; keys come in order. None if there is none left.
    fn number(&mut self, key: &[u8]) -> io::Result<Option<Number>> {
        while self.earlier.head().is_some_and(|head| head.as_bytes() < key) {
            self.earlier.advance()?;
        }
        if self.earlier.head().is_some_and(|head| head.as_bytes() == key) {
            return Ok(Some(self.earlier.first().number));
        }
        let key = str::from_utf8(key).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.urls.push(key)?;
        let number = self.next;
        let Some(next) = number.checked_add(1) else { return Ok(None) };
        self.next = next;
        Ok(Some(number))
    }

    fn push(&mut self, node: Node, number: Number, known: Known) -> io::Result<()> {
        self.numbers.push(number)?;
        let Some(page) = known.page else {
            return self.status.push(&Status { www: !known.is_bare, ..Status::default() });
        };
        let time = |microseconds: Option<i64>| microseconds.map(Time::from_microseconds);
        let (fetched, last_modified) = (time(page.fetched), time(page.last_modified));
        self.status.push(&Status { crawled: true, www: !page.is_bare, fetched, last_modified })?;
        page.sketch.map_or(Ok(()), |sketch| self.sketches.push(node, &sketch))
    }

    fn finish(self) -> io::Result<u32> {
        self.numbers.finish()?;
        self.status.finish()?;
        self.sketches.finish()?;
        self.urls.finish()
    }
}

/// The keys that an earlier snapshot was the first to name.
struct Named<'a> {
    keys: Keys<'a>,
    head: Option<String>,
    number: Number,
    after: Number,
}

impl<'a> Named<'a> {
    fn new(batch: &'a Batch) -> io::Result<Self> {
        let mut named = Self { keys: batch.urls()?.iter(), head: None, number: batch.first, after: batch.first };
        named.advance()?;
        Ok(named)
    }
}

impl Run for Named<'_> {
    type Head = str;

    fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    fn advance(&mut self) -> io::Result<()> {
        self.head = self.keys.next().transpose()?;
        self.number = self.after;
        self.after = self.after.checked_add(1).unwrap_or(self.after);
        Ok(())
    }
}
