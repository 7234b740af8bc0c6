//! `Content-Encoding`: gzip, deflate, br, zstd.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// The most codings of a body: more are no use, but an attack.
const MOST_CODINGS: usize = 4;

/// The most bytes that a body unpacks to, for each byte that was sent: pages have ten, tables of numbers fifty.
const MOST_RATIO: usize = 200;
/// What any body may unpack to.
const ALWAYS_ALLOWED: usize = 16 << 20;

/// A body whose codings are undone, as far as they can be.
pub(super) struct Decoded<'a> {
    pub(super) bytes: Vec<u8>,
    /// Was it longer than the limit?
    pub(super) is_cut: bool,
    /// The first coding that could not be undone.
    pub(super) unknown: Option<&'a str>,
}

/// Undoes the codings of a body; what comes out has `limit` bytes at most, and no more than [`MOST_RATIO`] times what was
/// sent: 1.4 kB packed twice became 600 MB.
pub(super) fn decode<'a>(bytes: Cow<'_, [u8]>, codings: &[&'a str], limit: usize) -> Decoded<'a> {
    let limit = limit.min(bytes.len().saturating_mul(MOST_RATIO).saturating_add(ALWAYS_ALLOWED));
    let (mut bytes, mut unknown) = (bytes, None);
    let real = codings.iter().rev().filter(|coding| !coding.eq_ignore_ascii_case("identity"));
    for coding in real.take(MOST_CODINGS) {
        match decoded(&bytes, coding, limit) {
            // Not coded as it claims, or in a way that nobody knows.
            None => {
                unknown = Some(*coding);
                break;
            }
            Some(plain) => bytes = plain.into(),
        }
    }
    let is_cut = bytes.len() > limit;
    let mut bytes = bytes.into_owned();
    bytes.truncate(limit);
    Decoded { bytes, is_cut, unknown }
}

/// The bytes without this coding, as far as they can be read: one more than `limit` at most. None if there
/// is nothing to be read.
pub(super) fn decoded(bytes: &[u8], coding: &str, limit: usize) -> Option<Vec<u8>> {
    match coding.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" => read(MultiGzDecoder::new(bytes), limit),
        // The standard means zlib; some servers send deflate alone, and browsers read both.
        "deflate" => read(ZlibDecoder::new(bytes), limit).or_else(|| read(DeflateDecoder::new(bytes), limit)),
        "br" => read(brotli_decompressor::Decompressor::new(bytes, 1 << 12), limit),
        "zstd" => read(zstd::Decoder::new(bytes).ok()?, limit),
        _ => None,
    }
}

fn read(decoder: impl Read, limit: usize) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let read = decoder.take((limit as u64).saturating_add(1)).read_to_end(&mut plain);
    (read.is_ok() || !plain.is_empty()).then_some(plain)
}
