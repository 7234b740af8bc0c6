//! Is the daemon well? What it counts, and what is wrong, for whoever asks from another thread.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Metrics;

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
    /// Which errands fail, and why.
    desk: BTreeMap<&'static str, String>,
    /// How many events could not be read, and which was the last.
    unreadable: (u64, String),
    /// The last check began so many seconds after it was due and its host was free.
    lag: f64,
}

/// So many checks in a row that could not be made at all are no accident.
const MOST_IN_A_ROW: u32 = 10;
/// A daemon that is an hour late has too much to do.
const MOST_LAG: f64 = 3_600.0;

impl Status {
    /// What it counts.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// What is wrong, a sentence each; nothing if all is well.
    #[must_use]
    pub fn troubles(&self) -> Vec<String> {
        let troubles = self.lock();
        let mut told = Vec::new();
        told.extend(troubles.load.as_ref().map(|why| format!("the files of watches cannot be read: {why}")));
        let (count, why) = &troubles.checks;
        told.extend((*count >= MOST_IN_A_ROW).then(|| format!("the last {count} checks could not be made: {why}")));
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

    pub(super) fn checked(&self, trouble: Option<String>) {
        let mut troubles = self.lock();
        troubles.checks = match trouble {
            Some(why) => (troubles.checks.0.saturating_add(1), why),
            None => (0, String::new()),
        };
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

    pub(super) fn late(&self, seconds: f64) {
        self.metrics.lag.set(seconds);
        self.lock().lag = seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::Status;

    #[test]
    fn one_failure_is_no_trouble_and_ten_are() {
        let status = Status::default();
        (0..9).for_each(|_| status.checked(Some("the disk is full".to_owned())));
        assert!(status.troubles().is_empty());
        status.checked(Some("the disk is full".to_owned()));
        assert_eq!(status.troubles(), ["the last 10 checks could not be made: the disk is full"]);
        status.checked(None);
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
