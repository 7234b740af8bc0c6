//! Retention while checks go on: what goes of the pages of watches, a bounded step at a time.
//!
//! Segments are written again only when it pays: a step looks for those of which much goes, and leaves the others for
//! later. While records are copied captures are appended as usual, to other segments. Appending waits only for the
//! locks, and for the one transaction in which the catalog learns of everything. Other processes that want to write
//! wait until the step is done. Killed at any moment, the archive is as it was or as it shall be, as with [`compact`].
//!
//! [`compact`]: super::compact

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::sync::Arc;

use super::copy::Copier;
use super::plan::Plan;
use super::{Compact, CompactError, Gone, Mode, Outcome, switch_folder, switch_store, write};
use crate::Time;
use crate::archive::{Archive, Error};
use driftline_catalog::{Segment, SegmentState};

/// When a segment is written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// If at least one byte of this many goes.
    pub share: u64,
    /// If it has at most this many bytes, and any go.
    pub small: u64,
    /// If it was begun at least this many microseconds ago, and any bytes go.
    pub longest: i64,
    /// A step reads segments of this many bytes, or one that is larger.
    pub most_bytes: u64,
}

impl Default for Limits {
    /// A quarter, 32 MiB, 30 days, and steps of 256 MiB: three bytes are written at most for each that is freed, but for
    /// small and old segments, and what is to go is gone within 30 days.
    fn default() -> Self {
        Self { share: 4, small: 32 << 20, longest: 30 * 86_400_000_000, most_bytes: 256 << 20 }
    }
}

/// What a step did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Step {
    /// The captures that are removed, page by page in time order.
    pub gone: Vec<Gone>,
    /// How many more go by the rules, in segments that are not written again yet.
    pub waiting: u64,
    /// How many bytes are freed.
    pub freed: i64,
    /// Whether other segments are to be written again at once.
    pub is_more: bool,
}

/// What goes next of pages of watches, by the rules alone; nothing is changed.
///
/// # Errors
/// If a rule makes no sense, or something cannot be read.
pub fn preview(archive: &Archive, what: &Compact) -> Result<Vec<Gone>, CompactError> {
    let mut plan = Plan::of_watches(archive, &Compact { mode: Mode::DryRun, ..what.clone() })?;
    plan.keep_originals(archive)?;
    Ok(plan.gone)
}

/// Removes what goes of the pages of watches, as far as it pays. `is_stopping` breaks it off; nothing has changed then.
/// Captures whose bodies others refer to stay until those go too.
///
/// # Errors
/// If another process writes to the archive, or other machines may; if a rule makes no sense, or something cannot be
/// read or written. Unless the files in question say otherwise nothing has changed then.
pub fn retain(
    archive: &Archive,
    what: &Compact,
    limits: &Limits,
    is_stopping: &dyn Fn() -> bool,
) -> Result<Step, CompactError> {
    if archive.store().is_remote() && archive.catalog().is_server() {
        return Err(CompactError::Shared);
    }
    let newest = archive.catalog().newest()?;
    let mut plan = Plan::of_watches(archive, what)?;
    plan.keep_originals(archive)?;
    let planned = plan.gone.len() as u64;
    let (segments, is_more) = worthwhile(archive, &plan, what.now, limits)?;
    if segments.is_empty() {
        return Ok(Step { waiting: planned, ..Step::default() });
    }
    let presence = archive.presence().ok_or(Error::ReadOnly)?;
    lock_out_others(archive, presence)?;
    let done = apply(archive, what, plan, segments, newest, is_stopping);
    let _pause = archive.pause();
    presence.lock_shared().map_err(Error::file("lock", archive.folder().path()))?;
    let outcome = done?;
    let waiting = planned - outcome.gone.len() as u64;
    let is_more = is_more && !outcome.gone.is_empty();
    Ok(Step { freed: outcome.freed(), gone: outcome.gone, waiting, is_more })
}

/// Does what a plan says of these segments, while no other process writes.
fn apply(
    archive: &Archive,
    what: &Compact,
    mut plan: Plan,
    segments: BTreeSet<Arc<str>>,
    newest: i64,
    is_stopping: &dyn Fn() -> bool,
) -> Result<Outcome, CompactError> {
    plan.only_in(&closed(archive, segments)?);
    // Some that refer to them stay now.
    plan.keep_originals(archive)?;
    plan.segments = plan.gone.iter().map(|gone| Arc::clone(&gone.segment)).collect();
    if plan.gone.is_empty() {
        return Ok(Outcome::default());
    }
    replace(archive, what, plan, newest, is_stopping)
}

/// Locks the archive against other processes that write. Changing a lock gives the old one up first, so nothing may be
/// written meanwhile.
fn lock_out_others(archive: &Archive, presence: &File) -> Result<(), CompactError> {
    let _pause = archive.pause();
    let failed = || Error::file("lock", archive.folder().path());
    match presence.try_lock() {
        Ok(()) => Ok(()),
        Err(error) => {
            presence.lock_shared().map_err(failed())?;
            Err(match error {
                TryLockError::WouldBlock => CompactError::Busy,
                TryLockError::Error(error) => failed()(error).into(),
            })
        }
    }
}

/// The segments that are to be written again, those with the largest shares first, as many as a step may read; and
/// whether there are more.
fn worthwhile(
    archive: &Archive,
    plan: &Plan,
    now: Time,
    limits: &Limits,
) -> Result<(BTreeSet<Arc<str>>, bool), CompactError> {
    let mut going: BTreeMap<&str, u64> = BTreeMap::new();
    for gone in &plan.gone {
        *going.entry(&gone.segment).or_default() += gone.length;
    }
    let mut worthwhile: Vec<(f64, Segment)> = Vec::new();
    for segment in archive.catalog().segments()? {
        let Some(&bytes) = going.get(segment.name.as_str()) else { continue };
        let is_old = begun(&segment.name)
            .is_some_and(|begun| now.microseconds().saturating_sub(begun.microseconds()) >= limits.longest);
        if bytes.saturating_mul(limits.share) >= segment.bytes || segment.bytes <= limits.small || is_old {
            worthwhile.push((bytes as f64 / segment.bytes.max(1) as f64, segment));
        }
    }
    worthwhile.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let (mut chosen, mut read) = (BTreeSet::new(), 0);
    for (_, segment) in &worthwhile {
        read += segment.bytes;
        if read > limits.most_bytes && !chosen.is_empty() {
            break;
        }
        chosen.insert(Arc::from(segment.name.as_str()));
    }
    let is_more = chosen.len() < worthwhile.len();
    Ok((chosen, is_more))
}

/// When a segment was begun, by its name: `PREFIX-TIMESTAMP17-SERIAL-PID~HOST.warc.gz`.
fn begun(name: &str) -> Option<Time> {
    let digits = name.split('-').nth(1)?;
    digits.get(..14)?.parse().ok()
}

/// Those of these segments that are complete. The one that is written is closed first; what is on its way to the object
/// store, or belongs to a writer that died, waits.
fn closed(archive: &Archive, mut names: BTreeSet<Arc<str>>) -> Result<BTreeSet<Arc<str>>, CompactError> {
    let states = || -> Result<BTreeMap<String, SegmentState>, Error> {
        let segments = archive.catalog().segments()?.into_iter();
        Ok(segments.map(|segment| (segment.name, segment.state)).collect())
    };
    let mut known = states()?;
    if names.iter().any(|name| known.get(&**name) == Some(&SegmentState::Open)) {
        archive.seal()?;
        known = states()?;
    }
    names.retain(|name| match known.get(&**name) {
        Some(SegmentState::Closed) => !archive.store().is_remote(),
        Some(SegmentState::Stored) => true,
        _ => false,
    });
    Ok(names)
}

/// Writes what stays of the segments, and switches, unless a capture needs by now what is to go.
fn replace(
    archive: &Archive,
    what: &Compact,
    mut plan: Plan,
    newest: i64,
    is_stopping: &dyn Fn() -> bool,
) -> Result<Outcome, CompactError> {
    let copier = Copier::new(archive, what, &|_| ()).until(is_stopping);
    let (copier, outcome) = write(archive, what, &mut plan, copier)?;
    let pause = archive.pause();
    let is_needed = match plan.orphans_after(archive, newest) {
        Ok(orphans) => !orphans.is_empty(),
        Err(error) => {
            copier.take_back();
            return Err(error);
        }
    };
    if is_needed || is_stopping() {
        copier.take_back();
        return if is_needed { Ok(Outcome::default()) } else { Err(CompactError::Stopped) };
    }
    let new = switch_folder(archive, copier, &outcome)?;
    drop(pause);
    if archive.store().is_remote() {
        switch_store(archive, new.iter().map(String::as_str), &outcome.replaced)?;
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests;
