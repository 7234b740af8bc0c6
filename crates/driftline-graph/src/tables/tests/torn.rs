//! Files that end too early, or never were tables.

use super::*;

#[test]
fn a_table_that_ends_too_early_is_an_error() {
    let rows = "https://a.org/\thttps://b.org/\n".repeat(10_000);
    let table = format!("source\ttarget\n{rows}");
    for packed in [gzip(table.as_bytes()), zstd::encode_all(table.as_bytes(), 1).unwrap()] {
        let error = said(&packed[..packed.len() / 2]).unwrap_err().to_string();
        assert!(error.contains("hint: is the file whole?"), "{error}");
        assert_eq!(said(&packed).unwrap().len(), 10_000);
    }
}

#[test]
fn what_is_no_table_is_told_with_what_it_has() {
    let told = |bytes: &[u8]| said(bytes).unwrap_err().to_string();
    assert!(told(b"").contains("no table of pages, links or redirects: it has no row of names"));
    assert!(told(b"\0\0\0\0").contains("its columns are"));
    assert!(told(b"url_key\tage\n").contains("its columns are `url_key`, `age`\nhint: pages have `url`"));
    assert!(told(b"https://a.org/\thttps://b.org/\n").contains("`https://a.org/`, `https://b.org/`"));
    assert!(told(b"0\tcom.example\n1\tcom.example.www\n").contains("graph of hosts"));
    assert!(told("x".repeat(1 << 20).as_bytes()).contains("no row of names"));
    let many = "column\t".repeat(10_000);
    assert!(told(many.as_bytes()).len() < 1_000);
    assert!(told(b"\xff\xfeu\0r\0l\0").contains("no table"));
}

#[test]
fn a_missing_file_and_a_folder_are_told() {
    let folder = TempDir::new().unwrap();
    let missing = read(&folder.path().join("none.tsv"), None).unwrap_err().to_string();
    assert!(missing.starts_with("cannot open"), "{missing}");
    assert!(read(folder.path(), None).is_err());
}
