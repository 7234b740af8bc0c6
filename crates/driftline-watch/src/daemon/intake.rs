//! When do watches begin? Where the catalog says they stand; those that are late, or new, one after the other.

use driftline::span::Span;
use driftline::time::Time;
use driftline_catalog::{Catalog, CatalogError};

use super::roster::Roster;
use super::shares::{Share, Shares};
use crate::schedule::plan::Plan;
use crate::schedule::queue::Queue;
use crate::schedule::rate::Rate;
use crate::schedule::{Crowd, Pace, Schedule};
use crate::watches::Watch;

/// So many states are read at a time.
const PAGE: u32 = 10_000;
/// Up to so many watches are looked up one by one; for more, all states are read through.
const FEW: usize = 1_000;

/// Where a watch stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stand {
    next: Option<Time>,
    checked: Option<Time>,
}

impl Stand {
    /// From the last check to the next one.
    fn interval(self) -> Option<Span> {
        let microseconds = self.next?.microseconds().saturating_sub(self.checked?.microseconds());
        Some(Span::from_milliseconds(u64::try_from(microseconds / 1_000).unwrap_or_default()))
    }
}

/// Gives watches their times.
pub(super) struct Intake<'a> {
    pub(super) roster: &'a Roster,
    pub(super) queue: &'a mut Queue,
    pub(super) shares: &'a mut Shares,
    pub(super) plan: &'a Plan,
    pub(super) now: Time,
    /// Those that are late or new; with the intervals that they had, those of `auto` that are late.
    crowd: Vec<(u32, Option<Span>)>,
    /// Those of `auto` whose rates are to be looked up.
    unrated: Vec<u32>,
}

impl<'a> Intake<'a> {
    pub(super) fn new(
        roster: &'a Roster,
        queue: &'a mut Queue,
        shares: &'a mut Shares,
        plan: &'a Plan,
        now: Time,
    ) -> Self {
        Self { roster, queue, shares, plan, now, crowd: Vec::new(), unrated: Vec::new() }
    }

    /// Gives these watches their times. Returns those whose rates are to be looked up.
    pub(super) fn take(mut self, catalog: &Catalog, slots: &[u32]) -> Result<Vec<u32>, CatalogError> {
        if slots.len() <= FEW {
            for slot in slots {
                let Some(watch) = self.roster.get(*slot) else { continue };
                let state = catalog.state(&watch.id)?.unwrap_or_default();
                self.place(*slot, watch, Stand { next: state.next, checked: state.checked });
            }
        } else {
            self.stream(catalog, slots)?;
        }
        self.place_crowd();
        Ok(self.unrated)
    }

    /// Those that are late or new come one after the other; what `auto` has missed it catches up on within its budget.
    fn place_crowd(&mut self) {
        // How far the budget goes is known now that everybody was counted.
        self.plan.refresh(self.shares.demand(), self.shares.fixed());
        let all = Crowd(self.crowd.len());
        let late = Crowd(self.crowd.iter().filter(|(_, before)| before.is_some()).count());
        let late = late.at_most(self.plan.pacing().budget);
        for (slot, before) in &self.crowd {
            let Some(watch) = self.roster.get(*slot) else { continue };
            let schedule = &watch.settings.schedule;
            let auto = self.plan.auto(schedule, &Rate::default());
            let (auto, crowd) = before.map_or((auto, all), |before| (before.max(auto), late));
            self.queue.set(*slot, schedule.catch_up(&watch.id, self.now, auto, crowd));
        }
    }

    /// Reads all states through, in portions.
    fn stream(&mut self, catalog: &Catalog, slots: &[u32]) -> Result<(), CatalogError> {
        let mut is_wanted = vec![false; slots.iter().max().map_or(0, |most| *most as usize + 1)];
        slots.iter().for_each(|slot| is_wanted[*slot as usize] = true);
        let mut last = 0;
        loop {
            let page = catalog.states(last, PAGE)?;
            for standing in &page {
                let Some(slot) = self.roster.find(&standing.watch) else { continue };
                let Some(watch) = self.roster.get(slot) else { continue };
                if std::mem::take(is_wanted.get_mut(slot as usize).unwrap_or(&mut false)) {
                    self.place(slot, watch, Stand { next: standing.next, checked: standing.checked });
                }
            }
            match page.last() {
                Some(standing) if page.len() == PAGE as usize => last = standing.number,
                _ => break,
            }
        }
        for slot in slots.iter().filter(|slot| is_wanted[**slot as usize]) {
            if let Some(watch) = self.roster.get(*slot) {
                self.place(*slot, watch, Stand::default());
            }
        }
        Ok(())
    }

    fn place(&mut self, slot: u32, watch: &Watch, stand: Stand) {
        self.queue.place(slot, &watch.url);
        if watch.settings.paused {
            self.queue.cancel(slot);
            self.shares.set(slot, Share::Nothing);
            return;
        }
        let schedule = &watch.settings.schedule;
        // A check that is yet to come was made while the clock was wrong: it says nothing of when the next one is due.
        let stand = if stand.checked.is_some_and(|checked| checked > self.now) { Stand::default() } else { stand };
        let due = due(watch, stand, self.plan);
        match due {
            Some(due) if due >= self.now => self.queue.set(slot, due),
            _ => self.crowd.push((slot, stand.interval().filter(|_| schedule.is_auto()))),
        }
        self.shares.set(slot, share(schedule, stand, due, self.now));
        if schedule.is_auto() && stand.checked.is_some() {
            self.unrated.push(slot);
        }
    }
}

/// When a watch is due that stands so. A schedule that was altered meanwhile has its way at once; with `auto`, the time
/// that was chosen for the watch stands: how long an interval the budget allows is not known before all are counted.
fn due(watch: &Watch, stand: Stand, plan: &Plan) -> Option<Time> {
    let schedule = &watch.settings.schedule;
    let checked = stand.checked?;
    let auto = plan.auto(schedule, &Rate::default()).max(plan.pacing().most);
    let scheduled = schedule.due(&watch.id, checked, auto);
    let is_chosen = schedule.is_auto();
    Some(stand.next.map_or(scheduled, |next| if is_chosen { next } else { next.min(scheduled) }))
}

/// What a watch takes, as far as is known before its rate is looked up.
fn share(schedule: &Schedule, stand: Stand, due: Option<Time>, now: Time) -> Share {
    let per_hour = |microseconds: i64| (3.6e9 / microseconds.max(1) as f64) as f32;
    match &schedule.pace {
        Pace::Every(span) => Share::Fixed(per_hour(span.microseconds())),
        Pace::Cron(_) => {
            let first = schedule.due("", now, Span::default());
            let second = schedule.due("", first, Span::default());
            Share::Fixed(per_hour(second.microseconds().saturating_sub(first.microseconds())))
        }
        Pace::Auto => match (stand.checked, due) {
            (Some(checked), Some(due)) => {
                Share::Fixed(per_hour(due.microseconds().saturating_sub(checked.microseconds())))
            }
            _ => Share::Auto(Rate::default().expected() as f32),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Intake, Plan, Queue, Roster, Schedule, Shares, Span, Stand, Time, Watch};
    use crate::schedule::hosts::Manners;
    use crate::schedule::plan::Pacing;
    use crate::watches::Settings;

    const DAY: i64 = 86_400_000_000;
    const NOW: Time = Time::from_microseconds(20_000 * DAY);

    #[expect(clippy::unnecessary_wraps, reason = "times of checks may be missing")]
    fn day(days: i64) -> Option<Time> {
        Some(Time::from_microseconds(NOW.microseconds() + days * DAY))
    }

    /// When these watches are due, by where they stand, with the usual budget of 600 checks an hour.
    fn placed(schedule: &Schedule, stands: impl IntoIterator<Item = Stand>) -> Vec<Time> {
        let stands: Vec<Stand> = stands.into_iter().collect();
        let settings = Arc::new(Settings { schedule: schedule.clone(), ..Settings::default() });
        let watch = |number: usize| {
            let url = format!("http://{number}.example/").into();
            Watch { id: number.to_string().into(), url, name: None, settings: Arc::clone(&settings) }
        };
        let mut roster = Roster::default();
        roster.replace((0..stands.len()).map(watch));
        let (mut queue, mut shares) = (Queue::new(Manners::default()), Shares::default());
        let plan = Plan::new(Pacing::default());
        let mut intake = Intake::new(&roster, &mut queue, &mut shares, &plan, NOW);
        for ((slot, watch), stand) in roster.iter().zip(&stands) {
            intake.place(slot, watch, *stand);
        }
        intake.place_crowd();
        roster.iter().filter_map(|(slot, _)| queue.due(slot)).collect()
    }

    /// How many of them are due within an hour.
    fn soon(due: &[Time]) -> usize {
        due.iter().filter(|due| due.distance(NOW) < 3_600_000_000).count()
    }

    #[test]
    fn a_restart_does_not_check_more_than_the_budget_of_auto() {
        // Twice as many as can be checked in a day, so every other day: longer than `most-interval`.
        let stand = |number: i64| {
            let next = NOW.microseconds() + number * 6_000_000;
            let checked = Some(Time::from_microseconds(next - 2 * DAY));
            Stand { next: Some(Time::from_microseconds(next)), checked }
        };
        let due = placed(&Schedule::default(), (0..28_800).map(stand));
        assert_eq!(soon(&due), 600);
    }

    #[test]
    fn what_auto_missed_is_caught_up_on_within_the_budget() {
        let stands = (0..14_400).map(|_| Stand { next: day(-1), checked: day(-3) });
        let due = placed(&Schedule::default(), stands);
        assert!((500..=700).contains(&soon(&due)), "{}", soon(&due));
    }

    #[test]
    fn new_watches_of_auto_are_checked_soon() {
        let due = placed(&Schedule::default(), (0..1_000).map(|_| Stand::default()));
        assert_eq!(soon(&due), 1_000);
    }

    #[test]
    fn a_check_that_was_made_while_the_clock_was_wrong_is_repeated() {
        for schedule in [Schedule::default(), Schedule::every(Span::from_seconds(600))] {
            let due = placed(&schedule, [Stand { next: day(1_001), checked: day(1_000) }]);
            assert_eq!(soon(&due), 1);
        }
    }
}
