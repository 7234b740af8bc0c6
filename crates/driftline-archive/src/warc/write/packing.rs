//! How is a record packed? As a gzip member or a zstd frame of its own.

mod gzip;

use std::io::{self, Read, Write};

/// How the records of a segment are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Packing {
    /// A gzip member for each, which every tool reads.
    #[default]
    Gzip,
    /// A zstd frame for each: smaller and faster, read by fewer tools.
    Zstd,
}

impl Packing {
    /// How the names of its files end.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".warc.gz",
            Self::Zstd => ".warc.zst",
        }
    }

    /// The packing of a file, by the end of its name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Gzip, Self::Zstd].into_iter().find(|packing| name.ends_with(packing.suffix()))
    }

    /// Packs one record.
    ///
    /// # Errors
    /// If it cannot be read, or the output not be written.
    pub fn pack(self, record: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Gzip => gzip::pack(record, output)?,
            Self::Zstd => {
                let mut encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                io::copy(record, &mut encoder)?;
                encoder.finish()?;
            }
        }
        Ok(())
    }
}
