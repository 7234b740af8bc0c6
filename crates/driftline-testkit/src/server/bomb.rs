//! How little is sent, and how much it becomes: bodies that unpack to gigabytes.
//!
//! Made bit by bit after the formats' own documents (RFC 1951 and 1952, RFC 7932, RFC 8878), so that no library has to
//! pack gigabytes first.

/// Bits, the lowest first, as deflate and brotli write them.
#[derive(Debug, Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        for place in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let bit = (value >> place & 1) as u8;
            *self.bytes.last_mut().expect("a byte was pushed") |= bit << (self.used % 8);
            self.used += 1;
        }
    }

    /// A Huffman code: the highest bit first.
    fn push_code(&mut self, code: u32, count: u32) {
        self.push(code.reverse_bits() >> (32 - count), count);
    }
}

/// Gzip that unpacks to one byte and then `matches` times 258 bytes more, all of them `a`: about 160 times its size.
///
/// Its checksum is wrong: who reads as far as that has read everything.
#[must_use]
pub fn gzip(matches: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // The last block, with fixed codes.
    bits.push(1, 1);
    bits.push(1, 2);
    bits.push_code(0x30 + u32::from(b'a'), 8);
    for _ in 0..matches {
        // 258 bytes from one byte back.
        bits.push_code(0b1100_0101, 8);
        bits.push_code(0, 5);
    }
    bits.push_code(0, 7);
    [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255], bits.bytes.as_slice(), &[0; 8]].concat()
}

/// Brotli that unpacks to `blocks` times 16 MiB of `a`: a million times its size.
#[must_use]
pub fn brotli(blocks: usize) -> Vec<u8> {
    const LENGTH: u32 = 1 << 24;
    let mut bits = Bits::default();
    // The window.
    bits.push(0, 1);
    for _ in 0..blocks {
        // Not the last block; its length in six nibbles; packed.
        bits.push(0, 1);
        bits.push(2, 2);
        bits.push(LENGTH - 1, 24);
        bits.push(0, 1);
        // One type of blocks each, no direct distances, one context, one tree of literals and of distances.
        bits.push(0, 3 + 2 + 4 + 2 + 2);
        // Codes of one symbol each, which then take no bits: `a`; one literal and the longest copy; distance 1 or 2.
        for (symbol, width) in [(u32::from(b'a'), 8), (399, 10), (16, 6)] {
            bits.push(1, 2);
            bits.push(0, 2);
            bits.push(symbol, width);
        }
        bits.push(LENGTH - 1 - 2_118, 24);
        bits.push(0, 1);
    }
    // The last block, empty.
    bits.push(0b11, 2);
    bits.bytes
}

/// Zstandard that unpacks to `blocks` times 128 KiB of `a`: thirty thousand times its size.
#[must_use]
pub fn zstd(blocks: usize) -> Vec<u8> {
    const LENGTH: u32 = 128 << 10;
    // The magic number; a frame without a size or checksum; a window of 1 MiB.
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 10 << 3];
    for number in 0..blocks {
        let is_last = u32::from(number + 1 == blocks);
        let repeat = 1 << 1;
        bytes.extend_from_slice(&(LENGTH << 3 | repeat | is_last).to_le_bytes()[..3]);
        bytes.push(b'a');
    }
    bytes
}

#[cfg(test)]
mod tests {
    #[test]
    fn bombs_are_small() {
        // What they unpack to is asserted where they are unpacked: driftline-watch's `tests/`.
        assert!(super::gzip(100_000).len() < 170_000);
        assert!(super::brotli(64).len() < 1_000);
        assert!(super::zstd(8_192).len() < 33_000);
    }
}
