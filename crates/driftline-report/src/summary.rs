//! What happened, in words: the one home of the texts that mail, terminal, Atom, web pages and JSON share.
//!
//! Numbers, shares, sentences about changes, excerpts, the order in which two pages are read as one, and what makes
//! text of strangers safe to show. No plots and no HTML, and of all features none: the watch uses it.

pub mod excerpt;
pub mod line;
mod markup;
pub(crate) mod merge;
pub mod numbers;
pub mod owners;
mod percent;
pub mod replaced;
pub mod resources;
pub mod safe;
pub mod sentence;

pub use markup::{LengthLimit, Markup, Message};
pub use percent::percent;

#[cfg(all(test, feature = "atom", feature = "view"))]
mod tests;
