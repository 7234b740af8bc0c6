//! How long does each approach take? Figure 7.

use std::time::{Duration, Instant};

use driftline::compare::Comparer;
use driftline::page::Page;
use driftline::region::artail;
use driftline::region::comparison::Options;
use driftline_evaluation::regions::original;
use driftline_evaluation::report::regions::Timing;

/// A measurement is not repeated when it has taken this long, however few its runs are.
const LONG: Duration = Duration::from_secs(3);

/// Times pairs of pages.
pub(super) struct Stopwatch {
    runs: u16,
    comparer: Comparer,
}

impl Stopwatch {
    pub(super) fn new(runs: u16) -> Self {
        Self { runs, comparer: Comparer::default() }
    }

    /// Times one pair; `read` reads its two pages.
    pub(super) fn time(&mut self, id: String, read: impl Fn() -> (Page, Page)) -> Timing {
        let options = Options::default();
        let (older, newer) = read();
        Timing {
            id,
            nodes: older.nodes().len(),
            reading: self.mean(|_| drop(read())),
            original: self.original(&older, &newer, &options),
            enhanced: self.mean(|_| drop(artail::detect(&older, &newer, &options))),
            driftline: self.mean(|comparer| drop(comparer.compare(&older, &newer))),
        }
    }

    /// The original approach, unless it would not come to its end: a time of half of the work says nothing.
    fn original(&mut self, older: &Page, newer: &Page, options: &Options) -> Option<f64> {
        let is_whole = original::detect(older, newer, options).limit.is_none();
        is_whole.then(|| self.mean(|_| drop(original::detect(older, newer, options))))
    }

    /// Seconds a run. A first run, which brings memory and caches, counts only if it takes long.
    fn mean(&mut self, mut run: impl FnMut(&mut Comparer)) -> f64 {
        let first = Instant::now();
        run(&mut self.comparer);
        if first.elapsed() >= LONG {
            return first.elapsed().as_secs_f64();
        }
        let start = Instant::now();
        let mut runs = 0;
        while runs < self.runs && (runs == 0 || start.elapsed() < LONG) {
            run(&mut self.comparer);
            runs += 1;
        }
        start.elapsed().as_secs_f64() / f64::from(runs)
    }
}
