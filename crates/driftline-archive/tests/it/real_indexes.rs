//! Are lines those of the field? Every archive's as cdxj-indexer 1.5.0 makes them, every index as it stands there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;

use driftline_archive::cdxj::{self, BadLine, Digests, Index, Lines, zipnum};
use driftline_archive::warc::Reader;

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

/// A file, and what cdxj-indexer complained about it.
struct Known {
    path: PathBuf,
    name: String,
    kind: String,
    complaint: String,
}

fn known() -> Vec<Known> {
    let Some(folder) = driftline_testkit::pages::shared_data().map(|data| data.join("warc")) else {
        eprintln!("skipped: there is no ../shared/data");
        return Vec::new();
    };
    let mut rows = csv::Reader::from_path(folder.join("manifest.csv")).unwrap();
    let known = rows.deserialize::<BTreeMap<String, String>>().map(|row| {
        let row = row.unwrap();
        let get = |name: &str| row[name].clone();
        Known {
            path: folder.join("files").join(&row["file"]),
            name: get("file"),
            kind: get("kind"),
            complaint: get("cdxj_error"),
        }
    });
    known.collect()
}

#[test]
fn archives_have_the_lines_of_the_field() {
    let mut different = Vec::new();
    let mut compared = 0;
    for Known { path, name, complaint, .. } in known() {
        let expected = path.parent().unwrap().with_file_name("expected").join(format!("{name}.cdxj"));
        let Ok(expected) = fs::read_to_string(expected) else { continue };
        let index = Index::new(Reader::new(File::open(&path).unwrap()), &name, Digests::Computed);
        let lines: Vec<_> = index.flatten().map(|indexed| indexed.line.to_string()).collect();
        let expected: Vec<_> = expected.lines().collect();
        let known = DIFFERENT.iter().find(|(different, ..)| *different == name);
        let agreed = known.map_or(expected.len(), |&(_, agreed, _)| agreed);
        // Where cdxj-indexer stopped, this one may go on.
        let is_whole = known.is_some() || !complaint.is_empty() || lines.len() == expected.len();
        let is_same =
            is_whole && lines.iter().take(agreed).eq(&expected[..agreed]) && (known.is_none() || lines != expected);
        if !is_same {
            let first = lines.iter().zip(&expected).find(|(own, other)| own != other);
            different.push(format!("{name}: {} lines, not {}; {first:#?}", lines.len(), expected.len()));
        }
        compared += expected.len();
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(compared > 1_000 || known().is_empty(), "{compared}");
}

#[test]
fn indexes_are_read() {
    for Known { path, name, kind, .. } in known() {
        if !["cdx", "cdxj"].contains(&kind.as_str()) {
            continue;
        }
        let lines: Vec<_> = cdxj::open(&path).unwrap().collect();
        let bad: Vec<_> = lines.iter().filter_map(|line| line.as_ref().err()).collect();
        assert!(bad.is_empty() && !lines.is_empty(), "{name}: {bad:?}");
        let is_located = |line: &cdxj::Line| line.offset.is_some() && line.url.is_some();
        let is_elsewhere = name.starts_with("ipwb__");
        assert!(is_elsewhere || lines.iter().flatten().all(is_located), "{name}");
    }
}

#[test]
fn lines_that_cdxj_indexer_wrote_are_written_the_same() {
    for Known { path, name, .. } in known() {
        let expected = path.parent().unwrap().with_file_name("expected").join(format!("{name}.cdxj"));
        for text in fs::read_to_string(expected).unwrap_or_default().lines() {
            let line = cdxj::Line::parse(text).map(|line| line.to_string());
            assert!(line.as_deref() == Some(text) || text.contains("\"length\": \"-"), "{name}: {text}");
        }
    }
}

#[test]
fn blocks_hold_what_their_file_holds() {
    let Some(index) = known().into_iter().find(|known| known.name == "pywb__zipnum-sample.idx") else { return };
    let blocks = zipnum::Blocks::read(BufReader::new(File::open(&index.path).unwrap())).unwrap();
    assert_eq!((blocks.blocks.len(), blocks.bad.len()), (38, 0));
    let by_blocks: Vec<_> =
        blocks.blocks.iter().flat_map(|block| block.lines(&index.path).unwrap()).map(Result::unwrap).collect();
    let whole: Vec<_> = cdxj::open(&index.path.with_extension("cdx.gz")).unwrap().map(Result::unwrap).collect();
    assert_eq!((by_blocks.len(), by_blocks == whole), (188, true));
    for line in &whole {
        let mut found = blocks.of_key(&line.key).iter().flat_map(|block| block.lines(&index.path).unwrap());
        assert!(found.any(|own| own.is_ok_and(|own| own == *line)), "{}", line.key);
    }
}

#[test]
fn a_table_of_places_has_no_lines() {
    let lines: Vec<_> = Lines::new(b"bar\tinvalid\nfoo2\n".as_slice()).collect();
    assert!(matches!(lines[..], [Err(BadLine::Malformed { number: 1 }), Err(BadLine::Malformed { number: 2 })]));
}
