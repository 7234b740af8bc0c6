//! What stands in a TSV or CSV table? Cells that count are kept, the others are passed over without being kept.

use std::path::Path;

use super::cells::Cells;
use super::columns::Columns;
use super::rows::Rows;
use super::{Row, TableError};
use crate::add::skip_reason;

/// The most columns of a table.
const MOST_COLUMNS: usize = 4_096;

/// The names of the columns.
pub(super) fn names(path: &Path) -> Result<Vec<String>, TableError> {
    let mut rows = Rows::open(path, &|_| ())?;
    rows.next(&|place| place < MOST_COLUMNS)?;
    Ok(rows.texts().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect())
}

/// Reads all rows but that of the names.
pub(super) fn read<E: From<TableError>>(
    path: &Path,
    columns: &Columns,
    advance: &dyn Fn(u64),
    each: &mut dyn FnMut(Row<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut rows = Rows::open(path, advance)?;
    rows.next(&|_| false)?;
    while rows.next(&|place| columns.field(place).is_some())? {
        if rows.width() != columns.width() {
            each(Row::Skipped(skip_reason::ODD_ROW))?;
            continue;
        }
        let mut cells = Cells::default();
        for (place, cell) in rows.cells() {
            if let Some(field) = columns.field(place) {
                cells.set(field, cell);
            }
        }
        cells.read(columns.kind(), each)?;
    }
    Ok(())
}
