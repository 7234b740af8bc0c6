//! Which subtree of the newer page is the zone? The most similar one, if it stands out.
//!
//! One pass counts for every element how many of the zone's words are in it; only the few elements
//! with the largest share are graded, by the paper's CS on a scale from 0 to 1. Words weigh most,
//! for a new layout changes paths and attributes, but seldom all text at once.

use hashbrown::HashMap;

use super::fingerprint::{ZoneFingerprint, hash, path, tags};
use crate::page::{Node, NodeId, Page, Selectors};
use crate::region::AttributeWeights;
use crate::region::similarity::{Typedist, Weights, attdist, cs, intersect, typedist};

/// How many elements are graded, best overlap of words first.
const MOST_GRADED: usize = 64;
/// Less similar things are not the zone.
const LEAST_SIMILARITY: f64 = 0.35;
/// Less certain finds are none.
const LEAST_CERTAINTY: f64 = 0.5;
/// The same, if a look back at the older page can refute them.
const LEAST_IF_CHECKED: f64 = 0.3;
/// By how much a zone must be more similar than any other part of the page to be certain.
const CLEAR_MARGIN: f64 = 0.15;

/// Where a zone stands on the newer page.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The element.
    pub node: NodeId,
    /// A selector that matches it alone.
    pub selector: String,
    /// How sure this is, from 0.3 to 1 (from 0.5 if there was no older page to look back at): the similarity, times how clearly it is above that of the
    /// next similar part of the page (a margin of 0.15 is clear), times `n / (n + 2)` for `n` words
    /// and attributes in common.
    pub certainty: f64,
    /// How similar it is to what the zone was, from 0.35 to 1: path and tags count 0.25, attributes
    /// 0.15, words 0.6.
    pub similarity: f64,
}

/// Finds a zone on a page that was read whole; nothing if no part of it is similar enough, or if
/// several are.
#[must_use]
pub fn relocate(newer: &Page, zone: &ZoneFingerprint) -> Option<Found> {
    Search::new(newer, zone).find(LEAST_CERTAINTY)
}

/// Finds an element of the older page again, as [`relocate`], and then looks back: what is found
/// must not be more like another part of the older page, one that only looks like the zone.
#[must_use]
pub fn find_again(older: &Page, node: NodeId, newer: &Page) -> Option<Found> {
    let zone = ZoneFingerprint::of(older, node);
    let found = Search::new(newer, &zone).find(LEAST_IF_CHECKED)?;
    let back = ZoneFingerprint::of(newer, found.node);
    let search = Search::new(older, &back);
    let origin = search.best(&search.candidates(), |_| true)?;
    (search.is_in(origin.node, node) || search.is_in(node, origin.node)).then_some(found)
}

/// A zone that is looked for.
pub(super) struct Search<'a> {
    page: &'a Page,
    zone: &'a ZoneFingerprint,
    /// The words of the page, by their hashes.
    words: Vec<u32>,
    weights: Weights,
    attribute_weights: AttributeWeights,
}

/// How similar an element is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grade {
    pub(super) node: NodeId,
    pub(super) similarity: f64,
    /// The share of the words in common.
    pub(super) content: f64,
    /// How many words and attributes are in common.
    evidence: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(page: &'a Page, zone: &'a ZoneFingerprint) -> Self {
        Self {
            page,
            zone,
            words: page.words().map(hash).collect(),
            weights: Weights::new(0.25, 0.15, 0.6).unwrap_or_default(),
            attribute_weights: AttributeWeights::default(),
        }
    }

    /// The most similar element, if it is the zone.
    fn find(&self, least_certainty: f64) -> Option<Found> {
        let candidates = self.candidates();
        let best = self.best(&candidates, |_| true)?;
        let next = self.best(&candidates, |other| !self.is_in(other, best.node) && !self.is_in(best.node, other));
        let margin = best.similarity - next.map_or(0.0, |next| next.similarity);
        let evidence = best.evidence as f64 / (best.evidence as f64 + 2.0);
        let certainty = best.similarity * (margin / CLEAR_MARGIN).min(1.0) * evidence;
        (best.similarity >= LEAST_SIMILARITY && certainty >= least_certainty).then(|| Found {
            node: best.node,
            selector: Selectors::of(self.page).selector(best.node),
            certainty,
            similarity: best.similarity,
        })
    }

    /// The best grade among the first candidates that are `wanted`; the first of several equals.
    fn best(&self, candidates: &[NodeId], wanted: impl Fn(NodeId) -> bool) -> Option<Grade> {
        let graded = candidates.iter().filter(|&&node| wanted(node)).take(MOST_GRADED).map(|&node| self.grade(node));
        graded.max_by(|left, right| left.similarity.total_cmp(&right.similarity).then(right.node.cmp(&left.node)))
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.page.nodes()[node.index()]
    }

    /// Is `inner` the same as `outer`, or inside it?
    pub(super) fn is_in(&self, inner: NodeId, outer: NodeId) -> bool {
        outer <= inner && inner <= self.node(outer).last
    }

    /// The elements by their share of the zone's words, the best first; those of the zone's tag first among equals.
    fn candidates(&self) -> Vec<NodeId> {
        let counts = distinct_words(self.page, &self.words, self.zone);
        let tag = self.zone.path.last().map_or("", String::as_str);
        let nodes: u32 = self.zone.tags.values().sum();
        let mut ranked: Vec<_> = self
            .page
            .node_ids()
            .zip(&counts)
            .filter(|(_, (_, common))| *common > 0 || self.zone.words.is_empty())
            .map(|(node, &(all, common))| {
                let union = all as usize + self.zone.words.len() - common as usize;
                let share = f64::from(common) / union.max(1) as f64;
                let own = self.node(node).last.0 - node.0 + 1;
                (share, self.page.tag(node) == tag, own.abs_diff(nodes), node)
            })
            .collect();
        ranked.sort_unstable_by(|left, right| {
            right.0.total_cmp(&left.0).then(right.1.cmp(&left.1)).then((left.2, left.3).cmp(&(right.2, right.3)))
        });
        ranked.into_iter().map(|(.., node)| node).collect()
    }

    /// How similar an element is to what the zone was.
    pub(super) fn grade(&self, node: NodeId) -> Grade {
        let range = self.node(node).words.range();
        let mut words: Vec<u32> = self.words[range].iter().copied().filter(|word| *word <= self.zone.ceiling).collect();
        words.sort_unstable();
        words.dedup();
        let known = words.iter().filter(|word| self.zone.words.binary_search(word).is_ok()).count();
        let content = intersect(&self.zone.words, &words);
        let own: Vec<_> = self.page.attributes(node).collect();
        let old: Vec<_> = self.zone.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let attributes = attdist(&old, &own, &self.attribute_weights);
        let old_path: Vec<_> = self.zone.path.iter().map(String::as_str).collect();
        let structure = f64::midpoint(typedist(Typedist::Sum, &old_path, &path(self.page, node)), self.shape(node));
        let similarity = f64::midpoint(cs(structure, attributes, content, &self.weights), 1.0);
        let evidence = known + old.iter().filter(|attribute| own.contains(attribute)).count();
        Grade { node, similarity, content, evidence }
    }

    /// The share of the tags in common, each as often as it stands there.
    fn shape(&self, node: NodeId) -> f64 {
        let own = tags(self.page, node);
        let count = |name: &str| self.zone.tags.get(name).copied().unwrap_or(0);
        let common: u32 = own.iter().map(|(name, own)| count(name).min(*own)).sum();
        let all = own.values().sum::<u32>() + self.zone.tags.values().sum::<u32>() - common;
        f64::from(common) / f64::from(all.max(1))
    }
}

/// How many different words are in each element, and how many of them the zone had.
///
/// A word counts where it stands last so far; a tree of sums (Fenwick) tells how many such places
/// lie behind the start of an element when its end is reached.
pub(super) fn distinct_words(page: &Page, words: &[u32], zone: &ZoneFingerprint) -> Vec<(u32, u32)> {
    let mut by_end: Vec<NodeId> = page.node_ids().collect();
    by_end.sort_by_key(|node| page.nodes()[node.index()].words.end);
    let mut ends = by_end.into_iter().peekable();
    let mut counts = vec![(0, 0); page.nodes().len()];
    let mut sums = Sums(vec![(0, 0); words.len() + 1]);
    let mut places: HashMap<u32, usize> = HashMap::new();
    for (place, &word) in words.iter().enumerate() {
        if word <= zone.ceiling {
            let known = u32::from(zone.words.binary_search(&word).is_ok());
            if let Some(before) = places.insert(word, place) {
                sums.add(before, (1_u32.wrapping_neg(), known.wrapping_neg()));
            }
            sums.add(place, (1, known));
        }
        while let Some(node) = ends.next_if(|node| page.nodes()[node.index()].words.end as usize <= place + 1) {
            let span = page.nodes()[node.index()].words;
            let (all, before) = (sums.up_to(span.end as usize), sums.up_to(span.start as usize));
            counts[node.index()] = (all.0.wrapping_sub(before.0), all.1.wrapping_sub(before.1));
        }
    }
    counts
}

/// Prefix sums that can be changed in a logarithm of steps; they wrap, so that one can be taken away.
struct Sums(Vec<(u32, u32)>);

impl Sums {
    fn add(&mut self, place: usize, value: (u32, u32)) {
        let mut at = place + 1;
        while let Some(sum) = self.0.get_mut(at) {
            *sum = (sum.0.wrapping_add(value.0), sum.1.wrapping_add(value.1));
            at += at & at.wrapping_neg();
        }
    }

    /// The sum of the first `count` values.
    fn up_to(&self, count: usize) -> (u32, u32) {
        let mut at = count;
        let mut sum = (0_u32, 0_u32);
        while at > 0 {
            sum = (sum.0.wrapping_add(self.0[at].0), sum.1.wrapping_add(self.0[at].1));
            at &= at - 1;
        }
        sum
    }
}
