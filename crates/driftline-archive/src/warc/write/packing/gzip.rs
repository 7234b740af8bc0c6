//! A gzip member. Most records are short, and are packed in one go: `libdeflate` is twice as fast at that as an encoder
//! that takes what comes, for a member that is less than a hundredth longer. Long ones are packed as they come.

use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

use flate2::Compression;
use flate2::write::GzEncoder;
use libdeflater::{CompressionLvl, Compressor};

/// A longer record is packed as it comes.
const MOST: usize = 1 << 20;
/// So many compressors wait for the next record, of some 600 KB each: making one takes longer than packing a page.
const MOST_SPARE: usize = 4;

static SPARE: Mutex<Vec<Compressor>> = Mutex::new(Vec::new());

/// Packs one record as one member.
pub(super) fn pack(record: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    let mut start = Vec::new();
    record.take(MOST as u64 + 1).read_to_end(&mut start)?;
    if start.len() <= MOST {
        return output.write_all(&whole(&start)?);
    }
    let mut encoder = GzEncoder::new(output, Compression::default());
    encoder.write_all(&start)?;
    io::copy(record, &mut encoder)?;
    encoder.finish()?;
    Ok(())
}

/// A record that is here as a whole, packed.
fn whole(record: &[u8]) -> io::Result<Vec<u8>> {
    let spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut compressor = spare.unwrap_or_else(|| Compressor::new(CompressionLvl::default()));
    let mut member = vec![0; compressor.gzip_compress_bound(record.len())];
    let length = compressor.gzip_compress(record, &mut member).map_err(io::Error::other)?;
    member.truncate(length);
    let mut spares = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    if spares.len() < MOST_SPARE {
        spares.push(compressor);
    }
    Ok(member)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::MultiGzDecoder;

    use super::{MOST, pack};

    /// Records on both sides of the limit come back, each as one member.
    #[test]
    fn short_and_long_records_come_back() {
        for length in [0, 1, 5_000, MOST, MOST + 1, 3 * MOST] {
            let record: Vec<u8> = (0..length).map(|at| (at % 251) as u8 ^ (at / 4_096) as u8).collect();
            let mut member = Vec::new();
            pack(&mut record.as_slice(), &mut member).unwrap();
            let mut again = Vec::new();
            flate2::read::GzDecoder::new(member.as_slice()).read_to_end(&mut again).unwrap();
            assert_eq!(again, record, "{length}");
            let mut all = Vec::new();
            MultiGzDecoder::new(member.as_slice()).read_to_end(&mut all).unwrap();
            assert_eq!(all.len(), length, "one member, and nothing behind it");
        }
    }
}
