//! How much does each part of the importance count? All constants, in one place.
//!
//! An importance is a product: what happened, by where it happened. They were chosen by reason,
//! and held against the tuning half of the labelled pairs (`docs/concepts/importance.md`).

use super::landmark::Landmark;
use super::volatile::Volatile;
use crate::region::finding::{ResourceFate, ResourceKind};

/// One word of text changed.
const ONE_WORD: f64 = 0.5;
/// So many words are half way from one word to all of the text.
const MANY_WORDS: f64 = 40.0;

/// A link to something to download, which nobody can do without: it was lost, or it came.
const FILE_LOST: f64 = 0.95;
const FILE_GAINED: f64 = 0.8;
/// Menus and side bars hold files to be found, not to decorate: a file that is lost there counts so much.
pub(super) const FILE_ELSEWHERE: f64 = 0.3;

/// The same words in another order, or in another place.
pub(super) const ORDER: f64 = 0.1;
/// Other elements around the same words.
pub(super) const STRUCTURE: f64 = 0.1;
/// Other commas and dashes.
pub(super) const PUNCTUATION: f64 = 0.1;
/// Other attributes.
pub(super) const ATTRIBUTES: f64 = 0.05;
/// The title says something else.
pub(super) const TITLE: f64 = 0.3;

/// Where nothing marks the content, a block of links alone counts so much less.
const LINKS_ONLY: f64 = 0.7;
/// From this share of linked words on, a block counts less.
const MANY_LINKS: f64 = 0.6;
/// As prose has so many words an element, a block with fewer counts less where nothing marks the content.
const PROSE: f64 = 3.0;
/// A block on every page of a site still counts so much.
const SHARED_BY_ALL: f64 = 0.1;

/// How much a place counts.
pub(super) fn landmark(landmark: Landmark) -> f64 {
    match landmark {
        Landmark::Main => 1.0,
        Landmark::Unmarked => 0.9,
        Landmark::Meta => 0.5,
        Landmark::Outside => 0.4,
        Landmark::Header => 0.25,
        Landmark::Side => 0.15,
        Landmark::Navigation | Landmark::Counter => 0.12,
        Landmark::Footer | Landmark::Banner => 0.1,
        Landmark::Hidden => 0.05,
        Landmark::Head => 0.02,
    }
}

/// How much so many changed words count.
pub(super) fn words(count: usize) -> f64 {
    let more = count.saturating_sub(1) as f64;
    if count == 0 { 0.0 } else { ONE_WORD + (1.0 - ONE_WORD) * more / (more + MANY_WORDS) }
}

/// How much it counts if nothing changed but these.
pub(super) fn volatile(kind: Volatile) -> f64 {
    match kind {
        Volatile::Date => 0.25,
        Volatile::Count => 0.1,
        Volatile::Time | Volatile::Year => 0.05,
    }
}

/// How much a lost or gained resource counts.
pub(super) fn resource(what: ResourceKind, fate: ResourceFate, is_file: bool) -> f64 {
    let is_lost = fate == ResourceFate::Lost;
    match what {
        ResourceKind::Link if is_file => {
            if is_lost {
                FILE_LOST
            } else {
                FILE_GAINED
            }
        }
        ResourceKind::Link => {
            if is_lost {
                0.65
            } else {
                0.55
            }
        }
        ResourceKind::Image | ResourceKind::Media | ResourceKind::Frame => {
            if is_lost {
                0.5
            } else {
                0.4
            }
        }
        ResourceKind::Form => 0.2,
        ResourceKind::Style | ResourceKind::Script => 0.02,
    }
}

/// How much a block with this share of linked words counts where nothing marks the content.
pub(super) fn density(linked: f64, words_per_element: f64) -> f64 {
    if linked >= MANY_LINKS && words_per_element < PROSE { LINKS_ONLY } else { 1.0 }
}

/// How much a block counts that stands on so many pages.
pub(super) fn shared(pages: u32) -> f64 {
    if pages < 2 { 1.0 } else { (1.0 / f64::from(pages)).max(SHARED_BY_ALL) }
}
