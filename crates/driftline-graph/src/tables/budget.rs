//! The rows and bytes that a table may hold, by the size of its file.
//!
//! Packed rows that are alike take no space: 20,000,000 of them fit in 167 kB of Parquet. Rows that differ take at least
//! a bit each, and text hardly ever packs to a hundredth.

use std::path::Path;

use super::TableError;

/// Rows of any table.
const ROWS: u64 = 262_144;
/// More rows for each byte of the file.
const ROWS_A_BYTE: u64 = 8;
/// Bytes of any table.
const BYTES: u64 = 64 << 20;
/// More bytes for each byte of the file.
const BYTES_A_BYTE: u64 = 200;

/// This many bytes of a value that is repeated are not counted: a dictionary has it once, and menus have the same addresses
/// on every page. Addresses are hardly ever longer.
const REPEATED: u64 = 256;

/// What is left of the rows and bytes of a table.
pub(super) struct Budget<'a> {
    path: &'a Path,
    size: u64,
    rows: u64,
    bytes: u64,
}

impl<'a> Budget<'a> {
    pub(super) fn of(path: &'a Path) -> Result<Self, TableError> {
        let opened = std::fs::metadata(path).map_err(|source| TableError::Open { path: path.to_owned(), source });
        let size = opened?.len();
        let (rows, bytes) = (most(ROWS, ROWS_A_BYTE, size), most(BYTES, BYTES_A_BYTE, size));
        Ok(Self { path, size, rows, bytes })
    }

    /// Takes rows off.
    pub(super) fn rows(&mut self, rows: u64) -> Result<(), TableError> {
        let left = self.rows.checked_sub(rows);
        self.rows = left.ok_or_else(|| self.exceeded("rows", most(ROWS, ROWS_A_BYTE, self.size)))?;
        Ok(())
    }

    /// Takes the bytes of a value off, which is one that was read before or not.
    pub(super) fn value(&mut self, bytes: u64, is_repeated: bool) -> Result<(), TableError> {
        self.bytes(if is_repeated { bytes.saturating_sub(REPEATED) } else { bytes })
    }

    /// Whether this many bytes are left.
    pub(super) fn has(&self, bytes: u64) -> bool {
        bytes <= self.bytes
    }

    /// Takes bytes off.
    pub(super) fn bytes(&mut self, bytes: u64) -> Result<(), TableError> {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.ok_or_else(|| self.exceeded("bytes", most(BYTES, BYTES_A_BYTE, self.size)))?;
        Ok(())
    }

    fn exceeded(&self, what: &'static str, most: u64) -> TableError {
        TableError::Bomb { path: self.path.to_owned(), size: self.size, what, most }
    }
}

fn most(any: u64, a_byte: u64, size: u64) -> u64 {
    size.saturating_mul(a_byte).saturating_add(any)
}
