//! How much did a web page change, where, in which ways, and does it matter?
//!
//! ```
//! let change = driftline::compare(
//!     "<h1>Harbour café</h1><p>Open from nine to five.</p>",
//!     "<h1>Harbour café</h1><p>Open from nine to six, also on Sundays.</p>",
//! );
//! assert_eq!(change.degree().get(), 0.4); // of all words
//! assert_eq!(change.measurement.operations.replace, 1); // five -> six
//! assert_eq!(change.measurement.operations.add, 3); // also on Sundays
//! assert_eq!(change.regions[0].shown().selector, "body > p");
//! ```
//!
//! This crate holds driftline's measures and nothing else: no files, no network, no clock, no
//! printing. What is given twice is answered twice alike, in time linear in the pages or within documented limits, and
//! broken markup is a page like any other: almost nothing here returns a `Result`.
//!
//! # The tour
//!
//! **Bytes become a page**, once: [`Page::read`] finds charset and kind of body, parses, and splits words, also those
//! of Korean, Japanese and Thai. [`ReadOptions`] name the parts that count ([`page::zone`]) and the noise that does not
//! ([`page::Normalisers`]).
//!
//! ```
//! use driftline::page::zone::{Selector, Zones};
//! use driftline::{Page, ReadOptions};
//!
//! let zones = Zones { include: vec![Selector::parse("main").unwrap()], ignore: vec![] };
//! let options = ReadOptions { zones, ..ReadOptions::default() };
//! let page = Page::read(b"<nav>Home</nav><main>Fish &amp; chips</main>".as_slice(), &options);
//! assert_eq!(page.words().collect::<Vec<_>>(), ["Fish", "chips"]);
//! ```
//!
//! **Two pages become a [`Change`]**, by a [`Comparer`], which is reused for speed and [holds](Comparer::hold) one page
//! against many. [`degree`] says how much changed by eight metrics and in which of six ways: a moved block is not a
//! rewrite, a copied one not twice as new. [`region`] says where, how badly, and how much that matters
//! ([`region::importance`]); it misses nothing that changed and reports nothing that did not.
//!
//! ```
//! use driftline::{Comparer, Edit, Page, ReadOptions};
//!
//! let options = ReadOptions::default();
//! let older = Page::read("<main><p>Boats leave at <b>noon</b>.</main><footer>Page 17</footer>", &options);
//! let newer = Page::read("<main><p>Boats leave at <b>dawn</b>.</main><footer>Page 18</footer>", &options);
//! let change = Comparer::default().compare(&older, &newer);
//!
//! let selectors = change.regions_by_importance().into_iter().map(|region| region.shown().selector.as_str());
//! assert_eq!(selectors.collect::<Vec<_>>(), ["main > p", "footer"]);
//! let words = change.edits.iter().map(|edit| (edit.older_text(&older), edit.newer_text(&newer)));
//! assert_eq!(words.collect::<Vec<_>>(), [("noon", "dawn"), ("17", "18")]);
//! assert!(matches!(change.edits[0], Edit::Replace { .. }));
//! ```
//!
//! **A change is stored and sent** in one form and read back equal, also by a later driftline ([`change::FORMAT`]):
//!
//! ```
//! use driftline::Change;
//!
//! let change = driftline::compare("<p>one two", "<p>one three");
//! let stored = serde_json::to_string(&change).unwrap();
//! assert_eq!(serde_json::from_str::<Change>(&stored).unwrap(), change);
//! ```
//!
//! **A feed becomes items**, which are matched and compared one by one ([`feed`], with the feature `feed`):
//!
//! ```
//! # #[cfg(feature = "feed")] {
//! use driftline::feed::{Feed, Item, compare::compare};
//! use driftline::{Comparer, ReadOptions};
//!
//! let feed = |items: &[Item]| Feed { items: items.to_vec(), ..Feed::default() };
//! let older = feed(&[Item::new("Opening hours", "From nine to five")]);
//! let newer = feed(&[Item::new("New ferry", "It sails on Sundays"), Item::new("Opening hours", "From nine to six")]);
//! let change = compare(&older, &newer, &ReadOptions::default(), &mut Comparer::default());
//! assert_eq!((change.counts.added, change.counts.modified), (1, 1));
//! # }
//! ```
//!
//! **A stream of pages becomes redesigns**: [`redesign`] (with the feature of that name) reads each page's template,
//! without its words, and reports when a site has a new one:
//!
//! ```
//! # #[cfg(feature = "redesign")] {
//! use driftline::ReadOptions;
//! use driftline::redesign::template::Template;
//!
//! let read = |html: &str| Template::read(html, &ReadOptions::default(), Template::SHINGLE_LENGTH);
//! let monday = read("<main><article><h1>Rain</h1><p>All day.</article></main>");
//! let friday = read("<main><article><h1>Sun</h1><p>Until Sunday.</article></main>");
//! assert_eq!(monday.similarity(&friday), 1.0);
//! # }
//! ```
//!
//! **How old is a page?** [`novelty`] knows what its address, the dates in it and its likeness to others say:
//!
//! ```
//! use driftline::novelty::dated::month_of;
//!
//! let month = month_of("https://example.org/2024/06/library-reopens").unwrap();
//! assert_eq!(month.begins, "2024-06-01T00:00:00Z".parse()?);
//! # Ok::<_, driftline::time::NotATime>(())
//! ```
//!
//! **What is worth a message is an [`Event`]** ([`event`]), found at a [`Time`]; a length of time is a [`span::Span`].
//!
//! # Limits
//!
//! Pages come from strangers, so nothing here takes unbounded time or memory. What was cut short says so: [`Limit`],
//! in [`Page::limits`] and in [`Measurement::limits`].
//!
//! # Stability
//!
//! Enums and results that may grow are `#[non_exhaustive]`. Options have a `Default`: write
//! `ReadOptions { words, ..ReadOptions::default() }`, so that a new option does not break you.

#![forbid(unsafe_code)]

pub mod change;
pub mod compare;
pub mod degree;
pub mod event;
#[cfg(feature = "feed")]
pub mod feed;
mod limit;
pub mod novelty;
pub mod number;
pub mod page;
#[cfg(feature = "redesign")]
pub mod redesign;
pub mod region;
mod sides;
pub mod span;
pub mod time;
mod written;

pub use change::Change;
pub use compare::{CompareOptions, Comparer, compare};
pub use degree::edit::{Edit, EditKind};
pub use degree::ied::Operations;
pub use degree::{Degree, Degrees, Measurement, Metric};
pub use event::Event;
pub use limit::Limit;
pub use page::{Page, ReadOptions};
pub use region::{Region, RegionKind, RegionOptions};
pub use sides::Sides;
pub use time::Time;

/// The Rust of the two README files, which is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../README.md")]
pub struct ReadmeFiles;
