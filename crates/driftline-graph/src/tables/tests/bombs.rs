//! Small tables of very many rows that are alike.

use super::parquet_files::{Column, parquet};
use super::*;

/// How often a table is more than may be.
fn refused(table: &[u8]) -> String {
    let error = said(table).unwrap_err();
    assert!(matches!(error, TableError::Bomb { .. }), "{error}");
    error.to_string()
}

#[test]
fn rows_that_take_no_space_are_refused_before_they_are_read() {
    let texts = Column::Texts(vec![Some("https://a.org/"); 400_000]);
    let table = parquet("optional binary url (UTF8);", parquet::basic::Compression::SNAPPY, &[texts]);
    assert!(table.len() < 4_000, "{}", table.len());
    let error = refused(&table);
    assert!(error.contains("` unpacks to more than 2") && error.contains(" rows, too much for its "), "{error}");
    assert!(error.contains("\nhint: rows that differ need more"), "{error}");
}

#[test]
fn long_cells_that_take_no_space_are_refused() {
    let long = format!("https://a.org/{}", "x".repeat(8_000));
    let texts = Column::Texts(vec![Some(&long); 10_000]);
    let table = parquet("optional binary url (UTF8);", parquet::basic::Compression::SNAPPY, &[texts]);
    assert!(refused(&table).contains(" bytes, too much for its "));
}

#[test]
fn packed_text_is_refused_if_it_unpacks_to_far_more_than_its_size() {
    let rows = gzip(format!("url\n{}", "a\n".repeat(400_000)).as_bytes());
    assert!(refused(&rows).contains(" rows, too much"));
    let endless_cell = zstd::encode_all([b"url\n", "x".repeat(70 << 20).as_bytes()].concat().as_slice(), 1).unwrap();
    assert!(refused(&endless_cell).contains(" bytes, too much"));
}

#[test]
fn the_same_rows_are_read_from_a_file_that_is_not_packed() {
    let rows = format!("url\n{}", "a\n".repeat(400_000));
    assert_eq!(said(rows).unwrap().len(), 400_000);
}
