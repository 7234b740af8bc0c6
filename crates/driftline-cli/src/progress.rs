//! How far is a long job? A bar with rate and time left, on a terminal only.

use std::fmt;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// A progress bar over pairs of pages, or documents, or nothing.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar; hidden when `quiet`, and by itself when stderr is not a terminal. `count` says how
    /// many of the `unit` there are, if that can be known, and is asked only when there is a bar.
    pub(crate) fn new(quiet: bool, unit: &str, count: impl FnOnce() -> Option<u64>) -> Self {
        let bar = ProgressBar::new_spinner();
        if quiet || bar.is_hidden() {
            return Self { bar: ProgressBar::hidden() };
        }
        let template = if let Some(total) = count() {
            bar.set_length(total);
            format!("{{wide_bar}} {{human_pos}}/{{human_len}} {unit}, {{rate}}, {{eta}} left")
        } else {
            format!("{{spinner}} {{human_pos}} {unit}, {{rate}}, {{elapsed}}")
        };
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // A bar that cannot be drawn is no reason to stop.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.with_key("rate", rate));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// A bar over bytes that are read.
    pub(crate) fn of_bytes(quiet: bool, count: impl FnOnce() -> u64) -> Self {
        let bar = ProgressBar::new_spinner();
        if quiet || bar.is_hidden() {
            return Self { bar: ProgressBar::hidden() };
        }
        bar.set_length(count());
        let template = "{wide_bar} {bytes}/{total_bytes} read, {bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    pub(crate) fn advance(&self) {
        self.bar.inc(1);
    }

    pub(crate) fn advance_by(&self, count: u64) {
        self.bar.inc(count);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar over a job in phases, each of its own length.
pub(crate) struct Steps {
    bar: ProgressBar,
}

impl Steps {
    /// A bar; hidden when `quiet`, and by itself when stderr is not a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = ProgressBar::new_spinner();
        if quiet || bar.is_hidden() {
            return Self { bar: ProgressBar::hidden() };
        }
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent} % {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// So much of the phase is done.
    pub(crate) fn set(&self, phase: &'static str, done: u64, total: u64) {
        self.bar.set_message(phase);
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
