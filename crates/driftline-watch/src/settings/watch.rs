//! What does `[watch]` in `driftline.toml` say? How much is checked, by how many, and how long events wait.

use std::ops::RangeInclusive;

use driftline::span::Span;
use serde::Deserialize;

use crate::check::Patience;
use crate::schedule::plan::Pacing;

/// How many checks an hour may be.
const BUDGETS: RangeInclusive<f64> = 1.0..=100_000_000.0;
/// How many may check at a time.
const WORKERS: RangeInclusive<usize> = 1..=1_000;

/// The table `[watch]`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct WatchDefaults {
    /// Checks an hour, which are spent where most change is expected.
    pub budget: f64,
    /// So many pages are checked at a time.
    pub workers: usize,
    /// How long an event waits for others like it on the same site.
    pub hold: Span,
    /// No watch of schedule `auto` is checked more often.
    pub least_interval: Span,
    /// Nor less often, as long as the budget lasts.
    pub most_interval: Span,
    /// A failure is told after so many checks …
    pub failures: u32,
    /// … over so long.
    pub failing: Span,
    /// A page is gone after so many checks that did not find it …
    pub absences: u32,
    /// … over so long.
    pub absent: Span,
}

impl Default for WatchDefaults {
    fn default() -> Self {
        let (Pacing { budget, least, most }, patience) = (Pacing::default(), Patience::default());
        Self {
            budget,
            workers: 64,
            hold: Span::from_seconds(300),
            least_interval: least,
            most_interval: most,
            failures: patience.failures,
            failing: patience.failing,
            absences: patience.absences,
            absent: patience.absent,
        }
    }
}

impl WatchDefaults {
    /// Are all values within their ranges?
    pub(super) fn check(&self) -> Result<(), String> {
        if !BUDGETS.contains(&self.budget) {
            return Err(format!("`budget` is from 1 to 100,000,000 checks an hour, not {}", self.budget));
        }
        if !WORKERS.contains(&self.workers) {
            return Err(format!("`workers` is from 1 to 1,000, not {}", self.workers));
        }
        let (least, most) = (self.least_interval, self.most_interval);
        if least.milliseconds() < 1_000 || least > most {
            return Err(format!("`least-interval` is from 1s to `most-interval` ({most}), not {least}"));
        }
        if self.failures == 0 || self.absences == 0 {
            return Err("`failures` and `absences` are from 1 on".to_owned());
        }
        Ok(())
    }

    /// What `auto` may spend.
    #[must_use]
    pub fn pacing(&self) -> Pacing {
        Pacing { budget: self.budget, least: self.least_interval, most: self.most_interval }
    }

    /// When failures become events.
    #[must_use]
    pub fn patience(&self) -> Patience {
        let Self { failures, failing, absences, absent, .. } = *self;
        Patience { failures, failing, absences, absent }
    }
}
