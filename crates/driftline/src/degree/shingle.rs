//! 10SH: how many runs of ten words do the pages share? k-shingling (equation 4, rule R4).
//!
//! Every word starts a shingle and the page wraps at its end, so a page of `n` words has `n`
//! shingles, and any rotation of a page has distance 0. Shingles are compared by a 64-bit rolling
//! hash: two different shingles of a page of 10,000 words look alike once in 200,000,000,000 pairs.

use super::Degree;
use super::vocabulary::WordId;

/// The words of the papers' shingles.
pub const LENGTH: usize = 10;

/// An odd base for the rolling hash; odd, so that multiplying by it loses nothing.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Compares shingles; reuse it to reuse its memory.
#[derive(Debug, Default)]
pub struct Shingler {
    set: ShingleSet,
    mixed: Vec<u64>,
}

impl Shingler {
    /// The distance of two pages; `length` is `k`, the words in a shingle.
    pub fn distance(&mut self, older: &[WordId], newer: &[WordId], length: usize) -> Degree {
        match (older.is_empty(), newer.is_empty()) {
            (true, true) => return Degree::NONE,
            (true, false) | (false, true) => return Degree::FULL,
            (false, false) => {}
        }
        if older == newer {
            return Degree::NONE;
        }
        let Self { set, mixed } = self;
        // The first `alike` shingles of both pages are the same: they are looked at once.
        let shared = older.iter().zip(newer).take_while(|(older, newer)| older == newer).count();
        let alike = (shared + 1).saturating_sub(length).min(older.len()).min(newer.len());
        set.clear(older.len() + newer.len() - alike);
        let mut common = 0;
        shingles(older, length, mixed, 0, |index, hash| {
            let seen = set.insert(hash);
            if index < alike && seen.is_new {
                set.mark_common(seen.slot);
                common += 1;
            }
        });
        shingles(newer, length, mixed, alike, |_, hash| {
            // A shingle of the newer page alone is marked at once, and so counted only once.
            let seen = set.insert(hash);
            if seen.is_new || !seen.is_common {
                set.mark_common(seen.slot);
                common += usize::from(!seen.is_new);
            }
        });
        Degree::clamped(1.0 - common as f64 / set.len as f64)
    }
}

/// A set of hashes with a mark on each: open addressing, at most half full.
///
/// The lowest bit of a slot is the mark and the others are the hash, never all zero; a general hash
/// table took a third of the time of all metrics.
#[derive(Debug, Default)]
struct ShingleSet {
    slots: Vec<u64>,
    len: usize,
}

/// What a set knew about a hash.
struct Seen {
    slot: usize,
    is_new: bool,
    is_common: bool,
}

impl ShingleSet {
    /// Empties the set and makes room for `len` hashes.
    fn clear(&mut self, len: usize) {
        self.slots.clear();
        self.slots.resize((2 * len).next_power_of_two(), 0);
        self.len = 0;
    }

    #[inline]
    fn insert(&mut self, hash: u64) -> Seen {
        let key = hash | 2;
        let last = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & last;
        loop {
            let found = self.slots[slot];
            if found == 0 {
                self.slots[slot] = key & !1;
                self.len += 1;
                return Seen { slot, is_new: true, is_common: false };
            }
            if (found ^ key) >> 1 == 0 {
                return Seen { slot, is_new: false, is_common: found & 1 == 1 };
            }
            slot = (slot + 1) & last;
        }
    }

    fn mark_common(&mut self, slot: usize) {
        self.slots[slot] |= 1;
    }
}

/// Calls `found` with the index and the hash of every shingle of `words` from number `from` on.
fn shingles(words: &[WordId], length: usize, mixed: &mut Vec<u64>, from: usize, mut found: impl FnMut(usize, u64)) {
    let count = words.len();
    mixed.clear();
    mixed.extend(words.iter().map(|&word| mix(u64::from(word.get()) + 1)));
    let leave = (1..length).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = (0..length).fold(0_u64, |hash, at| push(hash, mixed[(from + at) % count]));
    let mut end = (from + length) % count;
    for (index, &first) in mixed.iter().enumerate().skip(from) {
        found(index, mix(hash));
        hash = push(hash.wrapping_sub(first.wrapping_mul(leave)), mixed[end]);
        end = if end + 1 == count { 0 } else { end + 1 };
    }
}

fn push(hash: u64, word: u64) -> u64 {
    hash.wrapping_mul(BASE).wrapping_add(word)
}

/// Spreads a number over all 64 bits (the finaliser of `MurmurHash3`).
fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    number = (number ^ (number >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    number ^ (number >> 33)
}
