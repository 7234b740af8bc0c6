//! Due times after steps of the clock: intervals by the time that passes, cron lines by the time of day.

use std::collections::HashMap;
use std::time::Duration;

use proptest::prelude::*;

use super::super::hosts::{Courtesy, Manners};
use super::super::queue::Queue;
use super::{Schedule, Span, Step, Time};
use crate::clock::{Reading, Steps};

const HOUR: Span = Span::from_seconds(3_600);

fn time(text: &str) -> Time {
    text.parse().unwrap()
}

/// When a watch is due after a step that was due at a time.
fn due(schedule: &str, due: &str, before: &str, now: &str) -> String {
    let schedule: Schedule = schedule.parse().unwrap();
    let (before, now) = (time(before), time(now));
    let step = Step::by(now.microseconds() - before.microseconds());
    schedule.after_step("a", time(due), step, now, HOUR).to_string()
}

#[test]
fn what_is_left_of_an_interval_stays_left() {
    let next = due("10m", "2026-03-02T06:04:00Z", "2026-03-02T06:00:00Z", "2025-01-26T06:00:00Z");
    assert_eq!(next, "2025-01-26T06:04:00Z");
    let next = due("10m", "2026-03-02T06:04:00Z", "2026-03-02T06:00:00Z", "2036-02-28T06:00:00Z");
    assert_eq!(next, "2036-02-28T06:04:00Z");
}

#[test]
fn a_cron_line_means_the_time_of_day_that_the_clock_shows() {
    let line = "0 9 * * *";
    let next = due(line, "2026-03-03T09:00:00Z", "2026-03-02T10:00:00Z", "2026-03-02T08:00:00Z");
    assert_eq!(next, "2026-03-02T09:00:00Z", "nine comes round again");
    let next = due(line, "2026-03-02T09:00:00Z", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z");
    assert_eq!(next, "2026-03-02T09:00:00Z", "nine was left out: the watch is due");
    let next = due(line, "2026-03-02T08:05:00Z", "2026-03-02T08:00:00Z", "2026-03-02T05:00:00Z");
    assert_eq!(next, "2026-03-02T05:05:00Z", "a check that failed is repeated after the same wait");
}

#[test]
fn a_window_that_is_open_again_is_used() {
    let mut schedule: Schedule = "10m".parse().unwrap();
    schedule.windows = vec!["09:00-17:00".parse().unwrap()];
    let (before, now) = (time("2026-03-02T20:00:00Z"), time("2026-03-02T15:00:00Z"));
    let step = Step::by(now.microseconds() - before.microseconds());
    let next = schedule.after_step("a", time("2026-03-03T09:04:00Z"), step, now, HOUR);
    assert!(next > now && next.distance(now) <= 900_000_000, "{next}");
}

/// What happens to the clock between two turns of the loop.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// So many seconds pass.
    Passes(u32),
    /// The clock is set so many seconds forward, or back.
    Set(i64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => (1_u32..900).prop_map(Event::Passes),
        1 => (-40_000_000_i64..40_000_000).prop_map(Event::Set),
        1 => (-300_i64..300).prop_map(Event::Set),
    ]
}

/// Watches as the loop checks them; the time that has passed is in microseconds.
struct World {
    queue: Queue,
    steps: Steps,
    reading: Reading,
    /// When each watch was checked, by the time that has passed.
    checks: HashMap<u32, Vec<i64>>,
    turns: u64,
}

const INTERVALS: [i64; 5] = [60, 300, 600, 3_600, 61];
const DELAY: Span = Span::from_seconds(5);

fn schedule(slot: u32) -> Schedule {
    Schedule::every(Span::from_seconds(INTERVALS[slot as usize].unsigned_abs()))
}

fn host(slot: u32) -> u32 {
    slot % 2
}

impl World {
    fn new() -> Self {
        let reading = Reading { now: time("2026-03-02T06:00:00Z"), passed: Duration::ZERO };
        let mut queue = Queue::new(Manners { delay: DELAY, per_host: 1 });
        for slot in 0..INTERVALS.len() as u32 {
            queue.place(slot, &format!("http://host{}/{slot}", host(slot)));
            queue.set(slot, reading.now);
        }
        Self { queue, steps: Steps::since(reading), reading, checks: HashMap::new(), turns: 0 }
    }

    /// One turn of the loop: a change of the clock is seen, and all that is due is checked.
    fn turn(&mut self) {
        self.turns += 1;
        let now = self.reading.now;
        if let Some(step) = self.steps.see(self.reading) {
            let before = Step::by(-step.microseconds()).of(now);
            let plan = |slot, due| schedule(slot).after_step(&slot.to_string(), due, step, now, HOUR);
            self.queue.shift(step, before, plan);
        }
        while let Some((slot, _)) = self.queue.take(now) {
            let passed = self.passed();
            self.checks.entry(slot).or_default().push(passed);
            self.queue.done(slot, now, &Courtesy::default());
            self.queue.set(slot, schedule(slot).due(&slot.to_string(), now, HOUR));
        }
    }

    /// Time passes, and the loop wakes whenever something is due.
    fn pass(&mut self, seconds: u32) {
        let end = self.reading.passed + Duration::from_secs(seconds.into());
        while self.reading.passed < end {
            self.turn();
            let left = end.checked_sub(self.reading.passed).unwrap();
            let next = self.queue.next().map_or(left, |next| {
                let wait = next.microseconds() - self.reading.now.microseconds();
                Duration::from_micros(wait.max(1).cast_unsigned()).min(left)
            });
            self.reading.passed += next;
            let now = self.reading.now.microseconds() + next.as_micros() as i64;
            self.reading.now = Time::from_microseconds(now);
        }
        self.turn();
    }

    fn passed(&self) -> i64 {
        self.reading.passed.as_micros() as i64
    }
}

proptest! {
    #[test]
    fn whatever_happens_to_the_clock_checks_go_on_and_no_faster(events in prop::collection::vec(event(), 1..40)) {
        let mut world = World::new();
        for event in events {
            match event {
                Event::Passes(seconds) => world.pass(seconds),
                Event::Set(seconds) => world.reading.now = Step::by(seconds * 1_000_000).of(world.reading.now),
            }
        }
        world.pass(3 * 3_600);
        let end = world.passed();
        let mut by_host = HashMap::<u32, Vec<i64>>::new();
        for (slot, checks) in &world.checks {
            by_host.entry(host(*slot)).or_default().extend(checks);
            let interval = INTERVALS[*slot as usize] * 1_000_000;
            let gaps = checks.windows(2).map(|pair| pair[1] - pair[0]).chain([end - checks.last().unwrap()]);
            // Who waits for a host waits behind the others that do.
            let most = interval * 3 / 2 + 10 * DELAY.microseconds();
            prop_assert!(gaps.clone().all(|gap| gap <= most), "watch {}: {:?}", slot, checks);
            let gaps = checks.windows(2).map(|pair| pair[1] - pair[0]);
            prop_assert!(gaps.clone().all(|gap| gap * 2 >= interval - 1_000_000), "watch {}: {:?}", slot, checks);
        }
        prop_assert_eq!(world.checks.len(), INTERVALS.len());
        for checks in by_host.values_mut() {
            checks.sort_unstable();
            let is_polite = |pair: &[i64]| pair[1] - pair[0] >= DELAY.microseconds() - 1_000_000;
            prop_assert!(checks.windows(2).all(is_polite), "{:?}", checks);
        }
        let checks: usize = world.checks.values().map(Vec::len).sum();
        prop_assert!(world.turns <= 200 + 4 * checks as u64, "{} turns for {} checks", world.turns, checks);
    }
}
