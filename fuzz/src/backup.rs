//! Any bytes are read as what other monitors kept: a backup of changedetection.io, files in one, a file of jobs,
//! a version of webchanges.
//!
//! The first byte chooses which.

use std::hint::black_box;
use std::io::{Cursor, Write};
use std::path::Path;

use driftline_archive::import::changedetection::Backup;
use driftline_archive::import::urlwatch::{Jobs, Snapshot};
use driftline_archive::import::{Error, Kept};
use zip::write::{SimpleFileOptions, ZipWriter};

const ID: &str = "bc4bd629-5213-4131-af89-99b45a19f8cd";
const PATH: &str = "backup.zip";

/// One run.
pub fn run(bytes: &[u8]) {
    let Some((&choice, rest)) = bytes.split_first() else {
        return;
    };
    match choice % 5 {
        0 => read(rest.to_vec()),
        // A zip whose index, history and one of its versions are anything.
        1 => read(backup("watch.json", rest)),
        2 => read(backup("history.txt", rest)),
        3 => read(backup("a.txt.br", rest)),
        _ => {
            let _ = black_box(Snapshot::parse(rest));
            let _ = black_box(Jobs::parse(&String::from_utf8_lossy(rest)));
        }
    }
}

fn read(zip: Vec<u8>) {
    let Ok(backup) = Backup::from_zip(Path::new(PATH), Box::new(Cursor::new(zip))) else {
        return;
    };
    let read = backup.read(&mut |kept| {
        if let Kept::Version(version) = kept {
            assert!(version.url.starts_with("http") && version.body.len() <= 64 << 20);
        }
        Ok(())
    });
    assert!(matches!(read, Ok(()) | Err(Error::Bomb { .. })), "nothing else ends it");
}

/// A backup with one version, in which one file is these bytes.
fn backup(name: &str, bytes: &[u8]) -> Vec<u8> {
    let files: [(&str, &[u8]); 3] = [
        ("watch.json", br#"{"url": "http://example.org/"}"#),
        ("history.txt", b"1700000000,a.txt.br\n"),
        ("a.txt.br", b"\x0b\x02\x80hello\x03"),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |path: &str, bytes: &[u8]| {
        zip.start_file(path, SimpleFileOptions::default()).and_then(|()| Ok(zip.write_all(bytes)?)).expect("memory");
    };
    add("changedetection.json", b"{}");
    for (own, usual) in files {
        add(&format!("{ID}/{own}"), if own == name { bytes } else { usual });
    }
    zip.finish().expect("memory").into_inner()
}
