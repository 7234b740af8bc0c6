//! One check on its way: what was known, what was found, and how both are written down.

use std::sync::Arc;

use driftline::event::key::Cause;
use driftline::event::{self, Event, Kind};
use driftline::page::RENDERED;
use driftline::page::zone::Selector;
use driftline::span::Span;
use driftline::time::Time;
use driftline_catalog::{Change, Member, NewEvent, Record, WatchState};
use url::Url;

use super::answer::Failure;
use super::memory::Known;
use super::work::Work;
use super::{CheckError, Checked, Context, FirstLook, Outcome, State};
use crate::leftover::{self, Leftover};
use crate::site::{self, Document};
use crate::watches::Watch;

/// A check on its way.
pub(super) struct Case<'a> {
    pub(super) watch: &'a Watch,
    pub(super) context: &'a Context,
    pub(super) now: Time,
    pub(super) site: String,
    pub(super) state: State,
    /// When the watch was checked before.
    pub(super) checked: Option<Time>,
    pub(super) outcome: Outcome,
    /// When a check that failed, or is unclear, wants to be repeated.
    pub(super) retry: Option<Time>,
    pub(super) retry_after: Option<Span>,
    pub(super) is_overloaded: bool,
    /// What the first check kept.
    pub(super) first: Option<FirstLook>,
    /// What the server answers if there is no such page.
    pub(super) absence: Option<u16>,
    pub(super) bytes: u64,
    /// The steps of what was read and compared.
    pub(super) work: Work,
    /// The elements that are left out of the comparison because they flicker.
    pub(super) folds: Vec<Selector>,
    /// What changed, until it is written.
    pub(super) change: Option<Change>,
    /// The captures that were compared last, until what was found is written.
    pub(super) pair: Option<Pair>,
    /// Documents for the stream of their site, until they are written.
    pub(super) documents: Vec<Document>,
    /// The members of a list, if they are others than before, until they are written.
    pub(super) members: Option<Vec<Member>>,
    /// The capture with which the first version of this check is compared.
    base: Option<i64>,
    has_new_members: bool,
    /// What was found, until it is written.
    found: Vec<Found>,
    written: Vec<Event>,
    release: Option<Time>,
}

/// Two captures that were compared, and how they were read.
pub(super) struct Pair {
    pub(super) older: i64,
    pub(super) newer: i64,
    pub(super) reading: String,
}

/// An event on its way to the catalog.
struct Found {
    event: Event,
    capture: Option<i64>,
    /// What of the change is compared with other pages of its site.
    leftover: Option<Leftover>,
}

impl<'a> Case<'a> {
    pub(super) fn open(watch: &'a Watch, context: &'a Context, now: Time) -> Result<Self, CheckError> {
        let known = match context.memory.state(&watch.id) {
            Some(known) => known,
            None => Arc::new(look_up(watch, context)?),
        };
        let state = known.state.clone().of(&watch.url);
        Ok(Self {
            watch,
            context,
            now,
            site: watch.site().to_owned(),
            checked: known.checked,
            outcome: Outcome::Unchanged,
            retry: None,
            retry_after: None,
            is_overloaded: false,
            first: None,
            absence: None,
            bytes: 0,
            work: Work::default(),
            folds: Vec::new(),
            change: None,
            pair: None,
            documents: Vec::new(),
            members: None,
            base: state.base().map(|base| base.capture),
            state,
            has_new_members: false,
            found: Vec::new(),
            written: Vec::new(),
            release: None,
        })
    }

    /// An event of this watch with nothing said yet.
    pub(super) fn event(&self, kind: Kind, cause: &Cause) -> Event {
        let url = self.state.seen.as_ref().map_or(&*self.watch.url, |seen| &seen.url);
        Event {
            format: event::FORMAT,
            key: cause.key(),
            at: self.now,
            kind,
            watch: Some(self.watch.id.to_string()),
            name: self.name(),
            tags: self.watch.settings.tags.clone(),
            url: url.strip_prefix(RENDERED).unwrap_or(url).to_owned(),
            site: self.site.clone(),
            summary: String::new(),
            importance: 0.5,
            why: Vec::new(),
            degree: None,
            versions: None,
            excerpts: Vec::new(),
            parts: Vec::new(),
            template_similarity: None,
            returned_to: None,
            since: None,
            certainty: None,
            pages: Vec::new(),
            explains: Vec::new(),
            limits: Vec::new(),
            learned: Vec::new(),
        }
    }

    /// What people call the watch.
    pub(super) fn name(&self) -> String {
        let title = Some(self.state.title.as_str()).filter(|title| !title.is_empty());
        title.filter(|_| self.watch.name.is_none()).unwrap_or_else(|| self.watch.title()).to_owned()
    }

    /// The host of the watch wants to be left alone, as an answer of this check says.
    pub(super) fn heed(&mut self, failure: &Failure) {
        self.retry_after = failure.retry_after;
        self.is_overloaded = failure.is_overload;
    }

    /// Something was found. Feeds in two formats have the same items: each is found once.
    pub(super) fn find(&mut self, event: Event, capture: Option<i64>) {
        self.find_with(event, capture, None);
    }

    /// Something was found, with what of it is compared with other pages of the site.
    pub(super) fn find_with(&mut self, event: Event, capture: Option<i64>, leftover: Option<Leftover>) {
        if !self.found.iter().any(|found| found.event.key == event.key) {
            self.found.push(Found { event, capture, leftover });
        }
    }

    /// The number of events that were found and not written yet.
    pub(super) fn found_count(&self) -> usize {
        self.found.len()
    }

    /// Drops items that were found from this number on, if one with the same link was found before: two feeds of one
    /// page have the same item, under other ids.
    pub(super) fn drop_repeated_items(&mut self, from: usize) {
        let items = |kind| matches!(kind, Kind::ItemAdded | Kind::ItemModified | Kind::ItemRemoved);
        let known: Vec<(Kind, String)> =
            self.found[..from].iter().map(|found| (found.event.kind, found.event.url.clone())).collect();
        let mut number = 0;
        self.found.retain(|Found { event, .. }| {
            number += 1;
            let has_link = items(event.kind) && event.pages.is_empty() && event.url != *self.watch.url;
            number <= from || !has_link || !known.contains(&(event.kind, event.url.clone()))
        });
    }

    /// Writes down what was found so far, in one transaction. All that was captured until `judged` was judged.
    pub(super) fn commit(&mut self, judged: Time) -> Result<(), CheckError> {
        let next = self.next();
        let documents = std::mem::take(&mut self.documents);
        // Held until all is on its way: the next document of the site goes on from here.
        let guard = (!documents.is_empty()).then(|| self.context.sites.lock(&self.site));
        let mut stream = None;
        if !documents.is_empty() {
            let seen = self.context.sites.see(&self.context.archive, &self.site, documents)?;
            stream = Some(seen.stream);
            for (event, capture) in seen.redesigns {
                let url = self.front_page().unwrap_or(event.url);
                let event = Event { at: self.now, tags: self.watch.settings.tags.clone(), url, ..event };
                self.found.push(Found { event, capture: Some(capture), leftover: None });
            }
        }
        let found = std::mem::take(&mut self.found);
        let members = self.members.take();
        self.has_new_members |= members.is_some();
        let reading = self.pair.as_ref().map(|pair| pair.reading.clone()).unwrap_or_default();
        let change = self.change.take().map(|change| Change { reading, ..change });
        let record = Record {
            watch: self.row(),
            state: self.watch_state(next, judged),
            change,
            events: found.iter().map(|found| self.new_event(found)).collect(),
            stream: stream.clone(),
            members,
        };
        self.release = self.release.into_iter().chain(record.events.iter().filter_map(|event| event.release)).min();
        let handed = self.context.recorder.hand_over(record)?;
        stream.iter().for_each(|stream| self.context.sites.send(stream));
        drop(guard);
        let written = handed.wait();
        stream.iter().for_each(|stream| self.context.sites.arrive(stream));
        written?;
        self.written.extend(found.into_iter().map(|found| found.event));
        Ok(())
    }

    /// Writes the rest, and says what was found.
    pub(super) fn close(mut self) -> Result<Checked, CheckError> {
        self.commit(self.now)?;
        let checked = Checked {
            outcome: self.outcome,
            next: Some(self.next()),
            events: self.written,
            retry_after: self.retry_after,
            is_overloaded: self.is_overloaded,
            expected: self.state.rate.expected(),
            release: self.release,
            first: self.first,
            failure: self.state.failures.as_ref().map(|failures| failures.why.clone()),
            absence: self.absence,
            bytes: self.bytes,
            steps: self.work.steps(),
            has_new_members: self.has_new_members,
        };
        let memory = &self.context.memory;
        let base = self.state.base().map(|base| base.capture);
        if let Some(before) = self.base.filter(|before| base != Some(*before)) {
            memory.forget_version(before);
        }
        memory.keep_state(&self.watch.id, Known { checked: Some(self.now), state: self.state });
        Ok(checked)
    }

    /// The first page of the site.
    fn front_page(&self) -> Option<String> {
        Some(Url::parse(&self.watch.url).ok()?.join("/").ok()?.to_string())
    }

    /// As scheduled, or sooner if a check that failed is repeated; but not outside of the windows of the watch.
    fn next(&self) -> Time {
        let schedule = &self.watch.settings.schedule;
        let next = self.context.plan.next(schedule, &self.watch.id, &self.state.rate, self.now);
        self.retry.filter(|retry| schedule.is_open(*retry)).map_or(next, |retry| retry.min(next))
    }

    /// The row of the watch, under the title of its page if it has no name.
    fn row(&self) -> driftline_catalog::Watch {
        driftline_catalog::Watch { title: self.name(), ..self.watch.row(self.now) }
    }

    /// Where the watch is after a check of all that was captured until `judged`.
    fn watch_state(&self, next: Time, judged: Time) -> WatchState {
        WatchState {
            next: Some(next),
            checked: Some(judged),
            version_at: self.state.seen.as_ref().map(|seen| seen.at),
            failing_since: self.state.failures.as_ref().map(|failures| failures.since),
            absent_since: self.state.absence.as_ref().map(|absence| absence.since),
            body: self.state.write(),
        }
    }

    fn new_event(&self, Found { event, capture, leftover }: &Found) -> NewEvent {
        let hold = self.watch.settings.hold.unwrap_or(self.context.hold);
        let is_held = site::is_held(event.kind) && (self.context.has_company)(&self.site);
        let hold = if is_held { hold.microseconds() } else { 0 };
        let pair = self.pair.as_ref().filter(|pair| *capture == Some(pair.newer));
        NewEvent {
            key: event.key.clone(),
            at: event.at,
            kind: event.kind.name().to_owned(),
            url: event.url.clone(),
            site: event.site.clone(),
            watch: event.watch.clone(),
            tags: event.tags.clone(),
            capture: *capture,
            older: pair.map(|pair| pair.older),
            reading: pair.map(|pair| pair.reading.clone()).unwrap_or_default(),
            importance: event.importance,
            release: Some(Time::from_microseconds(self.now.microseconds().saturating_add(hold))),
            body: leftover::body(event, leftover.as_ref()),
        }
    }
}

/// Where the catalog says that the watch stands.
fn look_up(watch: &Watch, context: &Context) -> Result<Known, CheckError> {
    let stored = context.archive.catalog().state(&watch.id)?.unwrap_or_default();
    let wrong = |source| CheckError::State { watch: watch.id.to_string(), source };
    Ok(Known { checked: stored.checked, state: State::read(&stored.body).map_err(wrong)? })
}
