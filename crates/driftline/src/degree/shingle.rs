//! 10SH: how many runs of ten words do the pages share? k-shingling (equation 4, rule R4).
//!
//! Every word starts a shingle and the page wraps at its end, so a page of `n` words has `n`
//! shingles, and any rotation of a page has distance 0. Shingles are compared by a 64-bit rolling
//! hash: two different shingles of a page of 10,000 words look alike once in 200,000,000,000 pairs.

use hashbrown::HashTable;

use super::Degree;
use super::vocabulary::WordId;

/// An odd base for the rolling hash; odd, so that multiplying by it loses nothing.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// The page or pages on which a shingle stands.
#[derive(Debug, Clone, Copy)]
struct Seen {
    hash: u64,
    on_both: bool,
}

/// Compares shingles; reuse it to reuse its memory.
#[derive(Debug, Default)]
pub struct Shingler {
    set: HashTable<Seen>,
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
        let shared = older.iter().zip(newer).take_while(|(older, newer)| older == newer).count();
        let alike = (shared + 1).saturating_sub(length).min(older.len()).min(newer.len());
        self.set.clear();
        self.set.reserve(older.len() + newer.len() - alike, |seen| seen.hash);
        let Self { set, mixed } = self;
        // The first `alike` shingles of both pages are the same: they are looked at once.
        let mut common = 0;
        shingles(older, length, mixed, 0, |index, hash| {
            let on_both = index < alike;
            set.entry(hash, |seen| seen.hash == hash, |seen| seen.hash).or_insert_with(|| {
                common += usize::from(on_both);
                Seen { hash, on_both }
            });
        });
        shingles(newer, length, mixed, alike, |_, hash| match set.find_mut(hash, |seen| seen.hash == hash) {
            // A shingle of the newer page alone is marked when it is inserted, and so counted once.
            Some(seen) if !seen.on_both => {
                seen.on_both = true;
                common += 1;
            }
            Some(_) => {}
            None => {
                set.insert_unique(hash, Seen { hash, on_both: true }, |seen| seen.hash);
            }
        });
        Degree::clamped(1.0 - common as f64 / set.len() as f64)
    }
}

/// Calls `found` with the index and the hash of every shingle of `words` from number `from` on.
fn shingles(words: &[WordId], length: usize, mixed: &mut Vec<u64>, from: usize, mut found: impl FnMut(usize, u64)) {
    let count = words.len();
    mixed.clear();
    mixed.extend(words.iter().map(|&word| mix(u64::from(word) + 1)));
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
