//! Which item is which? Pairs of an older and a newer item, each item in one pair at most.
//!
//! From who knows best to who guesses best:
//!
//! 1. Items that are the same in every field.
//! 2. The same guid: the feed's own word that it is one item, however much it changed. Where a feed
//!    gives a guid twice, only what step 1 leaves of it counts, and only if that is one item a side.
//! 3. The same link, if no other item of either feed has it: some feeds link all items to one page.
//! 4. The most similar pairs, as long as the paper would call them modified (CS at least 0); fields
//!    that neither item has do not count.
//!
//! Nothing depends on which feed is the older one, so going back is the same story backwards.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;

use super::Item;
use super::similarity::{Index, Lexicon, Similarity, Words};
use crate::sides::Sides;

/// How many of the most similar newer items are kept for an older one.
const MOST_SUITORS: usize = 64;

/// How two items were recognised as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchedBy {
    /// Every field is the same.
    Identity,
    /// The feed's own name for it.
    Guid,
    /// The address of its page.
    Link,
    /// Its words.
    Similarity,
}

/// An older item and the newer one that it became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) older: usize,
    pub(super) newer: usize,
    pub(super) by: MatchedBy,
}

/// Pairs of items, and how they were found.
pub(super) struct Paired {
    /// By the older item.
    pub(super) pairs: Vec<Pair>,
    /// Was the search cut short?
    pub(super) is_cut: bool,
    /// The steps that it took.
    pub(super) steps: u64,
}

/// Pairs items within so many steps.
pub(super) fn pair(older: &[Item], newer: &[Item], most_steps: u64) -> Paired {
    let items = Sides { older, newer };
    let mut matching = Matching {
        items,
        is_free: Sides { older: vec![true; older.len()], newer: vec![true; newer.len()] },
        pairs: Vec::new(),
    };
    matching.identical();
    matching.by_guid();
    matching.by_link();
    let (is_cut, steps) = matching.by_similarity(most_steps);
    matching.pairs.sort_unstable_by_key(|pair| pair.older);
    Paired { pairs: matching.pairs, is_cut, steps }
}

struct Matching<'a> {
    items: Sides<&'a [Item]>,
    is_free: Sides<Vec<bool>>,
    pairs: Vec<Pair>,
}

impl<'a> Matching<'a> {
    fn join(&mut self, older: usize, newer: usize, by: MatchedBy) {
        if self.is_free.older[older] && self.is_free.newer[newer] {
            self.is_free.older[older] = false;
            self.is_free.newer[newer] = false;
            self.pairs.push(Pair { older, newer, by });
        }
    }

    /// The first of several equal items with the first, the second with the second.
    fn identical(&mut self) {
        let older = by_key(self.items.older, |_, item| Some(item));
        let newer = by_key(self.items.newer, |_, item| Some(item));
        for (item, older) in &older {
            let newer = newer.get(item).map(Vec::as_slice).unwrap_or_default();
            older.iter().zip(newer).for_each(|(&older, &newer)| self.join(older, newer, MatchedBy::Identity));
        }
    }

    fn by_guid(&mut self) {
        let free = self.is_free.clone();
        let older = by_key(self.items.older, |at, item| item.guid.as_deref().filter(|_| free.older[at]));
        let newer = by_key(self.items.newer, |at, item| item.guid.as_deref().filter(|_| free.newer[at]));
        self.join_singles(&older, &newer, MatchedBy::Guid);
    }

    fn by_link(&mut self) {
        let link = |_, item: &'a Item| item.link.as_deref();
        let (older, newer) = (by_key(self.items.older, link), by_key(self.items.newer, link));
        self.join_singles(&older, &newer, MatchedBy::Link);
    }

    fn join_singles(&mut self, older: &HashMap<&str, Vec<usize>>, newer: &HashMap<&str, Vec<usize>>, by: MatchedBy) {
        for (key, older) in older {
            if let ([older], Some([newer])) = (older.as_slice(), newer.get(key).map(Vec::as_slice)) {
                self.join(*older, *newer, by);
            }
        }
    }

    /// Pairs what is left; was the search cut short, and how many steps did it take?
    fn by_similarity(&mut self, most_steps: u64) -> (bool, u64) {
        let left = |is_free: &[bool]| -> Vec<usize> { (0..is_free.len()).filter(|&at| is_free[at]).collect() };
        let left = Sides { older: left(&self.is_free.older), newer: left(&self.is_free.newer) };
        if left.older.is_empty() || left.newer.is_empty() {
            return (false, 0);
        }
        let mut lexicon = Lexicon::new();
        let older: Vec<Words> = left.older.iter().map(|&at| lexicon.words(&self.items.older[at])).collect();
        let newer: Vec<Words> = left.newer.iter().map(|&at| lexicon.words(&self.items.newer[at])).collect();
        let mut index = Index::new(&newer, lexicon.len(), most_steps);
        let (mut couples, mut is_cut) = (Vec::new(), false);
        for (words, &at) in older.iter().zip(&left.older) {
            let spoken = |(suitor, similarity): (usize, Similarity)| {
                let similarity = similarity.spoken(words, &newer[suitor]);
                similarity.is_kinship().then_some(Couple { older: at, newer: left.newer[suitor], similarity })
            };
            let mut suitors: Vec<Couple> = index.relatives(words).into_iter().filter_map(spoken).collect();
            if suitors.len() > MOST_SUITORS {
                // Sorting 10,000 suitors for each of 10,000 items took longer than all the rest.
                is_cut = true;
                suitors.select_nth_unstable_by(MOST_SUITORS, Couple::rank);
                suitors.truncate(MOST_SUITORS);
            }
            couples.extend(suitors);
        }
        couples.sort_unstable_by(Couple::rank);
        couples.iter().for_each(|couple| self.join(couple.older, couple.newer, MatchedBy::Similarity));
        (is_cut || index.is_cut(), most_steps - index.steps_left())
    }
}

/// Two items that might be one.
#[derive(Debug, Clone, Copy)]
struct Couple {
    older: usize,
    newer: usize,
    similarity: Similarity,
}

impl Couple {
    /// The most similar first; of equally similar ones those nearest to each other, then to the top.
    /// Two couples of the same rank have no item in common, so it does not matter who comes first.
    fn rank(one: &Self, other: &Self) -> std::cmp::Ordering {
        let place = |couple: &Self| (couple.older.abs_diff(couple.newer), couple.older + couple.newer, couple.older);
        let by_similarity = other.similarity.partial_cmp(&one.similarity);
        by_similarity.unwrap_or(std::cmp::Ordering::Equal).then_with(|| place(one).cmp(&place(other)))
    }
}

/// The places of items by a key that they have.
fn by_key<'a, K: Hash + Eq>(items: &'a [Item], key: impl Fn(usize, &'a Item) -> Option<K>) -> HashMap<K, Vec<usize>> {
    let mut places: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, item) in items.iter().enumerate() {
        if let Some(key) = key(at, item) {
            places.entry(key).or_default().push(at);
        }
    }
    places
}
