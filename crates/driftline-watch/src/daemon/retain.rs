//! Retention by the daemon: captures that need not be kept are removed, a step at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use driftline::time::Time;
use driftline_archive::Archive;
use driftline_archive::care::compact::{self, Compact, CompactError, Limits, Mode};
use driftline_archive::care::retention::{Retention, Size};
use driftline_archive::catalog::CatalogError;

use crate::retention;
use crate::watches::Watch;

/// What a step of retention did.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Retained {
    /// How many captures were removed.
    pub(super) captures: u64,
    /// How many bytes are freed.
    pub(super) bytes: u64,
    /// Whether there is more to do at once.
    pub(super) is_more: bool,
}

/// Why nothing was removed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RetainError {
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The archive cannot be changed.
    #[error(transparent)]
    Archive(#[from] CompactError),
}

impl RetainError {
    /// Whether it is over by itself: another process writes, or the daemon stops.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Archive(CompactError::Busy | CompactError::Stopped))
    }
}

/// This many watches of a step are named in the log.
const MOST_NAMED: usize = 100;

/// Removes captures of these watches by their rules, as far as it pays.
pub(super) fn retain(
    archive: &Archive,
    watches: &[Watch],
    now: Time,
    is_stopping: &dyn Fn() -> bool,
) -> Result<Retained, RetainError> {
    if watches.iter().all(|watch| watch.settings.retention.is_everything()) {
        return Ok(Retained::default());
    }
    let everything = Retention::default();
    let rules = retention::rules(archive.catalog(), watches, &everything)?;
    for watch in &rules.unreadable {
        tracing::warn!(watch, "what is known of a watch cannot be read: no rule of retention is applied to it");
    }
    let what = Compact { retention: everything, pages: rules.pages, needed: rules.needed, now, mode: Mode::Real };
    let step = compact::retain(archive, &what, &Limits::default(), is_stopping)?;
    let mut of_watch: BTreeMap<&Arc<str>, (u64, u64)> = BTreeMap::new();
    for gone in &step.gone {
        if let Some(watch) = &gone.watch {
            let (captures, bytes) = of_watch.entry(watch).or_default();
            (*captures, *bytes) = (*captures + 1, *bytes + gone.length);
        }
    }
    for (watch, (captures, bytes)) in of_watch.iter().take(MOST_NAMED) {
        tracing::info!(watch = %watch, captures, bytes, "retention removed captures");
    }
    let bytes = u64::try_from(step.freed).unwrap_or_default();
    if !step.gone.is_empty() {
        let (captures, watches, freed) = (step.gone.len(), of_watch.len(), Size(bytes).to_string());
        tracing::info!(captures, watches, freed, waiting = step.waiting, "retention is applied");
    }
    Ok(Retained { captures: step.gone.len() as u64, bytes, is_more: step.is_more })
}
