//! Tables of pages and links that other programs made: TSV, CSV and Parquet, row by row.
//!
//! A crawl need not come as WARC files: those who hold one mostly hold tables made from it. A table is known by the
//! names of its columns, ours or those of Archives Unleashed and of Common Crawl's index, never by their places. Only
//! columns that count are read, a cell that is longer than any address costs no memory, and a row that cannot be read
//! is passed over and counted, so that one odd row among a billion is no reason to fail. A table that is seen to end too
//! early is one, for nobody knows what it lacks: packed files and Parquet tell, and so does a quote that is never closed.
//! Plain text that was cut between two rows looks whole.

mod budget;
mod cells;
mod chunk;
mod columnar;
mod columns;
mod delimited;
mod error;
mod packing;
mod rows;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use driftline::novelty::crawl::Row;

use columnar::Columnar;
use columns::Columns;

pub use error::TableError;

/// What a table is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Which addresses were crawled, and when.
    Pages,
    /// Which page links to which address.
    Links,
    /// Which address leads to which other one.
    Redirects,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pages, Self::Links, Self::Redirects];

    /// `pages`, `links` or `redirects`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::Links => "links",
            Self::Redirects => "redirects",
        }
    }
}

/// A table whose columns are understood.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    columns: Columns,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// TSV and CSV, packed or not.
    Delimited,
    Parquet,
}

/// How a Parquet file begins.
const PARQUET: [u8; 4] = *b"PAR1";

impl Table {
    /// Looks at the columns of a table; `kind` is what it is said to be about, if that is known.
    ///
    /// # Errors
    /// If it cannot be opened, or its columns are not those of such a table; the message says which they are.
    pub fn open(path: &Path, kind: Option<Kind>) -> Result<Self, TableError> {
        let form = form(path).map_err(|source| TableError::Open { path: path.to_owned(), source })?;
        let names = match form {
            Form::Parquet => columnar::names(path)?,
            Form::Delimited => delimited::names(path)?,
        };
        let columns = Columns::of(path, &names, kind)?;
        if form == Form::Parquet {
            Columnar::open(path, &columns)?;
        }
        Ok(Self { path: path.to_owned(), columns, form })
    }

    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.columns.kind()
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads all rows, one after the other; `advance` hears how many bytes of the file were read since it was called
    /// last.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, is seen to end too early or holds far more than its size, or `each` fails.
    pub fn read<E: From<TableError>>(
        &self,
        advance: &dyn Fn(u64),
        mut each: impl FnMut(Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.form {
            Form::Parquet => Columnar::open(&self.path, &self.columns)?.read(advance, &mut each),
            Form::Delimited => delimited::read(&self.path, &self.columns, advance, &mut each),
        }
    }
}

fn form(path: &Path) -> std::io::Result<Form> {
    let mut start = Vec::new();
    File::open(path)?.take(PARQUET.len() as u64).read_to_end(&mut start)?;
    Ok(if start == PARQUET { Form::Parquet } else { Form::Delimited })
}

#[cfg(test)]
mod tests;
