//! Which shingles stand for all? The least of each place, by hash.

use super::{BYTES, PLACES};

/// Bits of a hash that say the place.
const PLACE_BITS: u32 = PLACES.ilog2();

/// Places that got nothing hold this.
const NOTHING: u64 = u64::MAX;

/// The least hash of each place.
pub(super) struct Places([u64; PLACES]);

impl Default for Places {
    fn default() -> Self {
        Self([NOTHING; PLACES])
    }
}

impl Places {
    /// A shingle, by the hashes of what it is made of.
    pub(super) fn add(&mut self, shingle: &[u64]) {
        let hash = shingle.iter().fold(shingle.len() as u64, |hash, own| mixed(hash ^ own));
        let place = (hash >> (u64::BITS - PLACE_BITS)) as usize;
        // The place's bits are the same for all in it: without them, what is least is not least by them.
        self.0[place] = self.0[place].min(hash << PLACE_BITS);
    }

    /// Four bits of each place; all zero if there was no shingle.
    pub(super) fn bytes(&self) -> [u8; BYTES] {
        if self.0.iter().all(|&least| least == NOTHING) {
            return [0; BYTES];
        }
        let half = |place: usize| (mixed(self.borrowed(place)) >> 60) as u8;
        std::array::from_fn(|byte| half(2 * byte) | half(2 * byte + 1) << 4)
    }

    /// The least of a place, or of the first place in an order of its own that has one.
    fn borrowed(&self, place: usize) -> u64 {
        let mut from = place;
        let mut attempt = place as u64;
        while self.0[from] == NOTHING {
            attempt = mixed(attempt.wrapping_add(0x9e37_79b9_7f4a_7c15));
            from = attempt as usize % PLACES;
        }
        self.0[from]
    }
}

/// The finaliser of `SplitMix64` (Steele et al., 2014): every bit of the result depends on every bit.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
