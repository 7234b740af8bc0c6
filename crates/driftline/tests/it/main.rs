//! The integration tests of `driftline` in one program: it links once.

mod adaptive;
mod change_bound;
mod change_form;
mod change_options;
mod event_form;
mod feed_compare;
mod feed_laws;
mod feed_read;
mod golden_detectors;
mod golden_feeds;
mod golden_metrics;
mod golden_page;
mod golden_structure;
mod golden_truth;
mod gottron_laws;
mod gottron_templates;
mod importance;
mod kwon_examples;
mod laws;
mod markup;
mod page;
mod region_laws;
mod regions;
mod zones;
