//! How is a change shown to people and programs? As a sentence, as a list of regions, as marked text
//! in a terminal, as two columns, as a patch, as JSON, as marks on the pages themselves.
//!
//! All views show the same [`Comparison`]: the change that was found, never one found anew.
//!
//! ```
//! use driftline::change::Sides;
//! use driftline::compare::Comparer;
//! use driftline::page::{Page, ReadOptions};
//! use driftline_report::view::{self, Comparison, TextOptions};
//!
//! let options = ReadOptions::default();
//! let older = Page::read("<p>Open from nine to five.</p>", &options);
//! let newer = Page::read("<p>Open from nine to six, also on Sundays.</p>", &options);
//! let change = Comparer::default().compare(&older, &newer);
//! let comparison = Comparison {
//!     names: Sides { older: "old.html", newer: "new.html" },
//!     pages: Sides { older: &older, newer: &newer },
//!     change: &change,
//! };
//!
//! assert!(view::heading(&comparison).contains("50 % changed: 3 words added, 1 replaced"));
//! let text = view::text(&comparison, &TextOptions::default());
//! assert!(text.ends_with("~ Open from nine to [~five~]{~six,~} {+also on Sundays+}.\n"));
//! ```

mod absorb;
mod beside;
pub mod feed;
mod fold;
mod highlight;
mod html;
mod inline;
mod json;
mod lines;
pub(crate) mod mark;
mod metrics;
mod pairs;
pub(crate) mod regions;
mod shorten;
mod unified;
mod wrap;

use driftline::change::{Change, Sides};
use driftline::page::Page;

pub use beside::side_by_side;
pub use highlight::{Original, html, linked_sheets};
pub use html::html_text;
pub use inline::text;
pub use json::{Json, json};
pub use metrics::metrics;
pub use regions::regions;
pub use unified::unified;

use crate::summary::safe::for_terminal;
use crate::summary::sentence;

/// Two versions of a page and what differs.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// What the versions are called: file names, addresses, times.
    pub names: Sides<&'a str>,
    /// The versions.
    pub pages: Sides<&'a Page>,
    /// What differs, found by comparing these very pages.
    pub change: &'a Change,
}

/// What was compared, and how much changed: the first lines of a view.
#[must_use]
pub fn heading(comparison: &Comparison) -> String {
    let Sides { older, newer } = comparison.names;
    let (older, newer) = (for_terminal(older), for_terminal(newer));
    let blank = if comparison.change.is_empty() { "" } else { "\n" };
    format!("{older} → {newer}\n{}\n{blank}", sentence::page(comparison.change))
}

/// How text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// How many unchanged lines are shown before and after a changed one, long ones cut short; if
    /// none is given, everything is shown.
    pub context: Option<usize>,
    /// The columns of the screen.
    pub width: usize,
    /// With colours instead of brackets?
    pub colour: bool,
}

impl Default for TextOptions {
    /// Two lines of context, 80 columns, no colours.
    fn default() -> Self {
        Self { context: Some(2), width: 80, colour: false }
    }
}
