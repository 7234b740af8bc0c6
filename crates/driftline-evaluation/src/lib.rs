//! The papers' experiments, repeated with driftline's measures.
//!
//! One module for each command of `driftline evaluate`, with the numbers of the experiments, the synthetic pages that they
//! need and the baselines that the papers compare themselves with:
//!
//! | module | paper | asks |
//! |---|---|---|
//! | [`metrics`] | Kwon, Lee, Kim | which metric measures the degree of change best |
//! | [`regions`] | Artail, Fawaz | which detector finds what changed, and at which price |
//! | [`redesign`] | Gottron | which detector finds redesigns, how late, and how often in vain |
//! | [`novelty`] | Toyoda, Kitsuregawa | how well new pages are told from old ones |
//!
//! [`report`] shows what they found as text, JSON, tables, figures and a page for a browser. The measures themselves, and
//! the papers' detectors that users can choose, are in [`driftline`]; plots and tables are in [`driftline_report`]. This
//! crate reads no clock and no files: times and pages are passed in.
//!
//! ```
//! use driftline::degree::Metric;
//! use driftline::degree::edit::EditKind;
//! use driftline_evaluation::metrics::experiment::{Setup, figure_7};
//!
//! let curves = figure_7(&Setup::default());
//! let moved = curves.iter().find(|curve| curve.kind == EditKind::Move).unwrap();
//! assert!(moved.mean_deviation(Metric::Ied) < 1e-12); // a moved word counts what it should,
//! assert!(moved.mean_deviation(Metric::Wd) > 0.3); // and a bag of words does not see it
//! ```

#![forbid(unsafe_code)]

pub mod metrics;
pub mod novelty;
pub mod redesign;
pub mod regions;
pub mod report;
