//! Where does a row end, and a cell? Text with signs between cells, of any length, read in little memory.
//!
//! In CSV, cells may stand in quotes, with line breaks in them. In TSV a line is a row, whatever quotes there are: an
//! address never begins with one, so those around a cell are taken off. Which of the two it is, the first line says.
//!
//! A quote that nobody closed makes all that follows one cell, rows of the table among it. That must not pass for a
//! table with fewer rows: it is an error, at the end of the file at the latest.

use std::io::{self, BufRead};
use std::path::Path;

use csv_core::ReadFieldResult;

use super::budget::Budget;
use super::cells::{Cell, LONGEST};
use super::{TableError, packing};

/// How much of a cell is taken at once.
const SCRATCH: usize = 4 << 10;
/// The most line breaks in a cell that counts: no address, time or number has one.
const MOST_BREAKS: u64 = 1_000;
/// The most bytes of a cell with line breaks that counts.
const LONGEST_COUNTED: u64 = 1 << 20;
/// The most bytes of one that does not: the texts of whole pages stand in tables of Archives Unleashed.
const LONGEST_OTHER: u64 = 16 << 20;

/// The rows of a table, one at a time.
pub(super) struct Rows<'a> {
    path: &'a Path,
    input: Box<dyn BufRead + 'a>,
    parser: csv_core::Reader,
    is_quoted: bool,
    /// The bytes of the cells that are kept of the current row, one after the other.
    bytes: Vec<u8>,
    kept: Vec<Kept>,
    width: usize,
    budget: Budget<'a>,
}

/// A cell of the current row.
struct Kept {
    place: usize,
    /// Where it ends in the bytes.
    end: usize,
    is_too_long: bool,
}

/// What a cell was the end of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Cell,
    Row,
    Table,
    /// A quote that opened on this line, and is not closed.
    Quote(u64),
}

/// How much stands in the current cell.
#[derive(Debug, Default)]
struct Extent {
    bytes: u64,
    /// Line breaks; there are none but between quotes.
    breaks: u64,
}

impl Extent {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.breaks += bytes.split(|byte| *byte == b'\n').skip(1).count() as u64;
    }

    /// Is it more than anybody writes between two quotes?
    fn is_beyond(&self, counts: bool) -> bool {
        let longest = if counts { LONGEST_COUNTED } else { LONGEST_OTHER };
        self.breaks > 0 && self.bytes > longest || counts && self.breaks > MOST_BREAKS
    }
}

impl<'a> Rows<'a> {
    pub(super) fn open(path: &'a Path, advance: &'a dyn Fn(u64)) -> Result<Self, TableError> {
        let opened = packing::open(path, advance);
        let mut input = opened.map_err(|source| TableError::Open { path: path.to_owned(), source })?;
        let start = input.fill_buf();
        let start = start.map_err(|source| TableError::Read { path: path.to_owned(), line: 0, source })?;
        let is_quoted = !start.split(|byte| *byte == b'\n').next().unwrap_or_default().contains(&b'\t');
        let sign = if is_quoted { b',' } else { b'\t' };
        let parser = csv_core::ReaderBuilder::new().delimiter(sign).quoting(is_quoted).build();
        let budget = Budget::of(path)?;
        Ok(Self { path, input, parser, is_quoted, bytes: Vec::new(), kept: Vec::new(), width: 0, budget })
    }

    /// Goes to the next row and keeps of it what counts; false behind the last one.
    pub(super) fn next(&mut self, counts: &dyn Fn(usize) -> bool) -> Result<bool, TableError> {
        self.bytes.clear();
        self.kept.clear();
        self.width = 0;
        loop {
            let (end, read) = self.cell(counts(self.width)).map_err(|source| TableError::Read {
                path: self.path.to_owned(),
                line: self.parser.line(),
                source,
            })?;
            self.budget.bytes(read)?;
            match end {
                End::Table => return Ok(false),
                End::Quote(line) => return Err(TableError::Quote { path: self.path.to_owned(), line }),
                End::Cell => self.width += 1,
                End::Row => {
                    self.width += 1;
                    self.budget.rows(1)?;
                    return Ok(true);
                }
            }
        }
    }

    /// How many cells the row has.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The cells that were kept, and their places.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, Cell<'_>)> {
        let begins = std::iter::once(0).chain(self.kept.iter().map(|cell| cell.end));
        self.kept.iter().zip(begins).map(|(cell, begin)| {
            let text = std::str::from_utf8(&self.bytes[begin..cell.end]);
            let read = match text {
                _ if cell.is_too_long => Cell::TooLong,
                Ok("") => Cell::Empty,
                Ok(text) => Cell::Text(text),
                Err(_) => Cell::NotText,
            };
            (cell.place, read)
        })
    }

    /// The same as texts; what is none is empty.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells().map(|(_, cell)| if let Cell::Text(text) = cell { text } else { "" })
    }

    /// Reads one cell, and counts its bytes.
    fn cell(&mut self, counts: bool) -> io::Result<(End, u64)> {
        let begin = self.bytes.len();
        let (mut scratch, mut is_too_long, mut extent) = ([0; SCRATCH], false, Extent::default());
        let mut taken = 0;
        let end = loop {
            let input = self.input.fill_buf()?;
            let is_over = input.is_empty();
            // A line break ends every table, if it is not between quotes.
            let (result, read, written) = self.parser.read_field(if is_over { b"\n" } else { input }, &mut scratch);
            if is_over && written > 0 {
                break End::Quote(self.parser.line() - 1 - extent.breaks);
            }
            let read = if is_over { 0 } else { read };
            self.input.consume(read);
            taken += read as u64;
            if !self.budget.has(taken) {
                // It is told by whoever takes them off.
                break End::Cell;
            }
            extent.add(&scratch[..written]);
            if self.is_quoted && extent.is_beyond(counts) {
                break End::Quote(self.parser.line() - extent.breaks);
            }
            if counts && !is_too_long {
                self.bytes.extend_from_slice(&scratch[..written]);
                is_too_long = self.bytes.len() - begin > LONGEST;
            }
            match result {
                ReadFieldResult::Field { record_end: true } => break End::Row,
                ReadFieldResult::Field { record_end: false } => break End::Cell,
                ReadFieldResult::End => break End::Table,
                ReadFieldResult::InputEmpty if is_over => break End::Table,
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            }
        };
        if counts && matches!(end, End::Cell | End::Row) {
            self.keep(begin, is_too_long);
        }
        Ok((end, taken))
    }

    fn keep(&mut self, begin: usize, is_too_long: bool) {
        if is_too_long {
            self.bytes.truncate(begin);
        } else if !self.is_quoted {
            unquote(&mut self.bytes, begin);
        }
        self.kept.push(Kept { place: self.width, end: self.bytes.len(), is_too_long });
    }
}

/// Takes the quotes off that stand around the last cell; two within it are one.
fn unquote(bytes: &mut Vec<u8>, begin: usize) {
    if let [b'"', inner @ .., b'"'] = &bytes[begin..] {
        let plain: Vec<_> = inner.to_vec();
        bytes.truncate(begin);
        let mut after_quote = false;
        for byte in plain {
            after_quote = byte == b'"' && !after_quote;
            if byte != b'"' || after_quote {
                bytes.push(byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &[u8]) -> Vec<String> {
        try_rows(table).unwrap()
    }

    fn try_rows(table: &[u8]) -> Result<Vec<String>, TableError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), table).unwrap();
        let mut rows = Rows::open(file.path(), &|_| ())?;
        let mut read = Vec::new();
        while rows.next(&|place| place != 1)? {
            read.push(format!("{} {:?}", rows.width(), rows.cells().collect::<Vec<_>>()));
        }
        Ok(read)
    }

    /// The line of the quote that is not closed.
    fn open_quote(table: &str) -> Option<u64> {
        match try_rows(table.as_bytes()) {
            Err(TableError::Quote { line, .. }) => Some(line),
            Err(error) => panic!("{error}"),
            Ok(_) => None,
        }
    }

    #[test]
    fn cells_are_split_by_what_the_first_line_has() {
        assert_eq!(rows(b"a\tb\tc\n"), ["3 [(0, Text(\"a\")), (2, Text(\"c\"))]"]);
        assert_eq!(rows(b"a,b,c\r\n\n,x\n"), ["3 [(0, Text(\"a\")), (2, Text(\"c\"))]", "2 [(0, Empty)]"]);
        assert_eq!(rows(b""), Vec::<String>::new());
    }

    #[test]
    fn quotes_hold_cells_together_in_csv_and_are_taken_off_in_tsv() {
        assert_eq!(rows(b"\"a,\"\"\nb\",,\"c\""), ["3 [(0, Text(\"a,\\\"\\nb\")), (2, Text(\"c\"))]"]);
        assert_eq!(rows(b"\"a\"\"b\"\tx\t\"c\n"), ["3 [(0, Text(\"a\\\"b\")), (2, Text(\"\\\"c\"))]"]);
    }

    #[test]
    fn a_cell_without_end_costs_no_memory_and_the_next_row_is_read() {
        let long = "x".repeat(LONGEST + 1);
        let table = format!("{long}\t{long}\tc\nd\te\tf\n");
        assert_eq!(rows(table.as_bytes())[0], "3 [(0, TooLong), (2, Text(\"c\"))]");
        assert_eq!(rows(table.as_bytes())[1], "3 [(0, Text(\"d\")), (2, Text(\"f\"))]");
        let text = format!("a,\"{}\",c", "x,\n".repeat(100_000));
        assert_eq!(rows(text.as_bytes()), ["3 [(0, Text(\"a\")), (2, Text(\"c\"))]"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_an_error_that_names_its_line() {
        let row = "https://a.org/,x,https://b.org/\n";
        assert_eq!(open_quote(&format!("\n\n{row}\"{}", row.repeat(10))), Some(4));
        assert_eq!(open_quote(&format!("{row}a,\"{row}")), Some(2));
        assert_eq!(open_quote("a,b,\""), Some(1));
        assert_eq!(open_quote("a,b,\"c\"\""), Some(1));
        for closed in ["a,b,\"\"", "a,b,\"c\"", "a,b,c\"", "a,b,\"c\"\n\n", "a\tb\t\"c"] {
            assert_eq!(open_quote(closed), None, "{closed:?}");
        }
    }

    #[test]
    fn a_quote_that_only_another_row_closes_is_an_error_if_it_holds_more_than_anybody_writes() {
        let cell = |breaks: usize, bytes: usize| format!("\"{}{}\"", "\n".repeat(breaks), "x".repeat(bytes));
        assert_eq!(open_quote(&format!("a,b,c\n{},b,c\n", cell(1_000, 100))), None);
        assert_eq!(open_quote(&format!("a,b,c\n{},b,c\n", cell(6_000, 0))), Some(2));
        assert_eq!(open_quote(&format!("a,b,c\na,b,{}\n", cell(1, 2 << 20))), Some(2));
        assert_eq!(open_quote(&format!("a,b,c\na,{},c\n", cell(6_000, 2 << 20))), None);
        assert_eq!(open_quote(&format!("a,b,c\na,{},c\n", cell(1, 17 << 20))), Some(2));
        assert_eq!(open_quote(&format!("a,b,c\na,{},c\n", cell(0, 17 << 20))), None);
    }

    #[test]
    fn bytes_that_are_no_text_are_told() {
        assert_eq!(rows(b"\xff\xfe\t\tb\0\n"), ["3 [(0, NotText), (2, Text(\"b\\0\"))]"]);
    }
}
