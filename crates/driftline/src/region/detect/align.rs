//! Which children of two elements are the same, in the same order?
//!
//! Equal children at both ends first; then those that are unlike all others, in the order that
//! keeps most of the words which the two pages share; then, between these, the longest common
//! subsequence of what repeats itself (rules, line breaks, empty cells). Near-linear, and in
//! agreement with the alignment of the words: of two blocks that changed places, the one whose
//! words moved is the one that moved.

use hashbrown::HashMap;

use super::side::Item;
use crate::degree::lcs::Aligner;
use crate::degree::vocabulary::WordId;

/// Machine words that one alignment of repeated children may touch; beyond it only children near
/// the diagonal are compared.
const MOST_STEPS: u64 = 1 << 20;

/// Finds equal children; reuse it to reuse its memory.
#[derive(Default)]
pub(super) struct Children {
    aligner: Aligner,
}

/// A child of the older element and the equal one of the newer, by position.
pub(super) type Equal = (usize, usize);

/// How often a hash stands on each side, and where last.
#[derive(Default, Clone, Copy)]
struct Occurrence {
    older: u32,
    newer: u32,
    at: Equal,
}

impl Children {
    /// Equal children in the same order; `weight` says how much keeping an older child is worth.
    pub(super) fn align(&mut self, older: &[Item], newer: &[Item], weight: impl Fn(&Item) -> u64) -> Vec<Equal> {
        let mut equal = Vec::with_capacity(older.len().min(newer.len()));
        let (prefix, suffix) = trim(older, newer);
        equal.extend((0..prefix).map(|at| (at, at)));
        let (ends, behind) = ((older.len() - suffix, newer.len() - suffix), suffix);
        if prefix < ends.0 && prefix < ends.1 {
            self.align_middle(older, newer, (prefix, prefix), ends, weight, &mut equal);
        }
        equal.extend((0..behind).map(|at| (ends.0 + at, ends.1 + at)));
        equal
    }

    fn align_middle(
        &mut self,
        older: &[Item],
        newer: &[Item],
        starts: Equal,
        ends: Equal,
        weight: impl Fn(&Item) -> u64,
        equal: &mut Vec<Equal>,
    ) {
        let occurrences = count(older, newer, starts, ends);
        let mut unique: Vec<(Equal, u64)> = occurrences
            .values()
            .filter(|occurrence| occurrence.older == 1 && occurrence.newer == 1)
            .map(|occurrence| (occurrence.at, weight(&older[occurrence.at.0])))
            .collect();
        unique.sort_unstable();
        let repeats = occurrences.values().any(|it| it.older > 0 && it.newer > 0 && it.older + it.newer > 2);
        let mut from = starts;
        for anchor in heaviest_chain(&unique, newer.len()).into_iter().chain([ends]) {
            if repeats {
                self.align_gap(older, newer, from, anchor, equal);
            }
            if anchor != ends {
                equal.push(anchor);
            }
            from = (anchor.0 + 1, anchor.1 + 1);
        }
    }

    /// What repeats itself, between two unique children.
    fn align_gap(&mut self, older: &[Item], newer: &[Item], from: Equal, to: Equal, equal: &mut Vec<Equal>) {
        let (left, right) = (&older[from.0..to.0], &newer[from.1..to.1]);
        let (prefix, suffix) = trim(left, right);
        equal.extend((0..prefix).map(|at| (from.0 + at, from.1 + at)));
        let (middle, other) = (&left[prefix..left.len() - suffix], &right[prefix..right.len() - suffix]);
        if !middle.is_empty() && !other.is_empty() {
            let pairs = self.common(middle, other);
            equal.extend(pairs.into_iter().map(|(a, b)| (from.0 + prefix + a, from.1 + prefix + b)));
        }
        equal.extend((0..suffix).rev().map(|at| (to.0 - 1 - at, to.1 - 1 - at)));
    }

    /// The longest common subsequence of two lists of hashes.
    fn common(&mut self, older: &[Item], newer: &[Item]) -> Vec<Equal> {
        let mut numbers = HashMap::new();
        let mut number = |items: &[Item]| -> Vec<WordId> {
            let each = items.iter().map(|item| {
                let next = WordId::new(numbers.len() as u32);
                *numbers.entry(item.hash).or_insert(next)
            });
            each.collect()
        };
        let (left, right) = (number(older), number(newer));
        let is_swapped = left.len() > right.len();
        let (shorter, longer) = if is_swapped { (&right, &left) } else { (&left, &right) };
        let alignment = self.aligner.align_within(shorter, longer, MOST_STEPS);
        let first = kept(shorter.len(), alignment.first.iter().map(|leftover| leftover.index as usize));
        let second = kept(longer.len(), alignment.second.iter().map(|leftover| leftover.index as usize));
        let pairs = first.into_iter().zip(second);
        if is_swapped { pairs.map(|(newer, older)| (older, newer)).collect() } else { pairs.collect() }
    }
}

/// The positions below `len` that are not leftovers.
fn kept(len: usize, leftovers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut leftovers = leftovers.peekable();
    (0..len).filter(|at| leftovers.next_if_eq(at).is_none()).collect()
}

/// How many items are equal at the beginning and, of the rest, at the end.
fn trim(older: &[Item], newer: &[Item]) -> (usize, usize) {
    let same = |(older, newer): &(&Item, &Item)| older.hash == newer.hash;
    let prefix = older.iter().zip(newer).take_while(same).count();
    let (older, newer) = (&older[prefix..], &newer[prefix..]);
    let suffix = older.iter().rev().zip(newer.iter().rev()).take_while(same).count();
    (prefix, suffix)
}

fn count(older: &[Item], newer: &[Item], starts: Equal, ends: Equal) -> HashMap<u64, Occurrence> {
    let mut occurrences: HashMap<u64, Occurrence> = HashMap::with_capacity(ends.0 - starts.0);
    for (at, item) in older.iter().enumerate().take(ends.0).skip(starts.0) {
        let occurrence = occurrences.entry(item.hash).or_default();
        occurrence.older += 1;
        occurrence.at.0 = at;
    }
    for (at, item) in newer.iter().enumerate().take(ends.1).skip(starts.1) {
        if let Some(occurrence) = occurrences.get_mut(&item.hash) {
            occurrence.newer += 1;
            occurrence.at.1 = at;
        }
    }
    occurrences
}

/// Of pairs in older order, those that are in newer order too and weigh most together.
fn heaviest_chain(pairs: &[(Equal, u64)], newer_len: usize) -> Vec<Equal> {
    if pairs.is_sorted_by_key(|((_, newer), _)| *newer) {
        return pairs.iter().map(|(pair, _)| *pair).collect();
    }
    // A Fenwick tree of the heaviest chain that ends at or before a newer position.
    let mut heaviest = vec![(0_u64, usize::MAX); newer_len + 1];
    let mut before = Vec::with_capacity(pairs.len());
    let mut best = (0, usize::MAX);
    for (index, ((_, newer), weight)) in pairs.iter().enumerate() {
        let mut prior = (0, usize::MAX);
        let mut at = *newer;
        while at > 0 {
            prior = if heaviest[at].0 > prior.0 { heaviest[at] } else { prior };
            at &= at - 1;
        }
        before.push(prior.1);
        let own = (prior.0 + weight + 1, index);
        best = if own.0 > best.0 { own } else { best };
        let mut at = newer + 1;
        while at < heaviest.len() {
            heaviest[at] = if own.0 > heaviest[at].0 { own } else { heaviest[at] };
            at += at & at.wrapping_neg();
        }
    }
    let mut chain: Vec<Equal> = std::iter::successors(Some(best.1), |&index| before.get(index).copied())
        .take_while(|&index| index != usize::MAX)
        .map(|index| pairs[index].0)
        .collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::super::side::What;
    use super::*;
    use crate::page::{NodeId, WordRange};

    fn items(hashes: &str) -> Vec<Item> {
        let item = |hash: u8| Item {
            hash: u64::from(hash),
            what: What::Element(NodeId(0)),
            words: WordRange { start: 0, end: u32::from(hash.is_ascii_uppercase()) },
        };
        hashes.bytes().map(item).collect()
    }

    fn align(older: &str, newer: &str) -> String {
        let (left, right) = (items(older), items(newer));
        // A capital is a child with words that stayed.
        let pairs = Children::default().align(&left, &right, |item| u64::from(item.words.end) * 10);
        assert!(pairs.iter().is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{pairs:?}");
        pairs
            .iter()
            .inspect(|(a, b)| assert_eq!(left[*a].hash, right[*b].hash))
            .map(|(a, _)| older.as_bytes()[*a] as char)
            .collect()
    }

    #[test]
    fn equal_children_are_kept_in_order() {
        assert_eq!(align("abcde", "abxde"), "abde");
        assert_eq!(align("abc", "abc"), "abc");
        assert_eq!(align("", "abc"), "");
    }

    #[test]
    fn of_two_children_that_changed_places_the_one_with_common_words_stays() {
        assert_eq!(align("aB", "Ba"), "B");
        assert_eq!(align("Ab", "bA"), "A");
        assert_eq!(align("Axbyc", "bycAx"), "Ax");
    }

    #[test]
    fn repeated_children_follow_the_unique_ones() {
        assert_eq!(align("hAhB", "hXhAhB"), "hAhB");
        assert_eq!(align("hhhA", "Ahh"), "A", "what stands behind the anchor cannot stand before it");
        assert_eq!(align("hh", "hhh"), "hh");
        assert_eq!(align("ahbhch", "xhyhzh"), "hhh");
    }
}
