//! Retention by the daemon: captures that need not be kept are removed, a step at a time.
//!
//! The first step with a rule is a dry run: the log says what would go, and nothing goes before the next step. So a rule
//! that was mistyped can be mended.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use driftline::time::Time;
use driftline_archive::Archive;
use driftline_archive::care::compact::{self, Compact, CompactError, Gone, Limits, Mode};
use driftline_archive::care::retention::{Retention, Size};
use driftline_catalog::CatalogError;

use crate::retention;
use crate::watches::Watch;

/// What a step of retention did.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Retained {
    /// How many captures were removed.
    pub(super) captures: u64,
    /// How many bytes are freed.
    pub(super) bytes: u64,
    /// How many captures would be removed by rules that were not applied yet: the next step removes them.
    pub(super) announced: u64,
    /// Whether there is more to do at once.
    pub(super) is_more: bool,
}

/// The rules of watches of which it was said what would go, by the ids of the watches.
#[derive(Debug, Default)]
pub(super) struct Announced(HashMap<Arc<str>, Retention>);

impl Announced {
    /// Whether the rules of all watches of a page are known.
    fn has(&self, ids: &[Arc<str>], watches: &HashMap<&str, &Retention>) -> bool {
        ids.iter().all(|id| watches.get(&**id).is_none_or(|rules| self.0.get(id) == Some(*rules)))
    }
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

/// Removes captures of these watches by their rules, as far as it pays. By rules that were not `announced` yet nothing goes.
pub(super) fn retain(
    archive: &Archive,
    watches: &[Watch],
    now: Time,
    announced: &mut Announced,
    is_stopping: &dyn Fn() -> bool,
) -> Result<Retained, RetainError> {
    if watches.iter().all(|watch| watch.settings.retention.is_everything()) {
        // A rule that comes back is said again.
        announced.0.clear();
        return Ok(Retained::default());
    }
    let everything = Retention::default();
    let rules = retention::rules(archive.catalog(), watches, &everything)?;
    for watch in &rules.unreadable {
        tracing::warn!(watch, "what is known of a watch cannot be read: no rule of retention is applied to it");
    }
    let ruled = watches.iter().filter(|watch| !watch.settings.retention.is_everything());
    let ruled: HashMap<&str, &Retention> = ruled.map(|watch| (&*watch.id, &watch.settings.retention)).collect();
    let (mut known, mut new) = (Vec::new(), Vec::new());
    for (page, ids) in rules.pages.into_iter().zip(&rules.watches) {
        if announced.has(ids, &ruled) { known.push(page) } else { new.push(page) }
    }
    let mut what = Compact { retention: everything, pages: known, needed: rules.needed, now, mode: Mode::Real };
    let step = compact::retain(archive, &what, &Limits::default(), is_stopping)?;
    let of_watch = sums(&step.gone);
    for (watch, (captures, bytes)) in of_watch.iter().take(MOST_NAMED) {
        tracing::info!(%watch, captures, bytes, "retention removed captures");
    }
    let bytes = u64::try_from(step.freed).unwrap_or_default();
    if !step.gone.is_empty() {
        let (captures, watches, freed) = (step.gone.len(), of_watch.len(), Size(bytes).to_string());
        tracing::info!(captures, watches, freed, waiting = step.waiting, "retention is applied");
    }
    (what.pages, what.mode) = (new, Mode::DryRun);
    let is_new = !what.pages.is_empty();
    let done = Retained { captures: step.gone.len() as u64, bytes, announced: 0, is_more: step.is_more && !is_new };
    let would_go = match if is_new { compact::preview(archive, &what) } else { Ok(Vec::new()) } {
        Ok(would_go) => would_go,
        Err(error) if step.gone.is_empty() => return Err(error.into()),
        // What was removed is counted all the same; the next step says the rest.
        Err(error) => {
            tracing::warn!(%error, "it is not known what new rules of retention would remove; the next step tries again");
            return Ok(done);
        }
    };
    announce(&would_go);
    announced.0 = ruled.into_iter().map(|(id, rules)| (id.into(), rules.clone())).collect();
    // There is time to mend new rules, however much the others leave to do.
    Ok(Retained { announced: would_go.len() as u64, ..done })
}

/// Says what would go.
fn announce(would_go: &[Gone]) {
    let of_watch = sums(would_go);
    for (watch, (captures, bytes)) in of_watch.iter().take(MOST_NAMED) {
        tracing::info!(%watch, captures, bytes, "retention will remove captures in its next step; nothing is removed yet");
    }
    if of_watch.len() > MOST_NAMED {
        let bytes = would_go.iter().map(|gone| gone.length).sum();
        let (captures, watches, size) = (would_go.len(), of_watch.len(), Size(bytes).to_string());
        let unnamed = watches - MOST_NAMED;
        tracing::info!(captures, watches, unnamed, size, "retention will remove captures of all these watches");
    }
}

/// How many captures go of each watch, and how many bytes.
fn sums(gone: &[Gone]) -> BTreeMap<&Arc<str>, (u64, u64)> {
    let mut sums: BTreeMap<&Arc<str>, (u64, u64)> = BTreeMap::new();
    for gone in gone {
        if let Some(watch) = &gone.watch {
            let (captures, bytes) = sums.entry(watch).or_default();
            (*captures, *bytes) = (*captures + 1, *bytes + gone.length);
        }
    }
    sums
}
