//! Which pages does a list name now? Those that are new are told and watched, those that left it are not watched any
//! more.
//!
//! A sitemap that is rebuilt may be half empty for an hour, so a page has left only when it was missing for as long as
//! a page must be missing to be gone. What could not be read is named in the events of the list and in its state.

mod gather;

use std::collections::{BTreeMap, BTreeSet};

use driftline::event::key::Cause;
use driftline::event::{Event, Kind, Mention};
use driftline::time::Time;
use driftline_catalog::Member;
use driftline_fetch::{Fetched, Validators};
use driftline_report::summary::numbers::grouped;

use super::answer::{Answer, Failure, ask};
use super::case::Case;
use super::versions::Version;
use super::{CheckError, FirstLook, Outcome, State, page};
use crate::site::shorten;
use crate::watches::lists::{self, Choice, Listed, NotAList};
use crate::watches::{self, member_watch};
use gather::{Cut, Reading, gather};

/// More pages are one event with a list.
const MOST_EVENTS: usize = 20;
/// So many pages that are missing are remembered, the first by address; of more, the others get their turn when these
/// have left or are back.
const MOST_MISSING: usize = 1_000;
/// So many members are read from the catalog at once.
const MANY: u32 = 1_000;

/// Checks a list.
pub(super) fn check(case: &mut Case<'_>) -> Result<(), CheckError> {
    if case.watch.settings.kind == watches::Kind::List {
        // A file beside the watches: whoever reads the watches reads it.
        return Ok(());
    }
    let validators = case.state.validators.clone();
    // Pages that are missing are looked for until it is known whether they have left.
    let may_be_same = case.state.missing.is_empty() && validators.is_usable();
    let fetched = match ask(case, &case.watch.url, may_be_same.then_some(&validators)) {
        Answer::Failed(failure) => return page::fail(case, failure),
        Answer::Absent(fetched) => return page::miss(case, *fetched),
        Answer::Same(fetched) => {
            page::recover(case);
            return page::rest(case, *fetched);
        }
        Answer::Page(fetched) => fetched,
    };
    case.bytes = fetched.body.len() as u64;
    let listed = match parse(case, &fetched.body) {
        Ok(listed) => listed,
        Err(error) => {
            return page::fail(case, Failure::of(error.to_string(), fetched));
        }
    };
    page::recover(case);
    let is_first = case.state.seen.is_none();
    // Lists in a list may change while it stays the same.
    case.state.validators = if listed.lists.is_empty() { fetched.validators.clone() } else { Validators::default() };
    let is_cut = fetched.is_cut;
    keep(case, *fetched)?;
    let reading = gather(case, listed, is_cut, is_first);
    compare(case, reading, is_first)?;
    page::learn(case);
    Ok(())
}

fn parse(case: &Case<'_>, body: &[u8]) -> Result<Listed, NotAList> {
    match case.watch.settings.kind {
        watches::Kind::Opml => lists::opml::parse(body),
        _ => lists::sitemap::parse(body),
    }
}

/// Keeps the list if it differs from the one before.
fn keep(case: &mut Case<'_>, fetched: Fetched) -> Result<(), CheckError> {
    let is_same = case.state.seen.as_ref().is_some_and(|seen| seen.digest == super::versions::digest(&fetched.body));
    if !is_same && let Some(Version { seen, .. }) = case.keep(fetched)? {
        case.state.seen = Some(seen);
    }
    Ok(())
}

fn compare(case: &mut Case<'_>, reading: Reading, is_first: bool) -> Result<(), CheckError> {
    let Reading { members, late, mut cuts, unread } = reading;
    let choice = Choice::of(case.watch);
    let (chosen, is_cut) = choice.choose(members);
    cuts.extend(is_cut.then_some(Cut::Members));
    note(case, &cuts, unread);
    let mut now: BTreeMap<String, String> = chosen.into_iter().map(|member| (member.url, member.title)).collect();
    case.first = is_first.then_some(FirstLook::List(now.len()));
    let known = known(case)?;
    if cuts.contains(&Cut::Unread) {
        fit(&mut now, &known, choice.most);
    }
    let new: Vec<(&String, &String)> = now.iter().filter(|(url, _)| !known.contains_key(*url)).collect();
    let missing: BTreeSet<&String> = known.keys().filter(|url| !now.contains_key(*url)).collect();
    let left = left(case, &missing, cuts.is_empty());
    let told: Vec<(&String, &String)> = new.iter().copied().filter(|(url, _)| !late.contains(*url)).collect();
    case.outcome = match (is_first, told.is_empty() && left.is_empty()) {
        (true, _) => Outcome::First,
        (false, true) => Outcome::Unchanged,
        (false, false) => Outcome::Changed,
    };
    let mentions = |pages: &[(&String, &String)]| -> Vec<Mention> {
        pages
            .iter()
            .map(|(url, title)| Mention { url: (*url).clone(), title: (*title).clone(), ..Mention::default() })
            .collect()
    };
    tell_new(case, &mentions(&told))?;
    let gone: Vec<(&String, &String)> = left.iter().filter_map(|url| known.get_key_value(url)).collect();
    tell_left(case, &mentions(&gone))?;
    if !new.is_empty() || !left.is_empty() {
        let stay = known.iter().filter(|(url, _)| !now.contains_key(*url) && !left.contains(*url));
        let all = now.iter().chain(stay);
        case.members = Some(all.map(|(url, title)| Member { url: url.clone(), title: title.clone() }).collect());
    }
    Ok(())
}

/// A file that did not come makes no room for pages of others, for which the list had no room before.
fn fit(now: &mut BTreeMap<String, String>, known: &BTreeMap<String, String>, most: usize) {
    let mut room = most.saturating_sub(known.len());
    now.retain(|url, _| known.contains_key(url) || room.checked_sub(1).map(|less| room = less).is_some());
}

/// Remembers what was not read, and why; says so in the log when that is another reason than before.
fn note(case: &mut Case<'_>, cuts: &BTreeSet<Cut>, unread: Vec<String>) {
    let limits: Vec<String> = cuts.iter().map(|cut| cut.name().to_owned()).collect();
    if !limits.is_empty() && limits != case.state.limits {
        let (watch, url, limits) = (&case.watch.id, &case.watch.url, limits.join(", "));
        tracing::warn!(%watch, %url, limits, "a list is not read completely");
    }
    (case.state.limits, case.state.unread) = (limits, unread);
}

/// An event of this list with nothing said yet but what the list lacks.
fn event(case: &Case<'_>, kind: Kind, cause: &Cause) -> Event {
    Event { limits: case.state.limits.clone(), ..case.event(kind, cause) }
}

/// The members so far.
fn known(case: &Case<'_>) -> Result<BTreeMap<String, String>, CheckError> {
    let mut known = BTreeMap::new();
    let mut after: Option<String> = None;
    loop {
        let some = case.context.archive.catalog().members(&case.watch.id, after.as_deref(), MANY)?;
        let is_last = some.len() < MANY as usize;
        after = some.last().map(|member| member.url.clone());
        known.extend(some.into_iter().map(|member| (member.url, member.title)));
        if is_last {
            return Ok(known);
        }
    }
}

/// Which of the missing ones are missing for good? Only a complete reading speaks against a page.
fn left(case: &mut Case<'_>, missing: &BTreeSet<&String>, is_complete: bool) -> BTreeSet<String> {
    case.state.missing.retain(|(url, _)| missing.contains(url));
    if !is_complete {
        return BTreeSet::new();
    }
    let since: BTreeMap<String, Time> = case.state.missing.drain(..).collect();
    let patience = case.context.patience.absent.microseconds();
    let mut left = BTreeSet::new();
    for url in missing.iter().take(MOST_MISSING) {
        let since = since.get(*url).copied().unwrap_or(case.now);
        if case.now.microseconds().saturating_sub(since.microseconds()) >= patience {
            left.insert((*url).clone());
        } else {
            case.state.missing.push(((*url).clone(), since));
        }
    }
    left
}

fn tell_new(case: &mut Case<'_>, pages: &[Mention]) -> Result<(), CheckError> {
    if pages.len() > MOST_EVENTS {
        let cause = pages.iter().fold(Cause::new(Kind::NewPage, &case.watch.id), |cause, page| cause.and(&page.url));
        let summary = format!("{} new pages", grouped(pages.len()));
        let mut event = Event { summary, pages: pages.to_vec(), ..event(case, Kind::NewPage, &cause) };
        shorten(&mut event);
        case.find(event, None);
        return Ok(());
    }
    for page in pages {
        let cause = Cause::new(Kind::NewPage, &case.watch.id).and(&page.url);
        let event = match known_before(case, page)? {
            // Its own watch will tell.
            Some(state) if is_gone(&state) => continue,
            // It may have come and left before it was ever checked.
            None if case.context.archive.catalog().event(&cause.key())?.is_none() => {
                let title = if page.title.is_empty() { &page.url } else { &page.title };
                Event { summary: format!("new page: {title}"), ..event(case, Kind::NewPage, &cause) }
            }
            _ => {
                let cause = Cause::new(Kind::PageBack, &case.watch.id).and(&page.url).at(case.now);
                let summary = "the page is in the list again, and watched again".to_owned();
                Event { summary, importance: 0.4, ..event(case, Kind::PageBack, &cause) }
            }
        };
        case.find(Event { url: page.url.clone(), name: named(page), ..event }, None);
    }
    Ok(())
}

/// Pages that left the list, but for those that are known to be gone.
fn tell_left(case: &mut Case<'_>, pages: &[Mention]) -> Result<(), CheckError> {
    let mut left = Vec::new();
    for page in pages {
        if !known_before(case, page)?.is_some_and(|state| is_gone(&state)) {
            left.push(page.clone());
        }
    }
    let why = "not in the list any more, and not watched any more";
    if left.len() > MOST_EVENTS {
        let cause = left.iter().fold(Cause::new(Kind::PageGone, &case.watch.id), |cause, page| cause.and(&page.url));
        let summary = format!("{} pages are {why}", grouped(left.len()));
        let mut event =
            Event { summary, pages: left, importance: 0.4, ..event(case, Kind::PageGone, &cause.at(case.now)) };
        shorten(&mut event);
        case.find(event, None);
        return Ok(());
    }
    for page in left {
        let cause = Cause::new(Kind::PageGone, &case.watch.id).and(&page.url).at(case.now);
        let summary = format!("the page is {why}");
        let (name, url) = (named(&page), page.url);
        let event = Event { summary, name, url, importance: 0.4, ..event(case, Kind::PageGone, &cause) };
        case.find(event, None);
    }
    Ok(())
}

/// What is known of a page of the list, if it was watched before.
fn known_before(case: &Case<'_>, page: &Mention) -> Result<Option<State>, CheckError> {
    let member = watches::Member { url: page.url.clone(), title: page.title.clone(), ..watches::Member::default() };
    let watch = member_watch(case.watch, &member);
    let stored = case.context.archive.catalog().state(&watch.id)?;
    Ok(stored.and_then(|stored| State::read(&stored.body).ok()))
}

/// Was it told already that the page is gone, by its own watch?
fn is_gone(state: &State) -> bool {
    state.absence.as_ref().is_some_and(|absence| absence.told)
}

/// What people call a page.
fn named(page: &Mention) -> String {
    if page.title.is_empty() { page.url.clone() } else { page.title.clone() }
}
