//! What stands in a Parquet table? Its columns that count, a batch of rows at a time.

use std::collections::HashSet;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::budget::Budget;
use super::cells::{Cell, Cells, LONGEST};
use super::chunk::{Chunk, Meaning};
use super::columns::{Columns, Field};
use super::{Row, TableError};

/// How many rows are read at once.
const BATCH: usize = 1_024;

/// A Parquet file, and which of its columns count.
pub(super) struct Columnar<'a> {
    path: &'a Path,
    file: SerializedFileReader<File>,
    columns: &'a Columns,
    /// The leaf of the schema, the field and its meaning, of each column that counts.
    leaves: Vec<(usize, Field, Meaning)>,
}

/// The names of the columns.
pub(super) fn names(path: &Path) -> Result<Vec<String>, TableError> {
    let file = open(path)?;
    let fields = file.metadata().file_metadata().schema_descr().root_schema().get_fields();
    Ok(fields.iter().map(|field| field.name().to_owned()).collect())
}

impl<'a> Columnar<'a> {
    /// Opens it, and makes sure that the columns that count can be read.
    pub(super) fn open(path: &'a Path, columns: &'a Columns) -> Result<Self, TableError> {
        let file = open(path)?;
        let schema = file.metadata().file_metadata().schema_descr();
        let mut leaves = Vec::new();
        for leaf in 0..schema.num_columns() {
            // A column of the table may have several leaves, or none of its own name.
            let Some(field) = columns.field(schema.get_column_root_idx(leaf)) else { continue };
            let column = schema.column(leaf);
            let meaning = Meaning::of(&column).map_err(|found| {
                let column = column.path().string();
                TableError::Type { path: path.to_owned(), column, found }
            })?;
            leaves.push((leaf, field, meaning));
        }
        Ok(Self { path, file, columns, leaves })
    }

    pub(super) fn read<E: From<TableError>>(
        &self,
        advance: &dyn Fn(u64),
        each: &mut dyn FnMut(Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut budget = Budget::of(self.path)?;
        let rows = self.file.metadata().row_groups().iter().map(RowGroupMetaData::num_rows);
        rows.map(|rows| u64::try_from(rows).unwrap_or_default()).try_for_each(|rows| budget.rows(rows))?;
        for group in 0..self.file.num_row_groups() {
            let group = unharmed(|| self.file.get_row_group(group)).map_err(|source| self.failed(source))?;
            self.read_group(&*group, &mut budget, each)?;
            advance(u64::try_from(group.metadata().compressed_size()).unwrap_or_default());
        }
        Ok(())
    }

    fn read_group<E: From<TableError>>(
        &self,
        group: &dyn RowGroupReader,
        budget: &mut Budget<'_>,
        each: &mut dyn FnMut(Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut chunks = Vec::new();
        for &(leaf, _, meaning) in &self.leaves {
            let reader = unharmed(|| group.get_column_reader(leaf)).map_err(|source| self.failed(source))?;
            chunks.push(Chunk::new(reader, meaning));
        }
        let mut left = usize::try_from(group.metadata().num_rows()).unwrap_or_default();
        while left > 0 {
            let rows = left.min(BATCH);
            for chunk in &mut chunks {
                unharmed(|| chunk.fill(rows)).map_err(|source| self.failed(source))?;
            }
            // Values of a dictionary are at one place in memory, as long as the batch holds them.
            let mut places = HashSet::new();
            for row in 0..rows {
                let mut cells = Cells::default();
                for (chunk, (_, field, _)) in chunks.iter().zip(&self.leaves) {
                    let cell = chunk.cell(row);
                    let is_repeated = chunk.place(row).is_some_and(|place| !places.insert(place));
                    budget.value(length(&cell), is_repeated)?;
                    cells.set(*field, cell);
                }
                cells.read(self.columns.kind(), each)?;
            }
            left -= rows;
        }
        Ok(())
    }

    fn failed(&self, source: ParquetError) -> TableError {
        TableError::Parquet { path: self.path.to_owned(), source }
    }
}

/// The bytes of a cell, as far as it is read.
fn length(cell: &Cell<'_>) -> u64 {
    let bytes = match cell {
        Cell::Text(text) => text.len(),
        Cell::TooLong => LONGEST,
        _ => size_of::<u64>(),
    };
    bytes as u64
}

fn open(path: &Path) -> Result<SerializedFileReader<File>, TableError> {
    let file = File::open(path).map_err(|source| TableError::Open { path: path.to_owned(), source })?;
    let opened = unharmed(|| {
        let file = SerializedFileReader::new(file)?;
        check(file.metadata())?;
        Ok(file)
    });
    opened.map_err(|source| TableError::Parquet { path: path.to_owned(), source })
}

/// The crate takes it for granted that chunks have a place and a length.
fn check(metadata: &ParquetMetaData) -> Result<(), ParquetError> {
    let mut chunks = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    let is_placed = |chunk: &ColumnChunkMetaData| {
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        start >= 0 && chunk.data_page_offset() >= 0 && chunk.compressed_size() >= 0
    };
    if chunks.all(is_placed) { Ok(()) } else { Err(damaged()) }
}

/// Some damage makes the crate panic; that is an error like others.
fn unharmed<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(damaged()))
}

fn damaged() -> ParquetError {
    ParquetError::General("the file is damaged".to_owned())
}
