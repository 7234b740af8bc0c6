//! driftline's findings as text and pictures.
//!
//! Nothing is decided here: a view shows the [`Change`](driftline::change::Change) it is given, a
//! plot the numbers it is given.

pub mod atom;
pub mod message;
pub mod plot;
pub mod redesign;
pub mod table;
pub mod view;
