//! What happened to a feed? Item by item: one event for each that came, changed or went before its time.
//!
//! Items leave a feed at its end when new ones come; that is no news. Keys are made of the items themselves, so a feed
//! that comes from two servers which do not agree tells each item once.

mod announced;
mod expiry;
mod follow;
mod items;

use driftline::change::Sides;
use driftline::compare::Comparer;
use driftline::event::key::Cause;
use driftline::event::{Event, Kind, Mention};
use driftline::feed::Feed;
use driftline::feed::compare::{ItemKind, compare};
use driftline::page::zone::Zones;
use driftline::page::{Page, ReadOptions};
use driftline_fetch::Fetched;
use driftline_report::summary::numbers::grouped;

use super::answer::Unusable;
use super::case::Case;
use super::flicker::{self, Finding};
use super::versions::Version;
use super::{CheckError, FirstLook, Outcome, page, zones};
use crate::site::shorten;
use crate::watches::Keep;
pub use announced::AnnouncedFeed;
pub(super) use announced::check as check_announced;
use follow::{follow, wait_for};
use items::Items;

/// The dates of a feed as a whole. Many servers write them anew in each answer.
const DATES: [&str; 3] = ["channel > lastBuildDate", "channel > pubDate", "feed > updated"];
/// More items of one kind are one event with a list.
const MOST_EVENTS: usize = 20;

/// Checks a feed.
pub(super) fn check(case: &mut Case<'_>) -> Result<(), CheckError> {
    page::check_with(case, is_feed, examine, judge)?;
    if matches!(case.outcome, Outcome::Failed | Outcome::Absent) { Ok(()) } else { follow(case) }
}

/// Whether an answer is a feed.
fn is_feed(fetched: &Fetched) -> Result<(), Unusable> {
    let feed = Feed::read(fetched.body.as_slice(), &ReadOptions::default());
    feed.format.map(|_| ()).ok_or_else(|| "what the server answers is no feed".to_owned().into())
}

/// Whether an answer is more than the last kept version with other dates.
fn examine(case: &mut Case<'_>, fetched: &Fetched) -> Result<Finding, CheckError> {
    let Some(seen) = case.state.seen.clone() else { return Ok(Finding::News) };
    let older = case.recall(&seen)?;
    let is_same = older.is_some_and(|older| differs_by_dates(case, &older, fetched));
    Ok(if is_same { Finding::Flicker } else { Finding::News })
}

/// Whether an answer need not be kept: it differs from a version only by the dates that the feed has as a whole.
fn differs_by_dates(case: &mut Case<'_>, older: &Version, fetched: &Fetched) -> bool {
    if case.watch.settings.keep != Keep::Changes {
        return false;
    }
    let ignore = DATES.iter().filter_map(|selector| selector.parse().ok()).collect();
    let read_options = ReadOptions { zones: Zones { include: Vec::new(), ignore }, ..ReadOptions::default() };
    let sources = Sides { older: older.source(), newer: flicker::source(fetched) };
    let pages = case.work.read(sources, &read_options);
    flicker::are_same(case, &pages)
}

/// Judges a version that differs from the one before.
fn judge(case: &mut Case<'_>, newer: Version) -> Result<Outcome, CheckError> {
    let feed = Feed::read(newer.source(), &zones::read_options(case.watch, &case.state.zones)?);
    Page::read(feed.title.as_str(), &ReadOptions::default()).text().trim().clone_into(&mut case.state.title);
    let older = match case.state.base().cloned() {
        Some(base) => case.recall(&base)?,
        None => None,
    };
    case.look(|| FirstLook::Feed(feed.items.len()));
    let outcome = compare_with(case, older.as_ref(), &newer, &feed)?;
    case.state.seen = Some(newer.seen);
    Ok(outcome)
}

/// Compares a version of a feed with the one before, and finds its events; the first one has none.
fn compare_with(
    case: &mut Case<'_>,
    older: Option<&Version>,
    newer: &Version,
    feed: &Feed,
) -> Result<Outcome, CheckError> {
    let Some(older) = older else {
        wait_for(case, feed.items.iter().filter_map(|item| item.link.as_deref()));
        return Ok(Outcome::First);
    };
    let read_options = zones::read_options(case.watch, &case.state.zones)?;
    let before = Feed::read(older.source(), &read_options);
    let mut comparer = Comparer::default();
    let mut change = compare(&before, feed, &read_options, &mut comparer);
    case.work.spend(comparer.work());
    let items = Items::of(case, &before, feed)?;
    change.items = change.items.into_iter().flat_map(|item| items.told_apart(item)).collect();
    let mut told: Vec<Event> = change.items.iter().filter_map(|item| items.event(item)).collect();
    let new = change.items.iter().filter(|item| item.kind == ItemKind::Added);
    wait_for(case, new.filter_map(|item| item.link.as_deref()));
    let outcome = if told.is_empty() { Outcome::Ignored } else { Outcome::Changed };
    let limits = newer.limits(&change.limits);
    told.iter_mut().for_each(|event| event.limits.clone_from(&limits));
    tell(case, newer, &told);
    Ok(outcome)
}

/// Tells each item, or all of a kind at once if they are many.
fn tell(case: &mut Case<'_>, newer: &Version, events: &[Event]) {
    for kind in [Kind::ItemAdded, Kind::ItemModified, Kind::ItemRemoved] {
        let of_kind: Vec<&Event> = events.iter().filter(|event| event.kind == kind).collect();
        let capture = Some(newer.seen.capture);
        if of_kind.len() <= MOST_EVENTS {
            of_kind.into_iter().for_each(|event| case.find(event.clone(), capture));
            continue;
        }
        let cause = of_kind.iter().fold(Cause::new(kind, &case.watch.id), |cause, event| cause.and(&event.key));
        let verb = match kind {
            Kind::ItemAdded => "new",
            Kind::ItemModified => "changed",
            _ => "taken back",
        };
        let mention = |event: &&Event| Mention {
            url: event.url.clone(),
            title: event.summary.split_once(": ").map_or("", |(_, title)| title).to_owned(),
            ..Mention::default()
        };
        let mut event = Event {
            summary: format!("{} items {verb}", grouped(of_kind.len())),
            importance: of_kind.iter().map(|event| event.importance).fold(0.0, f64::max),
            pages: of_kind.iter().map(mention).collect(),
            limits: of_kind[0].limits.clone(),
            ..case.event(kind, &cause)
        };
        shorten(&mut event);
        case.find(event, capture);
    }
}

fn is_address(link: &str) -> bool {
    url::Url::parse(link).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}
