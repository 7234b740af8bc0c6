//! Which records are new, and how do they go in? Some hundred at a time, in one parcel.
//!
//! Records that are in the archive already are dropped, and with them what belongs to them: the request of a
//! response, the metadata of either. So importing the same again changes nothing, from whatever file it comes.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use tempfile::SpooledTempFile;

use super::claims::Claim;
use super::summary::{Skip, Summary};
use super::{Error, Run};
use crate::Time;
use crate::archive::{Parcel, Waiting};
use crate::stated::Mismatches;
use crate::warc::Extent;
use crate::warc::write::NewRecord;
use driftline_catalog::digest::Mismatch;
use driftline_catalog::{NewCapture, Progress};

/// A batch of so many bytes, or so many records, is full.
const MOST_BYTES: u64 = 4 << 20;
const MOST_RECORDS: usize = 500;
/// A record that is held and is longer waits in a temporary file.
pub(super) const MOST_HELD: usize = 1 << 20;

/// A record on its way.
pub(super) struct Held {
    pub(super) bytes: Bytes,
    /// The capture in it, if it holds one.
    pub(super) capture: Option<NewCapture>,
    /// The id of the record that it belongs to.
    pub(super) about: Option<String>,
    /// The address that it is about.
    pub(super) url: Option<String>,
    /// The digests that it states and its bytes do not have.
    pub(super) mismatches: Mismatches,
    /// The record that notes them in the segment.
    pub(super) note: Option<Vec<u8>>,
}

/// Where the bytes of a record are.
pub(super) enum Bytes {
    /// In the file, packed as the archive packs them.
    Packed(Extent),
    /// In the file, not packed.
    Plain(Extent),
    /// Here: so many bytes of head and block.
    Made(SpooledTempFile, u64),
}

/// Records on their way from one file.
pub(super) struct Batch<'run> {
    run: &'run Run<'run>,
    /// The file, to copy records from, and where in it their places count from.
    file: Option<(File, u64)>,
    held: Vec<Held>,
    bytes: u64,
    /// Ids of records that were dropped in this batch or the one before.
    dropped: HashSet<String>,
    waiting: Option<(Waiting, Vec<Claim>)>,
    pub(super) summary: Summary,
}

/// What becomes of the records of a batch.
struct Verdicts {
    is_new: Vec<bool>,
    claims: Vec<Claim>,
}

impl<'run> Batch<'run> {
    pub(super) fn new(run: &'run Run<'run>, file: Option<(File, u64)>) -> Self {
        let (held, dropped) = (Vec::new(), HashSet::new());
        Self { run, file, held, bytes: 0, dropped, waiting: None, summary: Summary::default() }
    }

    pub(super) fn push(&mut self, held: Held) {
        self.bytes += match &held.bytes {
            Bytes::Packed(extent) | Bytes::Plain(extent) => extent.length,
            Bytes::Made(_, length) => *length,
        };
        self.summary.records += 1;
        self.held.push(held);
    }

    pub(super) fn skip(&mut self, skip: Skip) {
        self.summary.skip(skip);
    }

    /// When this is, and who imports.
    pub(super) fn by(&self) -> (Option<Time>, &str) {
        (self.run.by.0, &self.run.by.1)
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= MOST_BYTES || self.held.len() >= MOST_RECORDS
    }

    /// Hands over what is held. `progress` says how far the file is with it.
    pub(super) fn flush(&mut self, progress: Option<Progress>) -> Result<(), Error> {
        let held = std::mem::take(&mut self.held);
        self.bytes = 0;
        let verdicts = self.judge(&held)?;
        let wrong = held.iter().filter(|held| held.mismatches.iter().next().is_some());
        self.summary.wrong_digests += wrong.count() as u64;
        let (Some(archive), false) = (self.run.archive, self.run.is_trial) else {
            let new = held.iter().zip(&verdicts.is_new).filter(|(held, is_new)| held.capture.is_some() && **is_new);
            self.summary.captures += new.count() as u64;
            return Ok(());
        };
        // Before the records: so that none is ever taken for damaged. Also of known records: an older driftline noted nothing.
        let mismatches: Vec<&Mismatch> = held.iter().flat_map(|held| held.mismatches.iter()).collect();
        archive.catalog().put_imported_digests(&mismatches)?;
        let mut parcel = archive.parcel(archive.packing());
        for (held, _) in held.into_iter().zip(verdicts.is_new).filter(|(_, is_new)| *is_new) {
            add(&mut parcel, held, self.file.as_mut())?;
        }
        self.wait()?;
        if parcel.length() == 0 {
            self.run.claims.release(&verdicts.claims);
            progress.map_or(Ok(()), |progress| archive.catalog().put_progress(&progress))?;
            return Ok(());
        }
        if let Some(progress) = progress {
            parcel.set_imported(progress);
        }
        self.waiting = Some((archive.enqueue(parcel)?, verdicts.claims));
        Ok(())
    }

    /// Hands over the rest, and waits until all of it is in the archive.
    pub(super) fn finish(mut self, progress: Option<Progress>) -> Result<Summary, Error> {
        self.flush(progress)?;
        self.wait()?;
        Ok(self.summary)
    }

    fn wait(&mut self) -> Result<(), Error> {
        let Some((waiting, claims)) = self.waiting.take() else { return Ok(()) };
        let receipt = waiting.wait()?;
        self.run.claims.release(&claims);
        self.summary.captures += receipt.captures.len() as u64;
        Ok(())
    }

    /// Which of these records are new?
    fn judge(&mut self, held: &[Held]) -> Result<Verdicts, Error> {
        let captures: Vec<&NewCapture> = held.iter().filter_map(|held| held.capture.as_ref()).collect();
        let mut claims = Vec::new();
        let mut claimed = Vec::new();
        for capture in &captures {
            let own = self.run.claims.claim(capture);
            claimed.push(own.is_some());
            claims.extend(own);
        }
        let known = match self.run.archive {
            Some(archive) => archive.catalog().known(&captures)?,
            None => vec![false; captures.len()],
        };
        let mut verdicts = claimed.iter().zip(known).map(|(&is_claimed, is_known)| is_claimed && !is_known);
        let of_captures: Vec<Option<bool>> =
            held.iter().map(|held| held.capture.as_ref().and_then(|_| verdicts.next())).collect();
        let verdicts = self.judge_others(held, &of_captures, claims);
        self.summary.duplicates += verdicts.is_new.iter().filter(|is_new| !**is_new).count() as u64;
        Ok(verdicts)
    }

    /// What is no capture follows the capture that it belongs to.
    fn judge_others(&mut self, held: &[Held], of_captures: &[Option<bool>], claims: Vec<Claim>) -> Verdicts {
        let captures =
            || held.iter().zip(of_captures).filter_map(|(held, is_new)| Some((held.capture.as_ref()?, (*is_new)?)));
        let urls = |wanted: bool| -> HashSet<&str> {
            captures().filter(|(_, is_new)| *is_new == wanted).map(|(capture, _)| capture.url.as_str()).collect()
        };
        let (new, old) = (urls(true), urls(false));
        let ids = captures().filter(|(_, is_new)| !is_new).filter_map(|(capture, _)| capture.record_id.clone());
        let dropped: HashSet<String> = ids.collect();
        let is_old = |held: &Held| match (&held.about, &held.url) {
            (Some(about), _) => dropped.contains(about) || self.dropped.contains(about),
            (None, Some(url)) => old.contains(url.as_str()) && !new.contains(url.as_str()),
            (None, None) => new.is_empty() && !old.is_empty(),
        };
        let is_new =
            held.iter().zip(of_captures).map(|(held, verdict)| verdict.unwrap_or_else(|| !is_old(held))).collect();
        self.dropped = dropped;
        Verdicts { is_new, claims }
    }
}

/// Adds a record to a parcel.
fn add(parcel: &mut Parcel, held: Held, file: Option<&mut (File, u64)>) -> Result<(), Error> {
    if let Some(note) = held.note {
        parcel.add(&mut note.as_slice()).map_err(Error::Room)?;
    }
    let added = match (held.bytes, file) {
        (Bytes::Made(mut bytes, length), _) => {
            bytes.seek(SeekFrom::Start(0)).and_then(|_| parcel.add(&mut bytes.take(length).chain(NewRecord::END)))
        }
        (Bytes::Packed(extent), Some(file)) => range(file, extent).and_then(|mut range| parcel.add_packed(&mut range)),
        (Bytes::Plain(extent), Some(file)) => {
            range(file, extent).and_then(|range| parcel.add(&mut range.chain(NewRecord::END)))
        }
        (_, None) => Err(io::ErrorKind::NotFound.into()),
    };
    let extent = added.map_err(Error::Room)?;
    if let Some(capture) = held.capture {
        parcel.push(NewCapture { offset: extent.offset, length: extent.length, ..capture });
    }
    Ok(())
}

fn range((file, start): &mut (File, u64), extent: Extent) -> io::Result<impl Read + use<'_>> {
    file.seek(SeekFrom::Start(start.saturating_add(extent.offset)))?;
    Ok(file.take(extent.length))
}
