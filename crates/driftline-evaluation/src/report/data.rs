//! Numbers as CSV.

use driftline_report::table::{self, Column, TableError, Value};

/// A count in a cell.
pub(super) fn integer(count: usize) -> Value {
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}

/// A whole file.
pub(super) fn csv(columns: &[Column], rows: impl Iterator<Item = Vec<Value>>) -> Result<Vec<u8>, TableError> {
    let mut out = Vec::new();
    let mut writer = table::csv(&mut out, columns)?;
    for row in rows {
        writer.write(&row)?;
    }
    writer.finish()?;
    Ok(out)
}
