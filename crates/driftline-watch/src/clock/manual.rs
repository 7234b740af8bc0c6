//! A clock that is set, for tests, simulations and the demo: the same week in a moment, and always the same week.
//!
//! Time passes only while nobody works: a check that takes long on a slow machine takes no time here, so what is
//! found does not depend on the machine. The one who waits (a daemon) and the one who sets the clock (a test) take
//! turns: [`go_to`](ManualClock::go_to) returns when everything up to that time has been done.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use driftline::span::Span;
use driftline::time::Time;

use super::{Bell, Clock, Latch, Reading};

/// In real time: who does not come to rest within it never will.
const PATIENCE: Duration = Duration::from_mins(5);

/// A clock that is set. Copies are the same clock.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    hands: Mutex<Hands>,
    rested: Condvar,
    /// So many seconds pass in one; none if any span passes at once.
    speed: Option<f64>,
}

#[derive(Debug)]
struct Hands {
    now: Time,
    /// The time that has passed, which no step of the clock changes.
    passed: Duration,
    /// Time may pass until here.
    limit: Time,
    /// Who waits, with nothing left to do before the limit.
    resting: Option<Bell>,
}

impl ManualClock {
    /// A clock that stands at a time until it is set.
    #[must_use]
    pub fn new(now: Time) -> Self {
        Self::made(now, None)
    }

    /// A clock on which time passes so many times as fast, but only up to where it is set, and while nobody works.
    #[must_use]
    pub fn with_speed(now: Time, speed: f64) -> Self {
        Self::made(now, (speed.is_finite() && speed > 0.0).then_some(speed))
    }

    fn made(now: Time, speed: Option<f64>) -> Self {
        let hands = Mutex::new(Hands { now, passed: Duration::ZERO, limit: now, resting: None });
        Self(Arc::new(Shared { hands, rested: Condvar::new(), speed }))
    }

    /// Lets the time until then pass at once, as if the machine had been suspended. Who waits is woken.
    pub fn set(&self, now: Time) {
        let mut hands = self.hands();
        hands.pass_to(now);
        hands.limit = now;
        wake(hands);
    }

    /// Sets the clock forward or back although no time has passed, as people and time servers do. Who waits is woken.
    pub fn step(&self, now: Time) {
        let mut hands = self.hands();
        (hands.now, hands.limit) = (now, now);
        wake(hands);
    }

    /// Lets time pass up to a time, stopping wherever someone has something to do; returns when all is done that was
    /// due by then. Someone has to wait on this clock, now or soon.
    ///
    /// # Panics
    /// If who waits on this clock does not come to rest within five minutes of real time: it hangs, or has ended.
    pub fn go_to(&self, time: Time) {
        let mut hands = self.hands();
        hands.limit = hands.limit.max(time);
        drop(hands);
        self.rest();
    }

    /// Returns when who waits on this clock has nothing left to do before the time that it was last set to.
    ///
    /// # Panics
    /// As [`go_to`](Self::go_to).
    pub fn rest(&self) {
        // Woken first: a bell that rang a moment ago may not have been heard yet.
        wake(self.hands());
        let is_working = |hands: &mut Hands| hands.resting.is_none() || hands.now < hands.limit;
        let waited = self.0.rested.wait_timeout_while(self.hands(), PATIENCE, is_working);
        let (hands, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(hands);
        assert!(!waited.timed_out(), "who waits on the clock does not come to rest");
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.0.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Time passes as fast as it does here. Did the bell ring before?
    fn pass(&self, from: Time, to: Time, bell: &Bell) -> bool {
        let span = to.microseconds().saturating_sub(from.microseconds()).max(0).cast_unsigned();
        let span = Duration::from_micros(span);
        bell.wait(Some(self.0.speed.map_or(Duration::ZERO, |speed| span.div_f64(speed))))
    }
}

impl Hands {
    /// Time passes until then.
    fn pass_to(&mut self, now: Time) {
        let passed = now.microseconds().saturating_sub(self.now.microseconds()).max(0);
        self.passed += Duration::from_micros(passed.cast_unsigned());
        self.now = now;
    }
}

impl Clock for ManualClock {
    fn read(&self) -> Reading {
        let hands = self.hands();
        Reading { now: hands.now, passed: hands.passed }
    }

    fn wait(&self, until: Option<Time>, is_busy: bool, bell: &Bell) {
        if is_busy {
            bell.wait(None);
            return;
        }
        let (from, limit) = {
            let hands = self.hands();
            (hands.now, hands.limit)
        };
        let next = until.map_or(limit, |until| until.min(limit)).max(from);
        if self.pass(from, next, bell) {
            return;
        }
        let mut hands = self.hands();
        // The clock may have been set meanwhile: the caller looks at it before it waits again.
        if hands.now != from {
            return;
        }
        hands.pass_to(next);
        if until.is_some_and(|until| until <= hands.now) || hands.now < hands.limit {
            return;
        }
        hands.resting = Some(bell.clone());
        drop(hands);
        self.0.rested.notify_all();
        bell.wait(None);
        self.hands().resting = None;
    }

    fn pause(&self, _span: Span, stop: &Latch) -> bool {
        !stop.is_set()
    }
}

/// Who rests does not, from now on.
fn wake(mut hands: MutexGuard<'_, Hands>) {
    if let Some(bell) = hands.resting.take() {
        bell.ring();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    fn at(seconds: i64) -> Time {
        Time::from_microseconds(seconds * 1_000_000)
    }

    /// Something is due every ten seconds; says when it was done, and ends when the bell rings out of turn.
    fn daemon(clock: ManualClock, bell: Bell, stop: mpsc::Receiver<()>) -> thread::JoinHandle<Vec<Time>> {
        thread::spawn(move || {
            let (mut due, mut done) = (at(10), Vec::new());
            while stop.try_recv().is_err() {
                if clock.now() >= due {
                    done.push(clock.now());
                    due = Time::from_microseconds(clock.now().microseconds() + 10_000_000);
                }
                clock.wait(Some(due), false, &bell);
            }
            done
        })
    }

    #[test]
    fn time_stops_wherever_something_is_due() {
        let (clock, bell, (send, stop)) = (ManualClock::new(at(0)), Bell::default(), mpsc::channel());
        let daemon = daemon(clock.clone(), bell.clone(), stop);
        clock.go_to(at(35));
        assert_eq!(clock.now(), at(35));
        clock.go_to(at(40));
        send.send(()).unwrap();
        bell.ring();
        assert_eq!(daemon.join().unwrap(), [at(10), at(20), at(30), at(40)]);
    }

    #[test]
    fn a_clock_that_is_set_leaps_over_what_was_due() {
        let (clock, bell, (send, stop)) = (ManualClock::new(at(0)), Bell::default(), mpsc::channel());
        let daemon = daemon(clock.clone(), bell.clone(), stop);
        clock.rest();
        clock.set(at(1_000));
        clock.go_to(at(1_005));
        send.send(()).unwrap();
        bell.ring();
        assert_eq!(daemon.join().unwrap(), [at(1_000)]);
    }

    #[test]
    fn a_step_of_the_clock_is_no_time_that_passes() {
        let clock = ManualClock::new(at(100));
        clock.set(at(130));
        clock.step(at(5));
        clock.step(at(9_000));
        assert_eq!(clock.read(), Reading { now: at(9_000), passed: Duration::from_secs(30) });
    }

    #[test]
    fn no_time_passes_while_someone_works() {
        let (clock, bell) = (ManualClock::new(at(0)), Bell::default());
        bell.ring();
        clock.wait(Some(at(10)), true, &bell);
        assert_eq!(clock.now(), at(0));
    }

    #[test]
    fn a_fast_clock_arrives_at_the_same_times() {
        let (clock, bell, (send, stop)) = (ManualClock::with_speed(at(0), 1e4), Bell::default(), mpsc::channel());
        let daemon = daemon(clock.clone(), bell.clone(), stop);
        clock.go_to(at(25));
        send.send(()).unwrap();
        bell.ring();
        assert_eq!(daemon.join().unwrap(), [at(10), at(20)]);
    }
}
