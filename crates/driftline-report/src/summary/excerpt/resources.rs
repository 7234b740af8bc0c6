//! Excerpts of links and images that were added or removed where no word says so.

use driftline::change::{Change, Sides};
use driftline::event::{Excerpt, Mark};
use driftline::page::Page;
use driftline::region::ResourceFate;

use super::{MOST_EXCERPTS, Pieces};
use crate::summary::owners;
use crate::summary::resources::{described, is_shown};

/// The most links and pictures that are looked at.
const MOST_LOOKED_AT: usize = 1_000;

/// An excerpt for each region in which only links and the like changed.
pub(super) fn excerpts(pages: Sides<&Page>, change: &Change, has_words: impl Fn(usize) -> bool) -> Vec<Excerpt> {
    let shown = change.resources.iter().filter(|resource| is_shown(resource.what)).take(MOST_LOOKED_AT);
    let mut all: Vec<(Option<usize>, Pieces)> = Vec::new();
    for resource in shown {
        let region = owners::of_resource(pages, &change.regions, resource);
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
        all[at].1.push(mark, " ", &described(resource.what.name(), &resource.url, &resource.text));
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
