//! Formats of tables: what each is called, and what writes it.

use std::io::Write;

use super::columnar::Columnar;
use super::delimited::Delimited;
use super::{Column, RowWriter, TableError};

/// A format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// Parquet, zstd-compressed.
    Parquet,
}

impl Format {
    /// All of them, as commands list them.
    pub const ALL: &'static [Self] = &[Self::Csv, Self::Tsv, Self::Parquet];

    /// Its name on the command line, which its files end in.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Parquet => "parquet",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Csv => "Comma-separated values",
            Self::Tsv => "Tab-separated values",
            Self::Parquet => "Apache Parquet",
        }
    }

    /// Is it bytes that would confuse a terminal?
    #[must_use]
    pub const fn is_binary(self) -> bool {
        match self {
            Self::Csv | Self::Tsv => false,
            Self::Parquet => true,
        }
    }

    /// Starts a table.
    ///
    /// # Errors
    ///
    /// When there is no column, two have one name, or the output fails.
    pub fn start<'a, W: Write + Send + 'a>(
        self,
        out: W,
        columns: &[Column],
    ) -> Result<Box<dyn RowWriter + 'a>, TableError> {
        Ok(match self {
            Self::Csv => Box::new(Delimited::new(out, columns, b',')?),
            Self::Tsv => Box::new(Delimited::new(out, columns, b'\t')?),
            Self::Parquet => Box::new(Columnar::new(out, columns)?),
        })
    }
}
