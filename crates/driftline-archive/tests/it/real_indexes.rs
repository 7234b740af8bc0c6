//! Are lines those of the field? Every archive's as cdxj-indexer 1.5.0 makes them, every index as it stands there.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use driftline_archive::cdxj::{self, BadLine, Digests, Index, Lines, zipnum};
use driftline_archive::warc::Reader;
use driftline_testkit::data::{shared, subset};

use crate::support::{RealFile, real_files};

/// Files in which lines differ: up to which line they agree, and why they do not behind it.
const DIFFERENT: [(&str, usize, &str); 6] = [
    (
        "warcio__example-wrong-chunks.warc.gz",
        0,
        "a record and half of the next in a member, whose length warcio gets wrong",
    ),
    (
        "gowarc__skip-non-open.warc.gz",
        0,
        "records that share a member cannot be sought; warcio finds one -5,639 bytes long",
    ),
    ("ipwb__broken.warc", 2, HEADERS),
    ("jwat__invalid-warcfile-fields-invalidformat.warc", 0, HEADERS),
    ("jwat__invalid-warcfile-record-then-garbage.warc", 1, HEADERS),
    (
        "jwat__valid-warcfile-fields-metainfo.warc",
        0,
        "warcio keeps the white space of folded headers and knows no `\\tmetadata`",
    ),
];
const HEADERS: &str = "behind a record whose length is wrong, warcio takes lines of its body for records of ARC";

#[test]
fn archives_have_the_lines_of_the_field() {
    compare_lines(&subset(), 150);
}

#[test]
#[ignore = "needs the shared data"]
fn archives_have_the_lines_of_the_field_on_the_shared_data() {
    compare_lines(&shared(), 1_000);
}

fn compare_lines(data: &Path, least: usize) {
    let mut different = Vec::new();
    let mut compared = 0;
    for file in real_files(data) {
        let Ok(expected) = fs::read_to_string(file.expected("cdxj")) else { continue };
        let RealFile { path, name, cdxj_error, .. } = file;
        let index = Index::new(Reader::new(File::open(&path).unwrap()), &name, Digests::Computed);
        let lines: Vec<_> = index.flatten().map(|indexed| indexed.line.to_string()).collect();
        let expected: Vec<_> = expected.lines().collect();
        let known = DIFFERENT.iter().find(|(different, ..)| *different == name);
        let agreed = known.map_or(expected.len(), |&(_, agreed, _)| agreed);
        // Where cdxj-indexer stopped, this one may go on.
        let is_whole = known.is_some() || !cdxj_error.is_empty() || lines.len() == expected.len();
        let is_same =
            is_whole && lines.iter().take(agreed).eq(&expected[..agreed]) && (known.is_none() || lines != expected);
        if !is_same {
            let first = lines.iter().zip(&expected).find(|(own, other)| own != other);
            different.push(format!("{name}: {} lines, not {}; {first:#?}", lines.len(), expected.len()));
        }
        compared += expected.len();
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(compared > least, "{compared}");
}

#[test]
fn indexes_are_read() {
    read_indexes(&subset(), 5);
}

#[test]
#[ignore = "needs the shared data"]
fn indexes_are_read_on_the_shared_data() {
    read_indexes(&shared(), 20);
}

fn read_indexes(data: &Path, least: usize) {
    let mut count = 0;
    for RealFile { path, name, kind, .. } in real_files(data) {
        if !["cdx", "cdxj"].contains(&kind.as_str()) {
            continue;
        }
        let lines: Vec<_> = cdxj::open(&path).unwrap().collect();
        let bad: Vec<_> = lines.iter().filter_map(|line| line.as_ref().err()).collect();
        assert!(bad.is_empty() && !lines.is_empty(), "{name}: {bad:?}");
        let is_located = |line: &cdxj::Line| line.offset.is_some() && line.url.is_some();
        let is_elsewhere = name.starts_with("ipwb__");
        assert!(is_elsewhere || lines.iter().flatten().all(is_located), "{name}");
        count += 1;
    }
    assert!(count > least, "{count}");
}

#[test]
fn lines_that_cdxj_indexer_wrote_are_written_the_same() {
    write_again(&subset(), 150);
}

#[test]
#[ignore = "needs the shared data"]
fn lines_that_cdxj_indexer_wrote_are_written_the_same_on_the_shared_data() {
    write_again(&shared(), 1_000);
}

fn write_again(data: &Path, least: usize) {
    let mut count = 0;
    for file in real_files(data) {
        for text in fs::read_to_string(file.expected("cdxj")).unwrap_or_default().lines() {
            let line = cdxj::Line::parse(text).map(|line| line.to_string());
            assert!(line.as_deref() == Some(text) || text.contains("\"length\": \"-"), "{}: {text}", file.name);
            count += 1;
        }
    }
    assert!(count > least, "{count}");
}

#[test]
fn blocks_hold_what_their_file_holds() {
    compare_blocks(&subset().join("warc/files/derived__zipnum.idx"), 13, 60);
}

#[test]
#[ignore = "needs the shared data"]
fn blocks_hold_what_their_file_holds_on_the_shared_data() {
    compare_blocks(&shared().join("warc/files/pywb__zipnum-sample.idx"), 38, 188);
}

fn compare_blocks(index: &Path, blocks_expected: usize, lines_expected: usize) {
    let blocks = zipnum::Blocks::read(BufReader::new(File::open(index).unwrap())).unwrap();
    assert_eq!((blocks.blocks.len(), blocks.bad.len()), (blocks_expected, 0));
    let by_blocks: Vec<_> =
        blocks.blocks.iter().flat_map(|block| block.lines(index).unwrap()).map(Result::unwrap).collect();
    let whole: Vec<_> = cdxj::open(&index.with_extension("cdx.gz")).unwrap().map(Result::unwrap).collect();
    assert_eq!((by_blocks.len(), by_blocks == whole), (lines_expected, true));
    for line in &whole {
        let mut found = blocks.of_key(&line.key).iter().flat_map(|block| block.lines(index).unwrap());
        assert!(found.any(|own| own.is_ok_and(|own| own == *line)), "{}", line.key);
    }
}

#[test]
fn a_table_of_places_has_no_lines() {
    let lines: Vec<_> = Lines::new(b"bar\tinvalid\nfoo2\n".as_slice()).collect();
    assert!(matches!(lines[..], [Err(BadLine::Malformed { number: 1 }), Err(BadLine::Malformed { number: 2 })]));
}
