//! How do results leave for other tools? As rows of typed columns, in CSV or Parquet.
//!
//! CSV for spreadsheets and eyes, Parquet where types and nulls must survive. Both writers
//! take one row at a time and keep a bounded part of the table in memory, so a crawl of
//! any length can be written.
//!
//! ```
//! use driftline_report::table::{self, Column, Kind, Value};
//!
//! let columns = [Column::new("url", Kind::Text), Column::new("degree", Kind::Real)];
//! let mut out = Vec::new();
//! let mut writer = table::csv(&mut out, &columns)?;
//! writer.write(&["https://example.org/".into(), 0.25.into()])?;
//! writer.write(&["https://example.org/new".into(), Value::Null])?;
//! writer.finish()?;
//! assert_eq!(out, b"url,degree\nhttps://example.org/,0.25\nhttps://example.org/new,\n");
//! # Ok::<(), table::TableError>(())
//! ```

mod columnar;
mod delimited;
mod format;

use std::fmt;
use std::io::{self, Write};

pub use format::Format;

/// Writes a table row by row. Dropping it without [`finish`](RowWriter::finish) leaves an
/// incomplete file.
pub trait RowWriter: Send {
    /// Writes one row: a value a column, in the columns' order.
    ///
    /// # Errors
    ///
    /// When the row does not fit the columns (nothing of it is written then), or the output
    /// fails.
    fn write(&mut self, row: &[Value]) -> Result<(), TableError>;

    /// Writes what is still in memory and closes the table.
    ///
    /// # Errors
    ///
    /// When the output fails.
    fn finish(self: Box<Self>) -> Result<(), TableError>;
}

/// Starts a CSV table: a line of names, then a line a row.
///
/// A null is an empty field, as is an empty text: CSV cannot tell them apart.
///
/// # Errors
///
/// When there is no column, two have one name, or the output fails.
pub fn csv<'a, W: Write + Send + 'a>(out: W, columns: &[Column]) -> Result<Box<dyn RowWriter + 'a>, TableError> {
    Format::Csv.start(out, columns)
}

/// Starts a TSV table: as [`csv()`], with tabs between the values.
///
/// # Errors
///
/// When there is no column, two have one name, or the output fails.
pub fn tsv<'a, W: Write + Send + 'a>(out: W, columns: &[Column]) -> Result<Box<dyn RowWriter + 'a>, TableError> {
    Format::Tsv.start(out, columns)
}

/// Starts a Parquet table: zstd-compressed, every column optional.
///
/// # Errors
///
/// When there is no column, two have one name, or the output fails.
pub fn parquet<'a, W: Write + Send + 'a>(out: W, columns: &[Column]) -> Result<Box<dyn RowWriter + 'a>, TableError> {
    Format::Parquet.start(out, columns)
}

/// A named column of one kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Unique in its table.
    pub name: &'static str,
    /// What its values are, when they are not null.
    pub kind: Kind,
}

impl Column {
    /// A column from its two parts.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind }
    }
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// A signed 64-bit integer.
    Integer,
    /// A 64-bit floating-point number.
    Real,
    /// True or false.
    Flag,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text => "text",
            Self::Integer => "an integer",
            Self::Real => "a real number",
            Self::Flag => "a flag",
        })
    }
}

/// One cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Not known; allowed in every column.
    Null,
    /// UTF-8 text.
    Text(String),
    /// A signed 64-bit integer.
    Integer(i64),
    /// A 64-bit floating-point number, which may be infinite or not a number.
    Real(f64),
    /// True or false.
    Flag(bool),
}

impl Value {
    /// What the value is; nothing for a null.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Null => None,
            Self::Text(_) => Some(Kind::Text),
            Self::Integer(_) => Some(Kind::Integer),
            Self::Real(_) => Some(Kind::Real),
            Self::Flag(_) => Some(Kind::Flag),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(integer: i64) -> Self {
        Self::Integer(integer)
    }
}

impl From<u32> for Value {
    fn from(integer: u32) -> Self {
        Self::Integer(integer.into())
    }
}

impl From<f64> for Value {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The table has no columns.
    #[error("a table needs at least one column")]
    NoColumns,
    /// Two columns have one name.
    #[error("two columns are named `{name}`; rename one of them")]
    DuplicateColumn {
        /// The name.
        name: &'static str,
    },
    /// A row has more or fewer values than the table has columns.
    #[error("row {row} has {found} values for {expected} columns; give one a column, null if unknown")]
    RowLength {
        /// Which row, counted from 1.
        row: u64,
        /// The number of columns.
        expected: usize,
        /// The number of values.
        found: usize,
    },
    /// A value is not of its column's kind.
    #[error("row {row}: column `{column}` holds {expected}, not {found}")]
    WrongKind {
        /// Which row, counted from 1.
        row: u64,
        /// The column's name.
        column: &'static str,
        /// The column's kind.
        expected: Kind,
        /// The value's kind.
        found: Kind,
    },
    /// The output failed. A closed pipe is found here as [`io::ErrorKind::BrokenPipe`].
    #[error("cannot write the table")]
    Write(#[from] io::Error),
}

/// The columns of a table, which admit the rows that fit them.
#[derive(Debug)]
struct Heading {
    columns: Vec<Column>,
    rows: u64,
}

impl Heading {
    fn new(columns: &[Column]) -> Result<Self, TableError> {
        if columns.is_empty() {
            return Err(TableError::NoColumns);
        }
        for (place, Column { name, .. }) in columns.iter().enumerate() {
            if columns[..place].iter().any(|earlier| earlier.name == *name) {
                return Err(TableError::DuplicateColumn { name });
            }
        }
        Ok(Self { columns: columns.to_vec(), rows: 0 })
    }

    /// Counts the row, or says why it does not fit.
    fn admit(&mut self, values: &[Value]) -> Result<(), TableError> {
        let row = self.rows + 1;
        let (expected, found) = (self.columns.len(), values.len());
        if expected != found {
            return Err(TableError::RowLength { row, expected, found });
        }
        for (column, value) in self.columns.iter().zip(values) {
            match value.kind() {
                Some(found) if found != column.kind => {
                    let (column, expected) = (column.name, column.kind);
                    return Err(TableError::WrongKind { row, column, expected, found });
                }
                _ => {}
            }
        }
        self.rows = row;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 2] = [Column::new("url", Kind::Text), Column::new("words", Kind::Integer)];

    fn written(row: &[Value]) -> Result<(), TableError> {
        for format in Format::ALL {
            format.start(Vec::new(), &COLUMNS)?.write(row)?;
        }
        Ok(())
    }

    fn message(row: &[Value]) -> String {
        written(row).unwrap_err().to_string()
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused() {
        let refused = "row 1 has 1 values for 2 columns; give one a column, null if unknown";
        assert_eq!(message(&["a".into()]), refused);
        assert!(written(&["a".into(), 1_u32.into(), Value::Null]).is_err());
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_refused() {
        let refused = "row 1: column `words` holds an integer, not a real number";
        assert_eq!(message(&["a".into(), 1.0.into()]), refused);
    }

    #[test]
    fn a_null_fits_every_column() {
        written(&[Value::Null, None::<u32>.into()]).unwrap();
    }

    #[test]
    fn a_table_needs_columns_of_different_names() {
        assert!(matches!(csv(Vec::new(), &[]), Err(TableError::NoColumns)));
        let twice = parquet(Vec::new(), &[COLUMNS[0], COLUMNS[0]]);
        assert!(matches!(twice, Err(TableError::DuplicateColumn { name: "url" })));
    }

    #[test]
    fn a_closed_pipe_is_recognised() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for format in Format::ALL {
            let error = format.start(Closed, &COLUMNS).and_then(RowWriter::finish).unwrap_err();
            let TableError::Write(source) = error else { panic!("{error}") };
            assert_eq!(source.kind(), io::ErrorKind::BrokenPipe);
        }
    }
}
