//! Where on the page did it change? Both versions as they look, changed regions marked on them.
//!
//! One file that loads nothing: the versions stand in it as documents of their own, cleaned
//! ([`clean`]), in sandboxed frames ([`frame`]), under a policy (CSP) that forbids requests and all
//! scripts but one, known by its hash. A list of regions leads to their places; the script makes it
//! keys, labels the regions and tells which cannot be seen, but links work without it. A kind has a
//! colour, a line of its own and a label, so that nothing is told by colour alone.

mod clean;
mod css;
mod frame;
mod list;
mod marks;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use driftline::change::Sides;
use driftline::page::markup::{Marking, Rules, markup};
use driftline::page::{ReadOptions, Source};
use maud::{DOCTYPE, Markup, PreEscaped, html as html_markup};

use super::html::{head, names, title};
use super::{Comparison, html_text};
use crate::summary::{percent, safe, sentence};
use marks::Side;

const STYLE: &str = include_str!("highlight/style.css");
const SCRIPT: &str = include_str!("highlight/script.js");
/// The frames inherit it, so that it has to allow the styles of the pages. A test says what the
/// hash has to be after a change of the script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; \
    script-src 'sha256-djqmQ3f/uWL1DVqITdkIHZlUB9iCdV3cQiu9Hn/uLqQ='; base-uri about:; form-action 'none'";

/// Where a version came from.
#[derive(Debug, Clone, Copy)]
pub struct Original<'a> {
    /// Its bytes.
    pub source: Source<'a>,
    /// How they were read.
    pub options: &'a ReadOptions,
    /// Style sheets that the page links to, by the address as the page has it.
    pub sheets: &'a HashMap<String, String>,
}

/// Addresses of the style sheets that a page links to, as it has them.
#[must_use]
pub fn linked_sheets(source: Source<'_>, options: &ReadOptions) -> Vec<String> {
    let sheets = markup(source, options, &Marking::default()).map(|markup| markup.sheets).unwrap_or_default();
    let address = |rules| match rules {
        Rules::Linked(address) => Some(address),
        Rules::Own(_) => None,
    };
    sheets.into_iter().filter_map(|sheet| address(sheet.rules)).collect()
}

/// The change on the pages themselves, as one self-contained web page.
///
/// Versions that are no web pages have no look; [`html_text`] shows them.
#[must_use]
pub fn html(comparison: &Comparison, originals: Sides<Original<'_>>) -> String {
    let Some((older, newer)) = pane(comparison, originals, Side::Older).zip(pane(comparison, originals, Side::Newer))
    else {
        return html_text(comparison);
    };
    let page = html_markup! {
        (DOCTYPE)
        html lang="en" {
            (head(&title(comparison), POLICY, STYLE))
            body {
                (front(comparison))
                div.work {
                    aside {
                        (list::regions(comparison))
                        (list::resources(comparison.change))
                        (list::legend())
                    }
                    main.panes {
                        (choice())
                        div.versions { (older) (newer) }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// How much changed, and does it matter?
fn front(comparison: &Comparison) -> Markup {
    let change = comparison.change;
    let why = change.importance.why();
    html_markup! {
        header {
            (names(comparison.names))
            h1 { (sentence::capitalised(&sentence::page(change))) }
            p.importance {
                "Importance " b { (percent(change.importance.score)) }
                @if !why.is_empty() { ": " (safe::for_html(&why.join("; "))) }
            }
            @if let Some(title) = &change.title {
                p.title { "Title: " del { (safe::for_html(&title.older)) } " " ins { (safe::for_html(&title.newer)) } }
            }
            @for limit in sentence::limits(&change.measurement.limits) { p.limit { strong { "Note: " } (limit) "." } }
        }
    }
}

/// Which versions are shown; works without scripts.
fn choice() -> Markup {
    html_markup! {
        fieldset.choice {
            legend.unseen { "Versions shown" }
            label { input #view-both type="radio" name="view" value="both" checked; " Both" }
            label { input #view-newer type="radio" name="view" value="newer"; " Newer" }
            label { input #view-older type="radio" name="view" value="older"; " Older" }
        }
    }
}

fn pane(comparison: &Comparison, originals: Sides<Original<'_>>, side: Side) -> Option<Markup> {
    let (page, original) = (side.of(comparison.pages), side.of(originals));
    let marking = marks::marking(comparison.change, page, side);
    let markup = markup(original.source, original.options, &marking)?;
    let name = side.of(comparison.names);
    let title = format!("The {} version: {}", side.name(), safe::for_html(name));
    Some(html_markup! {
        section.pane.(side.name()) aria-label=(title) {
            h2 { (sentence::capitalised(side.name())) " version " bdi { (safe::for_html(name)) } }
            @if markup.is_cut { p.limit { "The page is too long to be shown whole." } }
            div.view { (frame::frame(side, &title, &markup, &original, page)) }
        }
    })
}
