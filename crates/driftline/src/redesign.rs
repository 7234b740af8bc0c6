//! Was the site redesigned? A stream of documents, and detectors that watch how alike their templates are.
//!
//! A redesign is a lasting shift from one template to another. Gottron looks for it in the similarity
//! stripe: every new document is compared with the `h` before it ([`template`], [`stripe`]). Four of the
//! [`detectors`] are his; driftline's own ([`detectors::adaptive`]) learns how alike the documents of this
//! site are, says how certain it is, and tells a redesign from what only looks like one. A
//! [`Stream`](stream::Stream) puts them together: documents go in one at a time, findings come out, and it
//! can be saved between two documents.
//!
//! Gottron's evaluation of the detectors is in `driftline-evaluation`.
//!
//! Rules T1 to T9: `docs/reference/rules.md`.

pub mod detectors;
mod finding;
mod parameters;
pub mod stream;
pub mod stripe;
pub mod template;

pub use detectors::Detector;
pub use finding::{Finding, Report, Verdict};
pub use parameters::{InvalidParameters, Parameters};
