//! An event of each kind, for previews, documents and tests.
//!
//! They are in `samples.json`, as real checks found them: a test of driftline-watch plays what happens and compares.

use driftline::event::{Event, Kind};

/// A sample event of a kind.
///
/// # Panics
/// Never: there is one of each kind, which is tested.
#[must_use]
pub fn sample(kind: Kind) -> Event {
    let all: Vec<Event> = serde_json::from_str(include_str!("samples.json")).expect("the samples are tested");
    all.into_iter().find(|event| event.kind == kind).expect("each kind has a sample")
}
