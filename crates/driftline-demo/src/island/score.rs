//! How many planted changes were reported at the first check, and how many other messages there were.

use std::fmt;

use super::{CHANGES, Change};

/// The longest time from the first answer with a change to the one that is reported, in seconds: a watcher may repeat a
/// check at once.
const REPEATED: u64 = 180;

/// A message of a watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// The time of the check that found it, in seconds since the start of the month.
    pub second: u64,
    /// The pages that it is about, by their addresses: `/news/000`.
    pub paths: Vec<String>,
    /// What it says.
    pub text: String,
}

/// What a watcher reported in the month.
#[derive(Debug, Clone)]
pub struct Score {
    /// The planted changes that were reported at the first check.
    pub reported: Vec<&'static Change>,
    /// Those that were reported at a later check.
    pub late: Vec<&'static Change>,
    /// Those that were not reported.
    pub missed: Vec<&'static Change>,
    /// The messages that reported a planted change.
    pub right: usize,
    /// The others.
    pub other: Vec<Alert>,
}

impl Score {
    /// The score of messages. `first` says when each change was served first. A change is reported by a message that is
    /// about its page, was found when the change was served first (or within three minutes), and names it.
    #[must_use]
    pub fn of(alerts: &[Alert], first: &[Option<u64>; CHANGES.len()]) -> Self {
        let mut score = Self { reported: vec![], late: vec![], missed: vec![], right: 0, other: vec![] };
        let mut is_right = vec![false; alerts.len()];
        for (change, first) in CHANGES.iter().zip(first) {
            let Some(first) = *first else {
                score.missed.push(change);
                continue;
            };
            let names = |at: &usize| change.is_named_by(&alerts[*at]) && alerts[*at].second >= first;
            let on_time: Vec<usize> =
                (0..alerts.len()).filter(names).filter(|at| alerts[*at].second <= first + REPEATED).collect();
            let found =
                if on_time.is_empty() { (0..alerts.len()).find(names).into_iter().collect() } else { on_time.clone() };
            match (on_time.is_empty(), found.is_empty()) {
                (false, _) => score.reported.push(change),
                (true, false) => score.late.push(change),
                (true, true) => score.missed.push(change),
            }
            found.into_iter().for_each(|at| is_right[at] = true);
        }
        score.right = is_right.iter().filter(|is_right| **is_right).count();
        score.other =
            alerts.iter().zip(&is_right).filter(|(_, is_right)| !**is_right).map(|(it, _)| it.clone()).collect();
        score
    }

    /// The share of the messages that report a planted change.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(self.right, self.right + self.other.len())
    }

    /// The share of the planted changes that were reported at the first check.
    #[must_use]
    pub fn recall(&self) -> f64 {
        share(self.reported.len(), CHANGES.len())
    }
}

impl Change {
    fn is_named_by(&self, alert: &Alert) -> bool {
        alert.paths.contains(&self.path()) && self.says.iter().any(|words| alert.text.contains(words))
    }
}

fn share(some: usize, all: usize) -> f64 {
    if all == 0 { 1.0 } else { some as f64 / all as f64 }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reported, late, missed, right, other } = self;
        write!(
            out,
            "{} of {} planted changes reported at the first check, {} later, {} missed; {} messages, of which {} report no \
             planted change; precision {:.3}, recall {:.3}",
            reported.len(),
            CHANGES.len(),
            late.len(),
            missed.len(),
            right + other.len(),
            other.len(),
            self.precision(),
            self.recall(),
        )
    }
}
