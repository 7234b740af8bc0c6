//! Many at once: threads of one process, and processes of one archive.

use std::collections::HashSet;
use std::fs::{self, File};
use std::thread;

use driftline_archive::archive::{Archive, Options, Parcel};
use driftline_catalog::CaptureKind;

use super::capture::{archive, page};

#[test]
fn threads_share_one_archive() {
    let (_folder, options, archive) = archive();
    thread::scope(|scope| {
        for thread in 0..8 {
            let archive = &archive;
            scope.spawn(move || {
                for at in 0..25 {
                    let body = format!("{thread} {at}");
                    let kept = archive.append(&page("http://example.org/", thread * 100 + at, &body)).unwrap();
                    assert_eq!(archive.read(&kept, 100).unwrap().body(), body.as_bytes());
                }
            });
        }
    });
    let all = archive.captures_of("http://example.org/").unwrap();
    assert_eq!(all.iter().map(|stored| stored.capture.offset).collect::<HashSet<_>>().len(), 200);
    archive.close().unwrap();
    assert!(Archive::open(&options).unwrap().recovery().is_empty());
}

#[test]
fn an_unchanged_page_from_many_threads_stays_readable() {
    let (_folder, _, archive) = archive();
    thread::scope(|scope| {
        for thread in 0..8 {
            let archive = &archive;
            scope.spawn(move || {
                for at in 0..10 {
                    archive.append(&page("http://example.org/", at * 8 + thread, "same")).unwrap();
                }
            });
        }
    });
    let all = archive.captures_of("http://example.org/").unwrap();
    assert_eq!(all.len(), 80);
    assert!(all.iter().filter(|stored| stored.capture.kind == CaptureKind::Revisit).count() > 0);
    for stored in &all {
        assert_eq!(archive.read(stored, 100).unwrap().body(), b"same");
        if let Some(original) = &stored.capture.refers_to {
            assert!(original.at < stored.capture.at);
        }
    }
}

#[test]
fn two_writers_leave_each_other_alone() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::at(folder.path());
    let (one, other) = (Archive::open(&options).unwrap(), Archive::open(&options).unwrap());
    let first = one.append(&page("http://example.org/", 0, "one")).unwrap();
    let second = other.append(&page("http://example.org/", 1, "other")).unwrap();
    let third = Archive::open(&options).unwrap();
    assert!(third.recovery().is_empty());
    assert_ne!(first.segment, second.segment);
    assert_eq!(third.read(&second, 100).unwrap().body(), b"other");
    one.append(&page("http://example.org/", 2, "three")).unwrap();
    one.close().unwrap();
    assert_eq!(third.read(&first, 100).unwrap().body(), b"one");
    assert_eq!(other.captures_of("http://example.org/").unwrap().len(), 3);
}

#[test]
fn what_was_handed_over_is_written_before_the_lock_ends() {
    let (_folder, options, archive) = archive();
    let is_open = |folder: &std::path::Path| {
        let mut paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        paths.any(|path| path.extension().is_some_and(|extension| extension == "open"))
    };
    let mut random = fastrand::Rng::with_seed(1);
    let noise: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(1 << 20).collect();
    for _ in 0..32 {
        let mut parcel = Parcel::new(archive.packing(), &options.folder);
        parcel.add_packed(&mut noise.as_slice()).unwrap();
        drop(archive.enqueue(parcel).unwrap());
    }
    // Who compacts waits for this lock.
    let lock = File::open(options.folder.join("writers.lock")).unwrap();
    let folder = options.folder.clone();
    let compacting = thread::spawn(move || {
        lock.lock().unwrap();
        is_open(&folder)
    });
    drop(archive);
    assert!(!compacting.join().unwrap(), "somebody still writes");
}

#[test]
fn whoever_opens_does_not_mind_others_who_close() {
    let folder = tempfile::tempdir().unwrap();
    // Every capture closes a segment.
    let options = Options { segment_bytes: 1, ..Options::at(folder.path()) };
    drop(Archive::open(&options).unwrap());
    thread::scope(|scope| {
        for thread in 0..4 {
            let options = &options;
            scope.spawn(move || {
                for round in 0..15 {
                    let archive = Archive::open(options).unwrap();
                    for at in 0..4 {
                        let at = (thread * 15 + round) * 4 + at;
                        archive.append(&page("http://example.org/", at, &at.to_string())).unwrap();
                    }
                    archive.close().unwrap();
                }
            });
        }
    });
    let archive = Archive::open(&options).unwrap();
    assert!(archive.recovery().is_empty(), "{:?}", archive.recovery());
    assert_eq!(archive.captures_of("http://example.org/").unwrap().len(), 240);
}
