//! Where does a sorted run wait? In memory, or in a file as the differences between its numbers.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::path::Path;

use tempfile::TempPath;

use super::Run;
use super::varint::{Deltas, Summed};

/// So many bytes of a file are read at once.
pub(super) const READ_BUFFER: usize = 1 << 16;

/// A run, and how far it was read.
#[derive(Debug)]
pub(super) struct Stored {
    head: Option<u64>,
    rest: Rest,
}

#[derive(Debug)]
enum Rest {
    Memory(std::vec::IntoIter<u64>),
    File(Summed<BufReader<File>>),
}

/// Writes numbers in order; their file, and how many they are.
pub(super) fn write(folder: &Path, numbers: impl Iterator<Item = io::Result<u64>>) -> io::Result<(TempPath, u64)> {
    let (file, path) = tempfile::Builder::new().prefix("run-").tempfile_in(folder)?.into_parts();
    let mut deltas = Deltas::new(BufWriter::with_capacity(READ_BUFFER, file));
    for number in numbers {
        deltas.push(number?)?;
    }
    let (writer, count) = deltas.finish();
    writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok((path, count))
}

impl Stored {
    pub(super) fn memory(numbers: Vec<u64>) -> Self {
        let mut rest = numbers.into_iter();
        Self { head: rest.next(), rest: Rest::Memory(rest) }
    }

    pub(super) fn file(path: &Path, count: u64) -> io::Result<Self> {
        let reader = BufReader::with_capacity(READ_BUFFER, File::open(path)?);
        let mut run = Self { head: None, rest: Rest::File(Summed::new(reader, count)) };
        run.advance()?;
        Ok(run)
    }
}

impl Run for Stored {
    type Head = u64;

    fn head(&self) -> Option<&u64> {
        self.head.as_ref()
    }

    fn advance(&mut self) -> io::Result<()> {
        self.head = match &mut self.rest {
            Rest::Memory(rest) => rest.next(),
            Rest::File(rest) => rest.next().transpose()?,
        };
        Ok(())
    }
}
