//! Does the same block stand on other pages of the site? Then it is the site's, not the page's.
//!
//! A block is known by the hash of its words and of the addresses that it links to, whatever its
//! markup. The hash is that of the text itself, so that it is the same for every page and every run.

use hashbrown::{HashMap, HashSet};
use rapidhash::v3::rapidhash_v3;

use crate::page::{NodeId, Page};

/// Smaller blocks ("Read more", a cell of a table) stand everywhere and say nothing.
const LEAST_WORDS: usize = 4;

/// Blocks of a site, and on how many of its pages each stands.
///
/// ```
/// use driftline::page::{Page, ReadOptions};
/// use driftline::region::importance::SharedBlocks;
///
/// let mut blocks = SharedBlocks::default();
/// for text in ["Apples.", "Pears."] {
///     let html = format!("<p>{text}</p><footer>An example site, since 2011.</footer>");
///     blocks.learn(&Page::read(&*html, &ReadOptions::default()));
/// }
/// assert_eq!(blocks.most_shared(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedBlocks {
    pages: HashMap<u64, u32>,
}

impl SharedBlocks {
    /// Takes in a page of the site. A page that is taken in twice counts twice.
    pub fn learn(&mut self, page: &Page) {
        let hashes = BlockHashes::of(page);
        let blocks: HashSet<u64> = page.node_ids().filter_map(|node| hashes.get(page, node)).collect();
        for hash in blocks {
            *self.pages.entry(hash).or_default() += 1;
        }
    }

    /// On how many pages a block with this hash stands.
    #[must_use]
    pub fn count(&self, hash: u64) -> u32 {
        self.pages.get(&hash).copied().unwrap_or_default()
    }

    /// On how many pages the block stands that stands on most.
    #[must_use]
    pub fn most_shared(&self) -> u32 {
        self.pages.values().copied().max().unwrap_or_default()
    }

    /// The number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Was nothing learned?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The hashes of all blocks with their counts, to be stored.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        self.pages.iter().map(|(hash, count)| (*hash, *count))
    }
}

impl FromIterator<(u64, u32)> for SharedBlocks {
    fn from_iter<I: IntoIterator<Item = (u64, u32)>>(blocks: I) -> Self {
        Self { pages: blocks.into_iter().collect() }
    }
}

/// The hashes of all blocks of a page, each in constant time.
pub(super) struct BlockHashes {
    /// The hash of all words before each position.
    words: Vec<u64>,
    powers: Vec<u64>,
    /// The sum of the hashes of all addresses before each element, for links in any order.
    links: Vec<u64>,
}

/// What a hash of words is multiplied by before the next word is added: any large odd number.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl BlockHashes {
    pub(super) fn of(page: &Page) -> Self {
        let (mut words, mut powers, mut links) = (vec![0_u64], vec![1_u64], vec![0_u64]);
        for (index, word) in page.words().enumerate() {
            words.push(words[index].wrapping_mul(BASE).wrapping_add(rapidhash_v3(word.as_bytes())));
            powers.push(powers[index].wrapping_mul(BASE));
        }
        for node in page.node_ids() {
            let link = page.attribute(node, "href").map_or(0, |address| rapidhash_v3(address.as_bytes()));
            links.push(links[node.index()].wrapping_add(link));
        }
        Self { words, powers, links }
    }

    /// The hash of a block; none if it is too small to say anything.
    pub(super) fn get(&self, page: &Page, node: NodeId) -> Option<u64> {
        let element = &page.nodes()[node.index()];
        let run = element.words.range();
        if run.len() < LEAST_WORDS || !page.is_block(node) {
            return None;
        }
        let words = self.words[run.end].wrapping_sub(self.words[run.start].wrapping_mul(self.powers[run.len()]));
        let links = self.links[element.last.index() + 1].wrapping_sub(self.links[node.index()]);
        Some(words.rotate_left(1) ^ links)
    }
}
