//! What is known about the places of one version? Landmarks, densities, and blocks that are shared.

use super::landmark::{Landmark, Landmarks};
use super::shared::{BlockHashes, SharedBlocks};
use super::volatile::{Recogniser, is_copyright};
use super::{Reason, weights};
use crate::page::{NodeId, Page, WordRange};

/// A note of copyright is no longer than this, in bytes.
const LONGEST_NOTE: usize = 400;
/// A note of copyright begins behind this share of the page's words.
const END_OF_PAGE: f64 = 0.8;
/// A smaller block is judged by what stands around it, in words.
const TELLING: usize = 20;

/// One version of a page.
pub(super) struct Version<'a> {
    pub(super) page: &'a Page,
    pub(super) volatile: Recogniser<'a>,
    landmarks: Landmarks<'a>,
    /// The innermost element around each word.
    elements: Vec<Option<NodeId>>,
    /// How many of the words before each position are linked.
    linked: Vec<u32>,
    hashes: Option<BlockHashes>,
}

/// Where something stands, how much that counts, and why it counts less than others there.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub(super) landmark: Landmark,
    pub(super) weight: f64,
    pub(super) reason: Option<Reason>,
}

impl<'a> Version<'a> {
    pub(super) fn new(page: &'a Page, blocks: &SharedBlocks) -> Self {
        let elements = elements(page);
        let linked = linked(page, &elements);
        let hashes = (!blocks.is_empty()).then(|| BlockHashes::of(page));
        Self { page, volatile: Recogniser::new(page), landmarks: Landmarks::new(page), elements, linked, hashes }
    }

    /// The innermost element around a word; none if the page has no elements.
    pub(super) fn element(&self, word: u32) -> Option<NodeId> {
        self.elements.get(word as usize).copied().flatten()
    }

    /// Where an element stands.
    pub(super) fn spot(&mut self, node: Option<NodeId>) -> Spot {
        let Some(node) = node else {
            return Spot { landmark: Landmark::Unmarked, weight: 1.0, reason: None };
        };
        let mut landmark = self.landmarks.of(node);
        if matches!(landmark, Landmark::Unmarked | Landmark::Outside) && self.is_note(node) {
            landmark = Landmark::Footer;
        }
        let weight = weights::landmark(landmark);
        let density = if landmark == Landmark::Unmarked { self.density(node) } else { 1.0 };
        let reason = (density < 1.0).then_some(Reason::MostlyLinks);
        Spot { landmark, weight: weight * density, reason }
    }

    /// The smallest element around a node, or itself, with at least so many words.
    fn around(&self, node: NodeId, least: usize) -> NodeId {
        let words = |node: NodeId| self.page.nodes()[node.index()].words.range().len();
        let mut at = node;
        while words(at) < least
            && let Some(parent) = self.page.nodes()[at.index()].parent
        {
            at = parent;
        }
        at
    }

    /// How much the block around an element counts by its links and its prose.
    fn density(&self, node: NodeId) -> f64 {
        let block = self.around(node, TELLING);
        let element = &self.page.nodes()[block.index()];
        let WordRange { start, end } = element.words;
        let linked = f64::from(self.linked[end as usize] - self.linked[start as usize]);
        let (words, elements) = (f64::from(end - start), f64::from(element.last.0 - block.0 + 1));
        weights::density(linked / words.max(1.0), words / elements)
    }

    /// Is it in a line at the end of the page that claims a copyright? Such a footer may have no name.
    fn is_note(&self, node: NodeId) -> bool {
        let block = self.around(node, 1);
        let element = &self.page.nodes()[block.index()];
        let is_late = f64::from(element.words.start) >= END_OF_PAGE * self.page.word_count() as f64;
        let text = self.page.text_of(block);
        is_late && text.len() <= LONGEST_NOTE && is_copyright(&text.to_lowercase())
    }

    /// How many words an element has.
    pub(super) fn words(&self, node: NodeId) -> usize {
        self.page.nodes()[node.index()].words.range().len()
    }

    /// On how many pages of the site the block around an element stands.
    pub(super) fn pages(&self, node: NodeId, blocks: &SharedBlocks) -> u32 {
        let Some(hashes) = &self.hashes else { return 0 };
        let parent = |node: &NodeId| self.page.nodes()[node.index()].parent;
        let mut around = std::iter::successors(Some(node), parent);
        around.find_map(|node| hashes.get(self.page, node)).map_or(0, |hash| blocks.count(hash))
    }
}

/// The innermost element around each word, in one sweep.
fn elements(page: &Page) -> Vec<Option<NodeId>> {
    let mut elements: Vec<Option<NodeId>> = Vec::with_capacity(page.word_count());
    let mut open: Vec<NodeId> = Vec::new();
    let fill = |elements: &mut Vec<Option<NodeId>>, until: u32, node: Option<NodeId>| {
        let until = (until as usize).max(elements.len());
        elements.resize(until, node);
    };
    for node in page.node_ids() {
        while let Some(&around) = open.last()
            && page.nodes()[around.index()].last < node
        {
            fill(&mut elements, page.nodes()[around.index()].words.end, Some(around));
            open.pop();
        }
        fill(&mut elements, page.nodes()[node.index()].words.start, open.last().copied());
        open.push(node);
    }
    while let Some(around) = open.pop() {
        fill(&mut elements, page.nodes()[around.index()].words.end, Some(around));
    }
    elements.resize(page.word_count(), None);
    elements
}

/// How many of the words before each position stand in a link.
fn linked(page: &Page, elements: &[Option<NodeId>]) -> Vec<u32> {
    let mut is_link = vec![false; page.nodes().len()];
    for node in page.node_ids() {
        let parent = page.nodes()[node.index()].parent;
        is_link[node.index()] = page.tag(node) == "a" || parent.is_some_and(|parent| is_link[parent.index()]);
    }
    let mut linked = vec![0];
    let mut count = 0;
    for element in elements {
        count += u32::from(element.is_some_and(|node| is_link[node.index()]));
        linked.push(count);
    }
    linked
}
