//! Is the body of an unchanged capture found, however little it says of its original?

use std::path::{Path, PathBuf};

use driftline_archive::archive::{self, Archive, Error};
use driftline_archive::care::compact::Mode;
use driftline_archive::care::verify::{Depth, verify};
use driftline_archive::care::{Compact, Retention, compact};
use driftline_archive::collection::Collection;
use driftline_archive::export::{self, Secrets, Selection};
use driftline_archive::import::{Options, Plan};
use driftline_catalog::digest::Digest;
use driftline_catalog::{CaptureKind, Place, StoredCapture};

const PAGE: &str = "http://example.org/";

fn record(kind: &str, url: &str, date: &str, more: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
         WARC-Record-ID: <urn:uuid:{}>\r\nContent-Type: application/http; msgtype=response\r\n{more}\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        Digest::sha1(format!("{kind}{date}{block}").as_bytes()).hex(),
        block.len(),
    )
}

fn response(date: &str, body: &str) -> String {
    let digest = format!("WARC-Payload-Digest: {}\r\n", Digest::sha1(body.as_bytes()));
    record("response", PAGE, date, &digest, &format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}"))
}

/// A revisit as old Heritrix and wget write it: the address and the digest, here in hex, and nothing else.
fn revisit(date: &str, body: &str, more: &str) -> String {
    let digest = format!("WARC-Payload-Digest: sha1:{}\r\n{more}", Digest::sha1(body.as_bytes()).hex());
    record("revisit", PAGE, date, &digest, "HTTP/1.1 200 OK\r\nX-Again: yes\r\n\r\n")
}

/// A file of these records, and an archive that has them.
fn imported(folder: &Path, records: &[String]) -> (PathBuf, Archive) {
    imported_to(&archive::Options::at(&folder.join("data")), folder, records)
}

/// The same, with the catalog on PostgreSQL.
fn imported_to_server(folder: &Path, records: &[String]) -> (PathBuf, Archive) {
    let catalog = Place::parse(&driftline_testkit::postgres::database()).unwrap();
    imported_to(&archive::Options { catalog, ..archive::Options::at(&folder.join("data")) }, folder, records)
}

fn imported_to(options: &archive::Options, folder: &Path, records: &[String]) -> (PathBuf, Archive) {
    let file = folder.join("others.warc");
    std::fs::write(&file, records.concat()).unwrap();
    let archive = Archive::open(options).unwrap();
    let plan = Plan::new(std::slice::from_ref(&file), &Options::default()).unwrap();
    assert_eq!(plan.run(Some(&archive), &|_| {}).unwrap().captures, records.len() as u64);
    (file, archive)
}

fn bodies(archive: &Archive) -> Vec<String> {
    let body = |stored: &StoredCapture| archive.read(stored, 1 << 20).map(|found| found.body().to_vec());
    let all = archive.captures_of(PAGE).unwrap();
    all.iter().map(|stored| String::from_utf8(body(stored).unwrap()).unwrap()).collect()
}

fn bodies_in_place(file: &Path) -> Vec<String> {
    let (collection, _) = Collection::open(&[file.to_owned()], &|_| ()).unwrap();
    let all = collection.captures_of(PAGE);
    all.iter().map(|entry| String::from_utf8(collection.read(entry, 1 << 20).unwrap().body).unwrap()).collect()
}

#[test]
fn a_revisit_that_only_has_a_digest_is_read_checked_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let records = [
        response("2010-01-01T00:00:00Z", "one"),
        response("2010-01-02T00:00:00Z", "two"),
        revisit("2010-01-03T00:00:00Z", "one", ""),
    ];
    let (file, archive) = imported(folder.path(), &records);
    assert_eq!(bodies_in_place(&file), ["one", "two", "one"]);
    assert_found(&archive);
    let folder = tempfile::tempdir().unwrap();
    assert_found(&imported_to_server(folder.path(), &records).1);
}

fn assert_found(archive: &Archive) {
    assert_eq!(bodies(archive), ["one", "two", "one"]);
    assert_eq!(verify(archive, Depth::Records, &|_| ()).unwrap().problems, []);
    let latest = Selection { from: Some("2010-01-03T00:00:00Z".parse().unwrap()), ..Selection::default() };
    let exported = export::warc(archive, &latest, Secrets::Masked, &mut Vec::new()).unwrap();
    assert_eq!((exported.captures, exported.originals, exported.without_original), (1, 1, 0));
}

#[test]
fn compaction_keeps_the_body_of_a_revisit_that_only_has_a_digest() {
    let folder = tempfile::tempdir().unwrap();
    let records = [
        response("2010-01-01T00:00:00Z", "one"),
        response("2010-01-02T00:00:00Z", "two"),
        revisit("2010-01-03T00:00:00Z", "one", ""),
        revisit("2010-01-04T00:00:00Z", "one", ""),
    ];
    assert_compacted(&mut imported(folder.path(), &records).1);
    let folder = tempfile::tempdir().unwrap();
    assert_compacted(&mut imported_to_server(folder.path(), &records).1);
}

fn assert_compacted(archive: &mut Archive) {
    let retention = Retention { older_than: Some("36h".parse().unwrap()), ..Retention::default() };
    let what =
        Compact { retention, now: "2010-01-04T06:00:00Z".parse().unwrap(), mode: Mode::Real, ..Compact::default() };
    let outcome = compact(archive, &what, &|_| ()).unwrap();
    assert_eq!((outcome.gone.len(), outcome.turned), (2, 2));
    assert_eq!(bodies(archive), ["one", "one"]);
    let kinds: Vec<_> = archive.captures_of(PAGE).unwrap().iter().map(|own| own.capture.kind).collect();
    assert_eq!(kinds, [CaptureKind::Response, CaptureKind::Revisit]);
    assert_eq!(verify(archive, Depth::Records, &|_| ()).unwrap().problems, []);
}

#[test]
fn of_two_captures_of_a_second_the_one_with_the_digest_is_the_original() {
    let named = "WARC-Refers-To-Target-URI: http://example.org/\r\nWARC-Refers-To-Date: 2010-01-01T00:00:00Z\r\n";
    for order in [["one", "two"], ["two", "one"]] {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = order.map(|body| response("2010-01-01T00:00:00Z", body));
        let records = [first, second, revisit("2010-01-03T00:00:00Z", "two", named)];
        let (file, archive) = imported(folder.path(), &records);
        assert_eq!(bodies(&archive)[2], "two");
        assert_eq!(bodies_in_place(&file)[2], "two");
    }
}

#[test]
fn a_body_of_another_digest_is_never_taken_for_the_original() {
    let named = "WARC-Refers-To-Target-URI: http://example.org/\r\nWARC-Refers-To-Date: 2010-01-01T00:00:00Z\r\n";
    let folder = tempfile::tempdir().unwrap();
    let records = [response("2010-01-01T00:00:00Z", "one"), revisit("2010-01-03T00:00:00Z", "two", named)];
    let (file, archive) = imported(folder.path(), &records);
    let again = &archive.captures_of(PAGE).unwrap()[1];
    assert!(matches!(archive.read(again, 100), Err(Error::NoOriginal { .. })));
    let (collection, _) = Collection::open(&[file], &|_| ()).unwrap();
    let read = collection.read(&collection.captures_of(PAGE)[1], 100);
    assert!(read.unwrap_err().to_string().contains("nothing had changed"));
}
