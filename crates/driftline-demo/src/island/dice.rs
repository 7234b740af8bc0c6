//! Random numbers from a seed: the same seed gives the same numbers, on every machine and in every version.

/// A generator of the kind `SplitMix64`.
#[derive(Debug, Clone)]
pub(super) struct Dice(u64);

impl Dice {
    /// A generator for a seed and whatever else its numbers depend on.
    pub(super) fn new(seed: u64, parts: &[u64]) -> Self {
        let mut dice = Self(seed);
        for part in parts {
            dice.0 = dice.next() ^ part;
        }
        dice
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another one, which is at least 1.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// One of several.
    pub(super) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

/// The number of a text (FNV-1a).
pub(super) fn number(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
