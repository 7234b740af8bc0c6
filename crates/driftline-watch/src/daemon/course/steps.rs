//! What happens when the clock is set: everything that is planned is planned anew.

use driftline::time::Time;

use super::{Change, Course, SLEEP};
use crate::check::Checked;
use crate::clock::Step;
use crate::schedule::rate::Rate;
use crate::watches::Watch;

/// Smaller changes are corrections of a time server, and are not logged.
const WORTH_A_WARNING: u64 = 10_000_000;

impl Course<'_> {
    /// Looks whether the clock was set since this was called last, and moves all that is planned. Returns the change.
    pub(super) fn keep_time(&mut self) -> Step {
        let reading = self.daemon.clock.read();
        self.time = reading.now;
        let Some(step) = self.steps.see(reading) else { return Step::default() };
        let now = reading.now;
        let before = Step::by(step.microseconds().saturating_neg()).of(now);
        if step.microseconds().unsigned_abs() >= WORTH_A_WARNING {
            tracing::warn!(%before, %now, "the clock was set; everything is planned anew");
        }
        self.stepped += step;
        self.unrebased.push_back(Change { step, before });
        let (roster, plan) = (self.roster(), &self.daemon.context.plan);
        self.queue.shift(step, before, |slot, due| match roster.get(slot) {
            Some(watch) => after_step(watch, due, step, now, plan),
            None => step.of(due),
        });
        drop(roster);
        self.agenda.shift(step);
        self.planned = Time::from_microseconds(i64::MIN);
        if step.microseconds() > SLEEP.microseconds() {
            // Times of day that were left out.
            self.spread_overdue(now);
        }
        step
    }

    /// What a check planned that began before these changes of the clock.
    pub(super) fn after_steps(&mut self, watch: &Watch, began: Step, checked: &mut Checked) {
        let step = Step::by(self.stepped.microseconds().saturating_sub(began.microseconds()));
        if step == Step::default() {
            return;
        }
        let (now, plan) = (self.now(), &self.daemon.context.plan);
        checked.next = checked.next.map(|next| after_step(watch, next, step, now, plan));
        checked.release = checked.release.map(|release| step.of(release));
        // Its events may have been written after the catalog was told of the change.
        if self.unrebased.is_empty() {
            self.unrebased.push_back(Change { step: Step::default(), before: now });
        }
    }
}

fn after_step(watch: &Watch, due: Time, step: Step, now: Time, plan: &crate::schedule::plan::Plan) -> Time {
    let schedule = &watch.settings.schedule;
    schedule.after_step(&watch.id, due, step, now, plan.auto(schedule, &Rate::default()))
}

#[cfg(test)]
mod tests;
