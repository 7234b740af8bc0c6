//! Which links and pictures does a message show? Those that came or went where no word says so.

use driftline::change::{Change, Sides};
use driftline::event::{Excerpt, Mark};
use driftline::page::Page;
use driftline::region::{Region, ResourceChange, ResourceFate, ResourceKind};

use super::{MOST_EXCERPTS, Pieces};

/// The most links and pictures that are looked at.
const MOST_LOOKED_AT: usize = 1_000;

/// An excerpt for each region in which only links and the like changed.
pub(super) fn excerpts(pages: Sides<&Page>, change: &Change, has_words: impl Fn(usize) -> bool) -> Vec<Excerpt> {
    let shown = change.resources.iter().filter(|resource| is_seen(resource.what)).take(MOST_LOOKED_AT);
    let mut all: Vec<(Option<usize>, Pieces)> = Vec::new();
    for resource in shown {
        let region = around(pages, &change.regions, resource);
        if region.is_some_and(&has_words) {
            continue;
        }
        let at = all.iter().position(|(other, _)| *other == region);
        if at.is_none() && all.len() == MOST_EXCERPTS {
            break;
        }
        let at = at.unwrap_or_else(|| {
            all.push((region, Pieces::default()));
            all.len() - 1
        });
        let mark = if resource.kind == ResourceFate::Lost { Mark::Dropped } else { Mark::Added };
        all[at].1.push(mark, " ", &described(resource));
    }
    let finish = |(region, pieces): (Option<usize>, Pieces)| {
        let region = region.map(|at| &change.regions[at]);
        Excerpt {
            selector: region.map_or_else(String::new, |region| region.shown().selector.clone()),
            importance: region.map_or(change.importance.score, |region| region.importance.score),
            pieces: pieces.finish(),
        }
    };
    all.into_iter().map(finish).collect()
}

/// Does a reader see it? Style sheets and programs are not told in words.
fn is_seen(what: ResourceKind) -> bool {
    !matches!(what, ResourceKind::Style | ResourceKind::Script)
}

/// `Download (link to https://example.org/a.pdf)`.
fn described(resource: &ResourceChange) -> String {
    let text = resource.text.trim();
    let about = format!("{} {}", resource.what.name(), resource.url);
    if text.is_empty() { about } else { format!("{text} ({about})") }
}

/// The innermost region that a resource stands in.
fn around(pages: Sides<&Page>, regions: &[Region], resource: &ResourceChange) -> Option<usize> {
    let page = if resource.kind == ResourceFate::Lost { pages.older } else { pages.newer };
    let holds = |region: &Region| {
        let place = if resource.kind == ResourceFate::Lost { &region.place.older } else { &region.place.newer };
        let node = place.as_ref()?.node?;
        let last = page.nodes().get(node.index())?.last;
        (node <= resource.node && resource.node <= last).then_some(node)
    };
    let around = regions.iter().enumerate().filter_map(|(at, region)| Some((holds(region)?, at)));
    around.max().map(|(_, at)| at)
}
