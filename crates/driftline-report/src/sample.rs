//! Small pages for tests.

use driftline::change::{Change, Sides};
use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};

#[cfg(feature = "view")]
use crate::view::Comparison;

/// Two pages and what differs.
pub(crate) struct Pair {
    pub(crate) older: Page,
    pub(crate) newer: Page,
    pub(crate) change: Change,
}

impl Pair {
    /// Compared as driftline does unless told otherwise.
    pub(crate) fn of(older: &str, newer: &str) -> Self {
        Self::read(older, newer, &ReadOptions::default())
    }

    pub(crate) fn read(older: &str, newer: &str, options: &ReadOptions) -> Self {
        let (older, newer) = (Page::read(older, options), Page::read(newer, options));
        let change = Comparer::default().compare(&older, &newer);
        Self { older, newer, change }
    }

    pub(crate) fn pages(&self) -> Sides<&Page> {
        Sides { older: &self.older, newer: &self.newer }
    }

    #[cfg(feature = "view")]
    pub(crate) fn comparison(&self) -> Comparison<'_> {
        let names = Sides { older: "old.html", newer: "new.html" };
        Comparison { names, pages: self.pages(), change: &self.change }
    }
}

/// A page in which each of the six things happens before it becomes [`NOW`].
#[cfg(feature = "view")]
pub(crate) const BEFORE: &str = "<h1>The harbour café</h1>
<p>We open from nine to five.</p>
<p>Fish comes fresh from the boats every day.</p>
<ul><li>Coffee<li>Tea<li>Cocoa<li>Milk<li>Water</ul>
<table><tr><td>Soup<td>4.50<tr><td>Bread<td>1.20</table>
<p>The kitchen closes an hour before the house, so come early.</p>
<p>Dogs are welcome. Dogs are welcome.</p>
<p>Find us behind the old lighthouse.</p>";

/// What [`BEFORE`] became.
#[cfg(feature = "view")]
pub(crate) const NOW: &str = "<h1>The harbour café</h1>
<p>We open from nine to six, also on Sundays.</p>
<p>Find us behind the old lighthouse.</p>
<p>Fish comes fresh from the boats every day.</p>
<ul><li>Coffee<li>Tea<li>Cocoa<li>Milk<li>Water</ul>
<table><tr><td>Soup<td>4.90<tr><td>Bread<td>1.20</table>
<p>The kitchen closes an hour before the house.</p>
<p>Dogs are welcome.</p>
<p>Fish comes fresh from the boats every day.</p>";

/// So many words that anything slower than linear is felt.
pub(crate) fn many_words(letter: &str, between: char) -> String {
    (0..100_000).flat_map(|number| [letter.to_owned(), number.to_string(), between.to_string()]).collect()
}
