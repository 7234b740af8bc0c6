//! Which captures go, and what becomes of those that lean on them?
//!
//! Captures are taken key by key, and of each no more is remembered than a line of an index has: of those that go about
//! two hundred bytes, of those that stay nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::super::choice::Reason;
use super::held::{Held, Print};
use super::planner::{Bodies, Planner};
use super::rules::Rules;
use super::{Compact, CompactError};
use crate::Time;
use crate::archive::{Archive, Error};
use driftline_catalog::{Cursor, StoredCapture, surt};

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
    /// The watch by whose rule it goes; none if it goes by the general one.
    pub watch: Option<Arc<str>>,
    /// The name of its record.
    pub(super) name: Option<Print>,
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
    /// How many captures there are.
    pub(super) total: u64,
    /// The keys of bodies that go.
    keys: HashSet<Print>,
    /// For bodies that go, captures of the same key that stay and have the same.
    pub(super) heirs: HashMap<i64, i64>,
}

/// The captures of a key, by their addresses.
pub(super) type Pages = BTreeMap<Arc<str>, Vec<Held>>;

/// This many captures are read at once.
const PAGE: u32 = 1_000;
/// This many captures that go are remembered at once: about 50 MB.
const MOST_GONE: usize = 200_000;

impl Plan {
    /// What goes of all pages.
    pub(super) fn make(archive: &Archive, what: &Compact) -> Result<Self, CompactError> {
        let mut planner = Planner::new(archive, what)?;
        planner.rules.add_catalog(archive)?;
        let (mut key, mut pages, mut position) = (String::new(), Pages::new(), None);
        loop {
            let rows = archive.catalog().by_key(position.as_ref(), PAGE)?;
            let Some(last) = rows.last() else { break };
            position = Some(Cursor::of(last));
            planner.plan.total += rows.len() as u64;
            for row in rows {
                if row.capture.key != key {
                    planner.choose_key(std::mem::take(&mut pages))?;
                    key.clone_from(&row.capture.key);
                }
                let own = pages.get_key_value(row.capture.url.as_str()).map(|(url, _)| Arc::clone(url));
                let url = own.unwrap_or_else(|| row.capture.url.as_str().into());
                let held = planner.reader.held(&row, &url);
                pages.entry(url).or_default().push(held);
            }
        }
        planner.choose_key(pages)?;
        let mut plan = planner.plan;
        let orphans = plan.orphans(archive)?;
        orphans.into_iter().try_for_each(|(original, revisits)| plan.turn(archive, original, &revisits))?;
        Ok(plan)
    }

    /// What goes of the pages of watches, until so much goes that more would take too much memory.
    pub(super) fn of_watches(archive: &Archive, what: &Compact) -> Result<Self, CompactError> {
        let mut planner = Planner::new(archive, what)?;
        for page in what.pages.iter().map(Rules::of_watch) {
            if planner.plan.gone.len() >= MOST_GONE {
                break;
            }
            if page.rules.iter().all(|rule| !rule.is_everything()) {
                let captures = planner.reader.captures(&page.urls)?;
                planner.plan.total += captures.len() as u64;
                planner.choose(&page, captures, &mut Bodies::default())?;
            }
        }
        Ok(planner.plan)
    }

    /// Leaves out what lies in other segments than these.
    pub(super) fn only_in(&mut self, segments: &BTreeSet<Arc<str>>) {
        self.segments.retain(|segment| segments.contains(segment));
        self.keep_if(|gone| !segments.contains(&gone.segment));
    }

    /// Leaves out captures whose bodies other captures need that stay.
    pub(super) fn keep_originals(&mut self, archive: &Archive) -> Result<(), CompactError> {
        // Each that stays may need another one itself, but revisits do not refer to revisits: once is enough.
        let orphans = self.orphans(archive)?;
        self.keep_if(|gone| orphans.contains_key(&gone.id));
        Ok(())
    }

    fn keep_if(&mut self, stays: impl Fn(&Gone) -> bool) {
        let Self { gone, ids, names, .. } = self;
        gone.retain(|own| {
            let stays = stays(own);
            if stays {
                ids.remove(&own.id);
                own.name.iter().for_each(|name| _ = names.remove(name));
            }
            !stays
        });
    }

    /// How many captures stay, of those that were looked at.
    pub(super) fn kept(&self) -> u64 {
        self.total - self.gone.len() as u64
    }

    pub(super) fn drop(&mut self, held: Held, group: (bool, Reason), watch: Option<&Arc<str>>) {
        let Held { id, url, at, name, segment, offset, length, is_revisit, .. } = held;
        let (is_version, reason) = group;
        self.ids.insert(id);
        self.names.extend(name);
        self.segments.insert(Arc::clone(&segment));
        if !is_revisit {
            self.keys.insert(Print::of(&surt::key(&url)));
        }
        let watch = watch.cloned();
        self.gone.push(Gone { id, url, at, segment, offset, length, is_version, reason, watch, name });
    }

    /// Revisits that stay although their originals go, by these.
    fn orphans(&self, archive: &Archive) -> Result<BTreeMap<i64, Vec<i64>>, CompactError> {
        if self.keys.is_empty() { Ok(BTreeMap::new()) } else { self.orphans_after(archive, 0) }
    }

    /// The same for those that are newer than a capture.
    pub(super) fn orphans_after(
        &self,
        archive: &Archive,
        mut after: i64,
    ) -> Result<BTreeMap<i64, Vec<i64>>, CompactError> {
        let mut orphans: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        loop {
            let page = archive.catalog().revisits(after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = last.id;
            for capture in page {
                if self.ids.contains(&capture.id) || !self.may_lean(&capture) {
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
        Ok(orphans)
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
