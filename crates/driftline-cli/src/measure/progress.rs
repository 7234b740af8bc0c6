//! How far is a long job? A bar with rate and time left, on a terminal only.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::job::Jobs;
use crate::args::MeasureArgs;

/// A progress bar, or nothing.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over all jobs; hidden with `--quiet`, and by itself when stderr is not a terminal.
    pub(crate) fn new(args: &MeasureArgs, jobs: &Jobs) -> Self {
        let bar = ProgressBar::new_spinner();
        if args.quiet || bar.is_hidden() {
            return Self { bar: ProgressBar::hidden() };
        }
        let template = match jobs.count() {
            Some(total) => {
                bar.set_length(total);
                "{wide_bar} {human_pos}/{human_len} pairs, {per_sec}, {eta} left"
            }
            None => "{spinner} {human_pos} pairs, {per_sec}, {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    pub(crate) fn advance(&self, pairs: u64) {
        self.bar.inc(pairs);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
