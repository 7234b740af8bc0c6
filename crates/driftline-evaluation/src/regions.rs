//! The experiments of Artail and Fawaz (section 4), with driftline's detector beside theirs.
//!
//! How a page drifts away from what it was ([`decay`], figure 5), how many similarities each approach computes
//! ([`effort`], figure 6), and which changes are detected under which weights ([`reliability`], figure 8). Figure 7 is
//! time, and this crate has no clock: whoever measures it takes the same pages ([`made_pair`]). The approach that they
//! improve on is [`original`], the pages come from [`synthesis`], and [`counts`] are those of rule S9.

pub mod counts;
pub mod decay;
pub mod effort;
pub mod original;
pub mod reliability;
pub mod synthesis;

use driftline::change::Sides;
use driftline::page::{Page, ReadOptions};
use fastrand::Rng;

use synthesis::{Layout, MadePage};

/// The share of words that differs in the pairs of figures 6 and 7.
const EDITED: f64 = 0.05;

/// Pages of one kind and what was seen on them.
#[derive(Debug, Clone, PartialEq)]
pub struct Group<T> {
    /// What the pages are.
    pub name: String,
    /// What was seen, pair by pair.
    pub items: Vec<T>,
}

/// What the synthetic pages of a layout are, in a few words.
#[must_use]
pub fn layout_name(layout: Layout) -> &'static str {
    match layout {
        Layout::Tables => "Many parts",
        Layout::Articles => "One part around all",
    }
}

/// Two versions of a synthetic page of this many elements, as HTML: in the newer one a twentieth of the
/// words was drawn anew.
#[must_use]
pub fn made_pair(layout: Layout, elements: usize, seed: u64) -> Sides<String> {
    let mut rng = Rng::with_seed(seed ^ elements as u64);
    let older = MadePage::new(layout, elements, &mut rng);
    let mut newer = older.clone();
    newer.edit_words(EDITED, &mut rng);
    Sides { older: older.html(), newer: newer.html() }
}

/// A synthetic page, read.
fn read(page: &MadePage) -> Page {
    Page::read(page.html().as_str(), &ReadOptions::default())
}
