//! Which of very many pages is a page like? Only those that share a band of their sketches are compared.
//!
//! A sketch of words is cut into 16 bands of four bytes. Pages that are 90 % alike share at least one band all but
//! six times in 100,000; pages that share nothing do so once in 270 million. Bands are sorted, so that a look-up is a
//! search by halves, and the index is as large as the pages that are looked for, not as those that are met.

use std::collections::HashMap;

use driftline::novelty::sketch::{BYTES, Sketch};

use crate::snapshot::Node;

use super::relation::Relation;
use super::{ALIKE, CopyOf, FEW_WORDS};

const BAND: usize = 4;
const BANDS: usize = BYTES / BAND;

/// Of pages that share a band so many are compared at most: a page of boilerplate must not meet all others.
const MOST_IN_BAND: usize = 64;

/// What a page takes in the index, about: its bands, its sketch twice, and what was found.
const PAGE: usize = BANDS * 16 + 2 * Sketch::SIZE + 64;

/// Pages that are looked for.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Each with the number of its sketch: pages that are the same share one.
    nodes: Vec<(Node, u32)>,
    sketches: Vec<Sketch>,
    bands: Vec<(u64, u32)>,
    best: Vec<Option<CopyOf>>,
}

impl Index {
    /// Takes pages until the memory is full; those that could not be found are counted, but not looked for.
    pub(super) fn of(pages: &mut impl Iterator<Item = (Node, Sketch)>, memory: usize) -> Self {
        let mut index = Self::default();
        let mut numbers: HashMap<Sketch, u32> = HashMap::new();
        for (node, sketch) in pages.take((memory / PAGE).max(1)) {
            let number = *numbers.entry(sketch).or_insert_with(|| {
                index.sketches.push(sketch);
                index.sketches.len() as u32 - 1
            });
            index.nodes.push((node, number));
        }
        for (number, sketch) in (0..).zip(&index.sketches) {
            index.bands.extend(bands(sketch).map(|band| (band, number)));
        }
        index.bands.sort_unstable();
        index.best = vec![None; index.sketches.len()];
        index
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Compares an older page with those that it may be like, and keeps the best for each: the one most alike, of
    /// these the latest, of these the first by address.
    pub(super) fn meet(&mut self, place: usize, node: Node, older: &Sketch) {
        for band in bands(older) {
            let first = self.bands.partition_point(|(other, _)| *other < band);
            let same = self.bands[first..].iter().take_while(|(other, _)| *other == band).take(MOST_IN_BAND);
            for &(_, number) in same {
                let best = &mut self.best[number as usize];
                if best.is_some_and(|best| (best.place, best.node) == (place, node)) {
                    continue;
                }
                let Some(likeness) = likeness(&self.sketches[number as usize], older) else { continue };
                if best.is_none_or(|best| likeness > best.likeness || (likeness == best.likeness && place > best.place))
                {
                    *best = Some(CopyOf { place, node, likeness, relation: Relation::Copy });
                }
            }
        }
    }

    /// What was found, in the order of nodes.
    pub(super) fn found(self) -> impl Iterator<Item = (Node, CopyOf)> {
        let Self { nodes, best, .. } = self;
        nodes.into_iter().filter_map(move |(node, number)| Some((node, best[number as usize]?)))
    }
}

/// How alike two pages are, if they say the same.
fn likeness(page: &Sketch, older: &Sketch) -> Option<f64> {
    if page.length.min(older.length) < FEW_WORDS {
        return (page == older && page.length > 0).then_some(1.0);
    }
    Some(page.words_likeness(older)).filter(|likeness| *likeness >= ALIKE)
}

fn bands(sketch: &Sketch) -> impl Iterator<Item = u64> {
    let bands = sketch.words.chunks_exact(BAND).zip(0_u64..);
    bands.map(|(bytes, band)| bytes.iter().fold(band, |band, byte| band << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A page of many words whose sketch is of these bytes.
    fn sketch(words: [u8; BYTES], text: u64) -> Sketch {
        Sketch { words, tags: [0; BYTES], text, length: 500, tag_count: 20 }
    }

    #[test]
    fn pages_that_are_the_same_are_looked_for_once_and_all_found() {
        let page = sketch([7; BYTES], 1);
        let mut index = Index::of(&mut Node::first(1000).map(|node| (node, page)), usize::MAX);
        assert_eq!((index.len(), index.sketches.len(), index.bands.len()), (1000, 1, BANDS));
        index.meet(0, Node::new(5), &page);
        assert_eq!(index.found().count(), 1000);
    }

    #[test]
    fn as_many_pages_are_taken_as_memory_allows() {
        let mut pages = Node::first(10).map(|node| (node, sketch([node.get() as u8; BYTES], 0)));
        assert_eq!(Index::of(&mut pages, 3 * PAGE).len(), 3);
        assert_eq!(Index::of(&mut pages, 0).len(), 1);
        assert_eq!(Index::of(&mut pages, usize::MAX).len(), 6);
        assert!(Index::of(&mut pages, usize::MAX).is_empty());
    }

    #[test]
    fn of_equal_pages_the_latest_is_kept_and_a_better_one_before_it() {
        let page = sketch([7; BYTES], 1);
        let mut nearly = page;
        nearly.words[0] = 8;
        nearly.text = 2;
        let mut index = Index::of(&mut [(Node::new(0), page)].into_iter(), usize::MAX);
        for (place, node, older) in [(0, 3, &nearly), (1, 4, &page), (2, 5, &page), (3, 6, &nearly)] {
            index.meet(place, Node::new(node), older);
        }
        let kept: Vec<_> = index.found().map(|(_, copy)| (copy.place, copy.node.get(), copy.likeness)).collect();
        assert_eq!(kept, [(2, 5, 1.0)]);
    }

    proptest! {
        #[test]
        fn what_differs_in_a_few_bytes_is_found(
            words in prop::array::uniform32(any::<u8>()),
            changed in prop::collection::vec((0..BYTES, 1..16_u8), 0..4),
        ) {
            let mut bytes = [0; BYTES];
            bytes[..32].copy_from_slice(&words);
            bytes[32..].copy_from_slice(&words.map(|byte| byte ^ 0x55));
            let page = sketch(bytes, 1);
            for (place, flip) in changed {
                bytes[place] ^= flip;
            }
            let older = sketch(bytes, 2);
            let mut index = Index::of(&mut [(Node::new(9), page)].into_iter(), usize::MAX);
            index.meet(0, Node::new(1), &older);
            let found: Vec<_> = index.found().map(|(node, copy)| (node, copy.likeness)).collect();
            let expected: Vec<_> = likeness(&page, &older).map(|likeness| (Node::new(9), likeness)).into_iter().collect();
            prop_assert_eq!(found, expected);
        }
    }
}
