//! What is told of the events that waited? Those that say the same become one, those that a redesign explains are
//! folded into it, and the rest go as they are.
//!
//! The rules are one pure function, [`settle_held`]: the same events give the same answer in whatever order they came,
//! and keys are made of causes, so settling again after a crash tells nothing twice.

use std::collections::BTreeMap;

use driftline::event::{Event, Kind, Mention};
use driftline::time::Time;
use driftline_catalog::{Catalog, CatalogError, NewEvent, Settlement, StoredEvent};

use super::fold::{self, Evidence};
use super::same::{self, Merged};
use super::{Redesign, echo, is_held, outage, stream};
use crate::leftover::{self, Leftover};

/// So many events are settled together.
const MOST_HELD: u32 = 10_000;
/// A page whose template stayed that alike did not change its design.
pub(crate) const SAME_DESIGN: f64 = 0.9;
/// An event names so many pages, and events that it explains; the catalog knows all of them.
const MOST_PAGES: usize = 1_000;
/// So many targets are told about one event.
const MOST_TARGETS: u32 = 10_000;

/// What becomes of held events.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settled {
    /// For the catalog; who is told is still to be added.
    pub settlement: Settlement,
    /// What is told.
    pub told: Vec<Told>,
    /// What cannot be: it is released all the same, so that it holds up nothing and is listed.
    pub unreadable: Vec<Unreadable>,
}

/// An event that does not say what it is about: its body is of a format that is not known here, or broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its key.
    pub key: String,
    /// Why it cannot be read.
    pub why: String,
}

/// An event that is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The event.
    pub event: Event,
    /// The watches that it is about, by their ids; none if it is about all of the site.
    pub watches: Vec<String>,
    /// The targets of what it explains besides, by name: they hear of it too.
    pub besides: Vec<String>,
}

/// Who is told about a watch with these tags: the names of targets, sorted.
pub type Audience<'a> = dyn Fn(&str, &[String]) -> Vec<String> + 'a;

/// A redesign that was found before, and who was told.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// When its first document was captured.
    pub since: Time,
    /// The key of its event.
    pub key: String,
    /// The certainty after the last document.
    pub certainty: Option<f64>,
    /// The targets that were told, by name.
    pub audience: Vec<String>,
    /// The changes that it explains and that were settled before.
    pub pages: Vec<Evidence>,
}

/// A held event, read.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) id: i64,
    pub(super) watch: String,
    pub(super) event: Event,
    /// What of the change is compared with other pages of a redesign.
    pub(super) leftover: Option<Leftover>,
    pub(super) is_altered: bool,
    /// The targets of what it explains.
    pub(super) besides: Vec<String>,
}

/// The sites with events that are to be settled by now.
///
/// # Errors
/// If the database fails.
pub fn due_sites(catalog: &Catalog, now: Time) -> Result<Vec<String>, CatalogError> {
    catalog.held_sites(now, MOST_HELD)
}

/// Settles the events of a site that wait. `audience` says who is told about what: events for different people are not
/// made one. What comes out is written by [`Catalog::settle`], with the deliveries.
///
/// # Errors
/// If the database fails.
pub fn settle(catalog: &Catalog, site: &str, now: Time, audience: &Audience<'_>) -> Result<Settled, CatalogError> {
    let mut held = catalog.held_of(site, MOST_HELD)?;
    let explained = outage::explained(catalog, site, &held, audience)?;
    held.retain(|stored| explained.iter().all(|(id, _)| *id != stored.id));
    let mut before = Settlement { folded: explained, ..Settlement::default() };
    echo::fold(catalog, site, &mut held, &mut before, audience)?;
    let mut redesigns = known(catalog, stream::redesigns(catalog.stream(site)?.as_deref()))?;
    fold::evidence(catalog, site, &held, &mut redesigns)?;
    let mut settled = settle_held(&held, &redesigns, now, audience);
    settled.settlement.folded.extend(before.folded);
    settled.settlement.updated.extend(before.updated);
    Ok(settled)
}

/// Redesigns, with those who were told.
fn known(catalog: &Catalog, redesigns: Vec<Redesign>) -> Result<Vec<Known>, CatalogError> {
    let known = |Redesign { since, key, certainty, .. }: Redesign| {
        let told = catalog.deliveries(Some(&key), None, None, MOST_TARGETS)?.items;
        let audience = told.into_iter().map(|delivery| delivery.target).collect();
        Ok(Known { since, key, certainty, audience, pages: Vec::new() })
    };
    redesigns.into_iter().map(known).collect()
}

/// Settles held events of one site.
#[must_use]
pub fn settle_held(held: &[StoredEvent], redesigns: &[Known], now: Time, audience: &Audience<'_>) -> Settled {
    let mut settled = Settled::default();
    let mut events = due(held, now, &mut settled);
    for (event, watches) in fold::fold(&mut events, redesigns, &mut settled.settlement, audience) {
        settled.settlement.new.push(new_event(&event));
        settled.told.push(Told { event, watches, besides: Vec::new() });
    }
    let (by_kind, rest) = split(events, audience);
    let mut left = rest;
    for events in by_kind.into_values() {
        let Merged { new, folded, kept } = same::merge(events);
        for (event, watches) in new {
            settled.settlement.new.push(new_event(&event));
            settled.told.push(Told { event, watches, besides: Vec::new() });
        }
        settled.settlement.folded.extend(folded);
        left.extend(kept);
    }
    left.sort_by(|one, other| one.event.key.cmp(&other.event.key));
    for Held { id, watch, event, leftover, is_altered, besides } in left {
        settled.settlement.released.push(id);
        if is_altered {
            settled.settlement.updated.push((id, leftover::body(&event, leftover.as_ref())));
        }
        let watches = if watch.is_empty() { Vec::new() } else { vec![watch] };
        settled.told.push(Told { event, watches, besides });
    }
    settled.settlement.folded.sort_unstable();
    settled.settlement.released.sort_unstable();
    settled
}

/// The events whose time has come, by their keys. Those that wait for each other go together.
fn due(held: &[StoredEvent], now: Time, settled: &mut Settled) -> Vec<Held> {
    let is_due = |stored: &StoredEvent| stored.held_until.is_some_and(|until| until <= now);
    let mut events = Vec::new();
    let read = |stored: &StoredEvent| serde_json::from_value::<Event>(stored.body.clone());
    let together = held.iter().any(|stored| is_due(stored) && read(stored).is_ok_and(|event| is_held(event.kind)));
    for stored in held {
        match read(stored) {
            Ok(event) if is_due(stored) || together && is_held(event.kind) => {
                let watch = stored.watch.clone().unwrap_or_default();
                let leftover = Leftover::of(&stored.body);
                events.push(Held { id: stored.id, watch, event, leftover, is_altered: false, besides: Vec::new() });
            }
            Ok(_) => {}
            Err(error) => {
                settled.settlement.released.push(stored.id);
                settled.unreadable.push(Unreadable { key: stored.key.clone(), why: error.to_string() });
            }
        }
    }
    events.sort_by(|one, other| one.event.key.cmp(&other.event.key));
    events
}

/// Events by their kind and by who is told.
type ByKind = BTreeMap<(Kind, Vec<String>), Vec<Held>>;

/// Events that may say the same; and the others.
fn split(events: Vec<Held>, audience: &Audience<'_>) -> (ByKind, Vec<Held>) {
    let mut by_kind = ByKind::new();
    let mut rest = Vec::new();
    for held in events {
        if is_held(held.event.kind) && !held.event.kind.is_design() {
            let told = audience(&held.watch, &held.event.tags);
            by_kind.entry((held.event.kind, told)).or_default().push(held);
        } else {
            rest.push(held);
        }
    }
    (by_kind, rest)
}

/// The pages of events, by their addresses.
pub(super) fn mentions<'a>(events: impl Iterator<Item = &'a Event>) -> Vec<Mention> {
    let mut pages: Vec<Mention> = events
        .map(|event| Mention { url: event.url.clone(), title: event.name.clone(), ..Mention::default() })
        .collect();
    pages.sort_by(|one, other| (&one.url, &one.title).cmp(&(&other.url, &other.title)));
    pages.dedup();
    pages
}

/// An event names only so many pages.
pub(crate) fn shorten(event: &mut Event) {
    if event.pages.len().max(event.explains.len()) > MOST_PAGES {
        event.pages.truncate(MOST_PAGES);
        event.explains.truncate(MOST_PAGES);
        event.limits.push("pages".to_owned());
    }
}

/// An event that is made of others; it is not held any more.
fn new_event(event: &Event) -> NewEvent {
    NewEvent {
        key: event.key.clone(),
        at: event.at,
        kind: event.kind.name().to_owned(),
        url: event.url.clone(),
        site: event.site.clone(),
        watch: event.watch.clone(),
        tags: event.tags.clone(),
        capture: None,
        older: None,
        reading: String::new(),
        importance: event.importance,
        release: None,
        body: leftover::body(event, None),
    }
}

#[cfg(test)]
mod tests;
