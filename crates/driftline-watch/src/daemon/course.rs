//! What does the loop do? It hands out what is due, hears what came of it, and waits until there is more.

mod agenda;
mod hear;
mod once;
mod steps;

use std::collections::{HashSet, VecDeque};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, PoisonError, RwLockReadGuard, RwLockWriteGuard};
use std::time::Instant;

use driftline::span::Span;
use driftline::time::Time;
use driftline_catalog::CatalogError;

use super::crew::Crew;
use super::desk::{self, Change, Errand};
use super::intake::Intake;
use super::roster::Roster;
use super::shares::Shares;
use super::{Daemon, DaemonError, Tally};
use crate::check::{CheckError, Checked, check_once};
use crate::clock::{Step, Steps};
use crate::schedule::Crowd;
use crate::schedule::queue::Queue;
use crate::schedule::rate::Rate;
use crate::watches::Watch;
use agenda::Agenda;

/// A daemon at work.
pub(super) struct Course<'a> {
    daemon: &'a Daemon,
    queue: Queue,
    shares: Shares,
    checkers: Crew<Job>,
    desk: Crew<Errand>,
    reports: Receiver<Report>,
    agenda: Agenda,
    /// Watches that were taken away while they were checked.
    gone: HashSet<u32>,
    /// Watches that are new or altered and have no time yet.
    untimed: Vec<u32>,
    /// Watches whose rates are to be looked up.
    unrated: Vec<u32>,
    /// When the plan was last brought up to date.
    planned: Time,
    /// What is seen of changes of the clock.
    steps: Steps,
    /// All changes of the clock since the beginning.
    stepped: Step,
    /// Changes of the clock that the catalog does not know yet.
    unrebased: VecDeque<Change>,
    /// What the clock showed when this turn of the loop began: a change is seen between two turns, not within one.
    time: Time,
    tally: Tally,
    /// What is released goes into the tally: nobody watches for ever.
    is_once: bool,
}

/// A check to be made.
struct Job {
    slot: u32,
    watch: Watch,
    now: Time,
    /// All changes of the clock before it began.
    stepped: Step,
}

/// Something is done.
enum Report {
    /// A check is over; `stepped` are all changes of the clock before it began.
    Checked {
        slot: u32,
        watch: Watch,
        seconds: f64,
        stepped: Step,
        result: Result<Checked, CheckError>,
    },
    Desk(desk::Outcome),
}

/// One thread each for releasing, telling, reading, and removing.
const DESKS: usize = 4;
/// Captures are first removed so long after the start, when checks that are late have been made.
const FIRST_RETENTION: Span = Span::from_seconds(10 * 60);
/// So many rates are looked up at a time.
const RATES: usize = 500;
/// Whoever is woken so much later than was asked for has slept.
const SLEEP: Span = Span::from_seconds(60);
/// The plan is brought up to date so often.
const PLAN: Span = Span::from_seconds(10);

impl<'a> Course<'a> {
    /// Starts the threads and brings the watches; none has a time yet.
    pub(super) fn begin(daemon: &'a Daemon) -> Result<Self, DaemonError> {
        let (answers, reports) = mpsc::channel();
        let bell = daemon.handle.bell();
        let context = daemon.context.clone();
        let check = move |Job { slot, watch, now, stepped }: Job| {
            let began = Instant::now();
            let result = check_once(&watch, &context, now);
            Report::Checked { slot, watch, seconds: began.elapsed().as_secs_f64(), stepped, result }
        };
        let lost = |Job { slot, watch, stepped, .. }: &Job| Report::Checked {
            slot: *slot,
            watch: watch.clone(),
            seconds: 0.0,
            stepped: *stepped,
            result: Err(CheckError::Panicked { watch: watch.id.to_string() }),
        };
        let workers = daemon.options.workers;
        let checkers = Crew::start("driftline-check", workers, &answers, bell, lost, check);
        let desk = Arc::clone(&daemon.desk);
        let work = move |errand| Report::Desk(desk.run(errand));
        let lost = |errand: &Errand| Report::Desk(errand.lost());
        let desk = Crew::start("driftline-desk", DESKS, &answers, bell, lost, work);
        let course = Self {
            daemon,
            queue: Queue::new(daemon.options.manners),
            shares: Shares::default(),
            checkers: checkers.map_err(DaemonError::Threads)?,
            desk: desk.map_err(DaemonError::Threads)?,
            reports,
            agenda: Agenda::default(),
            gone: HashSet::new(),
            untimed: Vec::new(),
            unrated: Vec::new(),
            planned: Time::from_microseconds(i64::MIN),
            steps: Steps::since(daemon.clock.read()),
            stepped: Step::default(),
            unrebased: VecDeque::new(),
            time: daemon.clock.now(),
            tally: Tally::default(),
            is_once: false,
        };
        let watches = daemon.desk.load(true)?.unwrap_or_default();
        course.roster_mut().replace(watches.into_iter());
        daemon.status.loaded(None);
        Ok(course)
    }

    /// Gives every watch its time, and every errand.
    pub(super) fn schedule_all(&mut self) -> Result<(), DaemonError> {
        self.keep_time();
        let slots: Vec<u32> = self.roster().iter().map(|(slot, _)| slot).collect();
        self.take_in(&slots)?;
        // The clock may have been corrected while nobody watched.
        self.daemon.desk.rebase(Change { step: Step::default(), before: self.now() })?;
        let catalog = self.daemon.context.archive.catalog();
        self.agenda.release.at = catalog.next_release()?;
        self.agenda.tell.at = catalog.next_delivery()?;
        self.agenda.load.at = self.look();
        self.agenda.retain.at = Some(later(self.now(), FIRST_RETENTION));
        self.daemon.status.metrics().watches.set(whole(slots.len()));
        tracing::info!(watches = slots.len(), "watching");
        Ok(())
    }

    /// Goes on until it is told to stop.
    pub(super) fn run(&mut self) {
        while !self.daemon.handle.is_stopping() {
            self.daemon.status.turned();
            self.hear();
            self.hand_out();
            let next = self.next();
            let step = self.wait(next);
            self.wake(next.map(|next| step.of(next)));
        }
        self.finish();
    }

    /// Waking more than 60 s late means that the machine was suspended: the overdue checks are spread.
    fn wake(&mut self, expected: Option<Time>) {
        let now = self.now();
        let Some(late) = expected.filter(|expected| later(*expected, SLEEP) < now) else { return };
        tracing::info!(seconds = late.distance(now) / 1_000_000, "woke up late");
        self.spread_overdue(now);
    }

    /// The checks that are overdue come one after the other.
    fn spread_overdue(&mut self, now: Time) {
        let overdue = self.queue.overdue(now);
        tracing::info!(checks = overdue.len(), "overdue checks are spread");
        let (roster, plan) = (self.roster(), &self.daemon.context.plan);
        let crowd = Crowd(overdue.len());
        let is_auto = |slot: &&u32| roster.get(**slot).is_some_and(|watch| watch.settings.schedule.is_auto());
        let late = Crowd(overdue.iter().filter(is_auto).count()).at_most(plan.pacing().budget);
        for slot in overdue {
            let Some(watch) = roster.get(slot) else { continue };
            let schedule = &watch.settings.schedule;
            let auto = plan.auto(schedule, &Rate::default());
            let crowd = if schedule.is_auto() { late } else { crowd };
            self.queue.set(slot, schedule.catch_up(&watch.id, now, auto, crowd));
        }
    }

    /// Waits for what is under way, but not for ever.
    fn finish(&mut self) {
        let mut end = later(self.now(), self.daemon.options.last);
        tracing::info!(checks = self.checkers.busy(), "stopping");
        while self.is_busy() && self.now() < end {
            end = self.wait(Some(end)).of(end);
            self.hear();
        }
        if self.is_busy() {
            tracing::warn!(checks = self.checkers.busy(), "checks are cut off; they are made again");
        }
    }

    /// Hands out all that is due, as far as there is somebody to do it.
    fn hand_out(&mut self) {
        let now = self.now();
        self.refresh(now);
        self.hand_out_checks(now);
        if !self.agenda.is_rebasing
            && self.agenda.rebases_from <= now
            && let Some(change) = self.unrebased.pop_front()
        {
            self.agenda.is_rebasing = true;
            self.desk.give(Errand::Rebase(change));
        }
        for errand in self.agenda.due(now) {
            self.desk.give(errand);
        }
        if !self.unrated.is_empty() && self.desk.has_room() {
            let batch = self.unrated.split_off(self.unrated.len().saturating_sub(RATES));
            let roster = self.roster();
            let ids = batch.iter().filter_map(|slot| Some((*slot, Arc::clone(&roster.get(*slot)?.id)))).collect();
            drop(roster);
            self.desk.give(Errand::Rates(ids));
        }
        let metrics = self.daemon.status.metrics();
        metrics.queued.set(whole(self.queue.len()));
        metrics.waiting.set(whole(self.queue.waiting()));
        metrics.running.set(whole(self.checkers.busy()));
    }

    fn hand_out_checks(&mut self, now: Time) {
        while self.checkers.has_room() {
            let Some((slot, due)) = self.queue.take(now) else { break };
            self.daemon.status.late(due.distance(now) as f64 / 1e6);
            let watch = self.roster().get(slot).cloned();
            match watch {
                Some(watch) => self.checkers.give(Job { slot, watch, now, stepped: self.stepped }),
                None => self.queue.done(slot, now, &crate::schedule::hosts::Courtesy::default()),
            }
        }
    }

    /// Brings the plan up to date, now and then.
    fn refresh(&mut self, now: Time) {
        if now < later(self.planned, PLAN) {
            return;
        }
        self.planned = now;
        let plan = &self.daemon.context.plan;
        plan.refresh(self.shares.demand(), self.shares.fixed());
        self.daemon.status.metrics().expectation.set(plan.expectation());
        self.daemon.status.metrics().watches.set(whole(self.roster().len()));
    }

    /// When there is something to do, if nobody rings before.
    fn next(&mut self) -> Option<Time> {
        let checks = if self.checkers.has_room() { self.queue.next() } else { None };
        [checks, self.agenda.next()].into_iter().flatten().min()
    }

    /// Waits until then, or less. Returns how the clock was set meanwhile: all that is planned is moved already.
    fn wait(&mut self, until: Option<Time>) -> Step {
        self.daemon.clock.wait(until, self.is_busy(), self.daemon.handle.bell());
        self.keep_time()
    }

    fn is_busy(&self) -> bool {
        self.checkers.busy() + self.desk.busy() > 0
    }

    /// Gives these watches their times, by where they stand.
    fn take_in(&mut self, slots: &[u32]) -> Result<(), CatalogError> {
        let daemon = self.daemon;
        let roster = daemon.roster.read().unwrap_or_else(PoisonError::into_inner);
        let now = self.time;
        let intake = Intake::new(&roster, &mut self.queue, &mut self.shares, &daemon.context.plan, now);
        self.unrated.extend(intake.take(daemon.context.archive.catalog(), slots)?);
        Ok(())
    }

    fn now(&self) -> Time {
        self.time
    }

    /// When the files are looked at again.
    fn look(&self) -> Option<Time> {
        self.daemon.options.look.map(|look| later(self.now(), look))
    }

    fn roster(&self) -> RwLockReadGuard<'a, Roster> {
        self.daemon.roster.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn roster_mut(&self) -> RwLockWriteGuard<'a, Roster> {
        self.daemon.roster.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn later(time: Time, span: Span) -> Time {
    Time::from_microseconds(time.microseconds().saturating_add(span.microseconds()))
}
