//! What happened to a feed? Item by item: one event for each that came, changed or went before its time.
//!
//! Items leave a feed at its end when new ones come; that is no news. Keys are made of the items themselves, so a feed
//! that comes from two servers which do not agree tells each item once.

use std::collections::VecDeque;

use driftline::degree::compare::Comparer;
use driftline::event::excerpt::of_item;
use driftline::event::key::Cause;
use driftline::event::{Event, Kind, Mention};
use driftline::feed::compare::{ItemChange, ItemKind, MatchedBy, compare};
use driftline::feed::{Feed, Item};
use driftline::page::{Page, Recipe};
use driftline::redesign::template::Template;

use super::answer::{Answer, ask};
use super::case::Case;
use super::versions::Version;
use super::{CheckError, Outcome, counts, describe, page, zones};
use crate::fetch::Fetched;
use crate::site::Document;

/// More items of one kind are one event with a list.
const MOST_EVENTS: usize = 20;
/// So many items are named in a list.
const MOST_MENTIONS: usize = 1_000;
/// So many items are fetched in one check, and so many wait for the next ones.
const MOST_FOLLOWED: usize = 3;
const MOST_WAITING: usize = 60;

/// Checks a feed.
pub(super) fn check(case: &mut Case<'_>) -> Result<(), CheckError> {
    page::check_with(case, is_feed, judge)?;
    if matches!(case.outcome, Outcome::Failed | Outcome::Absent) { Ok(()) } else { follow(case) }
}

fn is_feed(fetched: &Fetched) -> Result<(), String> {
    let feed = Feed::read(fetched.body.as_slice(), &Recipe::default());
    feed.format.map(|_| ()).ok_or_else(|| "what the server answers is no feed".to_owned())
}

/// Judges a version that differs from the one before.
fn judge(case: &mut Case<'_>, newer: Version) -> Result<Outcome, CheckError> {
    let recipe = zones::recipe(case.watch, &case.state.zones)?;
    let feed = Feed::read(newer.source(), &recipe);
    Page::read(feed.title.as_str(), &Recipe::default()).text().trim().clone_into(&mut case.state.title);
    let older = match case.state.base().cloned() {
        Some(base) => case.recall(&base)?,
        None => None,
    };
    let Some(older) = older else {
        wait_for(case, feed.items.iter().filter_map(|item| item.link.as_deref()));
        case.state.seen = Some(newer.seen);
        return Ok(Outcome::First);
    };
    let before = Feed::read(older.source(), &recipe);
    let mut change = compare(&before, &feed, &recipe, &mut Comparer::default());
    change.items = change.items.into_iter().flat_map(|item| told_apart(item, &before, &feed)).collect();
    let mut told = Vec::new();
    for item in &change.items {
        if let Some(event) = event(case, item, &before, &feed)? {
            told.push(event);
        }
    }
    let new = change.items.iter().filter(|item| item.kind == ItemKind::Added);
    wait_for(case, new.filter_map(|item| item.link.as_deref()));
    let outcome = if told.is_empty() { Outcome::Ignored } else { Outcome::Changed };
    let limits = describe::limits(&change.limits, &newer);
    told.iter_mut().for_each(|event| event.limits.clone_from(&limits));
    tell(case, &newer, &told);
    case.state.seen = Some(newer.seen);
    Ok(outcome)
}

/// Items that only resemble each other, and that the feed itself tells apart, are not one that was altered: the older
/// one went, the newer one came.
fn told_apart(change: ItemChange, before: &Feed, feed: &Feed) -> Vec<ItemChange> {
    let (Some(MatchedBy::Similarity), Some(older), Some(newer)) = (change.matched, change.older, change.newer) else {
        return vec![change];
    };
    let (was, is) = (&before.items[older], &feed.items[newer]);
    let names = [(&was.guid, &is.guid), (&was.link, &is.link)];
    let mut known = names.iter().filter(|(was, is)| was.is_some() && is.is_some()).peekable();
    if known.peek().is_none() || known.any(|(was, is)| was == is) {
        return vec![change];
    }
    let half = ItemChange { matched: None, reordered: false, differs: Vec::new(), words: None, ..change };
    let title = Page::read(was.title.as_str(), &Recipe::default()).text().trim().to_owned();
    let went = ItemChange { kind: ItemKind::Removed, newer: None, title, link: was.link.clone(), ..half.clone() };
    vec![ItemChange { kind: ItemKind::Added, older: None, ..half }, went]
}

/// What is to be told of an item, if anything is.
fn event(case: &Case<'_>, change: &ItemChange, before: &Feed, feed: &Feed) -> Result<Option<Event>, CheckError> {
    let (kind, item, verb) = match (change.kind, change.newer, change.older) {
        (ItemKind::Added, Some(at), _) => (Kind::ItemAdded, &feed.items[at], "new item"),
        (ItemKind::Modified, Some(at), _) => (Kind::ItemModified, &feed.items[at], "changed item"),
        (ItemKind::Removed, _, Some(at)) if !has_expired(&before.items, at, feed) => {
            (Kind::ItemRemoved, &before.items[at], "item taken back")
        }
        _ => return Ok(None),
    };
    let text = Page::read(item.description(), &Recipe::default()).text().to_owned();
    let importance = match (&change.words, kind) {
        (Some(words), _) => words.change.importance.score,
        (None, Kind::ItemModified) => 0.2,
        (None, _) => 0.5,
    };
    let degree = change.words.as_ref().map(|words| words.degree.get());
    if !counts::item_counts(case.watch, kind, &[&change.title, &text], degree, importance)? {
        return Ok(None);
    }
    let id = item.guid.as_deref().or(item.link.as_deref()).unwrap_or(&item.title);
    let cause = Cause::new(kind, &case.watch.id).and(id);
    // The same item may be altered more than once.
    let says = [item.title.as_str(), &item.summary, &item.content, item.link.as_deref().unwrap_or_default()];
    let cause = if kind == Kind::ItemModified { says.iter().fold(cause, |cause, text| cause.and(text)) } else { cause };
    let event = case.event(kind, &cause);
    let title = if change.title.is_empty() { id } else { &change.title };
    Ok(Some(Event {
        summary: format!("{verb}: {title}"),
        importance,
        degree,
        url: item.link.clone().filter(|link| is_address(link)).unwrap_or(event.url),
        excerpts: of_item(change, Some(item)),
        why: change.words.as_ref().map(|words| words.change.importance.why()).unwrap_or_default(),
        ..event
    }))
}

/// Did the item go because its time was over? It stood at the end of the feed, behind all that are still there.
fn has_expired(before: &[Item], at: usize, feed: &Feed) -> bool {
    let is_there = |item: &&Item| {
        feed.items.iter().any(|other| {
            let id =
                |item: &Item| item.guid.clone().or_else(|| item.link.clone()).unwrap_or_else(|| item.title.clone());
            id(other) == id(item)
        })
    };
    // The oldest items come last, unless dates say otherwise.
    let dates = before
        .first()
        .and_then(|item| item.published.as_ref())
        .zip(before.last().and_then(|item| item.published.as_ref()));
    let is_upside_down = dates.is_some_and(|(first, last)| first < last);
    let older = if is_upside_down { &before[..at] } else { &before[at + 1..] };
    !older.iter().any(|item| is_there(&item))
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
        };
        let event = Event {
            summary: format!("{} items {verb}", describe::grouped(of_kind.len())),
            importance: of_kind.iter().map(|event| event.importance).fold(0.0, f64::max),
            pages: of_kind.iter().take(MOST_MENTIONS).map(mention).collect(),
            limits: of_kind[0].limits.clone(),
            ..case.event(kind, &cause)
        };
        case.find(event, capture);
    }
}

/// Items that are to be fetched, a few at each check.
fn wait_for<'a>(case: &mut Case<'_>, links: impl Iterator<Item = &'a str>) {
    if case.watch.settings.follow {
        let waiting = &mut case.state.waiting;
        waiting.extend(links.filter(|link| is_address(link)).map(str::to_owned));
        waiting.truncate(MOST_WAITING);
    }
}

fn is_address(link: &str) -> bool {
    url::Url::parse(link).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Fetches items that wait, keeps them, and adds them to the documents of the site.
fn follow(case: &mut Case<'_>) -> Result<(), CheckError> {
    let few = case.state.waiting.len().min(MOST_FOLLOWED);
    let links: VecDeque<String> = case.state.waiting.drain(..few).collect();
    for link in links {
        // One that does not come is not missed: the feed has told what it says.
        let Answer::Page(fetched) = ask(case, &link, None) else { continue };
        let Some(version) = case.keep(*fetched)?.filter(Version::is_readable) else { continue };
        let template = Template::read(version.source(), &Recipe::default(), Template::SHINGLE_LENGTH);
        case.documents.extend(Document::of(&version, template, &case.site));
    }
    Ok(())
}
