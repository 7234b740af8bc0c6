//! What becomes of changes that a redesign explains: they are folded into it, and what of a page is more than the design is
//! an event of its own.
//!
//! Pages of a site are seen over hours. Each time when a further page of a redesign is settled, those that were folded
//! before are looked at again: what the first few pages gained may turn out to be an edit when the others come without it.
//! The key of an edit is made of the key of the change, so that it is reported once.

use std::collections::{BTreeMap, BTreeSet};

use driftline::event::{Event, Kind};
use driftline::time::Time;
use driftline_catalog::{Catalog, CatalogError, EventFilter, Settlement, StoredEvent};

use super::edits::events::{self as reports, Edited};
use super::edits::{self, Verdict};
use super::settle::{Audience, Held, Known, SAME_DESIGN, mentions, shorten};
use crate::leftover::Leftover;

/// The most changes of a site that are looked at, the latest first.
const MOST_EVENTS: u32 = 1_000;

/// A change that a redesign explains, settled before.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    pub(super) event: Event,
    pub(super) leftover: Leftover,
    /// Whether it was folded into the redesign, and no edit of it was reported.
    pub(super) is_open: bool,
}

/// Whether a redesign since this time explains a change: it is one from a version of before to one of after, built in
/// another way.
pub(super) fn explains(since: Time, event: &Event) -> bool {
    let versions = event.versions.filter(|_| event.kind == Kind::Changed);
    event.template_similarity.is_some_and(|similarity| similarity < SAME_DESIGN)
        && versions.is_some_and(|versions| versions.older < since && since <= versions.newer)
}

/// The changes that a redesign explains and that were settled before, for each redesign that explains one of those that
/// are held.
pub(super) fn evidence(
    catalog: &Catalog,
    site: &str,
    held: &[StoredEvent],
    known: &mut [Known],
) -> Result<(), CatalogError> {
    let held: Vec<Event> = held.iter().filter_map(|stored| serde_json::from_value(stored.body.clone()).ok()).collect();
    let all: Vec<(Time, String)> = known.iter().map(|known| (known.since, known.key.clone())).collect();
    let is_of = |event: &Event, key: &str| {
        all.iter().filter(|(since, _)| explains(*since, event)).max().is_some_and(|(_, latest)| latest == key)
    };
    for known in known.iter_mut().filter(|known| held.iter().any(|event| is_of(event, &known.key))) {
        let filter = EventFilter {
            kinds: vec![Kind::Changed.name().to_owned()],
            site: Some(site.to_owned()),
            from: Some(known.since),
            all: true,
            limit: MOST_EVENTS,
            ..EventFilter::default()
        };
        let settled = catalog.events(&filter)?.items.into_iter().filter(|stored| stored.held_until.is_none());
        let read = |stored: StoredEvent| {
            let event: Event = serde_json::from_value(stored.body.clone()).ok()?;
            Some((event, stored))
        };
        let settled: Vec<(Event, StoredEvent)> = settled.filter_map(read).collect();
        let reported: BTreeSet<&String> = settled.iter().map(|(event, _)| &event.key).collect();
        // Events of several pages name their changes.
        let in_lists: BTreeSet<&String> = settled.iter().flat_map(|(event, _)| &event.explains).collect();
        let of = |(event, stored): &(Event, StoredEvent)| {
            let leftover = Leftover::of(&stored.body).filter(|_| is_of(event, &known.key))?;
            let key = reports::key(event.watch.as_deref().unwrap_or_default(), &event.key);
            let is_folded = stored.folded_into.as_ref() == Some(&known.key);
            let is_open = is_folded && !reported.contains(&key) && !in_lists.contains(&event.key);
            Some(Evidence { event: event.clone(), leftover, is_open })
        };
        known.pages = settled.iter().filter_map(of).collect();
    }
    Ok(())
}

/// Folds changes that a redesign explains: those from a version of the old design to one of the new. Whom a change is
/// for hears of the redesign, or has heard of it; or of the change. The answer are the events of edits, each with the
/// watches that it is about.
pub(super) fn fold(
    events: &mut Vec<Held>,
    known: &[Known],
    settlement: &mut Settlement,
    audience: &Audience<'_>,
) -> Vec<(Event, Vec<String>)> {
    let explained_by = explanations(events, known, audience);
    let (verdicts, edited_before) = judge(events, &explained_by, known);
    let mut edited = edited_before;
    edited.iter_mut().for_each(|page| page.audience = audience(&page.watch, &page.event.tags));
    let mut explained: BTreeMap<String, (Vec<Event>, BTreeSet<String>)> = BTreeMap::new();
    let mut kept = Vec::new();
    for held in std::mem::take(events) {
        let verdict = verdicts.get(&held.id);
        let Some(key) = explained_by.get(&held.id).filter(|_| verdict != Some(&Verdict::Unknown)) else {
            kept.push(held);
            continue;
        };
        settlement.folded.push((held.id, key.clone()));
        let audience = audience(&held.watch, &held.event.tags);
        let explained = explained.entry(key.clone()).or_default();
        explained.0.push(held.event.clone());
        explained.1.extend(audience.iter().cloned());
        if let Some(Verdict::Edited(edits)) = verdict {
            edited.push(Edited { watch: held.watch, event: held.event, edits: edits.clone(), audience });
        }
    }
    *events = kept;
    name_pages(events, known, explained);
    reports::events(edited)
}

/// The redesign that explains each held event, by its number.
fn explanations(events: &[Held], known: &[Known], audience: &Audience<'_>) -> BTreeMap<i64, String> {
    let held = events.iter().filter(|held| held.event.kind.is_design());
    // Those that are told only now can still be told to everybody.
    let mut redesigns: BTreeMap<(Time, String), Option<&[String]>> =
        known.iter().map(|known| ((known.since, known.key.clone()), Some(known.audience.as_slice()))).collect();
    redesigns.extend(held.filter_map(|held| Some(((held.event.since?, held.event.key.clone()), None))));
    let explanation = |held: &Held| {
        let ((_, key), told) = redesigns.iter().rev().find(|((since, _), _)| explains(*since, &held.event))?;
        let is_told =
            told.is_none_or(|told| audience(&held.watch, &held.event.tags).iter().all(|name| told.contains(name)));
        is_told.then(|| (held.id, key.clone()))
    };
    events.iter().filter_map(explanation).collect()
}

/// The verdicts of held events, by their numbers, and the edits of pages that were folded before.
fn judge(
    events: &[Held],
    explained_by: &BTreeMap<i64, String>,
    known: &[Known],
) -> (BTreeMap<i64, Verdict>, Vec<Edited>) {
    let (mut verdicts, mut edited) = (BTreeMap::new(), Vec::new());
    let redesigns: BTreeSet<&String> = explained_by.values().collect();
    for redesign in redesigns {
        let own: Vec<&Held> = events.iter().filter(|held| explained_by.get(&held.id) == Some(redesign)).collect();
        let before: &[Evidence] = known.iter().find(|known| known.key == *redesign).map_or(&[], |known| &known.pages);
        let held = own.iter().filter_map(|held| {
            let leftover = held.leftover.as_ref()?;
            Some(edits::Page { key: &held.event.key, url: &held.event.url, leftover })
        });
        let settled = before.iter().map(|page| edits::Page {
            key: &page.event.key,
            url: &page.event.url,
            leftover: &page.leftover,
        });
        let all: Vec<edits::Page<'_>> = held.chain(settled).collect();
        let judged = edits::judge(&all);
        let verdict = |key: &str| judged.get(key).cloned();
        verdicts.extend(own.iter().filter_map(|held| Some((held.id, verdict(&held.event.key)?))));
        edited.extend(before.iter().filter(|page| page.is_open).filter_map(|page| {
            let Some(Verdict::Edited(edits)) = verdict(&page.event.key) else { return None };
            let watch = page.event.watch.clone().unwrap_or_default();
            Some(Edited { watch, event: page.event.clone(), edits, audience: Vec::new() })
        }));
    }
    (verdicts, edited)
}

/// Redesigns name the pages that they explain, and how sure they are by now.
fn name_pages(events: &mut [Held], known: &[Known], mut explained: BTreeMap<String, (Vec<Event>, BTreeSet<String>)>) {
    for held in events.iter_mut() {
        let known = known.iter().find(|known| known.key == held.event.key);
        if let Some(certainty) = known.and_then(|known| known.certainty) {
            held.event.certainty = Some(certainty);
            held.is_altered = true;
        }
        if let Some((explained, besides)) = explained.remove(&held.event.key) {
            held.event.explains = explained.iter().map(|event| event.key.clone()).collect();
            held.event.pages = mentions(explained.iter());
            held.besides = besides.into_iter().collect();
            held.is_altered = true;
            shorten(&mut held.event);
        }
    }
}
