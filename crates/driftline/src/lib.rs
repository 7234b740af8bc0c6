//! How much did a web page change, where, in which ways, and does it matter?
//!
//! This crate holds driftline's measures and nothing else: no files, no network, no clock, no
//! printing. Two steps lead from bytes to an answer:
//!
//! 1. [`page`]: bytes become a [`Page`](page::Page), once: charset, HTML, zone, words.
//! 2. Two pages become a [`Change`](change::Change): [`degree`] says how much changed by six metrics
//!    and in which of six ways, [`region`] says where, how badly, and how much it matters.
//!
//! Feeds become items instead, and are compared item by item: [`feed`].
//!
//! ```
//! use driftline::compare::Comparer;
//! use driftline::page::{Page, ReadOptions};
//!
//! let options = ReadOptions::default();
//! let older = Page::read("<p>Open from nine to five.</p>", &options);
//! let newer = Page::read("<p>Open from nine to six, also on Sundays.</p>", &options);
//!
//! let change = Comparer::default().compare(&older, &newer);
//! assert_eq!(change.measurement.operations.replace, 1); // five -> six
//! assert_eq!(change.measurement.operations.add, 3); // also on Sundays
//! assert_eq!(change.measurement.degree.ied.get(), 0.5);
//! assert_eq!(change.regions[0].shown().selector, "body > p");
//! ```

#![forbid(unsafe_code)]

pub mod change;
pub mod compare;
pub mod degree;
pub mod event;
pub mod feed;
pub mod novelty;
pub mod number;
pub mod page;
pub mod redesign;
pub mod region;
mod sides;
pub mod span;
pub mod time;
