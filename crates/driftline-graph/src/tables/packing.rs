//! How is a table packed? By its first bytes: gzip, zstd, or not at all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

/// How much is read at once.
const BUFFER: usize = 256 << 10;
/// The largest window of zstd in bits: what `zstd -d` allows, 128 MiB.
const WINDOW: u32 = 27;

/// The bytes of a table, unpacked; `advance` hears how many bytes of the file were read.
pub(super) fn open<'a>(path: &Path, advance: &'a dyn Fn(u64)) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut file = BufReader::with_capacity(BUFFER, Counted { file: File::open(path)?, advance });
    let start = file.fill_buf()?;
    if start.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file))));
    }
    if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let mut unpacked = zstd::Decoder::with_buffer(file)?;
        unpacked.window_log_max(WINDOW)?;
        return Ok(Box::new(BufReader::with_capacity(BUFFER, unpacked)));
    }
    Ok(Box::new(file))
}

struct Counted<'a> {
    file: File,
    advance: &'a dyn Fn(u64),
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        (self.advance)(read as u64);
        Ok(read)
    }
}
