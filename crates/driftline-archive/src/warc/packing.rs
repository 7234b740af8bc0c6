//! How is an archive packed? By its first bytes: gzip, zstd, LZ4, or not at all.
//!
//! In zstd a dictionary for all records may stand in front, in a frame of its own that other readers skip
//! ("WARC Zstandard compression", IIPC): as it is, or compressed by zstd in turn.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;
use lz4_flex::frame::FrameDecoder;

use super::gzip;
use super::window::Window;

const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const LZ4: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
/// The last three bytes of what begins a frame to be skipped, and the first of the one with a dictionary.
const SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];
const DICTIONARY: u8 = 0x5d;
/// The largest dictionary, unpacked. Usual are 100 KB.
const MOST_DICTIONARY: u64 = 16 << 20;

/// How records are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Packing {
    /// Not at all.
    Plain,
    /// Members of gzip.
    Gzip,
    /// Frames of zstd.
    Zstd,
    /// Frames of LZ4.
    Lz4,
}

impl Packing {
    /// How members begin.
    pub(super) fn magic(self) -> &'static [u8] {
        match self {
            Self::Plain => b"WARC/",
            Self::Gzip => &gzip::MAGIC,
            Self::Zstd => &ZSTD,
            Self::Lz4 => &LZ4,
        }
    }
}

/// What begins at a place of a file.
pub(super) enum Beginning {
    /// The file ends.
    Nothing,
    /// A frame that was skipped.
    Skipped,
    Member(Packing),
    Other,
}

/// Looks what begins here. A dictionary is put into `dictionary`.
pub(super) fn begin<R: Read>(window: &mut Window<R>, dictionary: &mut Vec<u8>) -> io::Result<Beginning> {
    let start = window.peek(4)?;
    Ok(match start {
        [] => Beginning::Nothing,
        [0x1f, 0x8b, ..] => Beginning::Member(Packing::Gzip),
        _ if start.starts_with(&ZSTD) => Beginning::Member(Packing::Zstd),
        _ if start.starts_with(&LZ4) => Beginning::Member(Packing::Lz4),
        [first @ 0x50..=0x5f, rest @ ..] if rest.starts_with(&SKIPPABLE) => {
            let is_dictionary = *first == DICTIONARY;
            let packed = skip(window, is_dictionary)?;
            if is_dictionary {
                *dictionary = unpack_dictionary(packed)?;
            }
            Beginning::Skipped
        }
        _ => Beginning::Other,
    })
}

/// Reads over a frame to be skipped, and returns its content if it is asked for.
fn skip<R: Read>(window: &mut Window<R>, is_wanted: bool) -> io::Result<Vec<u8>> {
    window.consume(4);
    let mut length = [0; 4];
    window.read_exact(&mut length)?;
    let length = u64::from(u32::from_le_bytes(length));
    let mut content = Vec::new();
    let mut frame = window.take(length);
    if is_wanted && length <= MOST_DICTIONARY {
        frame.read_to_end(&mut content)?;
    } else {
        io::copy(&mut frame, &mut io::sink())?;
    }
    Ok(content)
}

fn unpack_dictionary(packed: Vec<u8>) -> io::Result<Vec<u8>> {
    if !packed.starts_with(&ZSTD) {
        return Ok(packed);
    }
    let mut dictionary = Vec::new();
    zstd::Decoder::with_buffer(packed.as_slice())?.take(MOST_DICTIONARY).read_to_end(&mut dictionary)?;
    Ok(dictionary)
}

/// A member that is unpacked piece by piece.
pub(super) enum Stream<R: Read> {
    Gzip(Box<GzDecoder<Window<R>>>),
    Zstd(Box<zstd::Decoder<'static, Window<R>>>),
    Lz4(Box<Lz4<R>>),
}

/// LZ4's decoder goes on with the next frame; but it matters where one ends.
pub(super) struct Lz4<R: Read> {
    decoder: FrameDecoder<Window<R>>,
    is_read: bool,
}

impl<R: Read> Stream<R> {
    pub(super) fn new(window: Window<R>, packing: Packing, dictionary: &[u8]) -> io::Result<Self> {
        Ok(match packing {
            Packing::Zstd => {
                let decoder = zstd::Decoder::with_dictionary(window, dictionary)?;
                Self::Zstd(Box::new(decoder.single_frame()))
            }
            Packing::Lz4 => Self::Lz4(Box::new(Lz4 { decoder: FrameDecoder::new(window), is_read: false })),
            _ => Self::Gzip(Box::new(GzDecoder::new(window))),
        })
    }

    /// What stands behind the member, or behind what could be read of it.
    pub(super) fn into_inner(self) -> Window<R> {
        match self {
            Self::Gzip(decoder) => decoder.into_inner(),
            Self::Zstd(decoder) => decoder.finish(),
            Self::Lz4(stream) => stream.decoder.into_inner(),
        }
    }
}

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(decoder) => decoder.read(to),
            Self::Zstd(decoder) => decoder.read(to),
            Self::Lz4(stream) => stream.read(to),
        }
    }
}

impl<R: Read> Read for Lz4<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.is_read {
            return Ok(0);
        }
        let count = self.decoder.read(to)?;
        self.is_read = count == 0;
        Ok(count)
    }
}
