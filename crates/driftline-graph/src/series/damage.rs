//! Which snapshots cannot be used, and what helps?
//!
//! One damaged snapshot must not take its series with it: it is told, the others are used, and it can be removed.

use driftline::time::Time;

use super::error::told;
use super::{Batch, Series};
use crate::snapshot::{About, Snapshot, SnapshotError};

/// What helps where nothing else is known.
const AGAIN: &str = "remove the snapshot and add it again from its crawl";

/// A snapshot that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot of {at} cannot be used: {what}\nhint: {cure}")]
pub struct Damage {
    /// Its time, as its folder is called.
    pub at: Time,
    /// What is wrong, and with which file.
    pub what: String,
    /// What helps.
    pub cure: String,
    /// Whether its addresses and their numbers are there all the same.
    pub(super) has_addresses: bool,
}

impl Damage {
    pub(super) fn new(at: Time, error: &SnapshotError, has_addresses: bool) -> Self {
        let text = error.to_string();
        let (what, cure) = text.split_once("\nhint: ").unwrap_or((&text, AGAIN));
        Self { at, what: what.to_owned(), cure: cure.to_owned(), has_addresses }
    }

    /// Its addresses are lost with those of another.
    fn bereft(at: Time) -> Self {
        let what = "addresses that it shares with a snapshot that was added before are lost".to_owned();
        Self { at, what, cure: AGAIN.to_owned(), has_addresses: true }
    }

    /// If its own addresses are lost, those that share them have to go too.
    fn with_heirs(mut self, heirs: &[Time]) -> Self {
        if !self.has_addresses && !heirs.is_empty() {
            self.cure = format!(
                "later snapshots share its addresses: remove it and those of {}, and add them all again from their crawls",
                told(heirs)
            );
        }
        self
    }

    /// The snapshot itself was removed, but for its addresses.
    fn of_removed(self, heirs: &[Time]) -> Self {
        let what = format!("it was removed, and what others share of its addresses is damaged: {}", self.what);
        let cure = format!("remove the snapshots of {}, and add them again from their crawls", told(heirs));
        Self { what, cure, ..self }
    }
}

/// Parts the snapshots that can be named from those whose addresses are lost.
pub(super) fn part(
    snapshots: Vec<Snapshot>,
    damaged: Vec<Damage>,
    batches: &[Batch],
) -> (Vec<Snapshot>, Vec<Damage>, bool) {
    let lost = Batch::lost_from(batches);
    let is_named = |snapshot: &Snapshot| lost.is_none_or(|lost| end(snapshot.about()) <= u64::from(lost.get()));
    let (sound, bereft): (Vec<_>, Vec<_>) = snapshots.into_iter().partition(is_named);
    let mut heirs: Vec<Time> = bereft.iter().map(Snapshot::at).collect();
    heirs.sort_unstable();
    let is_whole = lost.is_none() && damaged.iter().all(|damage| damage.has_addresses);
    let mut damaged: Vec<_> = damaged.into_iter().map(|damage| damage.with_heirs(&heirs)).collect();
    damaged.extend(heirs.into_iter().map(Damage::bereft));
    damaged.sort_by_key(|damage| damage.at);
    (sound, damaged, is_whole)
}

/// The number behind the last that a snapshot can name.
fn end(about: &About) -> u64 {
    u64::from(about.first_number.get()) + u64::from(about.new_urls)
}

impl Series {
    /// Is what a snapshot's pages are taken for, and what they are called, as it was written? Read through once.
    ///
    /// # Errors
    /// If a file differs from its checksum.
    pub(crate) fn verify(&self, snapshot: &Snapshot) -> Result<(), Damage> {
        snapshot.verify().map_err(|error| Damage::new(snapshot.at(), &error, true))?;
        let own = |batch: &&Batch| u64::from(batch.first.get()) < end(snapshot.about());
        self.batches.iter().filter(own).try_for_each(|batch| self.verify_batch(batch))
    }

    /// The same of the addresses of all snapshots: numbers are given out by them.
    pub(super) fn verify_addresses(&self) -> Result<(), Damage> {
        if let Some(damage) = self.damaged.iter().find(|_| !self.is_whole) {
            return Err(damage.clone());
        }
        self.batches.iter().try_for_each(|batch| self.verify_batch(batch))
    }

    fn verify_batch(&self, batch: &Batch) -> Result<(), Damage> {
        let heirs = self.heirs(batch);
        batch.verify().map_err(|error| {
            let damage = Damage::new(batch.at, &error, false);
            if batch.removed { damage.of_removed(&heirs) } else { damage.with_heirs(&heirs) }
        })
    }

    /// Is there a snapshot so damaged that nobody knows which numbers its addresses have?
    pub(super) fn has_unknown(&self) -> bool {
        let has_batch = |at: Time| self.batches.iter().any(|batch| !batch.removed && batch.at == at);
        self.damaged.iter().any(|damage| !has_batch(damage.at))
    }

    /// The snapshots that share the addresses of a batch, but for its own.
    fn heirs(&self, batch: &Batch) -> Vec<Time> {
        let shares = |other: &&Snapshot| end(other.about()) > u64::from(batch.first.get()) && other.at() != batch.at;
        self.snapshots.iter().filter(shares).map(Snapshot::at).collect()
    }

    /// Reads every file of every snapshot and compares it with its checksum; what is damaged, in the order of time.
    /// `advance` is told how many bytes were read.
    #[must_use]
    pub fn check(&self, advance: &dyn Fn(u64)) -> Vec<Damage> {
        let mut damaged = self.damaged.clone();
        for snapshot in &self.snapshots {
            let checked = snapshot.check(advance).map_err(|error| Damage::new(snapshot.at(), &error, true));
            damaged.extend(checked.err());
        }
        for batch in &self.batches {
            if let Err(damage) = self.verify_batch(batch) {
                damaged.retain(|other| other.at != damage.at);
                damaged.push(damage);
            }
        }
        damaged.sort_by_key(|damage| damage.at);
        damaged
    }
}
