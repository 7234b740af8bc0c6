//! Compaction: an archive gets smaller and loses nothing that is to be kept.
//!
//! Segments only grow, so compaction writes new ones with what is kept, puts them on the disk, tells the catalog of
//! everything in one transaction, gives them their names, and removes the old files. Killed before the transaction the
//! archive is as it was, killed after it the archive is as it shall be; what lies about then is swept up by whoever
//! opens the archive next. Nobody else may write meanwhile.
//!
//! Memory holds about 250 bytes for each capture that goes, and as many for each that moves: a million of them take a
//! quarter of a gigabyte. Of all others it holds those of one key at a time.

mod copy;
mod held;
mod pages;
mod plan;
mod planner;
mod rules;
mod step;
mod turn;

use std::collections::{BTreeMap, HashSet};
use std::fs::TryLockError;
use std::sync::Arc;

pub use plan::Gone;
pub use step::{Limits, Step, preview, retain};

use super::retention::{BadRetention, Retention};
use crate::Time;
use crate::archive::{Archive, Error};
use copy::Copier;
use driftline_catalog::{Relocation, Segment, SegmentState};
use plan::Plan;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compact {
    /// What is kept of a page whose watch has no rule of its own.
    pub retention: Retention,
    /// The pages of watches that have rules. No address is in two of them.
    pub pages: Vec<PageRules>,
    /// Captures that stay whatever the rules, such as those that watches compare with, by their numbers in ascending
    /// order.
    pub needed: Vec<i64>,
    /// What time it is.
    pub now: Time,
    /// Is it done, or only told?
    pub mode: Mode,
}

/// The rules of a page that is watched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageRules {
    /// Its addresses: the one that is watched first, then those that it leads to.
    pub urls: Vec<Arc<str>>,
    /// The rules of its watches: a capture goes if all of them say so.
    pub rules: Vec<Retention>,
    /// The watch, for people.
    pub watch: Arc<str>,
    /// Captures after this time stay: they may not have been compared yet.
    pub judged: Option<Time>,
}

/// Is it done, or only told?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Only told: nothing is changed.
    #[default]
    DryRun,
    /// Done.
    Real,
}

/// What went, or would go.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// The captures, page by page in time order.
    pub gone: Vec<Gone>,
    /// How many captures stay.
    pub kept: u64,
    /// How many unchanged captures hold their body themselves now, or refer to another capture.
    pub turned: u64,
    /// The segments that were written again without them, or removed.
    pub replaced: Vec<String>,
    /// Their bytes.
    pub bytes_before: u64,
    /// The bytes of the segments in their place.
    pub bytes_after: u64,
    /// What an interrupted compaction had left in the object store, and is gone now.
    pub swept: Vec<String>,
}

impl Outcome {
    /// How many bytes are freed; fewer than none if originals had to be written again.
    #[must_use]
    pub fn freed(&self) -> i64 {
        self.bytes_before.cast_signed() - self.bytes_after.cast_signed()
    }
}

/// Why an archive was not compacted. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompactError {
    /// The archive failed.
    #[error(transparent)]
    Archive(#[from] Error),
    /// A rule makes no sense.
    #[error(transparent)]
    Retention(#[from] BadRetention),
    /// Somebody else writes to it.
    #[error(
        "another process writes to the archive\nhint: stop it, or compact when it is done; `--dry-run` works meanwhile"
    )]
    Busy,
    /// Other machines may write to it.
    #[error(
        "the catalog and the object store may have other writers, which cannot be seen from here\nhint: stop them and \
         run `driftline archive compact`"
    )]
    Shared,
    /// It was stopped.
    #[error("it was stopped before it was done")]
    Stopped,
    /// A segment is on its way to the object store.
    #[error("segment `{0}` is being uploaded\nhint: compact when that is done")]
    Uploading(String),
    /// A segment is damaged, and what is unreadable in it would be lost.
    #[error(
        "segment `{segment}` is damaged at byte {offset}: {why}\nhint: `driftline archive verify` says what else is; \
         compact when it is mended"
    )]
    Damaged {
        /// The file.
        segment: String,
        /// The byte in it.
        offset: u64,
        /// What is wrong.
        why: String,
    },
}

impl From<driftline_catalog::CatalogError> for CompactError {
    fn from(error: driftline_catalog::CatalogError) -> Self {
        Self::Archive(error.into())
    }
}

/// Drops captures by the rules. `advance` is told of bytes that were read.
///
/// # Errors
/// If somebody else writes to the archive, a rule makes no sense, or something cannot be read or written. Unless the
/// files in question say otherwise nothing has changed then.
pub fn compact(archive: &mut Archive, what: &Compact, advance: &(dyn Fn(u64) + Sync)) -> Result<Outcome, CompactError> {
    what.retention.check()?;
    if what.mode == Mode::DryRun {
        return Ok(work(archive, what, advance)?.1);
    }
    archive.seal()?;
    let presence = archive.presence().ok_or(Error::ReadOnly)?;
    let locked = presence.try_lock();
    let done = match locked {
        Ok(()) => replace(archive, what, advance),
        Err(TryLockError::WouldBlock) => Err(CompactError::Busy),
        Err(TryLockError::Error(error)) => Err(Error::file("lock", archive.folder().path())(error).into()),
    };
    // Changing a lock gives the old one up first: it is taken again in any case.
    presence.lock_shared().map_err(Error::file("lock", archive.folder().path()))?;
    done
}

/// Does all of it, while nobody else writes.
fn replace(archive: &Archive, what: &Compact, advance: &(dyn Fn(u64) + Sync)) -> Result<Outcome, CompactError> {
    let swept = sweep_store(archive)?;
    let (copier, outcome) = work(archive, what, advance)?;
    switch(archive, copier, Outcome { swept, ..outcome })
}

/// Removes what an interrupted compaction left in the object store: what is known to be replaced.
fn sweep_store(archive: &Archive) -> Result<Vec<String>, Error> {
    let store = archive.store();
    if !store.is_remote() {
        return Ok(Vec::new());
    }
    let segments = archive.catalog().segments()?.into_iter();
    let dropped: HashSet<String> =
        segments.filter(|segment| segment.state == SegmentState::Dropped).map(|segment| segment.name).collect();
    let left: Vec<String> =
        store.list()?.into_iter().map(|(name, _)| name).filter(|name| dropped.contains(name)).collect();
    left.iter().try_for_each(|name| store.delete(name))?;
    Ok(left)
}

/// Decides what goes, and writes what stays of the segments concerned.
fn work<'a>(
    archive: &'a Archive,
    what: &Compact,
    advance: &'a (dyn Fn(u64) + Sync),
) -> Result<(Copier<'a>, Outcome), CompactError> {
    write(archive, what, &mut Plan::make(archive, what)?, Copier::new(archive, what, advance))
}

/// Writes what stays of the segments of a plan.
fn write<'a>(
    archive: &Archive,
    what: &Compact,
    plan: &mut Plan,
    mut copier: Copier<'a>,
) -> Result<(Copier<'a>, Outcome), CompactError> {
    let known: BTreeMap<String, Segment> =
        archive.catalog().segments()?.into_iter().map(|segment| (segment.name.clone(), segment)).collect();
    let mut outcome = Outcome { kept: plan.kept(), turned: plan.turns.len() as u64, ..Outcome::default() };
    let written = plan.segments.iter().try_for_each(|name| {
        let segment = known.get(&**name).ok_or(CompactError::Busy)?;
        // A dry run reads what was acknowledged, whoever is at it: when it is done, they will be gone.
        match segment.state {
            _ if what.mode == Mode::DryRun => {}
            SegmentState::Open | SegmentState::Dropped => return Err(CompactError::Busy),
            SegmentState::Closed if archive.store().is_remote() => {
                return Err(CompactError::Uploading(name.to_string()));
            }
            _ => {}
        }
        outcome.bytes_before += segment.bytes;
        outcome.replaced.push(name.to_string());
        copier.copy(plan, segment)
    });
    if let Err(error) = written.and_then(|()| copier.finish()) {
        copier.take_back();
        return Err(error);
    }
    outcome.bytes_after = copier.bytes();
    outcome.gone = std::mem::take(&mut plan.gone);
    Ok((copier, outcome))
}

/// Makes it true: all at once in the catalog, and then in the folder and the store.
fn switch(archive: &Archive, copier: Copier<'_>, outcome: Outcome) -> Result<Outcome, CompactError> {
    if outcome.replaced.is_empty() {
        return Ok(outcome);
    }
    let new = switch_folder(archive, copier, &outcome)?;
    if archive.store().is_remote() {
        switch_store(archive, new.iter().map(String::as_str), &outcome.replaced)?;
    }
    Ok(outcome)
}

/// Makes it true in the catalog and the folder. The names of the new segments.
fn switch_folder(archive: &Archive, copier: Copier<'_>, outcome: &Outcome) -> Result<Vec<String>, Error> {
    let (moved, turned, new) = copier.into_parts();
    let segment = |name: &String, state, bytes| Segment { name: name.clone(), state, bytes };
    let mut segments: Vec<_> = new.iter().map(|(name, bytes)| segment(name, SegmentState::Closed, *bytes)).collect();
    segments.extend(outcome.replaced.iter().map(|name| segment(name, SegmentState::Dropped, 0)));
    let dropped = outcome.gone.iter().map(|gone| gone.id).collect();
    // If this fails, whether the catalog took it is not known: whoever opens the archive next sweeps up.
    archive.catalog().relocate(&Relocation { moved, turned, dropped, segments })?;
    archive.folder().place(new.iter().map(|(name, _)| name.as_str()))?;
    for name in &outcome.replaced {
        archive.folder().remove(name)?;
    }
    archive.folder().sync()?;
    Ok(new.into_iter().map(|(name, _)| name).collect())
}

/// Makes it true in the object store. What was not uploaded is when the archive is opened next.
fn switch_store<'a>(
    archive: &Archive,
    new: impl IntoIterator<Item = &'a str>,
    replaced: &[String],
) -> Result<(), Error> {
    let store = archive.store();
    for name in new {
        store.upload(name, &archive.folder().closed(name))?;
        archive.catalog().set_segment_state(name, SegmentState::Stored)?;
        archive.folder().remove(name)?;
    }
    for name in replaced {
        if store.has(name)? {
            store.delete(name)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
