//! What is told if a folder or a segment is not there?

use std::fs;

use driftline_archive::archive::{Archive, Error};
use driftline_archive::care::verify::{Depth, Fault, verify};

use super::capture::{archive, page};

const URL: &str = "http://example.org/";

#[test]
fn a_folder_that_is_not_there_is_named_and_not_made_anew() {
    let (_folder, options, archive) = archive();
    let stored = archive.append(&page(URL, 0, "body")).unwrap();
    archive.close().unwrap();
    fs::remove_dir_all(&options.folder).unwrap();
    let Err(error) = Archive::open(&options) else { panic!("it was opened") };
    assert!(matches!(&error, Error::NoFolder { path } if *path == options.folder), "{error}");
    assert!(!options.folder.exists());
    let archive = Archive::open_to_read(&options).unwrap();
    let error = archive.read(&stored, 9).unwrap_err();
    assert!(matches!(error, Error::NoFolder { .. }), "{error}");
    assert!(error.to_string().contains("mounted") && !error.is_lost(), "{error}");
    for depth in [Depth::Files, Depth::Records] {
        let problems = verify(&archive, depth, &|_| ()).unwrap().problems;
        assert_eq!(problems.iter().map(|problem| problem.fault).collect::<Vec<_>>(), [Fault::FileMissing]);
    }
    assert!(!options.folder.exists());
}

#[test]
fn an_archive_without_captures_may_lose_its_folder() {
    let (_folder, options, archive) = archive();
    archive.close().unwrap();
    fs::remove_dir_all(&options.folder).unwrap();
    Archive::open(&options).unwrap().append(&page(URL, 0, "body")).unwrap();
}

#[test]
fn a_segment_that_is_not_there_is_named_as_it_is_when_closed() {
    let (_folder, options, archive) = archive();
    let stored = archive.append(&page(URL, 0, "body")).unwrap();
    archive.seal().unwrap();
    fs::remove_file(options.folder.join(&stored.segment)).unwrap();
    let error = archive.read(&stored, 9).unwrap_err();
    assert!(error.is_lost());
    let error = error.to_string();
    assert!(error.contains(&format!("{}`: it is not there", stored.segment)), "{error}");
}

#[test]
fn a_record_is_lost_if_it_is_damaged_and_not_if_its_disk_fails() {
    let (_folder, options, archive) = archive();
    let stored = archive.append(&page(URL, 0, &"body ".repeat(9))).unwrap();
    archive.seal().unwrap();
    let file = options.folder.join(&stored.segment);
    let whole = fs::read(&file).unwrap();
    let start = usize::try_from(stored.capture.offset).unwrap();
    let mut damaged = whole.clone();
    damaged[start + 60..start + 90].fill(0xff);
    let mut other = whole.clone();
    other.drain(..start.min(9));
    for bytes in [&damaged[..], &whole[..start], &other, b""] {
        fs::write(&file, bytes).unwrap();
        let error = archive.read(&stored, 99).unwrap_err();
        assert!(error.is_lost(), "{error}");
    }
    // No system reads a folder as if it were a file, and a person may mend that.
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let error = archive.read(&stored, 99).unwrap_err();
    assert!(!error.is_lost() && error.to_string().contains(&stored.segment), "{error}");
    fs::remove_dir(&file).unwrap();
    fs::write(&file, &whole).unwrap();
    assert!(archive.read(&stored, 99).is_ok());
}
