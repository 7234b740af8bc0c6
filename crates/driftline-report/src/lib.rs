//! driftline's findings as text and pictures.
//!
//! Nothing is decided here: a view shows the [`Change`](driftline::change::Change) it is given, a
//! plot the numbers it is given.
//!
//! [`summary`] is the home of everything that is said in words: sentences, numbers, shares, excerpts. All outputs use it,
//! so they cannot disagree. It and [`message`] are always built; each other module has a feature of its name.

#[cfg(feature = "atom")]
pub mod atom;
pub mod message;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "redesign")]
pub mod redesign;
#[cfg(test)]
mod sample;
pub mod summary;
#[cfg(feature = "table")]
pub mod table;
#[cfg(feature = "view")]
pub mod view;
