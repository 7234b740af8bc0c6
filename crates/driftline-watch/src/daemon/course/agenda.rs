//! What is there to do beside checks, and when? Each kind of errand is done by one at a time.

use driftline::time::Time;

use super::super::desk::Errand;

/// When errands are due.
#[derive(Debug, Default)]
pub(super) struct Agenda {
    /// Held events are released.
    pub(super) release: Item,
    /// Targets are told.
    pub(super) tell: Item,
    /// The files are looked at.
    pub(super) load: Item,
    /// They are read, changed or not.
    pub(super) must_load: bool,
}

/// An errand.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// When it is due.
    pub(super) at: Option<Time>,
    /// Somebody is at it.
    is_running: bool,
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

    fn take(&mut self, now: Time) -> bool {
        let is_due = !self.is_running && self.at.is_some_and(|at| at <= now);
        if is_due {
            (self.at, self.is_running) = (None, true);
        }
        is_due
    }

    /// When it is due, unless somebody is at it.
    fn next(&self) -> Option<Time> {
        self.at.filter(|_| !self.is_running)
    }
}

impl Agenda {
    /// What is due; it is being done from now on.
    pub(super) fn due(&mut self, now: Time) -> Vec<Errand> {
        let mut due = Vec::new();
        due.extend(self.release.take(now).then_some(Errand::Release { until: now }));
        due.extend(self.tell.take(now).then_some(Errand::Tell));
        due.extend(self.load.take(now).then(|| Errand::Load { must: std::mem::take(&mut self.must_load) }));
        due
    }

    /// The files are read as soon as can be.
    pub(super) fn load_now(&mut self, now: Time) {
        self.must_load = true;
        self.load.at = Some(now);
    }

    pub(super) fn next(&self) -> Option<Time> {
        [&self.release, &self.tell, &self.load].into_iter().filter_map(Item::next).min()
    }
}

#[cfg(test)]
mod tests {
    use driftline::time::Time;

    use super::Item;

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
}
