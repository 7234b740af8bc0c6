//! Does the reader find in real archives what warcio finds? Odd and broken ones are among them.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use driftline_archive::http::Response;
use driftline_archive::warc::{self, Error, Extent, Format, Kind, Place, Reader, Record};
use driftline_testkit::data::{shared, subset};
use serde_json::Value;

use crate::support::{RealFile, real_files};

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

fn open(path: &Path) -> Reader<File> {
    Reader::new(File::open(path).unwrap())
}

/// Type, address, place and length of a record. Warcio gives no address of records in ARC.
type Row = (String, Option<String>, u64, Option<u64>);

/// What warcio tells, and whether it stopped at an error.
fn by_warcio(file: &RealFile) -> (Vec<Row>, bool) {
    let expected = file.expected("records.jsonl");
    let lines = fs::read_to_string(expected).unwrap_or_default();
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    // Of folded headers warcio keeps the white space.
    let trimmed = |text: String| text.trim_start_matches("%20").trim().to_owned();
    let row = |record: &Value| {
        let kind = trimmed(text(&record["type"]).unwrap_or_default());
        Some((kind, text(&record["uri"]).map(trimmed), record["offset"].as_u64()?, record["length"].as_u64()))
    };
    let rows: Vec<Row> = records.iter().filter_map(row).collect();
    let is_stopped = rows.len() < records.len();
    (rows, is_stopped)
}

/// What this reader tells, and its errors.
fn by_us(path: &Path) -> (Vec<Row>, Vec<Error>) {
    let (mut rows, mut errors, mut reader) = (Vec::new(), Vec::new(), open(path));
    while let Some(record) = reader.next() {
        match record {
            Ok(record) => {
                let kind = match record.format {
                    Format::Arc if record.kind == Kind::ArcHeader => "arc_header",
                    Format::Arc => "response",
                    _ => record.headers.get("WARC-Type").unwrap_or_default(),
                };
                let uri = record.target_uri.clone().filter(|_| record.format == Format::Warc);
                rows.push((kind.to_owned(), uri, record.place.offset, reader.finish().map(|extent| extent.length)));
            }
            Err(error) => errors.push(error),
        }
    }
    (rows, errors)
}

#[test]
fn archives_have_the_records_that_warcio_finds() {
    compare_records(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn archives_have_the_records_that_warcio_finds_on_the_shared_data() {
    compare_records(&shared());
}

fn compare_records(data: &Path) {
    let mut different = Vec::new();
    for file in real_files(data).iter().filter(|file| is_archive(file)) {
        let path = &file.path;
        let ((expected, is_stopped), (mut found, errors)) = (by_warcio(file), by_us(path));
        if is_stopped || !file.warcio_error.is_empty() {
            found.truncate(expected.len());
            // Warcio reads on where it should not have.
            let last = expected.len().saturating_sub(1);
            if let (Some(found), Some(expected)) = (found.get_mut(last), expected.get(last)) {
                found.3 = expected.3;
            }
        }
        if found != expected {
            eprintln!("{}\n found {found:?}\n expected {expected:?}\n {errors:?}", path.display());
            different.push(name(path).to_owned());
        }
    }
    assert_eq!(different, [""; 0]);
}

fn is_archive(file: &RealFile) -> bool {
    ["warc", "arc", "wat", "wet"].contains(&file.kind.as_str())
}

#[test]
fn parts_have_the_records_of_the_whole() {
    compare_parts(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn parts_have_the_records_of_the_whole_on_the_shared_data() {
    compare_parts(&shared());
}

fn compare_parts(data: &Path) {
    let (mut files, mut parts) = (0, 0);
    for RealFile { path, .. } in real_files(data).iter().filter(|file| is_archive(file)) {
        let whole = contents(open(path));
        for count in [2, 9] {
            let split = warc::parts(path, count).unwrap();
            assert!((1..=count).contains(&split.len()), "{}: {count}", path.display());
            let joined: Vec<_> = split.iter().flat_map(|part| contents(part.open().unwrap())).collect();
            assert!(joined == whole, "{}: {count} {split:?}", path.display());
            files += 1;
            parts += split.len();
        }
    }
    assert!(parts > files * 2, "{parts} parts of {files} files");
}

/// An address, a place, all bytes in the file, and the body.
type Content = (Option<String>, Place, Option<Extent>, Vec<u8>);

/// All that stands in the records, and where.
fn contents<R: Read>(mut reader: Reader<R>) -> Vec<Content> {
    let mut contents = Vec::new();
    while let Some(record) = reader.next() {
        let Ok(record) = record else { continue };
        let body = reader.body(usize::MAX).unwrap_or_default();
        contents.push((record.target_uri, record.place, reader.finish(), body.bytes));
    }
    contents
}

#[test]
fn archives_that_warcio_cannot_read_have_the_records_of_those_that_it_can() {
    compare_packings(&subset(), &["block-sized-records"]);
}

#[test]
#[ignore = "needs the shared data"]
fn archives_that_warcio_cannot_read_have_the_records_of_those_that_it_can_on_the_shared_data() {
    compare_packings(&shared(), &["block-sized-records", "warcfile"]);
}

/// The same records in other packings.
fn compare_packings(data: &Path, names: &[&str]) {
    for name in names {
        let file = |packing: &str| data.join(format!("warc/files/chatnoir-resiliparse__{name}.warc.{packing}"));
        let bodies = |path: &Path| contents(open(path)).into_iter().map(|(uri, .., body)| (uri, body));
        assert!(bodies(&file("lz4")).eq(bodies(&file("gz"))), "{name}");
        assert!(bodies(&file("lz4")).count() > 2, "{name}");
    }
}

#[test]
fn an_archive_with_a_dictionary_has_the_captures_of_its_index() {
    read_with_dictionary(&subset(), "derived__issue-493-dict.warc.zst", "expected/aut__issue-493.warc.cdxj");
}

#[test]
#[ignore = "needs the shared data"]
fn an_archive_with_a_dictionary_has_the_captures_of_its_index_on_the_shared_data() {
    read_with_dictionary(&shared(), "derived__iana-dict.warc.zst", "files/pywb__iana.cdxj");
}

fn read_with_dictionary(data: &Path, archive: &str, index: &str) {
    for RealFile { path, .. } in real_files(data) {
        if path.extension().is_some_and(|extension| extension == "zst") {
            assert!(open(&path).all(|record| record.is_ok()) && open(&path).count() > 5, "{}", path.display());
        }
    }
    let is_capture = |record: &Record| matches!(record.kind, Kind::Response | Kind::Revisit);
    let records = open(&data.join("warc/files").join(archive)).map(Result::unwrap).filter(is_capture);
    let mut found: Vec<String> = records.filter_map(|record| record.target_uri).collect();
    let index = fs::read_to_string(data.join("warc").join(index)).unwrap();
    let fields = |line: &str| serde_json::from_str::<Value>(&line[line.find('{').unwrap()..]).unwrap();
    let mut expected: Vec<String> =
        index.lines().map(|line| fields(line)["url"].as_str().unwrap().to_owned()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn nothing_makes_the_reader_stop_or_fail() {
    read_everything(&subset(), 75);
}

#[test]
#[ignore = "needs the shared data"]
fn nothing_makes_the_reader_stop_or_fail_on_the_shared_data() {
    read_everything(&shared(), 200);
}

fn read_everything(data: &Path, least: usize) {
    let files = real_files(data);
    assert!(files.len() > least, "{}", files.len());
    for RealFile { path, .. } in files {
        let mut reader = open(&path);
        let (mut records, mut errors) = (0, Vec::new());
        while let Some(record) = reader.next() {
            match record.and_then(|record| Ok((record.kind, reader.body(1 << 20)?))) {
                Ok((kind, body)) => {
                    records += 1;
                    if kind == Kind::Response {
                        let _ = Response::parse(&body.bytes, 1 << 20);
                    }
                }
                Err(error) => errors.push(error),
            }
        }
        let is_last = |error: &Error| error.is_last();
        assert!(errors.iter().rev().skip(1).all(|error| !is_last(error)), "{}: {errors:?}", path.display());
        let is_empty = fs::read(&path).unwrap().trim_ascii().is_empty();
        assert!(records + errors.len() > 0 || is_empty, "{}", path.display());
    }
}
