//! Which pages does a list name now? Those that are new are told and watched, those that left it are not watched any
//! more.
//!
//! A sitemap that is rebuilt may be half empty for an hour, so a page has left only when it was missing for as long as
//! a page must be missing to be gone.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use driftline::event::key::Cause;
use driftline::event::{Event, Kind, Mention};
use driftline::time::Time;
use driftline_archive::catalog::Member;

use super::answer::{Answer, Failure, ask};
use super::case::Case;
use super::versions::Version;
use super::{CheckError, Outcome, State, describe, page};
use crate::fetch::{Fetched, Validators};
use crate::watches::lists::{self, Choice, Listed, NotAList};
use crate::watches::{self, member_watch, site};

/// More pages are one event with a list.
const MOST_EVENTS: usize = 20;
/// So many are named in a list.
const MOST_MENTIONS: usize = 1_000;
/// So many files does one sitemap consist of at most.
const MOST_FILES: usize = 50;
/// So many pages that are missing are remembered, the first by address; of more, the others get their turn when these
/// have left or are back.
const MOST_MISSING: usize = 1_000;
/// So many members are read from the catalog at once.
const MANY: u32 = 1_000;

/// What a list says now.
struct Reading {
    members: Vec<watches::Member>,
    /// Every file of it came, and none was cut.
    is_complete: bool,
}

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
    let listed = match parse(case, &fetched) {
        Ok(listed) => listed,
        Err(error) => {
            return page::fail(case, Failure::of(error.to_string(), fetched));
        }
    };
    page::recover(case);
    let is_first = case.state.seen.is_none();
    // Lists in a list may change while it stays the same.
    case.state.validators = if listed.lists.is_empty() { fetched.validators.clone() } else { Validators::default() };
    keep(case, *fetched)?;
    let reading = gather(case, listed);
    compare(case, reading, is_first)?;
    page::learn(case);
    Ok(())
}

fn parse(case: &Case<'_>, fetched: &Fetched) -> Result<Listed, NotAList> {
    let mut listed = match case.watch.settings.kind {
        watches::Kind::Opml => lists::opml::parse(&fetched.body),
        _ => lists::sitemap::parse(&fetched.body),
    }?;
    listed.is_cut |= fetched.is_cut;
    Ok(listed)
}

/// Keeps the list if it differs from the one before.
fn keep(case: &mut Case<'_>, fetched: Fetched) -> Result<(), CheckError> {
    let is_same = case.state.seen.as_ref().is_some_and(|seen| seen.digest == super::versions::digest(&fetched.body));
    if !is_same && let Some(Version { seen, .. }) = case.keep(fetched)? {
        case.state.seen = Some(seen);
    }
    Ok(())
}

/// All members, those of the lists in the list too.
fn gather(case: &Case<'_>, listed: Listed) -> Reading {
    let mut reading = Reading { members: listed.members, is_complete: !listed.is_cut };
    let mut seen = BTreeSet::from([case.watch.url.to_string()]);
    let mut waiting: VecDeque<(String, usize)> = listed.lists.into_iter().map(|url| (url, 1)).collect();
    while let Some((url, depth)) = waiting.pop_front() {
        if depth > lists::MOST_DEPTH || seen.len() >= MOST_FILES || site(&url) != case.site {
            reading.is_complete = false;
            continue;
        }
        if !seen.insert(url.clone()) {
            continue;
        }
        let answer = ask(case, &url, None);
        let Answer::Page(fetched) = answer else {
            reading.is_complete = false;
            continue;
        };
        match parse(case, &fetched) {
            Ok(listed) => {
                reading.is_complete &= !listed.is_cut;
                reading.members.extend(listed.members);
                waiting.extend(listed.lists.into_iter().map(|url| (url, depth + 1)));
            }
            Err(_) => reading.is_complete = false,
        }
    }
    reading
}

fn compare(case: &mut Case<'_>, reading: Reading, is_first: bool) -> Result<(), CheckError> {
    let (chosen, is_cut) = Choice::of(case.watch).choose(reading.members);
    let now: BTreeMap<String, String> = chosen.into_iter().map(|member| (member.url, member.title)).collect();
    let known = known(case)?;
    let new: Vec<(&String, &String)> = now.iter().filter(|(url, _)| !known.contains_key(*url)).collect();
    let missing: BTreeSet<&String> = known.keys().filter(|url| !now.contains_key(*url)).collect();
    let left = left(case, &missing, reading.is_complete && !is_cut);
    case.outcome = match (is_first, new.is_empty() && left.is_empty()) {
        (true, _) => Outcome::First,
        (false, true) => Outcome::Unchanged,
        (false, false) => Outcome::Changed,
    };
    let mentions = |pages: &[(&String, &String)]| -> Vec<Mention> {
        pages.iter().map(|(url, title)| Mention { url: (*url).clone(), title: (*title).clone() }).collect()
    };
    if !is_first {
        tell_new(case, &mentions(&new))?;
    }
    let gone: Vec<(&String, &String)> = left.iter().filter_map(|url| known.get_key_value(url)).collect();
    tell_left(case, &mentions(&gone))?;
    if !new.is_empty() || !left.is_empty() {
        let stay = known.iter().filter(|(url, _)| !now.contains_key(*url) && !left.contains(*url));
        let all = now.iter().chain(stay);
        case.members = Some(all.map(|(url, title)| Member { url: url.clone(), title: title.clone() }).collect());
    }
    Ok(())
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
        let summary = format!("{} new pages", describe::grouped(pages.len()));
        let pages = pages.iter().take(MOST_MENTIONS).cloned().collect();
        let event = Event { summary, pages, ..case.event(Kind::NewPage, &cause) };
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
                Event { summary: format!("new page: {title}"), ..case.event(Kind::NewPage, &cause) }
            }
            _ => {
                let cause = Cause::new(Kind::PageBack, &case.watch.id).and(&page.url).at(case.now);
                let summary = "the page is in the list again, and watched again".to_owned();
                Event { summary, importance: 0.4, ..case.event(Kind::PageBack, &cause) }
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
        let summary = format!("{} pages are {why}", describe::grouped(left.len()));
        let pages = left.iter().take(MOST_MENTIONS).cloned().collect();
        let event = Event { summary, pages, importance: 0.4, ..case.event(Kind::PageGone, &cause.at(case.now)) };
        case.find(event, None);
        return Ok(());
    }
    for page in left {
        let cause = Cause::new(Kind::PageGone, &case.watch.id).and(&page.url).at(case.now);
        let summary = format!("the page is {why}");
        let (name, url) = (named(&page), page.url);
        let event = Event { summary, name, url, importance: 0.4, ..case.event(Kind::PageGone, &cause) };
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
