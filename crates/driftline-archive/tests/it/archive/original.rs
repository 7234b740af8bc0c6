//! What may an unchanged page refer to? Only a body that was read and is the same.

use driftline_archive::archive::{Archive, Found};
use driftline_catalog::CaptureKind;
use driftline_catalog::digest::Digest;

use super::capture::{answer, archive, keep, page, second};

const URL: &str = "http://example.org/";

/// Keeps an answer as an import does: its digest is what its file claims.
fn import(archive: &Archive, at: i64, head: &str, body: &str, claimed: &str) {
    let block = format!("{head}\r\n\r\n{body}");
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:{at}>\r\nWARC-Date: {}\r\n\
         WARC-Target-URI: {URL}\r\nWARC-Payload-Digest: {}\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        second(at),
        Digest::sha1(claimed.as_bytes()),
        block.len()
    );
    keep(archive, &record);
}

fn response(archive: &Archive, at: i64) -> (CaptureKind, Vec<u8>) {
    let all = archive.captures_of(URL).unwrap();
    let stored = all.iter().find(|stored| stored.capture.at == second(at)).unwrap();
    (stored.capture.kind, archive.read(stored, 100).unwrap().body().to_vec())
}

#[test]
fn a_digest_is_not_believed() {
    let (_folder, _, archive) = archive();
    // It claims the digest of the page that comes later; its length is right too.
    import(&archive, 0, "HTTP/1.1 200 OK", "lies", "page");
    for at in 1..4 {
        archive.append(&page(URL, at, "page")).unwrap();
    }
    assert_eq!(response(&archive, 1), (CaptureKind::Response, b"page".to_vec()));
    assert_eq!(response(&archive, 2), (CaptureKind::Revisit, b"page".to_vec()));
    assert_eq!(response(&archive, 3), (CaptureKind::Revisit, b"page".to_vec()));
}

#[test]
fn the_same_bytes_in_another_coding_are_another_body() {
    let (_folder, _, archive) = archive();
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked";
    import(&archive, 0, chunked, "1\r\na\r\n0\r\n\r\n", "1\r\na\r\n0\r\n\r\n");
    archive.append(&answer(URL, 1, &format!("{chunked}\r\n\r\n"), "1\r\na\r\n0\r\n\r\n")).unwrap();
    archive.append(&page(URL, 2, "1\r\na\r\n0\r\n\r\n")).unwrap();
    assert_eq!(response(&archive, 1), (CaptureKind::Revisit, b"a".to_vec()));
    assert_eq!(response(&archive, 2), (CaptureKind::Response, b"1\r\na\r\n0\r\n\r\n".to_vec()));
    // Written as joined, with the digest and the header of what was not.
    import(&archive, 3, chunked, "b", "1\r\nb\r\n0\r\n\r\n");
    archive.append(&answer(URL, 4, &format!("{chunked}\r\n\r\n"), "1\r\nb\r\n0\r\n\r\n")).unwrap();
    assert_eq!(response(&archive, 4), (CaptureKind::Response, b"b".to_vec()));
}

#[test]
fn two_of_one_moment_are_told_apart() {
    let (_folder, _, archive) = archive();
    archive.append(&page(URL, 0, "page")).unwrap();
    import(&archive, 0, "HTTP/1.1 200 OK", "lies", "page");
    let kept = archive.append(&page(URL, 1, "page")).unwrap();
    assert_eq!(archive.read(&kept, 100).unwrap().body(), b"page");
}

#[test]
fn not_modified_speaks_of_the_page_before_it() {
    let (_folder, _, archive) = archive();
    archive.append(&page(URL, 1, "old")).unwrap();
    archive.append(&page(URL, 2, "page")).unwrap();
    archive.append(&page(URL, 3, "page")).unwrap();
    archive.append(&answer(URL, 4, "HTTP/1.1 503 Busy\r\n\r\n", "busy")).unwrap();
    // A later one, whose clock was wrong.
    archive.append(&page(URL, 9, "future")).unwrap();
    let kept = archive.append(&answer(URL, 5, "HTTP/1.1 304 Not Modified\r\n\r\n", "")).unwrap();
    assert_eq!(kept.capture.kind, CaptureKind::Revisit);
    assert_eq!(kept.capture.refers_to.as_ref().map(|original| original.at), Some(second(2)));
    let Found::Http(response) = archive.read(&kept, 100).unwrap() else { panic!() };
    assert_eq!((response.head.status, response.body.as_slice()), (200, b"page".as_slice()));
    // An unchanged page too refers to the one before it, whatever came later.
    archive.append(&page(URL, 8, "page")).unwrap();
    let again = archive.append(&page(URL, 6, "future")).unwrap();
    assert_eq!(again.capture.kind, CaptureKind::Response);
    let again = archive.append(&page(URL, 7, "future")).unwrap();
    assert_eq!(again.capture.refers_to.map(|original| original.at), Some(second(6)));
}
