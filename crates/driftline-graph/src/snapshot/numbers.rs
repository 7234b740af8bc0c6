//! Which number does a node's address keep? One `u32` each, little-endian, in node order.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Number;

/// The file of a snapshot's folder.
pub(super) const FILE: &str = "numbers";

/// Writes the numbers of a snapshot's nodes, in node order.
#[derive(Debug)]
pub(crate) struct NumbersWriter(BufWriter<File>);

impl NumbersWriter {
    /// Makes the file in a snapshot's folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        Ok(Self(BufWriter::new(driftline_files::create(&folder.join(FILE))?)))
    }

    /// The number of the next node.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn push(&mut self, number: Number) -> io::Result<()> {
        self.0.write_all(&number.get().to_le_bytes())
    }

    /// Waits until all is on disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.0.into_inner()?.sync_all()
    }
}
