//! How is everything made again? Segments that the catalog does not know are indexed; then whatever is missing, or
//! was made by another recipe, is derived anew.
//!
//! Addresses are taken a few dozen at a time and their versions in short runs, one run a core. Each run is committed
//! by itself: who is interrupted goes on where it stopped, and memory holds a run for each core.

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;

use driftline::change::Sides;
use driftline::page::{Limits, Source};
use rayon::prelude::*;

use super::{Deriver, Kind, Reading, index, row};
use crate::archive::{Archive, Error, Found};
use driftline_catalog::{Change, Derived, StoredCapture, Version};

/// What is to be made again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuild {
    /// Which kinds.
    pub kinds: Vec<Kind>,
    /// Only what belongs to this address; then no segments are indexed.
    pub url: Option<String>,
    /// Which values.
    pub extent: Extent,
}

/// Which values are made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// Those that are missing or were made by another recipe.
    #[default]
    Stale,
    /// All of them.
    All,
}

/// What was made again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rebuilt {
    /// Segments that the catalog did not know, and how many captures each holds.
    pub indexed: Vec<(String, u64)>,
    /// How many values of each kind were made.
    pub made: BTreeMap<Kind, u64>,
    /// How many versions could not be read.
    pub failed: u64,
    /// Why, for the first ones.
    pub failures: Vec<String>,
}

/// So many failures are told; the others are counted.
const MOST_FAILURES: usize = 100;
/// So many addresses are asked for at once.
const URLS: u32 = 64;
/// So many versions are derived and committed together.
const RUN: usize = 16;

/// Makes derived values again. `advance` is told of each version that is done with. Nothing but the catalog's tables of
/// segments, captures, derived values and changes is touched; nobody is alerted.
///
/// # Errors
/// If the catalog or a segment cannot be read or written. A version that cannot be read is only counted.
pub fn rebuild(archive: &Archive, what: &Rebuild, advance: &(dyn Fn() + Sync)) -> Result<Rebuilt, Error> {
    let mut rebuilt = Rebuilt::default();
    let sink = Sink { archive, advance, sum: Mutex::default(), measured: None };
    let Some(url) = &what.url else {
        rebuilt.indexed = index::index(archive)?;
        let mut after = 0;
        while let Some(page) = archive.catalog().versions(after, URLS)? {
            let needs = Needs::of(archive, what, after)?;
            sink.derive(runs(&page.items, &needs))?;
            after = page.next;
        }
        return Ok(sink.finish(rebuilt));
    };
    let versions = archive.catalog().versions_of(url)?;
    let mut by_url: BTreeMap<&str, Vec<Version>> = BTreeMap::new();
    for version in &versions {
        by_url.entry(&version.capture.capture.url).or_default().push(version.clone());
    }
    for versions in by_url.values() {
        let needs = Needs::of_versions(archive, what, versions)?;
        sink.derive(runs(versions, &needs))?;
    }
    Ok(sink.finish(rebuilt))
}

/// The changes of exactly this address, as they are after [`rebuild`], with nothing kept: those that are missing or were
/// made by another recipe are measured, and come back without their bodies.
///
/// # Errors
/// If the catalog cannot be read.
pub fn measure(archive: &Archive, url: &str) -> Result<Vec<Change>, Error> {
    let what = Rebuild { kinds: vec![Kind::Change], url: Some(url.to_owned()), extent: Extent::Stale };
    let mut versions = archive.catalog().versions_of(url)?;
    versions.retain(|version| version.capture.capture.url == url);
    let needs = Needs::of_versions(archive, &what, &versions)?;
    let sink = Sink { archive, advance: &|| (), sum: Mutex::default(), measured: Some(Mutex::default()) };
    sink.derive(runs(&versions, &needs))?;
    let measured = sink.measured.unwrap_or_default().into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let again: HashSet<i64> = measured.iter().map(|change| change.newer).collect();
    let mut changes = archive.catalog().changes_of(url)?;
    changes.retain(|change| !again.contains(&change.newer));
    changes.extend(measured);
    Ok(changes)
}

/// Which versions need what.
struct Needs(Vec<(Kind, Option<HashSet<i64>>)>);

impl Needs {
    fn of(archive: &Archive, what: &Rebuild, after: i64) -> Result<Self, Error> {
        let catalog = archive.catalog();
        let stale = |&kind: &Kind| {
            Ok(match (what.extent, kind) {
                (Extent::All, _) => (kind, None),
                (_, Kind::Change) => {
                    let pairs =
                        catalog.unmeasured(kind.recipe(), after, URLS)?.map_or_else(Vec::new, |page| page.items);
                    (kind, Some(pairs.into_iter().map(|(_, newer)| newer).collect()))
                }
                _ => {
                    let ids = catalog.underived_versions(kind.name(), kind.recipe(), after, URLS)?;
                    (kind, Some(ids.into_iter().collect()))
                }
            })
        };
        what.kinds.iter().map(stale).collect::<Result<_, Error>>().map(Self)
    }

    /// The same for the versions of one address.
    fn of_versions(archive: &Archive, what: &Rebuild, versions: &[Version]) -> Result<Self, Error> {
        let catalog = archive.catalog();
        let mut needs = Vec::new();
        for &kind in &what.kinds {
            if what.extent == Extent::All {
                needs.push((kind, None));
                continue;
            }
            let mut stale = HashSet::new();
            for version in versions {
                let id = version.capture.id;
                let recipe = match (kind, version.previous) {
                    (Kind::Change, Some(older)) => catalog.change(older, id)?.map(|change| change.recipe),
                    _ => catalog.derived(id, kind.name())?.map(|value| value.recipe),
                };
                stale.extend((recipe != Some(kind.recipe())).then_some(id));
            }
            needs.push((kind, Some(stale)));
        }
        Ok(Self(needs))
    }

    fn by(&self, version: &Version) -> Vec<Kind> {
        let is_needed = |(kind, stale): &(Kind, Option<HashSet<i64>>)| {
            let can_be = *kind != Kind::Change || version.previous.is_some();
            can_be && stale.as_ref().is_none_or(|stale| stale.contains(&version.capture.id))
        };
        self.0.iter().filter(|need| is_needed(need)).map(|(kind, _)| *kind).collect()
    }
}

/// Versions of one address, one after the other.
struct Run<'a> {
    /// The version before the first.
    before: Option<&'a StoredCapture>,
    versions: Vec<(&'a Version, Vec<Kind>)>,
}

/// Versions in runs; those that need nothing only count.
fn runs<'a>(versions: &'a [Version], needs: &Needs) -> Vec<Run<'a>> {
    let mut runs: Vec<Run<'a>> = Vec::new();
    let mut before: Option<&'a StoredCapture> = None;
    for version in versions {
        let own = &version.capture;
        before = before.filter(|before| before.capture.url == own.capture.url);
        match runs.last_mut() {
            Some(run) if before.is_some() && run.versions.len() < RUN => {
                run.versions.push((version, needs.by(version)));
            }
            _ => runs.push(Run { before, versions: vec![(version, needs.by(version))] }),
        }
        before = Some(own);
    }
    runs
}

/// Where all threads put what they made.
struct Sink<'a> {
    archive: &'a Archive,
    advance: &'a (dyn Fn() + Sync),
    sum: Mutex<Rebuilt>,
    /// Changes go here without their bodies, and not into the catalog.
    measured: Option<Mutex<Vec<Change>>>,
}

impl Sink<'_> {
    fn derive(&self, runs: Vec<Run<'_>>) -> Result<(), Error> {
        runs.into_par_iter().try_for_each_init(Deriver::default, |deriver, run| self.derive_run(deriver, &run))
    }

    fn derive_run(&self, deriver: &mut Deriver, run: &Run<'_>) -> Result<(), Error> {
        let (mut values, mut changes) = (Vec::new(), Vec::new());
        let mut older: Option<Reading> = None;
        for (place, (version, kinds)) in run.versions.iter().enumerate() {
            let next_needs = run.versions.get(place + 1).is_some_and(|(_, kinds)| kinds.contains(&Kind::Change));
            let newer = if kinds.is_empty() && !next_needs { None } else { self.read(deriver, &version.capture) };
            if kinds.contains(&Kind::Change) && place == 0 {
                older = run.before.and_then(|before| self.read(deriver, before));
            }
            if let Some(newer) = &newer {
                let of_one = kinds.iter().filter_map(|&kind| Some((kind, deriver.value(kind, newer)?)));
                values.extend(of_one.map(|(kind, body)| Derived {
                    capture: version.capture.id,
                    kind: kind.name().to_owned(),
                    recipe: kind.recipe(),
                    body,
                }));
            }
            if let (true, Some(id), Some(old), Some(new)) =
                (kinds.contains(&Kind::Change), version.previous, &older, &newer)
            {
                let captures = Sides { older: id, newer: version.capture.id };
                changes.push(row(captures, deriver.change(old, new).as_ref()));
            }
            older = newer;
        }
        match &self.measured {
            None => self.commit(&values, &changes)?,
            Some(measured) => {
                changes.iter_mut().for_each(|change| change.body = serde_json::Value::Null);
                measured.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(changes);
            }
        }
        run.versions.iter().for_each(|_| (self.advance)());
        Ok(())
    }

    fn read(&self, deriver: &Deriver, capture: &StoredCapture) -> Option<Reading> {
        let url = Some(capture.capture.url.as_str());
        match self.archive.read(capture, Limits::DEFAULT.bytes) {
            Ok(Found::Http(response)) => {
                let content_type = response.head.content_type();
                Some(deriver.read(Source { bytes: &response.body, content_type, url }))
            }
            Ok(Found::Resource { content_type, body, .. }) => {
                Some(deriver.read(Source { bytes: &body, content_type: content_type.as_deref(), url }))
            }
            Err(error) => {
                let mut sum = self.sum.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                sum.failed += 1;
                if sum.failures.len() < MOST_FAILURES {
                    sum.failures.push(format!("{}@{}: {error}", capture.capture.url, capture.capture.at));
                }
                None
            }
        }
    }

    fn commit(&self, values: &[Derived], changes: &[Change]) -> Result<(), Error> {
        let catalog = self.archive.catalog();
        if !values.is_empty() {
            catalog.put_derived(values)?;
        }
        if !changes.is_empty() {
            catalog.put_changes(changes)?;
        }
        let mut sum = self.sum.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for kind in Kind::OF_ONE {
            let count = values.iter().filter(|value| value.kind == kind.name()).count() as u64;
            *sum.made.entry(kind).or_default() += count;
        }
        *sum.made.entry(Kind::Change).or_default() += changes.len() as u64;
        Ok(())
    }

    fn finish(self, rebuilt: Rebuilt) -> Rebuilt {
        let sum = self.sum.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        Rebuilt { indexed: rebuilt.indexed, ..sum }
    }
}

#[cfg(test)]
mod tests;
