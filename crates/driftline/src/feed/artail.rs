//! Which items were modified, removed, added? As Artail and Fawaz have it (section 4.3).
//!
//! Every old item is mapped to the new one it resembles most, by title (0.3) and description (0.7),
//! since "many websites ignore the guid". The mapping is not one-to-one: two old items may map to the
//! same new one. Rules F1 to F5 settle what the paper leaves open.

use std::collections::HashMap;

use serde::Serialize;

use super::similarity::{Index, Lexicon, MOST_STEPS, Similarity, Words};
use super::{Feed, Item};
use crate::limit::Limit;

/// What became of every old item, and which new ones nobody became.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Mapping {
    /// One row for each old item, in order.
    pub map: Vec<Mapped>,
    /// The new items to which no old one was mapped with a similarity of at least 0.
    pub added: Vec<usize>,
    /// What cut the work short.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limit>,
}

/// What became of an old item.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mapped {
    /// The old item.
    #[serde(rename = "old")]
    pub older: usize,
    /// The new item that it resembles most, the first of several; none if there are no new items.
    #[serde(rename = "new")]
    pub newer: Option<usize>,
    /// CS of the two, from -1 to 1.
    pub similarity: Option<f64>,
    /// What that means.
    pub class: Class,
}

/// What became of an old item (rule F5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// CS is 1: the same words.
    Unmodified,
    /// CS is from 0 to below 1.
    Modified,
    /// CS is below 0: what it resembles most is something else.
    Removed,
}

/// Maps the items of two feeds.
#[must_use]
pub fn map(older: &Feed, newer: &Feed) -> Mapping {
    let mut mapping = map_items(&older.items, &newer.items);
    mapping.limits.extend(older.limits.iter().chain(&newer.limits));
    mapping.limits.sort_unstable();
    mapping.limits.dedup();
    mapping
}

/// Maps items.
#[must_use]
pub fn map_items(older: &[Item], newer: &[Item]) -> Mapping {
    map_within(older, newer, MOST_STEPS)
}

fn map_within(older: &[Item], newer: &[Item], steps: u64) -> Mapping {
    let mut lexicon = Lexicon::new();
    let older: Vec<Words> = older.iter().map(|item| lexicon.words(item)).collect();
    let newer: Vec<Words> = newer.iter().map(|item| lexicon.words(item)).collect();
    let mut same: HashMap<&Words, usize> = HashMap::new();
    for (at, words) in newer.iter().enumerate() {
        same.entry(words).or_insert(at);
    }
    let mut index = Index::new(&newer, lexicon.len(), steps);
    let map: Vec<Mapped> = older
        .iter()
        .enumerate()
        .map(|(at, words)| {
            let nearest = match same.get(words) {
                Some(&same) => Some((same, words.similarity(words))),
                None => nearest(words, &newer, &mut index),
            };
            mapped(at, nearest)
        })
        .collect();
    let mut is_added = vec![true; newer.len()];
    map.iter()
        .filter(|mapped| mapped.class != Class::Removed)
        .filter_map(|mapped| mapped.newer)
        .for_each(|at| is_added[at] = false);
    Mapping {
        added: (0..newer.len()).filter(|&at| is_added[at]).collect(),
        limits: index.is_cut().then_some(Limit::Resemblance).into_iter().collect(),
        map,
    }
}

/// The newer item that an older one resembles most, the first of several.
fn nearest(words: &Words, newer: &[Words], index: &mut Index) -> Option<(usize, Similarity)> {
    let mut best: Option<(usize, Similarity)> = None;
    for (at, similarity) in index.relatives(words) {
        if best.is_none_or(|(_, best)| similarity > best) {
            best = Some((at, similarity));
        }
    }
    // Nobody shares a word: all resemble it equally little.
    best.or_else(|| newer.first().map(|first| (0, words.similarity(first))))
}

fn mapped(older: usize, nearest: Option<(usize, Similarity)>) -> Mapped {
    let class = match nearest {
        Some((_, similarity)) if similarity.is_full() => Class::Unmodified,
        Some((_, similarity)) if similarity.is_kinship() => Class::Modified,
        _ => Class::Removed,
    };
    Mapped {
        older,
        newer: nearest.map(|(at, _)| at),
        similarity: nearest.map(|(_, similarity)| similarity.cs()),
        class,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(letter: char, items: usize) -> Vec<Item> {
        let item =
            |at: usize| Item::new(format!("common {letter}{at}"), format!("all items say this, and {letter}{at}"));
        (0..items).map(item).collect()
    }

    #[test]
    fn beyond_the_budget_items_are_found_by_their_rare_words() {
        let mut newer = feed('a', 500);
        newer[300].summary.push_str(" changed");
        newer.reverse();
        let older = feed('a', 500);
        let (exact, cut) = (map_items(&older, &newer), map_within(&older, &newer, 0));
        assert_eq!((exact.limits.as_slice(), cut.limits.as_slice()), (&[][..], &[Limit::Resemblance][..]));
        assert_eq!((exact.map, exact.added), (cut.map, cut.added));
    }

    #[test]
    fn ranking_items_that_all_resemble_each_other_is_counted() {
        // 1,750,000 common words, and 250,000 similarities.
        let mapping = map_within(&feed('a', 500), &feed('b', 500), 3_000_000);
        assert_eq!(mapping.limits, [Limit::Resemblance]);
    }

    #[test]
    fn the_budget_is_enough_for_feeds_of_five_hundred_unlike_items() {
        let mapping = map_items(&feed('a', 500), &feed('b', 500));
        assert!(mapping.limits.is_empty());
        assert!(mapping.map.iter().all(|mapped| mapped.class == Class::Modified && mapped.newer == Some(0)));
        assert_eq!(mapping.added.len(), 499);
    }
}
