//! A gzip member that is in memory as a whole, unpacked in one go.
//!
//! `libdeflate` unpacks more than twice as fast as a decoder that can stop anywhere, but has to have all of a
//! member, and does not say where it ends. Its end is known by its last eight bytes: the checksum and the
//! length of what came out. Where they do not stand, the member is damaged, or not there as a whole; then
//! the decoder that can stop anywhere says how far it is good.

use std::io::{BufRead, Read};

use libdeflater::{Crc, DecompressionError, Decompressor};

use super::window::Window;

pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];

/// How much a member is thought to have at first, and at most; larger ones are not unpacked in one go.
const FIRST: usize = 64 << 10;
const MOST: usize = 8 << 20;
/// Checksum and length.
const TRAILER: usize = 8;

/// Unpacks members.
pub(super) struct Whole {
    decompressor: Decompressor,
}

/// What became of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unpacked {
    /// It has so many bytes in the file, and so many unpacked.
    Whole { packed: usize, bytes: usize },
    /// Perhaps there are too few bytes of it.
    Short,
    /// It is too large.
    Large,
}

impl Default for Whole {
    fn default() -> Self {
        Self { decompressor: Decompressor::new() }
    }
}

impl Whole {
    /// Unpacks the member that begins here into `buffer`, and goes to its end. None if that is not possible;
    /// then nothing is read.
    pub(super) fn unpack_from<R: Read>(&mut self, window: &mut Window<R>, buffer: &mut Vec<u8>) -> Option<usize> {
        let mut is_end = false;
        loop {
            match self.unpack(window.held(), is_end, buffer) {
                Unpacked::Whole { packed, bytes } => {
                    window.consume(packed);
                    return Some(bytes);
                }
                Unpacked::Large => return None,
                // What cannot be read is noticed when it is read piece by piece.
                Unpacked::Short if is_end || window.is_full() => return None,
                Unpacked::Short => is_end = !window.more().ok()?,
            }
        }
    }

    /// Unpacks the member that begins these bytes into `buffer`, which grows if need be. Do the bytes end where
    /// the file does?
    fn unpack(&mut self, member: &[u8], is_end: bool, buffer: &mut Vec<u8>) -> Unpacked {
        let Some(head) = head(member) else { return Unpacked::Short };
        if buffer.len() < FIRST {
            buffer.resize(FIRST, 0);
        }
        loop {
            match self.decompressor.deflate_decompress(&member[head..], buffer) {
                Ok(bytes) => {
                    let end = end(&member[head..], &buffer[..bytes], is_end);
                    return end.map_or(Unpacked::Short, |end| Unpacked::Whole { packed: head + end, bytes });
                }
                Err(DecompressionError::InsufficientSpace) if buffer.len() < MOST => {
                    buffer.resize((buffer.len() * 4).min(MOST), 0);
                }
                Err(DecompressionError::InsufficientSpace) => return Unpacked::Large,
                Err(DecompressionError::BadData) => return Unpacked::Short,
            }
        }
    }
}

/// Where the member ends: behind its trailer, where the next begins or the file ends.
fn end(packed: &[u8], bytes: &[u8], is_end: bool) -> Option<usize> {
    let mut crc = Crc::new();
    crc.update(bytes);
    let mut trailer = [0; TRAILER];
    trailer[..4].copy_from_slice(&crc.sum().to_le_bytes());
    trailer[4..].copy_from_slice(&u32::try_from(bytes.len()).ok()?.to_le_bytes());
    let ends = memchr::memmem::find_iter(packed, &trailer).map(|at| at + TRAILER);
    let is_border = |end: usize| match &packed[end..] {
        [] => is_end,
        rest => rest.starts_with(&MAGIC[..rest.len().min(2)]),
    };
    ends.take(4).find(|&end| is_border(end))
}

/// How long the head of a member is (RFC 1952, section 2.3).
fn head(member: &[u8]) -> Option<usize> {
    let flags = *member.get(3).filter(|_| member.starts_with(&MAGIC))?;
    let mut at = 10;
    if flags & 0b0000_0100 != 0 {
        at += 2 + usize::from(u16::from_le_bytes(member.get(at..at + 2)?.try_into().ok()?));
    }
    for text in [0b0000_1000, 0b0001_0000] {
        if flags & text != 0 {
            at += memchr::memchr(0, member.get(at..)?)? + 1;
        }
    }
    if flags & 0b0000_0010 != 0 {
        at += 2;
    }
    (at < member.len() && flags & 0b1110_0000 == 0).then_some(at)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, GzBuilder};

    use super::{Unpacked, Whole};

    fn member(bytes: &[u8]) -> Vec<u8> {
        let builder = GzBuilder::new().extra(&b"sl\x08\x0012345678"[..]).filename("x.warc").comment("y");
        let mut encoder = builder.write(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_member_ends_where_the_next_begins() {
        let (mut whole, mut buffer) = (Whole::default(), Vec::new());
        let [one, two] = [b"one".repeat(1_000), b"two".to_vec()].map(|bytes| member(&bytes));
        let both = [one.clone(), two].concat();
        let unpacked = whole.unpack(&both, true, &mut buffer);
        assert_eq!(unpacked, Unpacked::Whole { packed: one.len(), bytes: 3_000 });
        assert_eq!(buffer[..6], *b"oneone");
        assert_eq!(whole.unpack(&both[..one.len() - 1], true, &mut buffer), Unpacked::Short);
        assert_eq!(whole.unpack(&one, false, &mut buffer), Unpacked::Short, "more of the file has to be seen");
        assert!(matches!(whole.unpack(&one, true, &mut buffer), Unpacked::Whole { .. }));
    }

    #[test]
    fn a_member_that_is_damaged_or_too_large_is_left_alone() {
        let (mut whole, mut buffer) = (Whole::default(), Vec::new());
        let mut damaged = member(&b"text ".repeat(100));
        let checksum = damaged.len() - 6;
        damaged[checksum] ^= 1;
        assert_eq!(whole.unpack(&damaged, true, &mut buffer), Unpacked::Short);
        assert_eq!(whole.unpack(&member(&vec![0; 9 << 20]), true, &mut buffer), Unpacked::Large);
        assert!(buffer.len() <= 8 << 20);
        assert!(matches!(whole.unpack(&member(&vec![0; 5 << 20]), true, &mut buffer), Unpacked::Whole { .. }));
    }
}
