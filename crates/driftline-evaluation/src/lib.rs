//! The papers' experiments, repeated with driftline's measures.
//!
//! `driftline evaluate` runs them. [`report`] shows what they found as text, JSON, tables, figures and a page for a
//! browser. The measures themselves are in [`driftline`], plots and tables in [`driftline_report`].

#![forbid(unsafe_code)]

pub mod report;
