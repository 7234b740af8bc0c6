//! Was it told of another page already? Pages of a site are checked one after the other, over hours, so a new footer is
//! seen on most of them long after the first one was told. What was told once is not told again page by page.
//!
//! A change is an echo if all its parts changed in the same way on another page of the site, that was told to the same
//! people within a day, and they matter little. What matters is told for each page: two products that are sold out on
//! the same day are two messages, a line at the foot of forty pages is one.

use std::collections::BTreeMap;

use driftline::event::{Event, Kind};
use driftline::span::Span;
use driftline::time::Time;
use driftline_catalog::{Catalog, CatalogError, EventFilter, Settlement, StoredEvent};
use serde_json::Value;

use super::Audience;
use super::settle::{mentions, shorten};
use crate::leftover;

/// So many events of a site are looked at, the latest first.
const MOST_EVENTS: u32 = 1_000;
/// What was told longer ago is told again.
const SPREAD: Span = Span::from_seconds(24 * 60 * 60);
/// A part that matters less than this matters little.
const LITTLE: f64 = 0.2;

/// Folds echoes into what was told, which names their pages from then on.
pub(super) fn fold(
    catalog: &Catalog,
    site: &str,
    held: &mut Vec<StoredEvent>,
    settlement: &mut Settlement,
    audience: &Audience<'_>,
) -> Result<(), CatalogError> {
    let candidates: Vec<Change> = held.iter().filter_map(|stored| Change::read(stored, audience)).collect();
    let Some(first) = candidates.iter().filter(|change| change.matters_little()).map(|change| change.event.at).min()
    else {
        return Ok(());
    };
    let told = told(catalog, site, first, audience)?;
    let mut named: BTreeMap<&str, Vec<&Event>> = BTreeMap::new();
    for change in candidates.iter().filter(|change| change.matters_little()) {
        if let Some(before) = told.iter().find(|before| before.explains(change)) {
            settlement.folded.push((change.id, before.key.clone()));
            named.entry(&before.key).or_default().push(&change.event);
        }
    }
    held.retain(|stored| settlement.folded.iter().all(|(id, _)| *id != stored.id));
    for before in &told {
        // Of those that were made one, only that one is told and has a list.
        if let Some(echoes) = named.get(before.event.key.as_str()) {
            settlement.updated.push((before.id, leftover::updated(&with_echoes(&before.event, echoes), &before.body)));
        }
    }
    Ok(())
}

/// Changes of the site that were told since a day before this time, the latest first.
fn told(catalog: &Catalog, site: &str, first: Time, audience: &Audience<'_>) -> Result<Vec<Change>, CatalogError> {
    let from = Time::from_microseconds(first.microseconds().saturating_sub(SPREAD.microseconds()));
    let filter = EventFilter {
        kinds: vec![Kind::Changed.name().to_owned()],
        site: Some(site.to_owned()),
        from: Some(from),
        all: true,
        limit: MOST_EVENTS,
        ..EventFilter::default()
    };
    let stored = catalog.events(&filter)?.items;
    let is_told = |stored: &&StoredEvent| stored.held_until.is_none();
    let told: Vec<Change> = stored.iter().filter(is_told).filter_map(|stored| Change::read(stored, audience)).collect();
    // What a redesign explains was not told as a change.
    let keys: Vec<String> = told.iter().map(|change| change.event.key.clone()).collect();
    Ok(told.into_iter().filter(|change| keys.contains(&change.key)).collect())
}

/// A change of a page, or the same one of several.
struct Change {
    id: i64,
    event: Event,
    /// The event as it is stored.
    body: Value,
    /// The key of what was told: its own, or that of the event that explains it.
    key: String,
    /// None for the event of several pages: its pages have events of their own.
    audience: Option<Vec<String>>,
}

impl Change {
    fn read(stored: &StoredEvent, audience: &Audience<'_>) -> Option<Self> {
        let event: Event = serde_json::from_value(stored.body.clone()).ok()?;
        let key = stored.folded_into.clone().unwrap_or_else(|| stored.key.clone());
        let audience = stored.watch.as_deref().map(|watch| audience(watch, &event.tags));
        (event.kind == Kind::Changed).then(|| Self { id: stored.id, event, body: stored.body.clone(), key, audience })
    }

    fn matters_little(&self) -> bool {
        let parts = &self.event.parts;
        !parts.is_empty() && parts.iter().all(|part| part.importance < LITTLE)
    }

    /// Is the other one an echo of this one, which was told?
    fn explains(&self, other: &Self) -> bool {
        let has = |signature: &str| self.event.parts.iter().any(|part| part.signature == signature);
        self.audience.is_some()
            && self.audience == other.audience
            && self.event.url != other.event.url
            && other.event.parts.iter().all(|part| has(&part.signature))
    }
}

/// What was told, with the pages on which it was found later.
fn with_echoes(told: &Event, echoes: &[&Event]) -> Event {
    let mut event = told.clone();
    let mut pages = mentions(echoes.iter().copied());
    if event.pages.is_empty() {
        pages.extend(mentions(std::iter::once(told)));
    }
    event.pages.extend(pages);
    event.pages.sort_by(|one, other| (&one.url, &one.title).cmp(&(&other.url, &other.title)));
    event.pages.dedup();
    event.explains.extend(echoes.iter().map(|echo| echo.key.clone()));
    shorten(&mut event);
    event
}
