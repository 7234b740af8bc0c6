//! Recovery after a crash of segments that nobody closed: whole records in them are kept, and a torn
//! end is cut off.
//!
//! What the catalog acknowledged is not looked at again. What stands behind it was either never
//! acknowledged, or the catalog is an old copy: so whatever is whole is taken into the catalog, up to the first
//! record that is not. What looks like a record behind that may be a piece of a page: it is not taken for a capture, and
//! not thrown away either. Doing all this twice does no harm, so it may be killed as well.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use super::Error;
use crate::private;
use crate::segment::{Folder, Left, Row, has_record, last_row, row};
use crate::warc::Extent;
use crate::warc::write::Packing;
use driftline_catalog::{Batch, Catalog, Segment, SegmentState};

/// What was put in order when the archive was opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovery {
    /// How many whole captures were found that the catalog did not know.
    pub adopted: u64,
    /// Torn ends that were cut off: never anything that was acknowledged.
    pub cut: Vec<Tear>,
    /// Damage in segments that were closed. It was left as it is.
    pub damaged: Vec<Tear>,
    /// Torn ends that may have records in them. They were cut off, and are in files whose names end in `.torn`; import
    /// such a file if the catalog was lost and the segment damaged.
    pub set_aside: Vec<Tear>,
    /// Bytes that the catalog knows and the disk does not have: only a broken disk or a lost file does this.
    pub missing: Vec<Tear>,
    /// Files of an interrupted compaction that were put in place or removed.
    pub swept: Vec<String>,
}

/// A piece of a segment that is no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tear {
    /// The file.
    pub segment: String,
    /// Where it begins.
    pub offset: u64,
    /// How long it is.
    pub bytes: u64,
}

impl Tear {
    fn new(segment: &str, offset: u64, bytes: u64) -> Self {
        Self { segment: segment.to_owned(), offset, bytes }
    }
}

/// Puts everything in order that the dead left in the folder.
pub(super) fn recover(folder: &Folder, catalog: &Catalog) -> Result<Recovery, Error> {
    let mut recovery = Recovery { swept: folder.sweep(catalog)?, ..Recovery::default() };
    // The folder first: what is closed by others meanwhile is in the catalog before it is closed.
    let closed = folder.all_closed()?;
    for left in folder.left()? {
        recovery.close(folder, catalog, &left)?;
    }
    recovery.look_at_closed(folder, catalog, closed)?;
    Ok(recovery)
}

impl Recovery {
    /// Was everything in order?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A segment that nobody closed.
    fn close(&mut self, folder: &Folder, catalog: &Catalog, left: &Left) -> Result<(), Error> {
        let (name, path, file) = (left.name.as_str(), left.path.as_path(), &left.file);
        let found = Found::new(catalog, name, path, file)?;
        let end = self.adopt(&found, false)?;
        if end < found.length {
            self.cut(folder, &found, end)?;
        }
        if catalog.segment(name)?.is_none() {
            // There is nothing in it but who wanted to write it.
            return fs::remove_file(path).map_err(Error::file("remove", path));
        }
        folder.finish(file, name)?;
        catalog.set_segment_state(name, SegmentState::Closed)?;
        Ok(())
    }

    /// Cuts a torn end off. If there may be records in it, it is put aside.
    fn cut(&mut self, folder: &Folder, found: &Found, end: u64) -> Result<(), Error> {
        let Found { name, path, mut file, packing, length, .. } = *found;
        let tear = Tear::new(name, end, length - end);
        // A record that is whole and cut off nevertheless is one that the catalog has.
        let from = row(file, packing, end, length).map_err(Error::file("read", path))?.end;
        if from < length && has_record(file, packing, from + 1, length).map_err(Error::file("read", path))? {
            let torn = folder.torn(name);
            let copy = |file: &mut &File| {
                let mut copy = private::options().write(true).create(true).truncate(true).open(&torn)?;
                file.seek(SeekFrom::Start(from))?;
                io::copy(file, &mut copy)?;
                copy.sync_all()
            };
            copy(&mut file).map_err(Error::file("write", &torn))?;
            folder.sync()?;
            self.set_aside.push(tear);
        } else {
            self.cut.push(tear);
        }
        let cut = file.set_len(end).and_then(|()| file.sync_all());
        cut.map_err(Error::file("cut a torn end off", path))
    }

    /// Takes what the catalog does not know of a segment into it; the end of what belongs to it.
    fn adopt(&mut self, found: &Found, is_closed: bool) -> Result<u64, Error> {
        let Found { catalog, name, path, file, length, .. } = *found;
        let mut known = catalog.segment(name)?;
        loop {
            let start = known.as_ref().map_or(0, |segment| segment.bytes);
            if length < start {
                self.missing.push(Tear::new(name, length, start - length));
                return Ok(length);
            }
            let (rows, damage) = found.rows(start, is_closed).map_err(Error::file("read", path))?;
            let has_content = known.is_some() || rows.iter().any(|row| row.has_content);
            let mut end = rows.last().map_or(start, |row| row.end);
            let imported: Vec<_> = rows.iter().flat_map(|row| &row.imported_digests).collect();
            catalog.put_imported_digests(&imported)?;
            let captures: Vec<_> = rows.into_iter().flat_map(|row| row.captures).collect();
            // What could not be cut off after a failure, and was written again elsewhere, is there already.
            let is_there = catalog.has_records(&captures)?;
            if !is_closed && !captures.is_empty() && is_there.iter().all(|is_there| *is_there) {
                end = start;
            }
            let new = captures.into_iter().zip(is_there).filter(|(_, is_there)| !is_there);
            let captures: Vec<_> = new.map(|(capture, _)| capture).collect();
            let adopted = captures.len() as u64;
            if end > start && has_content {
                // Before the catalog knows of them, they have to be on the disk.
                file.sync_all().map_err(Error::file("put on the disk", path))?;
                let batch = Batch { segment: name.to_owned(), segment_end: end, captures, imported: None };
                if let Err(error) = catalog.add(&[batch]) {
                    // The last words of the dead may reach a server after their death.
                    let now = catalog.segment(name)?;
                    if now == known {
                        return Err(error.into());
                    }
                    known = now;
                    continue;
                }
            }
            self.adopted += adopted;
            self.damaged.extend(damage.map(|Extent { offset, length }| Tear::new(name, offset, length)));
            return Ok(end);
        }
    }

    /// Closed segments of which the catalog does not know all: it is an old copy.
    fn look_at_closed(&mut self, folder: &Folder, catalog: &Catalog, closed: Vec<(String, u64)>) -> Result<(), Error> {
        let known: HashMap<_, _> =
            catalog.segments()?.into_iter().map(|segment| (segment.name.clone(), segment)).collect();
        for (name, length) in closed {
            let segment = known.get(&name);
            let is_dropped = segment.is_some_and(|segment| segment.state == SegmentState::Dropped);
            if is_dropped || segment.is_some_and(|segment| segment.bytes == length) {
                // Its writer may have died after the new name and before it told the catalog.
                if segment.is_some_and(|segment| segment.state == SegmentState::Open) {
                    catalog.set_segment_state(&name, SegmentState::Closed)?;
                }
                continue;
            }
            let path = folder.closed(&name);
            let file = match File::open(&path) {
                // It was uploaded meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file.map_err(Error::file("open", &path))?,
            };
            self.adopt(&Found::new(catalog, &name, &path, &file)?, true)?;
            if segment.is_none_or(|segment| segment.bytes < length) {
                catalog.put_segment(&Segment { name, state: SegmentState::Closed, bytes: length })?;
            }
        }
        Ok(())
    }
}

/// A segment of which the catalog may not know all.
struct Found<'a> {
    catalog: &'a Catalog,
    name: &'a str,
    path: &'a Path,
    file: &'a File,
    packing: Packing,
    length: u64,
}

impl<'a> Found<'a> {
    fn new(catalog: &'a Catalog, name: &'a str, path: &'a Path, file: &'a File) -> Result<Self, Error> {
        let length = file.metadata().map_err(Error::file("look at", path))?.len();
        let no_segment = || Error::file("read", path)(io::ErrorKind::InvalidData.into());
        let packing = Packing::of_name(name).ok_or_else(no_segment)?;
        Ok(Self { catalog, name, path, file, packing, length })
    }

    /// The records from `start` on, and what is damaged among them. In a segment that was not closed, what is behind
    /// the first damage does not count.
    fn rows(&self, start: u64, is_closed: bool) -> io::Result<(Vec<Row>, Option<Extent>)> {
        let Self { file, packing, length, .. } = *self;
        let first = row(file, packing, start, length)?;
        let end = first.end;
        if end == length || !is_closed {
            return Ok((vec![first], None));
        }
        let last = last_row(file, packing, end + 1, length)?;
        let damage = Extent { offset: end, length: last.as_ref().map_or(length, |last| last.start) - end };
        Ok(([Some(first), last].into_iter().flatten().collect(), Some(damage)))
    }
}
