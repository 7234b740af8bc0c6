//! What is there after a crash? Segments cut at every byte, with garbage behind them, and with old catalogs.

use std::fs;
use std::path::{Path, PathBuf};

use driftline_archive::archive::{Archive, Options};
use driftline_archive::capture::Content;
use driftline_catalog::{Catalog, StoredCapture};

use super::capture::{page, second};

const URL: &str = "http://example.org/";

/// A folder as a dead process leaves it: an open segment with captures, of which the catalog knows the first
/// `known`. Where each capture ends, with all of its records.
struct Crashed {
    folder: tempfile::TempDir,
    segment: String,
    bytes: Vec<u8>,
    captures: Vec<StoredCapture>,
}

impl Crashed {
    fn new(known: usize, all: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::at(folder.path());
        let archive = Archive::open(&options).unwrap();
        let append = |at: usize| archive.append(&page(URL, i64::try_from(at).unwrap(), &format!("body {at}"))).unwrap();
        let mut captures: Vec<_> = (0..known).map(append).collect();
        // A copy of the catalog from before the others.
        let old = folder.path().join("old.db");
        backup(&options, &old);
        captures.extend((known..all).map(append));
        let segment = captures[0].segment.clone();
        let bytes = fs::read(options.folder.join(format!("{segment}.open"))).unwrap();
        archive.close().unwrap();
        Self { folder, segment, bytes, captures }
    }

    /// Lets it be as it was, with these bytes in the open segment.
    fn reset(&self, bytes: &[u8]) -> Options {
        let options = Options::at(self.folder.path());
        fs::remove_dir_all(&options.folder).unwrap();
        fs::create_dir(&options.folder).unwrap();
        fs::write(options.folder.join(format!("{}.open", self.segment)), bytes).unwrap();
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(self.folder.path().join(format!("catalog.db{suffix}")));
        }
        fs::copy(self.folder.path().join("old.db"), self.folder.path().join("catalog.db")).unwrap();
        options
    }

    /// Opens it and checks that exactly the whole captures are there.
    fn check(&self, options: &Options, length: usize) -> Archive {
        let archive = Archive::open(options).unwrap();
        let whole: Vec<_> = self.captures.iter().filter(|stored| end(stored) <= length as u64).collect();
        let found = archive.captures_of(URL).unwrap();
        assert_eq!(found.len(), whole.len(), "{length}");
        for (found, whole) in found.iter().zip(whole) {
            assert_eq!(found.capture, whole.capture);
            assert_eq!(archive.read(found, 100).unwrap().body(), archive_body(found).as_bytes());
        }
        archive
    }
}

fn archive_body(found: &StoredCapture) -> String {
    format!("body {}", (found.capture.at.microseconds() - second(0).microseconds()) / 1_000_000)
}

fn end(stored: &StoredCapture) -> u64 {
    stored.capture.offset + stored.capture.length
}

/// A copy of the catalog as it is now.
fn backup(options: &Options, to: &Path) {
    let from: PathBuf = options.folder.parent().unwrap().join("catalog.db");
    // Opening it alone folds the log into the file when it is closed.
    drop(Catalog::open(from.clone()).unwrap());
    fs::copy(&from, to).unwrap();
    let log = fs::read(from.with_extension("db-wal")).unwrap_or_default();
    if !log.is_empty() {
        fs::write(to.with_extension("db-wal"), log).unwrap();
        drop(Catalog::open(to.to_owned()).unwrap());
    }
}

#[test]
fn a_segment_that_is_cut_opens_with_all_that_is_whole() {
    let crashed = Crashed::new(2, 4);
    let acknowledged = crashed.captures[2].capture.offset as usize;
    // Every byte is tried beside `segment::scan`, which decides; here are steps of a prime, and the ends of records.
    let ends = crashed.captures.iter().map(|stored| end(stored) as usize).flat_map(|end| end - 1..=end + 1);
    let steps = (acknowledged..crashed.bytes.len()).step_by(53);
    for length in steps.chain(ends.filter(|&end| end >= acknowledged)).chain([crashed.bytes.len()]) {
        let options = crashed.reset(&crashed.bytes[..length]);
        let archive = crashed.check(&options, length);
        let recovery = archive.recovery();
        assert_eq!(recovery.adopted as usize, archive.captures_of(URL).unwrap().len() - 2);
        let left: u64 = recovery.cut.iter().map(|tear| tear.bytes).sum();
        let closed = fs::metadata(options.folder.join(&crashed.segment)).unwrap().len();
        assert_eq!(closed + left, length as u64);
        assert!(recovery.damaged.is_empty() && recovery.missing.is_empty());
        archive.append(&page(URL, 99, "body 99")).unwrap();
        archive.close().unwrap();
        let again = Archive::open(&options).unwrap();
        assert!(again.recovery().is_empty());
    }
}

#[test]
fn zeros_and_garbage_behind_the_end_are_cut_off() {
    let crashed = Crashed::new(1, 2);
    let mut random = fastrand::Rng::with_seed(1);
    let garbage: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(100_000).collect();
    let member = [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3].repeat(1_000);
    for tail in [vec![0; 200_000], garbage, b"WARC/1.1\r\n".to_vec(), member] {
        let options = crashed.reset(&[crashed.bytes.as_slice(), &tail].concat());
        let archive = crashed.check(&options, crashed.bytes.len());
        let [tear] = archive.recovery().cut.as_slice() else { panic!("{:?}", archive.recovery()) };
        assert_eq!((tear.offset, tear.bytes), (crashed.bytes.len() as u64, tail.len() as u64));
    }
}

/// The middle one of three captures is damaged, and the catalog knows the first.
fn damaged() -> (Crashed, Options) {
    let crashed = Crashed::new(1, 3);
    let mut bytes = crashed.bytes.clone();
    bytes[crashed.captures[1].capture.offset as usize + 30] ^= 1;
    let options = crashed.reset(&bytes);
    (crashed, options)
}

fn times(archive: &Archive) -> Vec<driftline_archive::Time> {
    archive.captures_of(URL).unwrap().iter().map(|stored| stored.capture.at).collect()
}

#[test]
fn damage_in_a_closed_segment_costs_one_capture() {
    let (crashed, options) = damaged();
    let open = options.folder.join(format!("{}.open", crashed.segment));
    fs::rename(open, options.folder.join(&crashed.segment)).unwrap();
    let archive = Archive::open(&options).unwrap();
    assert_eq!(times(&archive), [second(0), second(2)]);
    let [damage] = archive.recovery().damaged.as_slice() else { panic!("{:?}", archive.recovery()) };
    let middle = &crashed.captures[1].capture;
    assert_eq!((damage.offset, damage.bytes), (middle.offset, middle.length));
    assert!(archive.recovery().cut.is_empty() && archive.recovery().set_aside.is_empty());
    drop(archive);
    assert!(Archive::open(&options).unwrap().recovery().is_empty());
}

#[test]
fn what_is_behind_damage_in_an_open_segment_is_set_aside() {
    let (crashed, options) = damaged();
    let archive = Archive::open(&options).unwrap();
    assert_eq!(times(&archive), [second(0)]);
    let [aside] = archive.recovery().set_aside.as_slice() else { panic!("{:?}", archive.recovery()) };
    let start = crashed.captures[1].capture.offset;
    assert_eq!((aside.offset, aside.bytes), (start, crashed.bytes.len() as u64 - start));
    let torn = fs::read(options.folder.join(format!("{}.torn", crashed.segment))).unwrap();
    assert_eq!(torn[31..], crashed.bytes[start as usize + 31..]);
    drop(archive);
    assert!(Archive::open(&options).unwrap().recovery().is_empty());
}

#[test]
fn a_record_within_a_torn_page_is_no_capture() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut noise = || std::iter::repeat_with(|| random.u8(..)).take(600_000).collect::<Vec<_>>();
    let forged = {
        let (folder, options, archive) = super::capture::archive();
        let lie = archive.append(&page("http://bank.test/", 0, "a lie")).unwrap();
        archive.close().unwrap();
        let bytes = fs::read(options.folder.join(&lie.segment)).unwrap();
        drop(folder);
        bytes[lie.capture.offset as usize..end(&lie) as usize].to_vec()
    };
    let folder = tempfile::tempdir().unwrap();
    let options = Options::at(folder.path());
    let archive = Archive::open(&options).unwrap();
    archive.append(&page(URL, 0, "page")).unwrap();
    backup(&options, &folder.path().join("old.db"));
    let mut hostile = page(URL, 1, "");
    let Content::Http(exchange) = &mut hostile.content else { panic!() };
    exchange.body = [noise(), forged.clone(), noise()].concat();
    let hostile = archive.append(&hostile).unwrap();
    let bytes = fs::read(options.folder.join(format!("{}.open", hostile.segment))).unwrap();
    archive.close().unwrap();
    let inside = memchr::memmem::find(&bytes, &forged).expect("it cannot be compressed") + forged.len();
    let crashed = Crashed { folder, segment: hostile.segment, bytes: bytes[..inside].to_vec(), captures: Vec::new() };
    let archive = Archive::open(&crashed.reset(&crashed.bytes)).unwrap();
    assert_eq!(archive.captures_of("http://bank.test/").unwrap(), []);
    assert_eq!((times(&archive).len(), archive.recovery().set_aside.len()), (1, 1));
}

#[test]
fn what_was_written_twice_is_there_once() {
    let crashed = Crashed::new(2, 2);
    let options = crashed.reset(&crashed.bytes);
    let other = options.folder.join("p-20240101000000000-00000-1~h.warc.gz.open");
    fs::write(&other, &crashed.bytes).unwrap();
    let archive = crashed.check(&options, crashed.bytes.len());
    assert_eq!((archive.recovery().adopted, other.exists(), other.with_extension("").exists()), (0, false, false));
}

#[test]
fn a_segment_with_records_that_are_no_captures_stays() {
    let crashed = Crashed::new(2, 2);
    let options = crashed.reset(&crashed.bytes);
    let [first, second] = crashed.captures.as_slice() else { panic!() };
    // The question and what else is known of the first capture, behind the first record.
    let start = &crashed.bytes[..first.capture.offset as usize];
    let rest = &crashed.bytes[end(first) as usize..second.capture.offset as usize];
    let name = "p-20240101000000000-00000-1~h.warc.gz";
    fs::write(options.folder.join(format!("{name}.open")), [start, rest].concat()).unwrap();
    let archive = Archive::open(&options).unwrap();
    assert_eq!(fs::read(options.folder.join(name)).unwrap(), [start, rest].concat());
    assert!(archive.catalog().segment(name).unwrap().is_some());
}

#[test]
fn an_old_catalog_learns_of_closed_segments() {
    let crashed = Crashed::new(1, 3);
    let options = crashed.reset(&crashed.bytes);
    let open = options.folder.join(format!("{}.open", crashed.segment));
    fs::rename(open, options.folder.join(&crashed.segment)).unwrap();
    let archive = crashed.check(&options, crashed.bytes.len());
    assert_eq!(archive.recovery().adopted, 2);
    drop(archive);
    assert!(Archive::open(&options).unwrap().recovery().is_empty());
}

#[test]
fn bytes_that_were_acknowledged_and_are_gone_are_told() {
    let crashed = Crashed::new(2, 2);
    let options = crashed.reset(&crashed.bytes[..crashed.bytes.len() - 10]);
    let archive = Archive::open(&options).unwrap();
    let [missing] = archive.recovery().missing.as_slice() else { panic!("{:?}", archive.recovery()) };
    assert_eq!((missing.offset, missing.bytes), (crashed.bytes.len() as u64 - 10, 10));
}

#[test]
fn what_holds_no_capture_is_removed() {
    let crashed = Crashed::new(1, 1);
    let options = crashed.reset(&crashed.bytes);
    let begun = options.folder.join("p-20240101000000000-00000-1~h.warc.gz.open");
    for bytes in
        [&crashed.bytes[..0], &crashed.bytes[..20], &crashed.bytes[..crashed.captures[0].capture.offset as usize]]
    {
        fs::write(&begun, bytes).unwrap();
        let archive = Archive::open(&options).unwrap();
        assert!(!begun.exists() && archive.captures_of(URL).unwrap().len() == 1);
    }
}
