//! What came of it? Each report gives watches and errands their next times.

use driftline::span::Span;
use driftline::time::Time;
use driftline_catalog::CatalogError;
use url::Url;

use super::super::desk::{Change, Kind, LoadError, Outcome};
use super::super::retain::{RetainError, Retained};
use super::super::shares::Share;
use super::{Course, Report, later};
use crate::check::{self, CheckError, Checked};
use crate::schedule::hosts::Courtesy;
use crate::tell::{self, Round};
use crate::watches::Watch;

/// An errand that failed because the catalog or the disk did is tried again after so long.
const AGAIN: Span = Span::from_seconds(60);
/// Captures are removed this often …
const RETENTION: Span = Span::from_seconds(6 * 3_600);
/// … again after this long if another process writes to the archive …
const RETENTION_AGAIN: Span = Span::from_seconds(15 * 60);
/// … and with this pause between two steps.
const RETENTION_STEP: Span = Span::from_seconds(60);
/// What is wrong if errands fail; each is over when its own errand succeeds.
const UNRELEASED: &str = "events cannot be released";
const UNTOLD: &str = "nobody can be told";
const UNRETAINED: &str = "captures that need not be kept cannot be removed";
const UNREBASED: &str = "the catalog does not know that the clock was set";
const UNTIMED: &str = "watches that were altered have no time yet";

impl Course<'_> {
    /// Hears all that was reported.
    pub(super) fn hear(&mut self) {
        if self.daemon.handle.takes_reload() {
            self.agenda.load_now(self.now());
        }
        while let Ok(report) = self.reports.try_recv() {
            match report {
                Report::Checked { slot, watch, seconds, stepped, mut result } => {
                    self.checkers.done();
                    if let Ok(checked) = &mut result {
                        self.after_steps(&watch, stepped, checked);
                    }
                    self.count(&watch, seconds, &result);
                    self.ended(slot, &watch, &result);
                    self.schedule(slot, &watch, &result);
                }
                Report::Desk(outcome) => self.hear_desk(outcome),
            }
        }
    }

    /// Its host is free again, and what was found is released in time.
    pub(super) fn ended(&mut self, slot: u32, watch: &Watch, result: &Result<Checked, CheckError>) {
        let now = self.now();
        let mut courtesy = Courtesy::default();
        if let Ok(checked) = result {
            let host = Url::parse(&watch.url).ok().and_then(|url| url.host_str().map(str::to_owned));
            courtesy = Courtesy {
                is_overloaded: checked.is_overloaded,
                retry_after: checked.retry_after,
                // A host whose robots.txt asks for nothing, or no longer does, is asked as usual.
                crawl_delay: host.map(|host| self.daemon.context.fetch.delay(&host).unwrap_or_default()),
            };
            self.agenda.release.by(checked.release);
            if checked.has_new_members {
                self.agenda.load_now(now);
            }
        }
        self.queue.done(slot, now, &courtesy);
    }

    /// The watch gets its next time.
    pub(super) fn schedule(&mut self, slot: u32, watch: &Watch, result: &Result<Checked, CheckError>) {
        if self.gone.remove(&slot) {
            self.forget(slot);
            return;
        }
        if self.roster().get(slot) != Some(watch) {
            // It was altered while it was checked.
            if let Err(error) = self.take_in(&[slot]) {
                tracing::error!(watch = %watch.id, %error, "cannot look up where a watch stands");
                self.queue.set(slot, later(self.now(), AGAIN));
            }
            return;
        }
        match result {
            Ok(checked) => {
                if watch.settings.schedule.is_auto() {
                    self.shares.set(slot, Share::Auto(checked.expected as f32));
                }
                if let Some(next) = checked.next {
                    self.queue.set(slot, next);
                }
            }
            Err(_) => self.queue.set(slot, later(self.now(), self.daemon.status.pause(&watch.id))),
        }
    }

    /// What is counted and logged of a check.
    pub(super) fn count(&mut self, watch: &Watch, seconds: f64, result: &Result<Checked, CheckError>) {
        let metrics = self.daemon.status.metrics();
        metrics.check_seconds.observe(seconds);
        self.tally.checked += 1;
        match result {
            Ok(checked) => {
                metrics.checks.with_label_values(&[checked.outcome.name()]).inc();
                metrics.fetched_bytes.inc_by(checked.bytes);
                self.tally.failed += u64::from(checked.outcome == check::Outcome::Failed);
                for event in &checked.events {
                    metrics.events.with_label_values(&[event.kind.name()]).inc();
                    let (kind, summary) = (event.kind.name(), event.summary.as_str());
                    tracing::info!(watch = %watch.id, url = %watch.url, kind, summary, "event");
                }
                if let Some(check::FirstLook::FeedAsPage(items)) = checked.first {
                    let hint = format!("kind = 'feed' in its entry, by `driftline watch edit {}`", watch.id);
                    tracing::warn!(watch = %watch.id, url = %watch.url, items, hint, "a feed is watched as a page");
                }
                let outcome = checked.outcome.name();
                let failure = checked.failure.as_deref().unwrap_or_default();
                let steps = checked.steps;
                tracing::debug!(watch = %watch.id, url = %watch.url, outcome, failure, seconds, steps, "checked");
                self.daemon.status.checked(&watch.id, None);
            }
            Err(error) => {
                // One that panicked could not do so itself.
                self.daemon.context.distrust(watch, self.now());
                metrics.checks.with_label_values(&["error"]).inc();
                self.tally.failed += 1;
                tracing::error!(watch = %watch.id, url = %watch.url, %error, "a check could not be made");
                self.daemon.status.checked(&watch.id, Some(error.to_string()));
            }
        }
    }

    pub(super) fn hear_desk(&mut self, outcome: Outcome) {
        self.desk.done();
        let again = later(self.now(), AGAIN);
        match outcome {
            Outcome::Released(Ok((events, next))) => {
                self.daemon.status.metrics().released.inc_by(events.len() as u64);
                self.agenda.release.done(self.unless_stuck(events.is_empty(), next));
                // Deliveries were planned; when, the catalog knows.
                self.agenda.tell.by((!events.is_empty()).then(|| self.now()));
                if self.is_once {
                    self.tally.events.extend(events);
                }
                self.daemon.status.desk(UNRELEASED, None);
            }
            Outcome::Told(Ok((round, next))) => {
                self.count_told(&round);
                self.agenda.tell.done(self.unless_stuck(round.told.is_empty(), next));
                self.daemon.status.desk(UNTOLD, None);
            }
            Outcome::Released(Err(error)) => {
                self.trouble(UNRELEASED, &error.to_string());
                self.agenda.release.done(Some(again));
            }
            Outcome::Told(Err(error)) => {
                self.trouble(UNTOLD, &error.to_string());
                self.agenda.tell.done(Some(again));
            }
            Outcome::Loaded(loaded, delivery) => {
                self.agenda.tell.by(delivery);
                self.loaded(loaded);
            }
            Outcome::Rated(rates) => self.rated(&rates),
            Outcome::Retained(retained) => self.retained(retained),
            Outcome::Rebased(change, rebased) => self.rebased(change, rebased, again),
            Outcome::Lost(which) => self.lost(which, again),
        }
    }

    /// Captures were removed, or could not be.
    fn retained(&mut self, retained: Result<Retained, RetainError>) {
        let pause = match retained {
            Ok(Retained { captures, bytes, is_more, .. }) => {
                let metrics = self.daemon.status.metrics();
                metrics.removed.inc_by(captures);
                metrics.freed_bytes.inc_by(bytes);
                self.daemon.status.desk(UNRETAINED, None);
                if is_more { RETENTION_STEP } else { RETENTION }
            }
            Err(error) if error.is_busy() => {
                tracing::info!(%error, "{UNRETAINED} now");
                RETENTION_AGAIN
            }
            Err(error) => {
                self.trouble(UNRETAINED, &error.to_string());
                RETENTION
            }
        };
        self.agenda.retain.done(Some(later(self.now(), pause)));
    }

    /// The catalog knows that the clock was set: something may be due. Or it does not, and is told again.
    fn rebased(&mut self, change: Change, rebased: Result<(), CatalogError>, again: Time) {
        self.agenda.is_rebasing = false;
        let trouble = rebased.err().map(|error| error.to_string());
        if let Some(why) = &trouble {
            tracing::error!(why, "{UNREBASED}");
            self.unrebased.push_front(change);
            self.agenda.rebases_from = again;
        }
        let next = if trouble.is_some() { again } else { self.now() };
        self.agenda.release.by(Some(next));
        self.agenda.tell.by(Some(next));
        self.daemon.status.desk(UNREBASED, trouble);
    }

    /// What is due at once although nothing came of it just now waits a while.
    fn unless_stuck(&self, is_idle: bool, next: Option<Time>) -> Option<Time> {
        let now = self.now();
        next.map(|next| if is_idle && next <= now { later(now, AGAIN) } else { next })
    }

    fn count_told(&mut self, round: &Round) {
        for told in &round.told {
            let (target, events) = (&told.target, told.events.len());
            let result = match &told.outcome {
                tell::Outcome::Acknowledged => {
                    tracing::info!(target_name = %target, events, "told");
                    "acknowledged"
                }
                tell::Outcome::Later { due, error } => {
                    tracing::warn!(target_name = %target, events, again = %due, error, "a message did not arrive");
                    "put-off"
                }
                tell::Outcome::Dead { error } => {
                    tracing::error!(target_name = %target, events, error, "a message is given up");
                    "dead"
                }
            };
            self.daemon.status.metrics().deliveries.with_label_values(&[result]).inc();
            let is_told = told.outcome == tell::Outcome::Acknowledged;
            self.tally.told += u64::from(is_told);
            self.tally.untold += u64::from(!is_told);
        }
    }

    fn trouble(&self, what: &'static str, why: &str) {
        tracing::error!(why, "{what}");
        self.daemon.status.desk(what, Some(why.to_owned()));
    }

    /// An errand panicked: it is done again later.
    fn lost(&mut self, which: Kind, again: Time) {
        let why = "an errand panicked; this is a mistake in driftline";
        tracing::error!(errand = which.name(), "{why}");
        match which {
            Kind::Release => {
                self.daemon.status.desk(UNRELEASED, Some(why.to_owned()));
                self.agenda.release.done(Some(again));
            }
            Kind::Tell => {
                self.daemon.status.desk(UNTOLD, Some(why.to_owned()));
                self.agenda.tell.done(Some(again));
            }
            Kind::Load => {
                self.daemon.status.loaded(Some(why.to_owned()));
                self.agenda.load.done(None);
                self.agenda.load_now(again);
            }
            Kind::Rates => {}
            Kind::Retain => {
                self.daemon.status.desk(UNRETAINED, Some(why.to_owned()));
                self.agenda.retain.done(Some(later(self.now(), RETENTION)));
            }
            Kind::Rebase => {
                self.daemon.status.desk(UNREBASED, Some(why.to_owned()));
                self.agenda.is_rebasing = false;
            }
        }
    }

    fn rated(&mut self, rates: &[(u32, f64)]) {
        for (slot, rate) in rates {
            let is_auto = self.roster().get(*slot).is_some_and(|watch| watch.settings.schedule.is_auto());
            if is_auto {
                self.shares.set(*slot, Share::Auto(*rate as f32));
            }
        }
    }

    fn loaded(&mut self, loaded: Result<Option<Vec<Watch>>, LoadError>) {
        self.agenda.load.done(self.look());
        match loaded {
            Ok(None) => {}
            Ok(Some(watches)) => {
                self.daemon.status.loaded(None);
                self.replace(watches);
            }
            Err(error) => {
                tracing::error!(%error, "the files of watches cannot be read; what was watched before still is");
                self.daemon.status.loaded(Some(error.to_string()));
            }
        }
        self.give_times();
    }

    /// Those that have no time yet get it, also those that could not have it before.
    fn give_times(&mut self) {
        let mut untimed = std::mem::take(&mut self.untimed);
        untimed.retain(|slot| !self.gone.contains(slot));
        untimed.sort_unstable();
        untimed.dedup();
        match self.take_in(&untimed) {
            Ok(()) => self.daemon.status.desk(UNTIMED, None),
            Err(error) => {
                self.untimed = untimed;
                self.trouble(UNTIMED, &error.to_string());
                self.agenda.load_now(later(self.now(), AGAIN));
            }
        }
    }

    /// A watch is no more.
    fn forget(&mut self, slot: u32) {
        if let Some(watch) = self.roster().get(slot) {
            self.daemon.status.forget(&watch.id);
        }
        self.roster_mut().forget(slot);
        self.shares.set(slot, Share::Nothing);
    }

    fn replace(&mut self, watches: Vec<Watch>) {
        // One that was removed and added again stands in the files as before, and begins anew all the same.
        self.daemon.context.memory.forget_states();
        let difference = self.roster_mut().replace(watches.into_iter());
        // Who was taken away and put back while it was checked stays.
        self.gone.retain(|slot| difference.gone.contains(slot));
        for slot in &difference.gone {
            self.queue.cancel(*slot);
            if self.queue.is_running(*slot) {
                self.gone.insert(*slot);
            } else {
                self.forget(*slot);
            }
        }
        let (altered, gone) = (difference.altered.len(), difference.gone.len());
        tracing::info!(altered, gone, "the files of watches were read");
        self.untimed.extend(difference.altered);
    }
}

#[cfg(test)]
mod tests;
