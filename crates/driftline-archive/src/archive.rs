//! The archive: captures go in and come back.
//!
//! Bytes go to a segment and to the disk, then the catalog says that they are there, then the caller is
//! told. So whatever was acknowledged survives a crash, and whatever a crash tore was never acknowledged.
//! Captures of many threads share one wait for the disk: one thread writes all that came meanwhile.

mod error;
mod options;
mod pack;
mod parcel;
mod read;
mod recover;
mod row;
mod writer;

use std::fs::File;
use std::io::BufRead;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

pub use error::Error;
pub use options::Options;
pub use parcel::Parcel;
pub use read::{Found, RawRecord};
pub use recover::{Recovery, Tear};
pub(crate) use row::describe_and_check;
pub use row::{Described, describe};
pub use writer::Waiting;

use crate::Capture;
use crate::segment::Folder;
use crate::store::Store;
use crate::warc::write::Packing;
use driftline_catalog::{Address, Catalog, SegmentState, StoredCapture};
use writer::Writer;

/// An archive: segments, and the catalog that knows them.
pub struct Archive {
    /// None if it was opened to read. It goes first: what was handed over is written before the lock ends.
    writer: Option<Writer>,
    catalog: Arc<Catalog>,
    folder: Folder,
    store: Arc<Store>,
    packing: Packing,
    segment_bytes: u64,
    recovery: Recovery,
    /// Locked, so that nobody compacts meanwhile; none if it was opened to read.
    presence: Option<File>,
    /// Read-locked while captures are packed and appended.
    gate: RwLock<()>,
}

/// What was acknowledged: it is on the disk and in the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The segment that it was appended to.
    pub segment: String,
    /// Where it begins in the segment.
    pub offset: u64,
    /// The captures of the parcel, in its order, with their places.
    pub captures: Vec<StoredCapture>,
}

impl Archive {
    /// Opens an archive, or begins one. What a crash left behind is put in order first:
    /// see [`recovery`](Self::recovery).
    ///
    /// # Errors
    /// If a folder or the catalog cannot be made or opened, or what a crash left cannot be put in order.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let folder = Folder::new(&options.folder);
        check_folder(options)?;
        folder.make()?;
        let presence = Some(folder.enter()?);
        let catalog = Arc::new(Catalog::open(options.catalog.clone())?);
        let store = Arc::new(Store::open(&options.place, &options.folder)?);
        let recovery = recover::recover(&folder, &catalog)?;
        let writer = Writer::start(options, &folder, &catalog, &store)?;
        let Options { packing, segment_bytes, .. } = *options;
        Ok(Self {
            catalog,
            folder,
            store,
            packing,
            segment_bytes,
            recovery,
            presence,
            writer: Some(writer),
            gate: RwLock::new(()),
        })
    }

    /// Opens the archive of a data directory, with nothing set.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_at(data: &Path) -> Result<Self, Error> {
        Self::open(&Options::at(data))
    }

    /// Opens an archive that somebody else may be writing, without changing anything.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn open_to_read(options: &Options) -> Result<Self, Error> {
        let folder = Folder::new(&options.folder);
        let catalog = Arc::new(Catalog::open_to_read(options.catalog.clone())?);
        let store = Arc::new(Store::open(&options.place, &options.folder)?);
        let recovery = Recovery::default();
        let Options { packing, segment_bytes, .. } = *options;
        Ok(Self {
            catalog,
            folder,
            store,
            packing,
            segment_bytes,
            recovery,
            presence: None,
            writer: None,
            gate: RwLock::new(()),
        })
    }

    /// Keeps a capture. An unchanged one becomes a `revisit` of the one before.
    ///
    /// # Errors
    /// If it was not kept. Whatever was kept before still is.
    pub fn append(&self, capture: &Capture) -> Result<StoredCapture, Error> {
        let kept = self.append_all(std::slice::from_ref(capture))?;
        kept.into_iter().next().ok_or(Error::Closed)
    }

    /// Keeps captures that belong together, such as the hops of a redirect chain: all of them or none.
    ///
    /// # Errors
    /// If they were not kept.
    pub fn append_all(&self, captures: &[Capture]) -> Result<Vec<StoredCapture>, Error> {
        // From here on it is known to which bodies these captures refer.
        let _gate = self.gate.read().unwrap_or_else(PoisonError::into_inner);
        let mut parcel = self.parcel(self.packing);
        pack::pack(&mut parcel, self, captures)?;
        Ok(self.submit(parcel)?.captures)
    }

    /// An empty parcel, which waits in the folder of the archive if it becomes large.
    pub(crate) fn parcel(&self, packing: Packing) -> Parcel {
        Parcel::new(packing, self.folder.path())
    }

    /// Keeps a parcel, and waits until it is on the disk and in the catalog.
    ///
    /// # Errors
    /// If it was not kept.
    pub fn submit(&self, parcel: Parcel) -> Result<Receipt, Error> {
        self.enqueue(parcel)?.wait()
    }

    /// Hands a parcel over; it is kept when [`Waiting::wait`] says so. Waits only while the queue is full.
    ///
    /// # Errors
    /// If the archive was opened to read.
    pub fn enqueue(&self, parcel: Parcel) -> Result<Waiting, Error> {
        let (own, archive) = (parcel.packing(), self.packing);
        if own != archive {
            return Err(Error::Packing { parcel: own, archive });
        }
        self.writer.as_ref().ok_or(Error::ReadOnly)?.enqueue(parcel)
    }

    /// The capture at an address.
    ///
    /// # Errors
    /// If the catalog cannot be read.
    pub fn find(&self, address: &Address) -> Result<Option<StoredCapture>, Error> {
        Ok(self.catalog.find(address)?)
    }

    /// All captures of a URL, in the order of time.
    ///
    /// # Errors
    /// If the catalog cannot be read.
    pub fn captures_of(&self, url: &str) -> Result<Vec<StoredCapture>, Error> {
        Ok(self.catalog.captures_of(url)?)
    }

    /// What the capture says: the answer with a body of `limit` bytes at most, decoded. An unchanged one has
    /// its own head and the body of its original.
    ///
    /// # Errors
    /// If its record, or that of its original, cannot be read.
    pub fn read(&self, capture: &StoredCapture, limit: usize) -> Result<Found, Error> {
        read::read(self, capture, limit)
    }

    /// The record of a capture as it stands in its segment, without looking any original up.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn record(&self, capture: &StoredCapture, limit: usize) -> Result<RawRecord, Error> {
        read::record(self, capture, limit)
    }

    /// Bytes of a segment as they are there, wherever it is by now; fewer if it has no more.
    ///
    /// # Errors
    /// If there is no such segment, or it cannot be read.
    pub fn bytes(&self, segment: &str, offset: u64, length: u64) -> Result<Box<dyn BufRead + '_>, Error> {
        read::bytes(self, segment, offset, length)
    }

    /// The capture that has the body of an unchanged one.
    ///
    /// # Errors
    /// If it is not in the archive, or the catalog cannot be read.
    pub fn original(&self, revisit: &StoredCapture) -> Result<StoredCapture, Error> {
        read::original(self, revisit)
    }

    /// The packed bytes of a capture's record, wherever they are.
    pub(crate) fn packed<'a>(&'a self, capture: &StoredCapture) -> Result<Box<dyn BufRead + 'a>, Error> {
        self.bytes(&capture.segment, capture.capture.offset, capture.capture.length)
    }

    /// The catalog.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The folder in which segments are written.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Until this is dropped, [`append`](Self::append) and [`append_all`](Self::append_all) wait.
    pub(crate) fn pause(&self) -> RwLockWriteGuard<'_, ()> {
        self.gate.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock that says that somebody may write; none if it was opened to read.
    pub(crate) fn presence(&self) -> Option<&File> {
        self.presence.as_ref()
    }

    /// Where closed segments are.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// How records are packed.
    #[must_use]
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// A segment that has grown to so many bytes is closed.
    pub(crate) fn segment_bytes(&self) -> u64 {
        self.segment_bytes
    }

    /// What was put in order when the archive was opened.
    #[must_use]
    pub fn recovery(&self) -> &Recovery {
        &self.recovery
    }

    /// Closes the open segment, so that other tools see it under its final name. The next capture begins another.
    ///
    /// # Errors
    /// If it cannot be closed, or the archive was opened to read.
    pub fn seal(&self) -> Result<(), Error> {
        self.writer.as_ref().ok_or(Error::ReadOnly)?.seal()
    }

    /// Closes the open segment, and the archive. Dropping it does the same without a word about failures.
    ///
    /// # Errors
    /// If the segment could not be closed; the next one who opens the archive closes it.
    pub fn close(mut self) -> Result<(), Error> {
        self.writer.as_mut().map_or(Ok(()), Writer::close)
    }
}

/// A folder that is not there is made only if nothing is missed in it: its disk may not be mounted.
fn check_folder(options: &Options) -> Result<(), Error> {
    let is_new = matches!(&options.catalog, driftline_catalog::Place::File(file) if !file.exists());
    if is_new || options.folder.exists() {
        return Ok(());
    }
    let is_here = |segment: &driftline_catalog::Segment| {
        matches!(segment.state, SegmentState::Open | SegmentState::Closed) && segment.bytes > 0
    };
    if Catalog::open(options.catalog.clone())?.segments()?.iter().any(is_here) {
        return Err(Error::NoFolder { path: options.folder.clone() });
    }
    Ok(())
}
