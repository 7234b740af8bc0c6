//! Is it the outage that was told already? A host that does not answer is asked less and less often, so its pages are
//! seen to fail one after the other, over hours. What was told once is not told again page by page.
//!
//! A failure belongs to an outage that was told to the same people if it has the same reason, began within a day of it,
//! and no page of the site has worked since. A recovery belongs to one that was told to the same people within a day if
//! the page failed for the same reason, since before that.

use driftline::event::{Event, Kind};
use driftline::span::Span;
use driftline::time::Time;
use driftline_catalog::{Catalog, CatalogError, EventFilter, StoredEvent};

use super::Audience;

/// So many events of a site are looked at, the latest first.
const MOST_EVENTS: u32 = 1_000;
/// A failure that begins later is one of its own.
const SPREAD: Span = Span::from_seconds(24 * 60 * 60);

/// Which of these events are explained by an outage, or by the end of one, that was told: their numbers, and the key of
/// its event.
pub(super) fn explained(
    catalog: &Catalog,
    site: &str,
    held: &[StoredEvent],
    audience: &Audience<'_>,
) -> Result<Vec<(i64, String)>, CatalogError> {
    if !held.iter().any(is_either) {
        return Ok(Vec::new());
    }
    let kinds = [Kind::CheckFailing, Kind::CheckRecovered].map(|kind| kind.name().to_owned()).to_vec();
    let filter =
        EventFilter { kinds, site: Some(site.to_owned()), all: true, limit: MOST_EVENTS, ..EventFilter::default() };
    let known = catalog.events(&filter)?.items;
    let explain = |stored: &StoredEvent| {
        let failure = Failure::read(stored, audience)?;
        let before = known.iter().skip_while(|other| other.at > stored.at);
        let is_told = |other: &&StoredEvent| other.held_until.is_none();
        let told = if is(Kind::CheckFailing, stored) {
            let mut told = before.take_while(|other| is(Kind::CheckFailing, other)).filter(is_told);
            told.find(|other| Failure::read(other, audience).is_some_and(|told| told.explains(&failure)))?
        } else {
            let mut told = before.filter(|other| is(Kind::CheckRecovered, other)).filter(is_told);
            told.find(|other| Failure::read(other, audience).is_some_and(|told| told.ends(&failure)))?
        };
        Some((stored.id, told.folded_into.clone().unwrap_or_else(|| told.key.clone())))
    };
    Ok(held.iter().filter(|stored| is_either(stored)).filter_map(explain).collect())
}

/// A page that fails, or failed.
struct Failure {
    /// Why, whichever page it is.
    reason: String,
    since: Time,
    found: Time,
    audience: Vec<String>,
}

impl Failure {
    fn read(stored: &StoredEvent, audience: &Audience<'_>) -> Option<Self> {
        let event: Event = serde_json::from_value(stored.body.clone()).ok()?;
        Some(Self {
            reason: event.summary.replace(&event.url, ""),
            since: event.since?,
            found: stored.at,
            audience: audience(stored.watch.as_deref()?, &event.tags),
        })
    }

    /// Is the other one a part of this one, which was told?
    fn explains(&self, other: &Self) -> bool {
        self.is_like(other) && other.since.microseconds() <= self.last()
    }

    /// Is the end of the other one a part of the end of this one, which was told?
    fn ends(&self, other: &Self) -> bool {
        self.is_like(other) && other.since <= self.found && other.found.microseconds() <= self.last()
    }

    /// Until when others are a part of it.
    fn last(&self) -> i64 {
        self.found.microseconds().saturating_add(SPREAD.microseconds())
    }

    fn is_like(&self, other: &Self) -> bool {
        self.reason == other.reason && self.audience == other.audience
    }
}

fn is_either(stored: &StoredEvent) -> bool {
    is(Kind::CheckFailing, stored) || is(Kind::CheckRecovered, stored)
}

fn is(kind: Kind, stored: &StoredEvent) -> bool {
    stored.kind == kind.name()
}
