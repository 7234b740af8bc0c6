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
fn the_same_menu_on_every_page_of_a_crawl_is_read() {
    let address = |name: &str, at: usize| format!("https://a.org/{name}{at:0180}");
    let pages: Vec<String> = (0..4_000).map(|at| address("page", at)).collect();
    let menu: Vec<String> = (0..100).map(|at| address("menu", at)).collect();
    let links = || pages.iter().flat_map(|page| menu.iter().map(move |link| (page, link)));
    let sources = Column::Texts(links().map(|(page, _)| Some(page.as_str())).collect());
    let targets = Column::Texts(links().map(|(_, link)| Some(link.as_str())).collect());
    let schema = "optional binary source (UTF8); optional binary target (UTF8);";
    let table = parquet(schema, parquet::basic::Compression::SNAPPY, &[sources, targets]);
    let cells = links().map(|(page, link)| page.len() + link.len()).sum::<usize>();
    assert!(cells > (64 << 20) + 200 * table.len(), "{cells} bytes of cells in {}", table.len());
    assert_eq!(said(table).unwrap().len(), 400_000);
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
