//! What is there to do beside checks, and when? Each kind of errand is done by one at a time.

use driftline::span::Span;
use driftline::time::Time;

use super::super::desk::Errand;
use super::later;
use crate::clock::Step;

/// After events were released, or somebody was told, so much time passes before the next ones are: what is found
/// meanwhile goes together, at the price of one.
const TOGETHER: Span = Span::from_seconds(1);

/// When errands are due.
#[derive(Debug)]
pub(super) struct Agenda {
    /// Held events are released.
    pub(super) release: Item,
    /// Targets are told.
    pub(super) tell: Item,
    /// The files are looked at.
    pub(super) load: Item,
    /// Captures that need not be kept are removed.
    pub(super) retain: Item,
    /// The files are read, changed or not.
    pub(super) must_load: bool,
    /// The catalog is being told that the clock was set.
    pub(super) is_rebasing: bool,
    /// Not before this, because it failed.
    pub(super) rebases_from: Time,
}

/// An errand.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// When it is due.
    pub(super) at: Option<Time>,
    /// Somebody is at it.
    is_running: bool,
    /// So much time passes between two of them.
    pause: Span,
    /// Not before this.
    rests_until: Option<Time>,
}

impl Default for Agenda {
    fn default() -> Self {
        let item = |pause| Item { pause, ..Item::default() };
        Self {
            release: item(TOGETHER),
            tell: item(TOGETHER),
            load: Item::default(),
            retain: Item::default(),
            must_load: false,
            is_rebasing: false,
            rebases_from: Time::from_microseconds(i64::MIN),
        }
    }
}

impl Item {
    /// It is due then, or sooner.
    pub(super) fn by(&mut self, at: Option<Time>) {
        self.at = self.at.into_iter().chain(at).min();
    }

    /// It was done; it is due then, or sooner if it became so meanwhile.
    pub(super) fn done(&mut self, next: Option<Time>) {
        self.is_running = false;
        self.by(next);
    }

    /// The clock was set: it is due after the same time as before.
    fn shift(&mut self, step: Step) {
        self.at = self.at.map(|at| step.of(at));
        self.rests_until = self.rests_until.map(|rest| step.of(rest));
    }

    fn take(&mut self, now: Time) -> bool {
        let is_due = self.next().is_some_and(|next| next <= now);
        if is_due {
            (self.at, self.is_running) = (None, true);
            self.rests_until = Some(later(now, self.pause));
        }
        is_due
    }

    /// When it is due, unless somebody is at it.
    fn next(&self) -> Option<Time> {
        let at = self.at.filter(|_| !self.is_running)?;
        Some(self.rests_until.map_or(at, |rest| rest.max(at)))
    }
}

impl Agenda {
    /// What is due; it is being done from now on.
    pub(super) fn due(&mut self, now: Time) -> Vec<Errand> {
        let mut due = Vec::new();
        due.extend(self.release.take(now).then_some(Errand::Release { until: now }));
        due.extend(self.tell.take(now).then_some(Errand::Tell));
        due.extend(self.load.take(now).then(|| Errand::Load { must: std::mem::take(&mut self.must_load) }));
        due.extend(self.retain.take(now).then_some(Errand::Retain));
        due
    }

    /// The clock was set: everything is due after the same time as before.
    pub(super) fn shift(&mut self, step: Step) {
        [&mut self.release, &mut self.tell, &mut self.load, &mut self.retain]
            .into_iter()
            .for_each(|item| item.shift(step));
        self.rebases_from = step.of(self.rebases_from);
    }

    /// The files are read as soon as can be.
    pub(super) fn load_now(&mut self, now: Time) {
        self.must_load = true;
        self.load.at = Some(now);
    }

    pub(super) fn next(&self) -> Option<Time> {
        [&self.release, &self.tell, &self.load, &self.retain].into_iter().filter_map(Item::next).min()
    }
}

#[cfg(test)]
mod tests {
    use driftline::time::Time;

    use super::{Agenda, Item, TOGETHER, later};

    #[test]
    fn what_became_due_meanwhile_is_not_forgotten() {
        let at = Time::from_microseconds;
        let mut item = Item { at: Some(at(5)), ..Item::default() };
        assert!(!item.take(at(4)) && item.take(at(5)) && !item.take(at(6)));
        item.by(Some(at(7)));
        assert_eq!(item.next(), None, "somebody is at it");
        item.done(Some(at(9)));
        assert_eq!(item.next(), Some(at(7)));
    }

    #[test]
    fn what_is_found_soon_after_a_release_goes_together() {
        let at = Time::from_microseconds;
        let mut agenda = Agenda::default();
        agenda.release.by(Some(at(5)));
        assert_eq!(agenda.due(at(5)).len(), 1, "the first one does not wait");
        agenda.release.done(None);
        [at(6), at(7)].into_iter().for_each(|found| agenda.release.by(Some(found)));
        let next = later(at(5), TOGETHER);
        assert_eq!((agenda.due(at(7)).len(), agenda.next()), (0, Some(next)));
        assert_eq!(agenda.due(next).len(), 1);
    }
}
