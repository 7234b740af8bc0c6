//! Is the daemon well? What it counts, and what is wrong, for whoever asks from another thread.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use driftline::span::Span;

use super::Metrics;
use super::erring::Erring;

/// How the daemon is.
#[derive(Debug, Default)]
pub struct Status {
    metrics: Metrics,
    troubles: Mutex<Troubles>,
}

/// What is wrong.
#[derive(Debug, Default)]
struct Troubles {
    /// Why the files of watches cannot be read.
    load: Option<String>,
    /// Why checks cannot be made, and how many in a row.
    checks: (u32, String),
    /// Which watches cannot be checked, whatever becomes of the others.
    erring: Erring,
    /// Which errands fail, and why.
    desk: BTreeMap<&'static str, String>,
    /// How many events could not be read, and which was the last.
    unreadable: (u64, String),
    /// When the loop last looked for what is due; none before it begins.
    turned: Option<Instant>,
    /// The last check began so many seconds after it was due and its host was free.
    lag: f64,
}

/// So many checks in a row that could not be made at all are no accident.
const MOST_IN_A_ROW: u32 = 10;
/// A daemon that is an hour late has too much to do.
const MOST_LAG: f64 = 3_600.0;
/// The loop turns every ten seconds at least: one that has not for this long hangs.
const MOST_STILL: Duration = Duration::from_mins(1);

impl Status {
    /// What it counts.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// What is wrong, a sentence each; nothing if all is well.
    #[must_use]
    pub fn troubles(&self) -> Vec<String> {
        self.troubles_at(Instant::now())
    }

    fn troubles_at(&self, now: Instant) -> Vec<String> {
        let troubles = self.lock();
        let mut told = Vec::new();
        let still = troubles.turned.map(|turned| now.saturating_duration_since(turned));
        let hangs = |still: &Duration| *still >= MOST_STILL;
        let is_still = |still: Duration| format!("the scheduler hangs: it did nothing for {} seconds", still.as_secs());
        told.extend(still.filter(hangs).map(is_still));
        told.extend(troubles.load.as_ref().map(|why| format!("the files of watches cannot be read: {why}")));
        let (count, why) = &troubles.checks;
        told.extend((*count >= MOST_IN_A_ROW).then(|| format!("the last {count} checks could not be made: {why}")));
        told.extend(troubles.erring.troubles());
        told.extend(troubles.desk.iter().map(|(what, why)| format!("{what}: {why}")));
        let (count, last) = &troubles.unreadable;
        let unreadable = || format!("events could not be read and were told to nobody: {count}, the last one {last}");
        told.extend((*count > 0).then(unreadable));
        let lag = troubles.lag;
        told.extend(
            (lag >= MOST_LAG).then(|| format!("checks begin {lag:.0} seconds late: there are more than can be made")),
        );
        told
    }

    fn lock(&self) -> MutexGuard<'_, Troubles> {
        self.troubles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn loaded(&self, trouble: Option<String>) {
        let result = if trouble.is_some() { "failed" } else { "read" };
        self.metrics.reloads.with_label_values(&[result]).inc();
        self.lock().load = trouble;
    }

    /// A watch was checked, or could not be.
    pub(super) fn checked(&self, watch: &Arc<str>, trouble: Option<String>) {
        let mut troubles = self.lock();
        if let Some(why) = trouble {
            troubles.erring.add(watch, &why);
            troubles.checks = (troubles.checks.0.saturating_add(1), why);
        } else {
            troubles.erring.forget(watch);
            troubles.checks = (0, String::new());
        }
    }

    /// How long a watch waits that could not be checked.
    pub(super) fn pause(&self, watch: &str) -> Span {
        self.lock().erring.pause(watch)
    }

    /// A watch is no more.
    pub(super) fn forget(&self, watch: &str) {
        self.lock().erring.forget(watch);
    }

    /// What is wrong with errands of a kind; nothing any more, if there is no trouble.
    pub(super) fn desk(&self, what: &'static str, trouble: Option<String>) {
        let mut troubles = self.lock();
        match trouble {
            Some(why) => drop(troubles.desk.insert(what, why)),
            None => drop(troubles.desk.remove(what)),
        }
    }

    /// An event was released that nobody can be told about: which, and why. It stays so; a new start forgets it.
    pub(super) fn unreadable(&self, which: String) {
        let mut troubles = self.lock();
        troubles.unreadable = (troubles.unreadable.0.saturating_add(1), which);
    }

    /// The loop looks for what is due.
    pub(super) fn turned(&self) {
        self.lock().turned = Some(Instant::now());
    }

    pub(super) fn late(&self, seconds: f64) {
        self.metrics.lag.set(seconds);
        self.lock().lag = seconds;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant};

    use driftline::span::Span;
    use driftline::time::Time;

    use super::super::tests::Stage;
    use super::super::{Daemon, Handle};
    use super::Status;
    use crate::clock::{Bell, Clock, Latch, ManualClock, Reading};

    /// A clock on which the loop hangs in each wait, until health was asked a while later.
    #[derive(Debug)]
    struct Hanging {
        clock: ManualClock,
        status: Arc<Status>,
        handle: Handle,
        /// When the loop had turned, and what health says 75 seconds later.
        seen: Mutex<Vec<(Option<Instant>, Vec<String>)>>,
    }

    impl Clock for Hanging {
        fn read(&self) -> Reading {
            self.clock.read()
        }

        fn wait(&self, _: Option<Time>, _: bool, _: &Bell) {
            let turned = self.status.lock().turned;
            let later = Instant::now() + Duration::from_secs(75);
            let mut seen = self.seen.lock().unwrap();
            seen.push((turned, self.status.troubles_at(later)));
            if seen.len() >= 3 {
                self.handle.stop();
            }
        }

        fn pause(&self, span: Span, stop: &Latch) -> bool {
            self.clock.pause(span, stop)
        }
    }

    #[test]
    fn health_names_the_loop_of_a_daemon_that_hangs_and_each_turn_of_it_is_noted() {
        let stage = Stage::new("");
        let mut daemon: Daemon = stage.daemon();
        let clock = Arc::new(Hanging {
            clock: stage.clock.clone(),
            status: daemon.status(),
            handle: daemon.handle(),
            seen: Mutex::default(),
        });
        daemon.clock = Arc::clone(&clock) as Arc<dyn Clock>;
        daemon.run(|| assert!(daemon.status.lock().turned.is_none(), "it has not begun")).unwrap();
        let seen = clock.seen.lock().unwrap();
        let turned: Vec<Instant> = seen.iter().take(3).map(|(turned, _)| turned.unwrap()).collect();
        assert!(turned.is_sorted_by(|older, newer| older < newer), "{turned:?}");
        for (_, troubles) in seen.iter().take(3) {
            assert!(troubles[0].starts_with("the scheduler hangs: it did nothing for 7"), "{troubles:?}");
        }
        assert_eq!(daemon.status.troubles(), Vec::<String>::new());
    }

    #[test]
    fn a_loop_that_has_not_turned_for_a_minute_is_named() {
        let status = Status::default();
        let now = Instant::now();
        assert!(status.troubles_at(now + Duration::from_mins(10)).is_empty(), "it has not begun");
        status.turned();
        assert!(status.troubles_at(now + Duration::from_secs(50)).is_empty());
        let troubles = status.troubles_at(Instant::now() + Duration::from_secs(75));
        assert_eq!(troubles, ["the scheduler hangs: it did nothing for 75 seconds"]);
        status.turned();
        assert!(status.troubles().is_empty());
    }

    #[test]
    fn one_failure_is_no_trouble_and_ten_are() {
        let status = Status::default();
        let check = |at: usize, trouble: Option<&str>| {
            status.checked(&format!("watch{}", at % 4).into(), trouble.map(str::to_owned));
        };
        (0..9).for_each(|at| check(at, Some("the disk is full")));
        assert!(status.troubles().is_empty());
        check(9, Some("the disk is full"));
        assert_eq!(status.troubles(), ["the last 10 checks could not be made: the disk is full"]);
        check(0, None);
        assert!(status.troubles().is_empty());
    }

    #[test]
    fn a_watch_that_cannot_be_checked_is_named_although_all_others_can() {
        let (status, bad, good) = (Status::default(), "bad".into(), "good".into());
        for _ in 0..5 {
            assert!(status.troubles().is_empty());
            status.checked(&bad, Some("what is known of it cannot be read".to_owned()));
            status.checked(&good, None);
        }
        let named = "the watch `bad` could not be checked 5 times in a row: what is known of it cannot be read";
        assert_eq!(status.troubles(), [named]);
        status.forget("bad");
        assert!(status.troubles().is_empty());
    }

    #[test]
    fn a_good_release_does_not_hide_that_nobody_can_be_told() {
        let status = Status::default();
        status.desk("nobody can be told", Some("the disk is full".to_owned()));
        status.desk("events cannot be released", None);
        assert_eq!(status.troubles(), ["nobody can be told: the disk is full"]);
        status.desk("nobody can be told", None);
        assert!(status.troubles().is_empty());
    }
}
