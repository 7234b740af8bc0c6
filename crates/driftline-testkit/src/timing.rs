//! How long does it take, compared with something else in the same run?
//!
//! Contestants take turns, round after round, so that whatever else the machine does hits them
//! alike; the best round of each counts. Results are ratios against the first contestant.

use std::time::{Duration, Instant};

/// A contestant: a name and a piece of work.
pub struct Contestant<'a> {
    name: String,
    work: Box<dyn FnMut() + 'a>,
    best: Duration,
}

/// Contestants that take turns.
#[derive(Default)]
pub struct Race<'a> {
    contestants: Vec<Contestant<'a>>,
}

impl<'a> Race<'a> {
    /// A race without contestants.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a contestant.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, work: impl FnMut() + 'a) -> Self {
        self.contestants.push(Contestant { name: name.into(), work: Box::new(work), best: Duration::MAX });
        self
    }

    /// Runs `rounds` rounds after one to warm up; each contestant's name and best time.
    #[must_use]
    pub fn run(mut self, rounds: usize) -> Vec<(String, Duration)> {
        for round in 0..=rounds {
            for contestant in &mut self.contestants {
                let start = Instant::now();
                (contestant.work)();
                if round > 0 {
                    contestant.best = contestant.best.min(start.elapsed());
                }
            }
        }
        self.contestants.into_iter().map(|contestant| (contestant.name, contestant.best)).collect()
    }
}
