//! Which addresses were new with a snapshot? A batch of numbers and their keys.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use driftline::time::Time;

use crate::snapshot::{About, FileFacts, Number, SnapshotError, Urls};

/// The addresses that were new with one snapshot, even if that was removed since.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The time of the snapshot.
    pub(super) at: Time,
    /// The number of the first of them; the others follow in the order of their keys.
    pub(crate) first: Number,
    /// How many there are.
    pub(super) count: u32,
    /// The place of the snapshot in the order of adding.
    pub(super) added: u32,
    /// Whether the snapshot was removed since.
    pub(super) removed: bool,
    /// Their keys, unless they are plainly damaged.
    urls: Option<Urls>,
    path: PathBuf,
    facts: Option<FileFacts>,
    verified: OnceLock<()>,
}

impl Batch {
    /// Opens the addresses of a snapshot, which is in this folder or was.
    pub(super) fn open(folder: &Path, at: Time, about: &About, removed: bool) -> Self {
        let facts = about.files.get(Urls::FILE).copied();
        Self {
            at,
            first: about.first_number,
            count: about.new_urls,
            added: about.added,
            removed,
            urls: Urls::open(folder).ok().filter(|urls| urls.len() == about.new_urls),
            path: folder.join(Urls::FILE),
            facts,
            verified: OnceLock::new(),
        }
    }

    /// The number after the last of them.
    pub(super) fn end(&self) -> Number {
        self.first.checked_add(self.count).unwrap_or(Number::new(u32::MAX))
    }

    /// Their keys.
    pub(crate) fn urls(&self) -> io::Result<&Urls> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, self.damage("it cannot be opened"));
        self.urls.as_ref().ok_or_else(damaged)
    }

    /// Can they be opened?
    pub(super) fn is_sound(&self) -> bool {
        self.urls.is_some()
    }

    /// Are they as they were written? Read through once.
    pub(super) fn verify(&self) -> Result<(), SnapshotError> {
        if self.verified.get().is_none() {
            let facts = self.facts.filter(|_| self.is_sound()).ok_or_else(|| self.damage("it cannot be opened"))?;
            facts.check(&self.path, &|_| ())?;
            self.verified.get_or_init(|| ());
        }
        Ok(())
    }

    pub(super) fn damage(&self, what: &str) -> SnapshotError {
        SnapshotError::Damaged { path: self.path.clone(), what: what.to_owned() }
    }

    /// The first number whose address is lost, if any is: batches follow each other, or there is something missing.
    pub(super) fn lost_from(sorted: &[Self]) -> Option<Number> {
        let mut next = Some(Number::new(0));
        for batch in sorted {
            if next != Some(batch.first) {
                return Some(next.map_or(batch.first, |next| batch.first.min(next)));
            }
            next = batch.first.checked_add(batch.count);
            if !batch.is_sound() || next.is_none() {
                return Some(batch.first);
            }
        }
        None
    }
}
