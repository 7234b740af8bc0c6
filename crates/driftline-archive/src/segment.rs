//! How does a WARC file grow without ever being torn? A segment: only appended to, locked, and put on the
//! disk before anybody is told.
//!
//! While it is written its name ends in `.open` and its writer holds a lock on it, which ends with the
//! process. So an `.open` file without a lock is what a crash left behind.

mod compacted;
mod folder;
mod scan;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

pub(crate) use compacted::{COMPACTED, Compacted};
pub(crate) use folder::{Folder, Left, OPEN};
pub(crate) use scan::{Row, has_record, last_row, row};

use crate::archive::{Error, Parcel};

/// The file that is being written.
pub(crate) struct Segment {
    /// Its name once it is closed.
    name: String,
    path: PathBuf,
    file: File,
    /// Everything before this byte is on the disk and in the catalog, or is about to be cut off.
    end: u64,
}

/// So much is gathered before the system is asked to write.
const BUFFER: usize = 1 << 20;

impl Segment {
    /// Its name once it is closed.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How long it is.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Appends parcels and puts them on the disk; where it then ends. Nothing is acknowledged yet: see
    /// [`acknowledge`](Self::acknowledge) and [`roll_back`](Self::roll_back).
    pub(crate) fn append<'a>(&mut self, parcels: impl IntoIterator<Item = &'a mut Parcel>) -> Result<u64, Error> {
        let length = self.write(parcels).map_err(Error::file("write", &self.path))?;
        self.file.sync_data().map_err(Error::file("put on the disk", &self.path))?;
        Ok(self.end + length)
    }

    fn write<'a>(&mut self, parcels: impl IntoIterator<Item = &'a mut Parcel>) -> io::Result<u64> {
        buffered(&self.file, |output| {
            let mut length = 0;
            for parcel in parcels {
                parcel.write_to(output)?;
                length += parcel.length();
            }
            Ok(length)
        })
    }

    /// What was appended is in the catalog.
    pub(crate) fn acknowledge(&mut self, end: u64) {
        self.end = end;
    }

    /// Cuts off what was appended and not acknowledged.
    pub(crate) fn roll_back(&mut self) -> Result<(), Error> {
        let cut = self.file.set_len(self.end).and_then(|()| self.file.sync_data());
        cut.map_err(Error::file("cut a torn end off", &self.path))
    }

    /// Gives it its final name. The lock goes with it.
    pub(crate) fn close(self, folder: &Folder) -> Result<(), Box<(Self, Error)>> {
        match folder.finish(&self.file, &self.name) {
            Ok(()) => Ok(()),
            Err(error) => Err(Box::new((self, error))),
        }
    }
}

/// Writes to a file in large pieces. If that fails, nothing more is written: dropping the buffer would try again, behind
/// what is about to be cut off.
fn buffered<'a, T>(file: &'a File, write: impl FnOnce(&mut BufWriter<&'a File>) -> io::Result<T>) -> io::Result<T> {
    let mut output = BufWriter::with_capacity(BUFFER, file);
    let written = write(&mut output).and_then(|written| output.flush().map(|()| written));
    let _ = output.into_parts();
    written
}
