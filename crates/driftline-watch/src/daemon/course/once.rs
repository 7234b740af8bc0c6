//! How are watches checked once, for cron? All that are wanted, then all that was found is released and told.

use std::collections::{BTreeSet, HashSet};

use driftline::span::Span;
use driftline::time::Time;

use super::super::desk::{Errand, Outcome};
use super::super::{Found, Tally};
use super::{Course, Report, later};
use crate::tell::{self, Round};
use crate::watches::Watch;

/// So long messages are waited for whose targets get no more at once.
const MOST_TELLING: Span = Span::from_seconds(10 * 60);

impl Course<'_> {
    /// Checks those that are wanted, members of lists that turn up on the way too.
    pub(in super::super) fn run_once(
        &mut self,
        wanted: &dyn Fn(&Watch) -> bool,
        found: &mut dyn FnMut(Found<'_>),
    ) -> Tally {
        self.is_once = true;
        self.keep_time();
        let mut seen = HashSet::new();
        self.want(wanted, &mut seen);
        loop {
            if self.hear_once(found) {
                self.want(wanted, &mut seen);
            }
            if self.daemon.handle.is_stopping() {
                break;
            }
            let now = self.now();
            self.hand_out_checks(now);
            if self.queue.is_empty() && !self.is_busy() {
                break;
            }
            let next = if self.checkers.has_room() { self.queue.next() } else { None };
            self.wait(next);
        }
        self.finish();
        self.rebase_once();
        // Events that wait for others like them have all of them now.
        self.errand(Errand::Release { until: Time::from_microseconds(i64::MAX) });
        self.tell_all();
        std::mem::take(&mut self.tally)
    }

    /// Tells targets until none has to wait for its turn, but not for ever. What is left then did not arrive.
    fn tell_all(&mut self) {
        let mut end = later(self.now(), MOST_TELLING);
        let (mut untold, mut turns) = (BTreeSet::new(), BTreeSet::new());
        while let Some(round) = self.errand(Errand::Tell) {
            note(&mut untold, &round);
            turns.extend(round.turns);
            let Some(mut turn) = turns.pop_first().filter(|turn| *turn <= end) else { break };
            while self.now() < turn && !self.daemon.handle.is_stopping() {
                let step = self.wait(Some(turn));
                (turn, end) = (step.of(turn), step.of(end));
                turns = turns.into_iter().map(|turn| step.of(turn)).collect();
            }
            self.rebase_once();
            if self.daemon.handle.is_stopping() || self.now() >= end {
                break;
            }
        }
        self.tally.untold = untold.len() as u64;
    }

    /// Tells the catalog how the clock was set, if it was.
    fn rebase_once(&mut self) {
        while let Some(change) = self.unrebased.pop_front() {
            self.errand(Errand::Rebase(change));
            if self.agenda.rebases_from > self.now() {
                // It failed; the next daemon heals what it can.
                break;
            }
        }
    }

    /// All that are wanted and were not checked yet are due.
    fn want(&mut self, wanted: &dyn Fn(&Watch) -> bool, seen: &mut HashSet<u32>) {
        let now = self.now();
        let roster = self.roster();
        for (slot, watch) in roster.iter().filter(|(_, watch)| wanted(watch)) {
            if seen.insert(slot) {
                self.queue.place(slot, &watch.url);
                self.queue.set(slot, now);
            }
        }
    }

    /// Hears what was reported. Are there other watches than before?
    fn hear_once(&mut self, found: &mut dyn FnMut(Found<'_>)) -> bool {
        let mut is_other = false;
        while let Ok(report) = self.reports.try_recv() {
            match report {
                Report::Checked { slot, watch, seconds, result, .. } => {
                    self.checkers.done();
                    self.count(&watch, seconds, &result);
                    self.ended(slot, &watch, &result);
                    found((&watch, &result));
                    if result.is_ok_and(|checked| checked.has_new_members) {
                        self.desk.give(Errand::Load { must: true });
                    }
                }
                Report::Desk(Outcome::Loaded(Ok(Some(watches)), _)) => {
                    self.desk.done();
                    self.roster_mut().replace(watches.into_iter());
                    is_other = true;
                }
                Report::Desk(outcome) => self.hear_desk(outcome),
            }
        }
        is_other
    }

    /// Does an errand, and waits for it. What was sent, if that was it.
    fn errand(&mut self, errand: Errand) -> Option<Round> {
        let mut sent = None;
        self.desk.give(errand);
        while self.desk.busy() > 0 {
            self.wait(None);
            while let Ok(report) = self.reports.try_recv() {
                match report {
                    Report::Desk(outcome) => {
                        if let Outcome::Told(Ok((round, _))) = &outcome {
                            sent = Some(round.clone());
                        }
                        self.hear_desk(outcome);
                    }
                    Report::Checked { .. } => self.checkers.done(),
                }
            }
        }
        sent
    }
}

/// Which messages did not arrive so far, by their target and first event?
fn note(untold: &mut BTreeSet<(String, Option<String>)>, round: &Round) {
    for told in &round.told {
        let message = (told.target.clone(), told.events.first().cloned());
        if told.outcome == tell::Outcome::Acknowledged {
            untold.remove(&message);
        } else {
            untold.insert(message);
        }
    }
    untold.extend(round.left.iter().map(|left| (left.target.clone(), left.events.first().cloned())));
}
