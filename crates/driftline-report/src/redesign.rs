//! What did a stream of documents show? In a terminal, as JSON, and as the figures of Gottron's paper.
//!
//! Whoever pushes documents into a [`Stream`](driftline::redesign::stream::Stream) tells a [`Course`] what
//! came out, document by document. All views show that course; none looks for redesigns itself.
//!
//! ```
//! use driftline::redesign::stream::Stream;
//! use driftline::redesign::{Detector, Parameters};
//! use driftline_report::redesign::Course;
//!
//! let parameters = Parameters::default();
//! let mut stream = Stream::new(parameters, Detector::ALL)?;
//! let mut course = Course::new("example.org", &parameters, Detector::ALL);
//! for similarities in [vec![], vec![0.6], vec![0.5, 0.7]] {
//!     let findings = stream.push_similarities(similarities);
//!     course.add(None, stream.stripe(), &findings);
//! }
//! assert_eq!(course.documents(), 3);
//! # Ok::<(), driftline::redesign::InvalidParameters>(())
//! ```

mod course;
mod figures;
mod json;
#[cfg(test)]
mod sample;
mod text;

pub use course::{Course, Moment, Reported, Suspected};
pub use figures::{Figure, figure, picture};
pub use json::json;
pub use text::text;
