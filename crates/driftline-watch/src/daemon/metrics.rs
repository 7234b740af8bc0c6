//! What does the daemon count? For Prometheus, and for whoever asks whether it is well.

use prometheus::core::Collector;
use prometheus::{Gauge, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry, TextEncoder};

/// All that is counted. Names begin with `driftline_`.
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Registry,
    /// Checks, by how they went.
    pub checks: IntCounterVec,
    /// Seconds that a check took.
    pub check_seconds: Histogram,
    /// Bytes that came.
    pub fetched_bytes: IntCounter,
    /// Events that were found, by kind.
    pub events: IntCounterVec,
    /// Events that were released.
    pub released: IntCounter,
    /// Deliveries, by what became of them.
    pub deliveries: IntCounterVec,
    /// Watches that there are.
    pub watches: IntGauge,
    /// Watches that are due at some time.
    pub queued: IntGauge,
    /// Watches that are due and wait for their hosts.
    pub waiting: IntGauge,
    /// Checks that are under way.
    pub running: IntGauge,
    /// Seconds that the last check began after it was due and its host was free.
    pub lag: Gauge,
    /// Changes that are expected when a page with `auto` is checked.
    pub expectation: Gauge,
    /// Times that the files of watches were read.
    pub reloads: IntCounterVec,
    /// Captures that retention removed.
    pub removed: IntCounter,
    /// Bytes that it freed.
    pub freed_bytes: IntCounter,
}

/// From a hundredth of a second to a minute.
const SECONDS: [f64; 12] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

impl Default for Metrics {
    fn default() -> Self {
        Self::new().expect("every metric has a good name of its own")
    }
}

impl Metrics {
    fn new() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let seconds = HistogramOpts::new("driftline_check_seconds", "Seconds that a check took.");
        let metrics = Self {
            checks: by("driftline_checks_total", "Checks, by how they went.", "outcome")?,
            check_seconds: Histogram::with_opts(seconds.buckets(SECONDS.to_vec()))?,
            fetched_bytes: IntCounter::new("driftline_fetched_bytes_total", "Bytes of pages that came.")?,
            events: by("driftline_events_total", "Events that were found, by kind.", "kind")?,
            released: IntCounter::new("driftline_events_released_total", "Events that were released.")?,
            deliveries: by("driftline_deliveries_total", "Messages to targets, by result.", "result")?,
            watches: IntGauge::new("driftline_watches", "Watches that there are.")?,
            queued: IntGauge::new("driftline_queue_length", "Watches that are due at some time.")?,
            waiting: IntGauge::new("driftline_queue_waiting", "Watches that are due and wait for their hosts.")?,
            running: IntGauge::new("driftline_checks_running", "Checks that are under way.")?,
            lag: Gauge::new(
                "driftline_lag_seconds",
                "Seconds that the last check began after it was due and its host was free.",
            )?,
            expectation: Gauge::new(
                "driftline_auto_expected_changes",
                "Changes that are expected when a page with `auto` is checked.",
            )?,
            reloads: by("driftline_reloads_total", "Times that the files of watches were read, by result.", "result")?,
            removed: IntCounter::new(
                "driftline_retention_removed_captures_total",
                "Captures that were removed by the rules of retention.",
            )?,
            freed_bytes: IntCounter::new(
                "driftline_retention_freed_bytes_total",
                "Bytes that were freed by the rules of retention.",
            )?,
            registry,
        };
        metrics.register()?;
        Ok(metrics)
    }

    fn register(&self) -> prometheus::Result<()> {
        let all: [Box<dyn Collector>; 15] = [
            Box::new(self.checks.clone()),
            Box::new(self.check_seconds.clone()),
            Box::new(self.fetched_bytes.clone()),
            Box::new(self.events.clone()),
            Box::new(self.released.clone()),
            Box::new(self.deliveries.clone()),
            Box::new(self.watches.clone()),
            Box::new(self.queued.clone()),
            Box::new(self.waiting.clone()),
            Box::new(self.running.clone()),
            Box::new(self.lag.clone()),
            Box::new(self.expectation.clone()),
            Box::new(self.reloads.clone()),
            Box::new(self.removed.clone()),
            Box::new(self.freed_bytes.clone()),
        ];
        all.into_iter().try_for_each(|collector| self.registry.register(collector))
    }

    /// As Prometheus reads it.
    #[must_use]
    pub fn text(&self) -> String {
        TextEncoder::new().encode_to_string(&self.registry.gather()).unwrap_or_default()
    }
}

fn by(name: &str, help: &str, label: &str) -> prometheus::Result<IntCounterVec> {
    IntCounterVec::new(Opts::new(name, help), &[label])
}

#[cfg(test)]
mod tests {
    use super::Metrics;

    #[test]
    fn what_is_counted_can_be_read() {
        let metrics = Metrics::default();
        metrics.checks.with_label_values(&["changed"]).inc_by(3);
        metrics.check_seconds.observe(0.3);
        let text = metrics.text();
        for line in [
            "driftline_checks_total{outcome=\"changed\"} 3",
            "driftline_check_seconds_bucket{le=\"0.5\"} 1",
            "# TYPE driftline_queue_length gauge",
            "# HELP driftline_lag_seconds Seconds that the last check began after it was due and its host was free.",
        ] {
            assert!(text.lines().any(|own| own == line), "{line} in {text}");
        }
    }
}
