//! Does the reader find in real archives what warcio finds? Odd and broken ones are among them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use driftline_archive::http::Response;
use driftline_archive::warc::{Error, Kind, Reader};
use serde_json::Value;

/// Files in which this reader and warcio differ, and why.
const DIFFERENT: [(&str, &str); 17] = [
    (
        "cdx-writer__empty-gzips.warc.gz",
        "warcio counts empty members to the record behind them; a record begins here in its own",
    ),
    ("jwat__invalid-warcfile-lonely-continuation.warc", NO_LENGTH),
    ("jwat__invalid-warcfile-lonely-monkeys.warc", NO_LENGTH),
    ("jwat__invalid-warcfile-lonely-warcinfo-metadata.warc", NO_LENGTH),
    ("jhove__invalid-warcheaderfieldpolicy-11.warc", NO_BODY),
    ("jhove__invalid-warcheaderfieldpolicy-12.warc", NO_BODY),
    ("jhove__invalid-warcheaderfieldpolicy-13.warc", NO_BODY),
    ("jhove__invalid-warcheaderversion-10.warc", NO_HEAD),
    ("jhove__invalid-warcheaderversion-11.warc", NO_HEAD),
    ("jhove__invalid-warcheaderversion-20.warc", "an empty line is no record"),
    ("jhove__invalid-warcheaderversion-21.warc", NO_LENGTH),
    ("jhove__invalid-warcheaderversion-22.warc", NO_HEAD),
    ("jhove__invalid-warcheaderversion-23.warc", NO_HEAD),
    ("jhove__invalid-warcheaderversion-24.warc", NO_HEAD),
    ("jhove__invalid-warcheaderversion-25.warc", NO_HEAD),
    ("jhove__invalid-warcheaderversion-6.warc", NO_HEAD),
    ("jhove__invalid-warcreader-diagnosis-1.warc", "a line about monkeys is no record"),
];
const NO_LENGTH: &str = "a record without a length is told as malformed, where warcio takes it for empty";
const NO_HEAD: &str = "the file ends within the head, which is told, where warcio takes it for a record";
const NO_BODY: &str = "the file ends within the body, which is told behind the record, where warcio passes it over";

/// What is known about a file.
struct Known {
    path: PathBuf,
    kind: String,
    complaint: String,
}

/// All files, if this machine has them.
fn archives() -> Option<Vec<Known>> {
    let Some(folder) = driftline_testkit::pages::shared_data().map(|data| data.join("warc")) else {
        eprintln!("skipped: there is no ../shared/data");
        return None;
    };
    let mut rows = csv::Reader::from_path(folder.join("manifest.csv")).unwrap();
    let known = rows.deserialize::<BTreeMap<String, String>>().map(|row| {
        let row = row.unwrap();
        Known {
            path: folder.join("files").join(&row["file"]),
            kind: row["kind"].clone(),
            complaint: row["warcio_error"].clone(),
        }
    });
    Some(known.collect())
}

fn open(path: &Path) -> Reader<BufReader<File>> {
    Reader::new(BufReader::new(File::open(path).unwrap()))
}

/// Type, address and place of each record, as warcio tells them.
fn by_warcio(path: &Path) -> Vec<(String, Option<String>, u64)> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let expected = path.parent().unwrap().with_file_name("expected").join(format!("{name}.records.jsonl"));
    let lines = fs::read_to_string(expected).unwrap_or_default();
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    // Of folded headers warcio keeps the white space.
    let trimmed = |text: String| text.trim_start_matches("%20").trim().to_owned();
    records
        .map(|record| {
            (
                trimmed(text(&record["type"]).unwrap_or_default()),
                text(&record["uri"]).map(trimmed),
                record["offset"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn archives_that_warcio_reads_have_the_same_records_here() {
    let archives = archives().unwrap_or_default();
    let mut different = Vec::new();
    for Known { path, .. } in archives.iter().filter(|known| known.kind == "warc" && known.complaint.is_empty()) {
        let found: Vec<_> = open(path)
            .flatten()
            .map(|record| {
                let kind = record.headers.get("WARC-Type").unwrap_or_default().to_owned();
                (kind, record.target_uri.map(|uri| uri.replace(' ', "%20")), record.place.offset)
            })
            .collect();
        if found != by_warcio(path) {
            different.push(path);
        }
    }
    let names: Vec<_> = different.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let known = DIFFERENT.map(|(name, _)| name).into_iter().filter(|_| !archives.is_empty());
    assert_eq!(names, known.collect::<Vec<_>>());
}

#[test]
fn nothing_makes_the_reader_stop_or_fail() {
    for Known { path, .. } in archives().unwrap_or_default() {
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
