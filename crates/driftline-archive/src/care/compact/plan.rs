//! Which captures go, and what becomes of those that lean on them?
//!
//! Captures are taken key by key, and of each no more is remembered than a line of an index has: of those that go about
//! two hundred bytes, of those that stay nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::super::choice::{Candidate, Reason, choose};
use super::held::{Held, Print, candidates};
use super::rules::Rules;
use super::{Compact, CompactError, Mode};
use crate::Time;
use crate::archive::{Archive, Error};
use crate::catalog::{CaptureKind, Position, StoredCapture};
use crate::derive::{self, Extent, Kind, Rebuild};
use crate::surt;

/// A capture that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// Its number in the catalog.
    pub id: i64,
    /// Its address.
    pub url: Arc<str>,
    /// When it was captured.
    pub at: Time,
    /// The segment that it is in.
    pub segment: Arc<str>,
    /// Where it begins there.
    pub offset: u64,
    /// How many bytes it takes there.
    pub length: u64,
    /// Does it differ from the one before?
    pub is_version: bool,
    /// Why it goes.
    pub reason: Reason,
}

/// What becomes of a revisit whose original goes.
#[derive(Debug, Clone)]
pub(super) enum Turn {
    /// It holds the body of its original itself.
    Whole(Box<StoredCapture>),
    /// It refers to this one.
    Refer(Arc<StoredCapture>),
}

/// What is to be done.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) gone: Vec<Gone>,
    pub(super) ids: HashSet<i64>,
    /// The names of the records that go.
    pub(super) names: HashSet<Print>,
    pub(super) turns: HashMap<i64, Turn>,
    /// The segments that have to be written again.
    pub(super) segments: BTreeSet<Arc<str>>,
    pub(super) kept: u64,
    /// The keys of bodies that go.
    keys: HashSet<Print>,
    /// For bodies that go, captures of the same key that stay and have the same.
    heirs: HashMap<i64, i64>,
}

/// The captures of a key, by their addresses.
type Pages = BTreeMap<Arc<str>, Vec<Held>>;

/// So many captures are asked for at once.
const PAGE: u32 = 1_000;

impl Plan {
    pub(super) fn make(archive: &Archive, what: &Compact) -> Result<Self, CompactError> {
        let rules = Rules::of(archive, &what.retention)?;
        let mut plan = Self::default();
        let mut names: BTreeSet<Arc<str>> = BTreeSet::new();
        let (mut key, mut pages, mut position) = (String::new(), Pages::new(), None);
        loop {
            let rows = archive.catalog().by_key(position.as_ref(), PAGE)?;
            let Some(last) = rows.last() else { break };
            position = Some(Position::of(last));
            for row in rows {
                if row.capture.key != key {
                    plan.choose(archive, what, &rules, &key, std::mem::take(&mut pages))?;
                    key.clone_from(&row.capture.key);
                }
                let segment = names.get(row.segment.as_str()).cloned().unwrap_or_else(|| row.segment.as_str().into());
                names.insert(Arc::clone(&segment));
                let held = Held::new(&row, segment);
                match pages.get_mut(row.capture.url.as_str()) {
                    Some(page) => page.push(held),
                    None => _ = pages.insert(row.capture.url.into(), vec![held]),
                }
            }
        }
        plan.choose(archive, what, &rules, &key, pages)?;
        plan.find_turns(archive)?;
        Ok(plan)
    }

    /// Decides about the captures of a key.
    fn choose(
        &mut self,
        archive: &Archive,
        what: &Compact,
        rules: &Rules,
        key: &str,
        pages: Pages,
    ) -> Result<(), CompactError> {
        let first = self.gone.len();
        let (mut stay, mut bodies) = (HashMap::new(), Vec::new());
        for (url, captures) in pages {
            let rule = rules.of_url(&url);
            let mut candidates = candidates(&captures);
            if rule.thin && !choose(&candidates, rule, what.now).is_empty() {
                weigh(archive, what.mode, &url, &mut candidates)?;
            }
            let reasons: HashMap<usize, Reason> = choose(&candidates, rule, what.now).into_iter().collect();
            for (place, held) in captures.into_iter().enumerate() {
                let body = held.digest.filter(|_| !held.is_revisit).map(|digest| (digest, held.id));
                let Some(&reason) = reasons.get(&place) else {
                    self.kept += 1;
                    stay.extend(body);
                    continue;
                };
                bodies.extend(body);
                if !held.is_revisit {
                    self.keys.insert(Print::of(key));
                }
                self.drop(&url, held, candidates[place].is_version, reason);
            }
        }
        self.gone[first..].sort_by(|one, other| (&one.url, one.at, one.id).cmp(&(&other.url, other.at, other.id)));
        self.heirs.extend(bodies.into_iter().filter_map(|(digest, id)| Some((id, *stay.get(&digest)?))));
        Ok(())
    }

    fn drop(&mut self, url: &Arc<str>, held: Held, is_version: bool, reason: Reason) {
        let Held { id, at, name, segment, offset, length, .. } = held;
        self.ids.insert(id);
        self.names.extend(name);
        self.segments.insert(Arc::clone(&segment));
        self.gone.push(Gone { id, url: Arc::clone(url), at, segment, offset, length, is_version, reason });
    }

    /// Finds revisits that stay although their originals go.
    fn find_turns(&mut self, archive: &Archive) -> Result<(), CompactError> {
        if self.keys.is_empty() {
            return Ok(());
        }
        let mut orphans: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        let mut after = 0;
        loop {
            let page = archive.catalog().all(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.id;
            for capture in page {
                let is_kept = capture.capture.kind == CaptureKind::Revisit && !self.ids.contains(&capture.id);
                if !is_kept || !self.may_lean(&capture) {
                    continue;
                }
                match archive.original(&capture) {
                    Ok(original) if self.ids.contains(&original.id) => {
                        orphans.entry(original.id).or_default().push(capture.id);
                    }
                    Ok(_) | Err(Error::NoOriginal { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        orphans.into_iter().try_for_each(|(original, revisits)| self.turn(archive, original, &revisits))
    }

    /// May the body of a revisit be one that goes? An original is looked for under the address that a revisit names,
    /// and under its own.
    fn may_lean(&self, revisit: &StoredCapture) -> bool {
        let named = revisit.capture.refers_to.as_ref();
        self.keys.contains(&Print::of(&revisit.capture.key))
            || named.is_some_and(|named| self.keys.contains(&Print::of(&surt::key(&named.url))))
    }

    /// Another capture with the same body takes the place of an original; if there is none, its first revisit does.
    fn turn(&mut self, archive: &Archive, original: i64, revisits: &[i64]) -> Result<(), CompactError> {
        let catalog = archive.catalog();
        let mut rows = Vec::with_capacity(revisits.len());
        for &revisit in revisits {
            rows.extend(catalog.capture(revisit)?.map(|row| (row.capture.at, row.id, row.segment)));
        }
        rows.sort();
        self.segments.extend(rows.iter().map(|(_, _, segment)| Arc::from(segment.as_str())));
        let mut rows = rows.into_iter().map(|(_, id, _)| id);
        let heir = match self.heirs.get(&original) {
            Some(&heir) => catalog.capture(heir)?,
            None => match (rows.next(), catalog.capture(original)?) {
                (Some(first), Some(original)) => {
                    self.turns.insert(first, Turn::Whole(Box::new(original)));
                    catalog.capture(first)?
                }
                _ => None,
            },
        };
        if let Some(heir) = heir.map(Arc::new) {
            self.turns.extend(rows.map(|revisit| (revisit, Turn::Refer(Arc::clone(&heir)))));
        }
        Ok(())
    }
}

/// How much each version changed. What is not known yet is measured; a dry run does not keep it.
fn weigh(archive: &Archive, mode: Mode, url: &str, candidates: &mut [Candidate]) -> Result<(), CompactError> {
    let changes = match mode {
        Mode::DryRun => derive::measure(archive, url)?,
        Mode::Real => {
            let rebuild = Rebuild { kinds: vec![Kind::Change], url: Some(url.to_owned()), extent: Extent::Stale };
            derive::rebuild(archive, &rebuild, &|| ())?;
            archive.catalog().changes_of(url)?
        }
    };
    let weights: HashMap<i64, f64> = changes
        .into_iter()
        .map(|change| (change.newer, change.degree.max(change.importance.unwrap_or_default())))
        .collect();
    for candidate in candidates {
        candidate.weight = weights.get(&candidate.id).copied().unwrap_or_default();
    }
    Ok(())
}
