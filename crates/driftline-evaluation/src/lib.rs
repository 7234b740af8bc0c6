//! The papers' experiments, repeated with driftline's measures.
//!
//! `driftline evaluate` runs them. [`metrics`] has the criteria that Kwon, Lee and Kim hold metrics to, [`regions`] the
//! experiments of Artail and Fawaz, [`redesign`] the evaluation of Gottron. [`report`] shows what they found as text,
//! JSON, tables, figures and a page for a browser. The measures themselves are in [`driftline`], plots and tables in [`driftline_report`].

#![forbid(unsafe_code)]

pub mod metrics;
pub mod redesign;
pub mod regions;
pub mod report;
