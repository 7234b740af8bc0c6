//! Captures to keep.

use std::io::Cursor;

use driftline_archive::Time;
use driftline_archive::archive::{Archive, Options, Parcel, describe};
use driftline_archive::capture::{Capture, Content, Credentials, Exchange};
use driftline_archive::warc::Reader;
use driftline_catalog::{NewCapture, StoredCapture};

/// An archive in a folder of its own.
pub(crate) fn archive() -> (tempfile::TempDir, Options, Archive) {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::at(folder.path());
    let archive = Archive::open(&options).unwrap();
    assert!(archive.recovery().is_empty());
    (folder, options, archive)
}

/// So many seconds after the beginning of 2024.
pub(crate) fn second(second: i64) -> Time {
    let start: Time = "2024".parse().unwrap();
    Time::from_microseconds(start.microseconds() + second * 1_000_000)
}

/// A page with its question and all that is known of the wire.
pub(crate) fn page(url: &str, at: i64, body: &str) -> Capture {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nDate: {at}\r\nContent-Length: {}\r\n\r\n", body.len());
    answer(url, at, &head, body)
}

/// An answer with this head.
pub(crate) fn answer(url: &str, at: i64, head: &str, body: &str) -> Capture {
    let exchange = Exchange {
        request: Some(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n".to_vec()),
        head: head.as_bytes().to_vec(),
        body: body.as_bytes().to_vec(),
        ip: Some([192, 0, 2, 1].into()),
        protocols: vec!["h2".to_owned(), "tls/1.3".to_owned()],
        cipher: Some("TLS_AES_128_GCM_SHA256".to_owned()),
        credentials: Credentials::None,
    };
    let metadata = vec![("fetchTimeMs".to_owned(), "7".to_owned())];
    Capture { url: url.to_owned(), at: second(at), content: Content::Http(exchange), metadata }
}

/// Keeps a record as it is, as an import does.
pub(crate) fn keep(archive: &Archive, record: &str) -> StoredCapture {
    let mut reader = Reader::new(Cursor::new(record));
    let read = reader.next().unwrap().unwrap();
    let capture = describe(&mut reader, &read).unwrap().capture.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut parcel = Parcel::new(archive.packing(), folder.path());
    let extent = parcel.add(&mut record.as_bytes()).unwrap();
    parcel.push(NewCapture { offset: extent.offset, length: extent.length, ..capture });
    archive.submit(parcel).unwrap().captures.remove(0)
}
