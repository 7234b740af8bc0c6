//! Captures in, captures out: records as the standard wants them, unchanged pages, redirect chains.

use std::fs;

use driftline_archive::archive::{Archive, Error, Found, Options};
use driftline_archive::capture::{Capture, Content};
use driftline_archive::warc::write::Packing;
use driftline_archive::warc::{Kind, Reader, Record};
use driftline_catalog::{Address, CaptureKind};

use super::capture::{answer, archive, page, second};

const URL: &str = "http://example.org/";

fn body(archive: &Archive, address: &str) -> String {
    let found = archive.find(&Address::parse(address).unwrap()).unwrap().unwrap();
    String::from_utf8(archive.read(&found, 1 << 20).unwrap().body().to_vec()).unwrap()
}

/// All records of all closed segments with their blocks; what is wrong in one fails the test.
fn records(options: &Options) -> Vec<(Record, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(&options.folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_str().unwrap().contains(".warc.") {
            continue;
        }
        let mut reader = Reader::new(fs::File::open(path).unwrap());
        while let Some(record) = reader.next() {
            let block = reader.body(1 << 20).unwrap().bytes;
            all.push((record.unwrap(), block));
        }
    }
    all
}

#[test]
fn what_is_kept_comes_back() {
    for packing in [Packing::Gzip, Packing::Zstd] {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { packing, ..Options::at(folder.path()) };
        let archive = Archive::open(&options).unwrap();
        archive.append(&page(URL, 0, "first")).unwrap();
        archive.append(&page(URL, 10, "second")).unwrap();
        assert_eq!(body(&archive, "http://example.org/@first"), "first");
        assert_eq!(body(&archive, "https://www.example.org/@20240101000009"), "second");
        archive.close().unwrap();
        let again = Archive::open_to_read(&options).unwrap();
        assert_eq!(body(&again, "http://example.org/@=20240101000010"), "second");
        assert!(matches!(again.append(&page(URL, 0, "")), Err(Error::ReadOnly)));
        let again = Archive::open(&options).unwrap();
        assert!(again.recovery().is_empty(), "{:?}", again.recovery());
        assert_eq!(again.captures_of(URL).unwrap().len(), 2);
    }
}

#[test]
fn records_say_all_that_is_known() {
    let (_folder, options, archive) = archive();
    archive.append(&page(URL, 0, "text")).unwrap();
    archive.close().unwrap();
    let records = records(&options);
    let kinds: Vec<_> = records.iter().map(|(record, _)| record.kind).collect();
    assert_eq!(kinds, [Kind::Warcinfo, Kind::Response, Kind::Request, Kind::Metadata]);
    let header = |at: usize, name| records[at].0.headers.get(name).map(str::to_owned);
    assert_eq!(header(1, "WARC-IP-Address").as_deref(), Some("192.0.2.1"));
    assert_eq!(header(1, "WARC-Cipher-Suite").as_deref(), Some("TLS_AES_128_GCM_SHA256"));
    assert_eq!(header(1, "WARC-Payload-Digest").as_deref(), Some("sha1:G4XKBDFLGPTRYAWGKHN4QOSHJUZMM5XK"));
    let protocols = records[1].0.headers.iter().filter(|(name, _)| *name == "WARC-Protocol");
    assert_eq!(protocols.map(|(_, value)| value).collect::<Vec<_>>(), ["h2", "tls/1.3"]);
    assert_eq!(header(2, "WARC-Concurrent-To"), header(1, "WARC-Record-ID"));
    assert_eq!(header(3, "WARC-Concurrent-To"), header(1, "WARC-Record-ID"));
    assert_eq!(records[3].1, b"fetchTimeMs: 7\r\n");
    for (record, block) in &records {
        let digest = driftline_catalog::digest::Digest::sha1(block).to_string();
        assert_eq!(record.headers.get("WARC-Block-Digest"), Some(digest.as_str()));
    }
}

#[test]
fn an_unchanged_page_is_a_revisit_of_the_first() {
    let (_folder, options, archive) = archive();
    let first = archive.append(&page(URL, 0, "same")).unwrap();
    let revisits: Vec<_> = (1..=2).map(|at| archive.append(&page(URL, at, "same")).unwrap()).collect();
    for revisit in &revisits {
        assert_eq!(revisit.capture.kind, CaptureKind::Revisit);
        assert_eq!(revisit.capture.refers_to.as_ref().map(|original| original.at), Some(second(0)));
        assert_eq!(revisit.capture.digest, first.capture.digest);
        let Found::Http(response) = archive.read(revisit, 100).unwrap() else { panic!() };
        assert_eq!(response.body, b"same");
        // The head is its own.
        assert_ne!(response.head.headers.get("Date"), Some("0"));
    }
    assert_eq!(archive.append(&page(URL, 3, "other")).unwrap().capture.kind, CaptureKind::Response);
    assert_eq!(archive.append(&page(URL, 4, "same")).unwrap().capture.kind, CaptureKind::Revisit);
    // A capture that is older than the original cannot refer to it, and an empty body is not worth it.
    assert_eq!(archive.append(&page(URL, -1, "same")).unwrap().capture.kind, CaptureKind::Response);
    for at in 5..7 {
        assert_eq!(archive.append(&page(URL, at, "")).unwrap().capture.kind, CaptureKind::Response);
    }
    archive.close().unwrap();
    let revisit = records(&options).into_iter().find(|(record, _)| record.kind == Kind::Revisit).unwrap();
    let header = |name| revisit.0.headers.get(name);
    assert!(header("WARC-Profile").unwrap().ends_with("/1.1/revisit/identical-payload-digest"));
    assert_eq!(header("WARC-Refers-To-Target-URI"), Some(URL));
    assert_eq!(header("WARC-Refers-To-Date"), Some("2024-01-01T00:00:00Z"));
    assert_eq!(header("WARC-Refers-To").map(|id| id.trim_matches(['<', '>'])), first.capture.record_id.as_deref());
    assert!(revisit.1.ends_with(b"\r\n\r\n"));
}

#[test]
fn not_modified_stands_for_the_capture_before() {
    let (_folder, _, archive) = archive();
    let not_modified = |at| answer(URL, at, "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", "");
    let lost = archive.append(&not_modified(0)).unwrap();
    assert_eq!((lost.capture.kind, lost.capture.status), (CaptureKind::Response, Some(304)));
    let (_folder, _, archive) = super::capture::archive();
    archive.append(&page(URL, 1, "page")).unwrap();
    for at in 2..4 {
        let kept = archive.append(&not_modified(at)).unwrap();
        assert_eq!((kept.capture.kind, kept.capture.status), (CaptureKind::Revisit, Some(304)));
        let Found::Http(response) = archive.read(&kept, 100).unwrap() else { panic!() };
        assert_eq!((response.head.status, response.body.as_slice()), (200, b"page".as_slice()));
    }
}

#[test]
fn the_hops_of_a_redirect_are_kept_together() {
    let (_folder, options, archive) = archive();
    let hop = |from: &str, to: &str| answer(from, 0, &format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n"), "");
    let chain =
        [hop("http://a.test/", "/b"), hop("http://a.test/b", "http://a.test/c d"), page("http://a.test/c d", 0, "end")];
    let kept = archive.append_all(&chain).unwrap();
    assert_eq!(kept[0].capture.redirect.as_deref(), Some("http://a.test/b"));
    assert_eq!(kept[2].capture.url, "http://a.test/c%20d");
    archive.close().unwrap();
    let metadata: Vec<_> = records(&options).into_iter().filter(|(record, _)| record.kind == Kind::Metadata).collect();
    assert_eq!(metadata[0].1, b"fetchTimeMs: 7\r\n");
    assert_eq!(metadata[1].1, b"fetchTimeMs: 7\r\nvia: http://a.test/\r\nhopsFromSeed: R\r\n");
    assert_eq!(metadata[2].1, b"fetchTimeMs: 7\r\nvia: http://a.test/b\r\nhopsFromSeed: RR\r\n");
}

#[test]
fn files_are_kept_without_a_protocol() {
    let (_folder, _, archive) = archive();
    let content = Content::Resource { content_type: "text/plain".to_owned(), body: b"0123456789".to_vec() };
    let kept = archive
        .append(&Capture { url: "file:///notes.txt".to_owned(), at: second(0), content, metadata: Vec::new() })
        .unwrap();
    let found = archive.read(&kept, 4).unwrap();
    assert_eq!((found.body(), found.content_type()), (b"0123".as_slice(), Some("text/plain")));
    assert_eq!((kept.capture.kind, kept.capture.payload_length), (CaptureKind::Resource, Some(10)));
}

#[test]
fn nothing_that_is_captured_breaks_a_record() {
    let (_folder, options, archive) = archive();
    let evil = "http://example.org/\r\nWARC-Type: warcinfo\r\n\r\n";
    let mut capture = page(evil, 0, "WARC/1.1\r\nWARC-Type: response\r\n\r\n");
    capture.metadata.push(("via".to_owned(), "x\r\n\r\nWARC/1.1\r\n".to_owned()));
    let kept = archive.append(&capture).unwrap();
    assert_eq!(archive.find(&Address::parse(&format!("{}@latest", kept.capture.url)).unwrap()).unwrap(), Some(kept));
    let Content::Http(exchange) = &mut capture.content else { panic!() };
    exchange.cipher = Some("X\r\nY: z".to_owned());
    assert!(matches!(archive.append(&capture), Err(Error::Unwritable(_))));
    let Content::Http(exchange) = &mut capture.content else { panic!() };
    exchange.head = b"no answer at all".to_vec();
    assert!(matches!(archive.append(&capture), Err(Error::NotHttp(_))));
    archive.close().unwrap();
    assert_eq!(records(&options).len(), 4);
}

#[test]
fn segments_are_closed_when_they_are_large_enough() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { segment_bytes: 4_000, prefix: "test".to_owned(), ..Options::at(folder.path()) };
    let archive = Archive::open(&options).unwrap();
    let kept: Vec<_> = (0..40).map(|at| archive.append(&page(URL, at, &format!("body {at}"))).unwrap()).collect();
    for (at, capture) in kept.iter().enumerate() {
        assert_eq!(archive.read(capture, 100).unwrap().body(), format!("body {at}").as_bytes());
    }
    archive.close().unwrap();
    let segments = Archive::open_to_read(&options).unwrap().catalog().segments().unwrap();
    assert!((8..20).contains(&segments.len()), "{}", segments.len());
    for segment in segments {
        let length = fs::metadata(options.folder.join(&segment.name)).unwrap().len();
        assert_eq!(segment.bytes, length);
        assert!(segment.name.starts_with("test-202401010000") && length < 8_000);
    }
}
