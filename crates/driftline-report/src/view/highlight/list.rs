//! What is told beside the two versions? Every region, every resource lost or gained, how to read the marks.

use std::borrow::Cow;

use driftline::change::{Change, Sides};
use driftline::page::Page;
use driftline::region::{Region, RegionKind, ResourceChange, ResourceFate};
use maud::{Markup, html as markup};

use super::super::Comparison;
use super::marks::{Side, anchor};
use crate::summary::numbers::{counted, grouped};
use crate::summary::{percent, safe, sentence};

/// More regions than anybody steps through are marked, not listed.
const MOST_LISTED: usize = 1_000;
/// The most resources listed.
const MOST_RESOURCES: usize = 300;

/// The most characters of an address or a text that are listed: a form around a page has all of its text.
const MOST_TEXT: usize = 200;

/// The list of regions, with the keys to step through them.
pub(super) fn regions(comparison: &Comparison) -> Markup {
    let regions = &comparison.change.regions;
    markup! {
        nav #regions aria-label="Changed regions" {
            h2 { (counted(regions.len(), "region")) " changed" }
            @if !regions.is_empty() {
                div #walk hidden {
                    button #previous type="button" aria-keyshortcuts="p k ArrowUp" { "↑ Previous " kbd { "p" } }
                    button #next type="button" aria-keyshortcuts="n j ArrowDown" { "↓ Next " kbd { "n" } }
                    output #at aria-live="polite" {}
                }
            }
            ol.regions {
                @for (number, region) in (1..).zip(regions.iter().take(MOST_LISTED)) {
                    (item(number, region, comparison.pages))
                }
            }
            @if regions.len() > MOST_LISTED {
                p.more { "… and " (counted(regions.len() - MOST_LISTED, "more region")) ", marked on the page." }
            }
        }
    }
}

fn item(number: usize, region: &Region, pages: Sides<&Page>) -> Markup {
    let side = if region.newer().is_some() { Side::Newer } else { Side::Older };
    let kind = region.kind().name();
    let why = region.importance.why();
    markup! {
        li class=(kind) data-region=(number) {
            a.go href=(link(region, side, pages)) target=(side.name()) {
                span.badge { (number) " " (kind) }
                " " (bar(region.severity))
                " " code { (safe::for_html(&region.shown().selector)) }
                span.what { (sentence::region(region)) }
                span.why {
                    "importance " (percent(region.importance.score))
                    @if !why.is_empty() { ": " (safe::for_html(&why.join("; "))) }
                }
                span.hidden-note hidden { "not visible on the page" }
            }
            @if let (Side::Newer, Some(_)) = (side, region.older()) {
                a.from href=(link(region, Side::Older, pages)) target=(Side::Older.name()) {
                    @if region.kind() == RegionKind::Copied { "where it was copied from" } @else { "where it was" }
                }
            }
        }
    }
}

/// An address inside the frame of a version: it works without scripts.
fn link(region: &Region, side: Side, pages: Sides<&Page>) -> String {
    let node = side.place(region).and_then(|place| place.node);
    node.map_or_else(String::new, |node| format!("about:srcdoc#{}", anchor(side.of(pages), node)))
}

fn bar(severity: f64) -> Markup {
    let number = format!("{severity:.2}");
    markup! {
        span.severity title=(format!("severity {number}")) aria-hidden="true" { i style=(format!("width:{:.0}%", (severity * 100.0).clamp(4.0, 100.0))) {} }
        span.unseen { "severity " (number) }
    }
}

/// Links, images and other resources that came or went.
pub(super) fn resources(change: &Change) -> Markup {
    markup! {
        @if !change.resources.is_empty() {
            section aria-labelledby="resources" {
                h2 #resources { (counted(change.resources.len(), "resource")) " lost or gained" }
                ul.resources { @for resource in change.resources.iter().take(MOST_RESOURCES) { (resource_item(resource)) } }
                @if change.resources.len() > MOST_RESOURCES {
                    p.more { "… and " (grouped(change.resources.len() - MOST_RESOURCES)) " more." }
                }
            }
        }
    }
}

fn resource_item(resource: &ResourceChange) -> Markup {
    let (class, fate) = match resource.kind {
        ResourceFate::Lost => ("removed", "lost"),
        ResourceFate::Gained => ("added", "gained"),
    };
    markup! {
        li class=(class) {
            span.badge { (fate) " " (resource.what.name()) }
            " " span.address { (safe::for_html(&shortened(&resource.url))) }
            @if !resource.text.is_empty() { " " q { (safe::for_html(&shortened(&resource.text))) } }
        }
    }
}

fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()).into(),
        None => text.into(),
    }
}

/// What the marks mean.
pub(super) fn legend() -> Markup {
    markup! {
        details.legend {
            summary { "How to read the marks" }
            ul {
                @for kind in RegionKind::ALL { li class=(kind.name()) { span.badge { (kind.name()) } " " (kind.describe()) } }
            }
            p { "A stronger line and tint is a more severe change. " ins { "Underlined" } " words came, " del { "struck" } " words went." }
            p { "Pictures, fonts, frames and other files are not fetched: grey boxes stand for them. Scripts do not run, links lead nowhere." }
        }
    }
}
