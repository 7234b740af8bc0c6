//! What the thread that writes does: bytes to the segment, the disk, the catalog, and then the answers.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::uploads::Uploads;
use crate::Time;
use crate::archive::recover::recover;
use crate::archive::{Error, Options, Parcel, Receipt};
use crate::segment::{Folder, Segment};
use crate::store::Store;
use driftline_catalog::{Batch, Catalog, SegmentState, StoredCapture};

/// A parcel, and who waits for it.
type Waiter = (Parcel, Sender<Result<Receipt, Error>>);

pub(super) struct Keeper {
    options: Options,
    folder: Folder,
    catalog: Arc<Catalog>,
    segment: Option<Segment>,
    uploads: Uploads,
    /// Was a segment left as it is, to whoever puts it in order?
    has_left: bool,
    /// The time of the latest capture, after which segments are named.
    latest: Time,
}

impl Keeper {
    pub(super) fn new(
        options: &Options,
        folder: &Folder,
        catalog: &Arc<Catalog>,
        store: &Arc<Store>,
    ) -> Result<Self, Error> {
        let uploads = Uploads::start(folder, catalog, store)?;
        Ok(Self {
            options: options.clone(),
            folder: folder.clone(),
            catalog: Arc::clone(catalog),
            segment: None,
            uploads,
            has_left: false,
            latest: Time::default(),
        })
    }

    /// How many bytes until the segment is closed.
    pub(super) fn room(&self) -> u64 {
        self.options.segment_bytes.saturating_sub(self.segment.as_ref().map_or(0, Segment::end))
    }

    /// Keeps parcels that came at the same time, and tells everybody.
    pub(super) fn keep(&mut self, mut group: Vec<Waiter>) {
        match self.append(&mut group) {
            // One parcel that is too large for the disk must not take the others with it.
            Err(error) if group.len() > 1 && !matches!(error, Error::Catalog(_)) => {
                group.into_iter().for_each(|waiter| self.keep(vec![waiter]));
            }
            Err(error) => {
                for (_, answer) in group {
                    // Who does not wait any more need not know.
                    let _ = answer.send(Err(error.clone()));
                }
            }
            Ok((start, end)) => self.acknowledge(group, start, end),
        }
    }

    /// Puts parcels on the disk: from where to where.
    fn append(&mut self, group: &mut [Waiter]) -> Result<(u64, u64), Error> {
        let times = group.iter().flat_map(|(parcel, _)| parcel.captures()).map(|capture| capture.at);
        self.latest = times.max().unwrap_or(self.latest);
        let mut segment = match self.segment.take() {
            Some(segment) => segment,
            None => self.begin()?,
        };
        let start = segment.end();
        let appended = segment.append(group.iter_mut().map(|(parcel, _)| parcel));
        // What could not be cut off is left until the archive is closed, or to the next one who opens it.
        if appended.is_ok() || segment.roll_back().is_ok() {
            self.segment = Some(segment);
        } else {
            self.has_left = true;
        }
        Ok((start, appended?))
    }

    fn begin(&self) -> Result<Segment, Error> {
        let Options { prefix, packing, .. } = &self.options;
        // The object store is not asked: captures must not wait for it. See `uploads` for a name that it has.
        self.folder.begin(prefix, *packing, self.latest, |name| Ok(self.catalog.segment(name)?.is_some()))
    }

    /// Tells the catalog, then everybody.
    fn acknowledge(&mut self, group: Vec<Waiter>, start: u64, end: u64) {
        let Some(segment) = &mut self.segment else { return };
        let name = segment.name().to_owned();
        let (mut batches, mut answers, mut at) = (Vec::new(), Vec::new(), start);
        for (parcel, answer) in group {
            let offset = at;
            at += parcel.length();
            let (captures, imported) = parcel.settle(offset);
            answers.push((answer, offset));
            batches.push(Batch { segment: name.clone(), segment_end: at, captures, imported });
        }
        match self.catalog.add(&batches) {
            Ok(ids) => {
                segment.acknowledge(end);
                answer(&name, batches, answers, &ids);
                if self.room() == 0 {
                    // It stays open, and is closed later: all that is in it was acknowledged.
                    let _ = self.seal();
                }
            }
            Err(error) => {
                // Whether the catalog took it before it failed is not known. So nothing is cut off: the segment is
                // left as it is until the archive is closed, and another is begun.
                self.segment = None;
                self.has_left = true;
                let error = Error::from(error);
                answers.into_iter().for_each(|(answer, _)| _ = answer.send(Err(error.clone())));
            }
        }
    }

    /// Closes the segment, if there is one.
    pub(super) fn seal(&mut self) -> Result<(), Error> {
        let Some(segment) = self.segment.take() else { return Ok(()) };
        let name = segment.name().to_owned();
        if let Err(failed) = segment.close(&self.folder) {
            let (segment, error) = *failed;
            self.segment = Some(segment);
            return Err(error);
        }
        self.catalog.set_segment_state(&name, SegmentState::Closed)?;
        self.uploads.add(name);
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), Error> {
        let sealed = self.seal();
        if self.has_left && sealed.is_ok() {
            // What was not acknowledged may be lost or found: the next one who opens the archive does the same.
            let _ = recover(&self.folder, &self.catalog);
        }
        sealed.and(self.uploads.finish())
    }
}

/// Tells everybody where their captures are.
fn answer(segment: &str, batches: Vec<Batch>, answers: Vec<(Sender<Result<Receipt, Error>>, u64)>, ids: &[i64]) {
    let mut ids = ids.iter().copied();
    for (batch, (answer, offset)) in batches.into_iter().zip(answers) {
        let stored = |(capture, id)| StoredCapture { id, segment: segment.to_owned(), capture };
        let captures = batch.captures.into_iter().zip(&mut ids).map(stored).collect();
        let _ = answer.send(Ok(Receipt { segment: segment.to_owned(), offset, captures }));
    }
}
