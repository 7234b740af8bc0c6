//! Captures, versions and changes as rows of a table.

use std::io::Write;

use anyhow::Result;
use driftline_archive::export::Selection;
use driftline_catalog::Catalog;
use driftline_report::table::{self, Column, RowWriter};

use super::columns;
use crate::args::Table;
use crate::progress::Progress;

/// How many addresses are asked for at once.
const URLS: u32 = 100;
/// How many changes are asked for at once.
const CHANGES: u32 = 1_000;

/// Writes a table; how many rows it has.
pub(super) fn write(
    which: Table,
    format: table::Format,
    catalog: &Catalog,
    selection: &Selection,
    output: Box<dyn Write + Send>,
    progress: &Progress,
) -> Result<u64> {
    let columns: Vec<Column> = match which {
        Table::Captures => columns::CAPTURES.to_vec(),
        Table::Versions => [columns::CAPTURES.as_slice(), &columns::VERSIONS].concat(),
        Table::Changes => columns::CHANGES.to_vec(),
    };
    let mut rows = Rows { writer: format.start(output, &columns)?, count: 0, progress };
    match which {
        Table::Captures => captures(catalog, selection, &mut rows)?,
        Table::Versions => versions(catalog, selection, &mut rows)?,
        Table::Changes => changes(catalog, selection, &mut rows)?,
    }
    rows.writer.finish()?;
    Ok(rows.count)
}

/// Rows, counted.
struct Rows<'a> {
    writer: Box<dyn RowWriter>,
    count: u64,
    progress: &'a Progress,
}

impl Rows<'_> {
    fn write(&mut self, row: &[table::Value]) -> Result<()> {
        self.writer.write(row)?;
        self.count += 1;
        self.progress.advance();
        Ok(())
    }
}

fn captures(catalog: &Catalog, selection: &Selection, rows: &mut Rows<'_>) -> Result<()> {
    for stored in selection.of(catalog) {
        rows.write(&columns::capture(&stored?))?;
    }
    Ok(())
}

/// Address after address, each in time order.
fn versions(catalog: &Catalog, selection: &Selection, rows: &mut Rows<'_>) -> Result<()> {
    let mut after = 0;
    while let Some(page) = catalog.versions(after, URLS)? {
        for version in page.items.iter().filter(|version| selection.wants(&version.capture.capture)) {
            let mut row = columns::capture(&version.capture);
            row.push(version.previous.into());
            rows.write(&row)?;
        }
        after = page.next;
    }
    Ok(())
}

/// In the order in which the newer captures came in.
fn changes(catalog: &Catalog, selection: &Selection, rows: &mut Rows<'_>) -> Result<()> {
    let mut after = (i64::MIN, i64::MIN);
    loop {
        let page = catalog.changes(after, CHANGES)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = (last.newer, last.older);
        for change in &page {
            // What was dropped meanwhile has no row.
            let (Some(older), Some(newer)) = (catalog.capture(change.older)?, catalog.capture(change.newer)?) else {
                continue;
            };
            if selection.wants(&newer.capture) {
                rows.write(&columns::change(&older, &newer, change))?;
            }
        }
    }
}
