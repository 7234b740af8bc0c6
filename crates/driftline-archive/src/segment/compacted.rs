//! How do the segments of a compaction get into place? Written under another name, known to the catalog at once with
//! all others, and then renamed.
//!
//! So whoever is interrupted leaves files that the catalog knows, which only lack their names, or files that it does
//! not know, which nobody misses: [`Folder::sweep`] tells them apart.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use super::folder::name;
use super::{Folder, buffered};
use crate::Time;
use crate::archive::{Error, Parcel};
use crate::private::{self, sync_folder};
use crate::warc::write::{Packing, warcinfo};
use driftline_catalog::{Catalog, SegmentState};

/// What the name of a segment ends in until its compaction is done.
pub(crate) const COMPACTED: &str = ".compacted";

/// Whoever may write holds a shared lock on it, whoever compacts an exclusive one.
const WRITERS: &str = "writers.lock";

/// A segment that a compaction writes.
pub(crate) struct Compacted {
    pub(crate) name: String,
    pub(crate) length: u64,
    pub(crate) packing: Packing,
    file: File,
    path: PathBuf,
}

impl Compacted {
    /// Appends records.
    pub(crate) fn append(&mut self, parcel: &mut Parcel) -> Result<(), Error> {
        let written = buffered(&self.file, |output| parcel.write_to(output));
        written.map_err(Error::file("write", &self.path))?;
        self.length += parcel.length();
        Ok(())
    }

    /// Puts it on the disk.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        self.file.sync_all().map_err(Error::file("put on the disk", &self.path))
    }

    /// Takes it back.
    pub(crate) fn remove(self) -> Result<(), Error> {
        fs::remove_file(&self.path).map_err(Error::file("remove", &self.path))
    }
}

impl Folder {
    /// Where a segment is until its compaction is done.
    pub(crate) fn compacted(&self, name: &str) -> PathBuf {
        self.path().join(format!("{name}{COMPACTED}"))
    }

    /// All places where a segment may be.
    pub(crate) fn paths(&self, name: &str) -> [PathBuf; 3] {
        [self.closed(name), self.open(name), self.compacted(name)]
    }

    /// Says that somebody may write. Waits while the archive is being compacted.
    pub(crate) fn enter(&self) -> Result<File, Error> {
        let path = self.path().join(WRITERS);
        let file = private::options().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(Error::file("open", &path))?;
        file.lock_shared().map_err(Error::file("lock", &path))?;
        Ok(file)
    }

    /// Begins a segment of a compaction.
    pub(crate) fn begin_compacted(
        &self,
        packing: Packing,
        at: Time,
        is_taken: impl Fn(&str) -> Result<bool, Error>,
    ) -> Result<Compacted, Error> {
        let _lock = self.lock()?;
        for serial in 0.. {
            let name = name("compacted", at, serial, packing);
            if self.paths(&name).iter().any(|path| path.exists()) || is_taken(&name)? {
                continue;
            }
            let path = self.compacted(&name);
            let file = private::options().write(true).create_new(true).open(&path);
            let mut file = file.map_err(Error::file("make", &path))?;
            let record = warcinfo(packing, &name, at)?;
            file.write_all(&record).map_err(Error::file("write", &path))?;
            return Ok(Compacted { name, length: record.len() as u64, packing, file, path });
        }
        unreachable!("there is always another name")
    }

    /// Gives segments that the catalog knows by now their names.
    pub(crate) fn place<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), Error> {
        for name in names {
            let path = self.compacted(name);
            fs::rename(&path, self.closed(name)).map_err(Error::file("rename", &path))?;
        }
        self.sync()
    }

    /// Puts the names in it on the disk.
    pub(crate) fn sync(&self) -> Result<(), Error> {
        sync_folder(self.path()).map_err(Error::file("put on the disk", self.path()))
    }

    /// Finishes what an interrupted compaction began if the catalog knows of it, and takes it back if not. Nobody
    /// compacts meanwhile: who calls this has [entered](Self::enter).
    pub(crate) fn sweep(&self, catalog: &Catalog) -> Result<Vec<String>, Error> {
        let _lock = self.lock()?;
        let mut swept = Vec::new();
        for (file, _) in self.names()? {
            let name = file.strip_suffix(COMPACTED).unwrap_or(&file);
            let state = || catalog.segment(name).map(|segment| segment.map(|segment| segment.state));
            if name != file {
                match state()? {
                    None | Some(SegmentState::Dropped) => self.remove(&file)?,
                    Some(_) => self.place([name])?,
                }
            } else if Packing::of_name(name).is_some() && state()? == Some(SegmentState::Dropped) {
                self.remove(&file)?;
            } else {
                continue;
            }
            swept.push(file);
        }
        Ok(swept)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, file: &str) -> Result<(), Error> {
        let path = self.path().join(file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::file("remove", &path)(error)),
            _ => Ok(()),
        }
    }
}
