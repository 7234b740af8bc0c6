//! Is each kind of damage found and named? Every test breaks a good archive in one way.

use std::fs;
use std::path::PathBuf;

use super::super::sample::{PAGE, append, archive, capture, of_day};
use super::*;
use crate::archive::Options;
use driftline_catalog::{Moved, Relocation, StoredCapture};

/// An archive, and its only segment.
fn sample() -> (tempfile::TempDir, Archive, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &["one", "one", "two", "three"]);
    let path = archive.folder().closed(&of_day(&archive, 0).segment);
    (folder, archive, path)
}

fn faults(archive: &Archive) -> Vec<(Fault, Option<u64>)> {
    let verified = verify(archive, Depth::Records, &|_| ()).unwrap();
    verified.problems.into_iter().map(|problem| (problem.fault, problem.offset)).collect()
}

/// Rewrites a segment, whose length stays.
fn damage(path: &PathBuf, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Writes a record in the place of another, whose packed length may differ by what an extra field takes up.
fn replaced(archive: &Archive, path: &PathBuf, row: &StoredCapture, change: impl FnOnce(String) -> String) {
    use std::io::{Read, Write};
    let bytes = fs::read(path).unwrap();
    let (start, end) = (row.capture.offset as usize, (row.capture.offset + row.capture.length) as usize);
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[start..end]).read_to_string(&mut text).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(change(text).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let growth = (packed.len() as u64).cast_signed() - row.capture.length.cast_signed();
    fs::write(path, [&bytes[..start], &packed, &bytes[end..]].concat()).unwrap();
    let rows = archive.catalog().captures_in(&row.segment, 0, 100).unwrap();
    let shifted = |own: &StoredCapture| Moved {
        capture: own.id,
        segment: row.segment.clone(),
        offset: own.capture.offset.saturating_add_signed(if own.capture.offset > row.capture.offset {
            growth
        } else {
            0
        }),
        length: if own.id == row.id { packed.len() as u64 } else { own.capture.length },
    };
    let mut moved: Vec<_> = rows.iter().map(shifted).collect();
    if growth > 0 {
        moved.reverse();
    }
    let mut segment = archive.catalog().segment(&row.segment).unwrap().unwrap();
    segment.bytes = segment.bytes.saturating_add_signed(growth);
    archive.catalog().relocate(&Relocation { moved, segments: vec![segment], ..Relocation::default() }).unwrap();
}

#[test]
fn an_archive_that_is_well_has_no_problems() {
    let (_folder, archive, path) = sample();
    let seen = std::sync::atomic::AtomicU64::new(0);
    let count = |bytes| _ = seen.fetch_add(bytes, std::sync::atomic::Ordering::Relaxed);
    let verified = verify(&archive, Depth::Records, &count).unwrap();
    assert_eq!((verified.faults, verified.segments, verified.captures), (0, 1, 4));
    assert_eq!(verified.records, 1 + 4 * 3);
    let length = fs::metadata(path).unwrap().len();
    assert_eq!((verified.bytes, seen.into_inner()), (length, length));
}

#[test]
fn a_segment_that_is_being_written_is_checked_as_far_as_it_is_acknowledged() {
    let (folder, archive, _) = sample();
    append(&archive, "http://example.org/other", &["a", "b"]);
    let open =
        archive.folder().names().unwrap().into_iter().find(|(name, _)| name.ends_with(crate::segment::OPEN)).unwrap().0;
    let torn = |text: &[u8]| {
        use std::io::Write;
        let path = archive.folder().path().join(&open);
        fs::OpenOptions::new().append(true).open(path).unwrap().write_all(text).unwrap();
    };
    torn(b"on its way");
    let reader = Archive::open_to_read(&Options::at(folder.path())).unwrap();
    assert_eq!(faults(&reader), []);
}

#[test]
fn what_is_written_while_it_is_checked_is_no_problem() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let (folder, archive, _) = sample();
    let reader = Archive::open_to_read(&Options::at(folder.path())).unwrap();
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..300 {
                archive.append(&capture("http://example.org/busy", number, &number.to_string())).unwrap();
                if number % 7 == 0 {
                    archive.seal().unwrap();
                }
            }
            is_done.store(true, Ordering::Release);
        });
        while !is_done.load(Ordering::Acquire) {
            assert_eq!(verify(&reader, Depth::Records, &|_| ()).unwrap().problems, []);
        }
    });
    assert_eq!(verify(&reader, Depth::Records, &|_| ()).unwrap().captures, 4 + 300);
}

#[test]
fn an_abandoned_segment_and_its_torn_end_are_told() {
    let (folder, archive, _) = sample();
    archive.append(&capture(PAGE, 7, "four")).unwrap();
    let row = of_day(&archive, 7);
    let bytes = fs::read(archive.folder().open(&row.segment)).unwrap();
    drop(archive);
    // As a crash would have left it.
    let archive = Archive::open_to_read(&Options::at(folder.path())).unwrap();
    fs::remove_file(archive.folder().closed(&row.segment)).unwrap();
    fs::write(archive.folder().open(&row.segment), [&bytes, &bytes[..99]].concat()).unwrap();
    let end = Some(bytes.len() as u64);
    let found = faults(&archive);
    assert_eq!(found.iter().map(|(fault, _)| *fault).collect::<Vec<_>>(), [Fault::Abandoned, Fault::TornTail]);
    assert_eq!(found.iter().map(|(_, offset)| *offset).collect::<Vec<_>>(), [end, end]);
    // And who writes puts it in order.
    let archive = Archive::open_at(folder.path()).unwrap();
    assert_eq!(faults(&archive), []);
}

#[test]
fn damaged_bytes_are_told_with_their_place() {
    let (_folder, archive, path) = sample();
    let row = of_day(&archive, 2);
    damage(&path, |bytes| bytes[row.capture.offset as usize + 40] ^= 0xff);
    let offset = Some(row.capture.offset);
    let found = faults(&archive);
    assert!(found.contains(&(Fault::Damaged, offset)), "{found:?}");
    assert!(found.contains(&(Fault::RecordMissing, offset)), "{found:?}");
}

#[test]
fn a_record_that_was_altered_is_told_by_its_digests() {
    let (_folder, archive, path) = sample();
    let row = of_day(&archive, 2);
    replaced(&archive, &path, &row, |text| text.replace("<p>two</p>", "<p>too</p>"));
    let offset = Some(row.capture.offset);
    assert_eq!(faults(&archive), [(Fault::BlockDigest, offset), (Fault::PayloadDigest, offset)]);
    let verified = verify(&archive, Depth::Records, &|_| ()).unwrap();
    assert!(verified.problems[0].detail.contains("sha1:") && !verified.problems[0].cure.is_empty());
}

#[test]
fn a_row_that_says_something_else_is_told() {
    let (_folder, archive, path) = sample();
    let row = of_day(&archive, 2);
    replaced(&archive, &path, &row, |text| text.replace("example.org/\r\n", "example.net/\r\n"));
    let verified = verify(&archive, Depth::Records, &|_| ()).unwrap();
    let problem = &verified.problems[0];
    assert_eq!((problem.fault, problem.detail.as_str()), (Fault::RowDiffers, "in its address"));
}

#[test]
fn records_and_rows_without_each_other_are_told() {
    let (_folder, archive, _) = sample();
    let row = of_day(&archive, 2);
    let dropped = vec![row.id];
    archive.catalog().relocate(&Relocation { dropped, ..Relocation::default() }).unwrap();
    assert_eq!(faults(&archive), [(Fault::RowMissing, Some(row.capture.offset))]);
    let other = of_day(&archive, 3);
    let moved = vec![Moved {
        capture: other.id,
        segment: other.segment.clone(),
        offset: other.capture.offset + 1,
        length: other.capture.length,
    }];
    archive.catalog().relocate(&Relocation { moved, ..Relocation::default() }).unwrap();
    let found = faults(&archive);
    assert!(found.contains(&(Fault::RecordMissing, Some(other.capture.offset + 1))), "{found:?}");
    assert!(found.contains(&(Fault::RowMissing, Some(other.capture.offset))), "{found:?}");
}

#[test]
fn files_that_are_missing_short_long_or_unknown_are_told_quickly() {
    let quick = |archive: &Archive| -> Vec<Fault> {
        let verified = verify(archive, Depth::Files, &|_| ()).unwrap();
        assert_eq!(verified.records, 0);
        verified.problems.iter().map(|problem| problem.fault).collect()
    };
    let (_folder, archive, path) = sample();
    assert_eq!(quick(&archive), []);
    fs::copy(&path, path.with_file_name("other.warc.gz")).unwrap();
    assert_eq!(quick(&archive), [Fault::FileUnknown]);
    fs::remove_file(path.with_file_name("other.warc.gz")).unwrap();
    damage(&path, |bytes| bytes.extend_from_slice(b"more"));
    assert_eq!(quick(&archive), [Fault::FileLong]);
    damage(&path, |bytes| bytes.truncate(100));
    assert_eq!(quick(&archive), [Fault::FileShort]);
    fs::remove_file(&path).unwrap();
    assert_eq!(quick(&archive), [Fault::FileMissing]);
}

#[test]
fn a_revisit_without_its_original_is_told() {
    let (_folder, archive, _) = sample();
    let row = of_day(&archive, 0);
    archive.catalog().relocate(&Relocation { dropped: vec![row.id], ..Relocation::default() }).unwrap();
    let found = faults(&archive);
    assert!(found.contains(&(Fault::OriginalMissing, Some(of_day(&archive, 1).capture.offset))), "{found:?}");
}

#[test]
fn what_a_compaction_left_is_told() {
    let (_folder, archive, path) = sample();
    fs::write(path.with_file_name("x.warc.gz.compacted"), b"").unwrap();
    assert_eq!(faults(&archive), [(Fault::Leftover, None)]);
}

#[test]
fn a_payload_digest_may_be_that_of_the_body_without_its_chunks() {
    use crate::capture::{Content, Exchange};
    let (_folder, archive, path) = sample();
    let mut chunked = capture("http://example.org/chunked", 0, "");
    let head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    let body = b"4\r\nwhat\r\n4\r\never\r\n0\r\n\r\n".to_vec();
    let received = driftline_catalog::digest::Digest::sha1(&body).to_string();
    chunked.content = Content::Http(Exchange { head, body, ..Exchange::default() });
    let row = archive.append(&chunked).unwrap();
    archive.seal().unwrap();
    let path = path.with_file_name(&row.segment);
    assert_eq!(faults(&archive), []);
    let joined = driftline_catalog::digest::Digest::sha1(b"whatever").to_string();
    replaced(&archive, &path, &row, |text| text.replace(&received, &joined));
    let of_payload = |archive: &Archive| faults(archive).iter().any(|(fault, _)| *fault == Fault::PayloadDigest);
    assert!(!of_payload(&archive));
    let wrong = driftline_catalog::digest::Digest::sha1(b"whoever").to_string();
    let row = archive.catalog().capture(row.id).unwrap().unwrap();
    replaced(&archive, &path, &row, |text| text.replace(&joined, &wrong));
    assert!(of_payload(&archive));
}
