//! Which addresses are in a set, and the how-manieth of it is one? A bit each, and a count for every few.

use std::sync::atomic::{AtomicU64, Ordering};

const WORD: usize = 64;
/// A count for so many words: a sixteenth of what the bits take.
const WORDS: usize = 8;

/// A set of places that many threads may add to.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<AtomicU64>);

impl Bits {
    /// The next place, one after the other; only before threads add to it.
    pub(super) fn push(&mut self, place: u32, is_in: bool) {
        if place as usize / WORD == self.0.len() {
            self.0.push(AtomicU64::new(0));
        }
        if is_in {
            self.insert(place);
        }
    }

    pub(super) fn insert(&self, place: u32) {
        let (word, bit) = (&self.0[place as usize / WORD], 1 << (place as usize % WORD));
        // Mostly it is in, and a word that is only read stays in the caches of all cores.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    pub(super) fn contains(&self, place: u32) -> bool {
        self.0[place as usize / WORD].load(Ordering::Relaxed) >> (place as usize % WORD) & 1 == 1
    }

    pub(super) fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }
}

/// A set that is complete: its members are counted through.
#[derive(Debug)]
pub(super) struct Ranked {
    bits: Bits,
    /// How many members come before every few words.
    before: Vec<u32>,
    count: u32,
}

impl Ranked {
    pub(super) fn new(bits: Bits) -> Self {
        let mut count = 0;
        let before = bits.0.chunks(WORDS).map(|words| {
            let before = count;
            count += words.iter().map(|word| word.load(Ordering::Relaxed).count_ones()).sum::<u32>();
            before
        });
        Self { before: before.collect(), bits, count }
    }

    pub(super) fn contains(&self, place: u32) -> bool {
        self.bits.contains(place)
    }

    /// How many members come before a place.
    pub(super) fn rank(&self, place: u32) -> u32 {
        let (word, bit) = (place as usize / WORD, place as usize % WORD);
        let group = word / WORDS;
        let within = self.bits.0[group * WORDS..word].iter().map(|word| word.load(Ordering::Relaxed).count_ones());
        let last = self.bits.0[word].load(Ordering::Relaxed) & ((1 << bit) - 1);
        self.before[group] + within.sum::<u32>() + last.count_ones()
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Bits, Ranked};

    proptest! {
        #[test]
        fn members_are_counted_through(members in prop::collection::vec(any::<bool>(), 0..2_000)) {
            let mut bits = Bits::default();
            members.iter().enumerate().for_each(|(place, is_in)| bits.push(place as u32, *is_in));
            prop_assert_eq!(bits.count(), members.iter().filter(|is_in| **is_in).count() as u64);
            let ranked = Ranked::new(bits);
            let mut before = 0;
            for (place, is_in) in members.iter().enumerate() {
                prop_assert_eq!(ranked.contains(place as u32), *is_in);
                prop_assert_eq!(ranked.rank(place as u32), before);
                before += u32::from(*is_in);
            }
            prop_assert_eq!(ranked.count(), before);
        }
    }
}
