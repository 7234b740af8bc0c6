//! The innermost region around a word, a link or an image.

use std::cmp::Reverse;

use driftline::change::Sides;
use driftline::page::{Page, WordRange};
use driftline::region::{Place, Region, ResourceChange, ResourceFate};

/// The number of the innermost region around each word of both pages. The number after the last region is for words in
/// none.
#[must_use]
pub fn of_words(pages: Sides<&Page>, regions: &[Region]) -> Sides<Vec<usize>> {
    let owners = |page: &Page, place: &dyn Fn(&Region) -> Option<&Place>| {
        let spans = regions.iter().enumerate().filter_map(|(at, region)| Some((at, place(region)?.words)));
        innermost(spans.collect(), page.word_count(), regions.len())
    };
    Sides { older: owners(pages.older, &Region::older), newer: owners(pages.newer, &Region::newer) }
}

/// The number of the innermost region around a resource.
#[must_use]
pub fn of_resource(pages: Sides<&Page>, regions: &[Region], resource: &ResourceChange) -> Option<usize> {
    let is_lost = resource.kind == ResourceFate::Lost;
    let page = if is_lost { pages.older } else { pages.newer };
    let around = |region: &Region| {
        let place = if is_lost { region.older() } else { region.newer() };
        let node = place?.node?;
        let last = page.nodes().get(node.index())?.last;
        (node <= resource.node && resource.node <= last).then_some(node)
    };
    let all = regions.iter().enumerate().filter_map(|(at, region)| Some((around(region)?, at)));
    all.max().map(|(_, at)| at)
}

/// For each word the innermost range around it, or `none`. Ranges are of subtrees: two of them are apart, or one is inside
/// the other.
fn innermost(mut spans: Vec<(usize, WordRange)>, words: usize, none: usize) -> Vec<usize> {
    spans.sort_by_key(|(at, span)| (span.start, Reverse(span.end), *at));
    let mut spans = spans.into_iter().peekable();
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut regions = Vec::with_capacity(words);
    for word in 0..words as u32 {
        while let Some((at, span)) = spans.next_if(|(_, span)| span.start <= word) {
            open.push((at, span.end));
        }
        while open.last().is_some_and(|(_, end)| *end <= word) {
            open.pop();
        }
        regions.push(open.last().map_or(none, |(at, _)| *at));
    }
    regions
}
