//! Which captures of a page go: its rules, what has to stay, and what is smallest.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::super::choice::{Candidate, decide};
use super::held::{Group, Held, Print, groups, versions};
use super::pages::PageReader;
use super::plan::{Pages, Plan};
use super::rules::{Page, Rules};
use super::{Compact, CompactError, Mode};
use crate::archive::Archive;
use crate::derive::{self, Extent, Kind, Rebuild};

/// Makes a plan, page by page.
pub(super) struct Planner<'a> {
    archive: &'a Archive,
    what: &'a Compact,
    pub(super) rules: Rules<'a>,
    pub(super) reader: PageReader<'a>,
    pub(super) plan: Plan,
}

/// Bodies of a key.
#[derive(Default)]
pub(super) struct Bodies {
    /// Those that stay: their digests, and captures that hold them.
    stay: HashMap<Print, i64>,
    /// Those that go.
    gone: Vec<(Print, i64)>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(archive: &'a Archive, what: &'a Compact) -> Result<Self, CompactError> {
        Ok(Self { archive, what, rules: Rules::of(what)?, reader: PageReader::new(archive)?, plan: Plan::default() })
    }

    /// Decides about the captures of a key.
    pub(super) fn choose_key(&mut self, pages: Pages) -> Result<(), CompactError> {
        let mut bodies = Bodies::default();
        for (url, captures) in pages {
            if self.reader.is_part(&url)? {
                continue;
            }
            let Some(page) = self.rules.page(&url) else { continue };
            let captures = if self.reader.has_parts(&page) { self.reader.captures(&page.urls)? } else { captures };
            let plan = &mut self.plan;
            choose(self.archive, self.what, &self.rules, plan, &page, captures, &mut bodies)?;
        }
        let Bodies { stay, gone } = bodies;
        self.plan.heirs.extend(gone.into_iter().filter_map(|(digest, id)| Some((id, *stay.get(&digest)?))));
        Ok(())
    }

    /// Decides about the captures of a page.
    pub(super) fn choose(
        &mut self,
        page: &Page<'_>,
        captures: Vec<Held>,
        bodies: &mut Bodies,
    ) -> Result<(), CompactError> {
        choose(self.archive, self.what, &self.rules, &mut self.plan, page, captures, bodies)
    }
}

fn choose(
    archive: &Archive,
    what: &Compact,
    rules: &Rules<'_>,
    plan: &mut Plan,
    page: &Page<'_>,
    captures: Vec<Held>,
    bodies: &mut Bodies,
) -> Result<(), CompactError> {
    let first = plan.gone.len();
    let groups = groups(captures);
    let mut candidates: Vec<Candidate> = groups.iter().map(Group::candidate).collect();
    let versions_of = |places: &[usize]| versions(&groups, places);
    let decide = |candidates: &[Candidate]| decide(candidates, &page.rules, what.now, &versions_of);
    let mut chosen = decide(&candidates);
    if !chosen.is_empty() {
        for (candidate, group) in candidates.iter_mut().zip(&groups) {
            candidate.protection = rules.protection(archive, page, group)?;
        }
        if page.rules.iter().any(|rule| rule.thin) {
            weigh(archive, what.mode, &groups, &mut candidates)?;
        }
        chosen = decide(&candidates);
    }
    let all: Vec<usize> = (0..groups.len()).collect();
    let is_version = versions_of(&all);
    let reasons: HashMap<usize, _> = chosen.into_iter().collect();
    for (place, group) in groups.into_iter().enumerate() {
        let reason = reasons.get(&place);
        for held in group.captures {
            let body = held.digest.filter(|_| !held.is_revisit).map(|digest| (digest, held.id));
            match reason {
                None => bodies.stay.extend(body),
                Some(reason) => {
                    bodies.gone.extend(body);
                    plan.drop(held, (is_version[place], *reason), page.watch);
                }
            }
        }
    }
    plan.gone[first..].sort_by(|one, other| (&one.url, one.at, one.id).cmp(&(&other.url, other.at, other.id)));
    Ok(())
}

/// How much each version changed. What is not known yet is measured; a dry run does not keep it.
fn weigh(archive: &Archive, mode: Mode, groups: &[Group], candidates: &mut [Candidate]) -> Result<(), CompactError> {
    let urls: BTreeSet<&Arc<str>> = groups.iter().map(|group| &group.main().url).collect();
    let mut weights: HashMap<i64, f64> = HashMap::new();
    for url in urls {
        let changes = match mode {
            Mode::DryRun => derive::measure(archive, url)?,
            Mode::Real => {
                let rebuild = Rebuild { kinds: vec![Kind::Change], url: Some(url.to_string()), extent: Extent::Stale };
                derive::rebuild(archive, &rebuild, &|| ())?;
                archive.catalog().changes_of(url)?
            }
        };
        let weight = |change: &driftline_catalog::Change| change.degree.max(change.importance.unwrap_or_default());
        weights.extend(changes.iter().map(|change| (change.newer, weight(change))));
    }
    for candidate in candidates {
        candidate.weight = weights.get(&candidate.id).copied().unwrap_or_default();
    }
    Ok(())
}
