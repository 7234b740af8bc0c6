//! How do answers come back that did not come over HTTP? As they are.

use driftline_archive::archive::{Archive, Error, Found};
use driftline_catalog::StoredCapture;

use super::capture::{archive, keep, second};

const NAMES: &str = "20240101000000\nexample.org. 300 IN A 192.0.2.1\n";

/// What Heritrix keeps of a name server, or another answer.
fn response(archive: &Archive, url: &str, at: i64, block: &str) -> StoredCapture {
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:{at}>\r\nWARC-Date: {}\r\n\
         WARC-Target-URI: {url}\r\nContent-Type: text/dns\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        second(at),
        block.len()
    );
    keep(archive, &record)
}

#[test]
fn an_answer_of_a_name_server_is_a_file() {
    let (_folder, _, archive) = archive();
    let stored = response(&archive, "dns:example.org", 0, NAMES);
    let whole = Found::Resource { content_type: Some("text/dns".to_owned()), body: NAMES.into(), is_cut: false };
    assert_eq!(archive.read(&stored, 1 << 20).unwrap(), whole);
    let Found::Resource { body, is_cut, .. } = archive.read(&stored, 4).unwrap() else { panic!() };
    assert_eq!((body.as_slice(), is_cut), (b"2024".as_slice(), true));
    let revisit = format!(
        "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:test:1>\r\nWARC-Date: {}\r\n\
         WARC-Target-URI: dns:example.org\r\nWARC-Payload-Digest: {}\r\nWARC-Refers-To-Date: {}\r\n\
         Content-Length: 0\r\n\r\n\r\n\r\n",
        second(1),
        stored.capture.digest.as_deref().unwrap(),
        second(0)
    );
    assert_eq!(archive.read(&keep(&archive, &revisit), 1 << 20).unwrap(), whole);
}

#[test]
fn what_looks_like_http_is_read_as_http_and_a_page_without_a_head_is_told() {
    let (_folder, _, archive) = archive();
    let http = "HTTP/1.1 200 OK\r\n\r\nbody";
    let stored = response(&archive, "chrome-extension://a/b", 0, http);
    assert!(matches!(archive.read(&stored, 9).unwrap(), Found::Http(_)));
    let stored = response(&archive, "HTTP://example.org/", 1, NAMES);
    assert!(matches!(archive.read(&stored, 9), Err(Error::NotHttp(_))));
}
