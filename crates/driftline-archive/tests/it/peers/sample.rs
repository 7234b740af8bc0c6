//! An archive with one of everything that a crawl brings home.

use std::path::{Path, PathBuf};

use driftline_archive::archive::Options;
use driftline_archive::capture::{Content, Credentials, Exchange};
use driftline_archive::{Archive, Capture};

use crate::support::gzip;

/// A page with several captures.
pub(crate) const PAGE: &str = "https://example.org/";
/// How many captures there are.
pub(crate) const COUNT: usize = 12;

/// Writes the archive, in segments that are closed.
pub(crate) fn archive(data: &Path) -> Archive {
    // Small segments, so that there are several.
    let options = Options { segment_bytes: 100_000, ..Options::at(data) };
    let archive = Archive::open(&options).unwrap();
    for capture in captures() {
        archive.append(&capture).unwrap();
    }
    let chain = [
        http("http://example.org/old", "20240105", "301 Moved", "Location: https://example.org/new\r\n", b""),
        http("https://example.org/new", "20240105000001", "200 OK", HTML, b"<p>the new place</p>"),
    ];
    archive.append_all(&chain).unwrap();
    archive.seal().unwrap();
    archive
}

/// Writes an archive with pages that were fetched with secrets: a page, the same unchanged, and a large one.
pub(crate) fn with_secrets(data: &Path) -> Archive {
    let archive = Archive::open(&Options::at(data)).unwrap();
    let head = format!("{HTML}Set-Cookie: sessionid=hush; Path=/\r\nX-Auth-Token: hush\r\n");
    let mut random = fastrand::Rng::with_seed(11);
    let large: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(3_000_000).collect();
    for (path, at, body) in
        [("", "20240101", b"<p>secret".as_slice()), ("", "20240102", b"<p>secret"), ("large", "20240101", &large)]
    {
        let mut capture = http(&format!("{PAGE}{path}"), at, "200 OK", &head, body);
        if let Content::Http(exchange) = &mut capture.content {
            exchange.credentials = Credentials::Sent;
        }
        archive.append(&capture).unwrap();
    }
    archive.seal().unwrap();
    archive
}

/// The files of the archive.
pub(crate) fn segments(data: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(data.join("warc")).unwrap().map(|entry| entry.unwrap().path());
    let mut segments: Vec<_> = files.filter(|path| path.to_string_lossy().ends_with(".warc.gz")).collect();
    segments.sort();
    assert!(!segments.is_empty());
    segments
}

const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";

fn captures() -> Vec<Capture> {
    let page = b"<html><title>Example</title><p>the same every day".as_slice();
    let chunked = format!("{HTML}Transfer-Encoding: chunked\r\n");
    let packed = format!("{HTML}Content-Encoding: gzip\r\n");
    let both = format!("{HTML}Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n");
    let mut random = fastrand::Rng::with_seed(7);
    let large: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(3_000_000).collect();
    vec![
        http(PAGE, "20240101", "200 OK", HTML, page),
        http(PAGE, "20240102", "200 OK", HTML, page),
        http(PAGE, "20240103", "200 OK", HTML, b"<html><title>Example</title><p>another day"),
        http("https://example.org/missing?b=2&a=1", "20240101", "404 Not Found", HTML, b"<p>nothing here"),
        http("https://example.org/empty", "20240101", "200 OK", "Content-Type: text/plain\r\n", b""),
        http("https://example.org/large.bin", "20240101", "200 OK", "Content-Type: image/png\r\n", &large),
        http("https://example.org/chunked", "20240101", "200 OK", &chunked, b"6\r\n<p>one\r\n5\r\n<p>tw\r\n0\r\n\r\n"),
        http("https://example.org/gzip", "20240101", "200 OK", &packed, &gzip(b"<p>packed")),
        http("https://example.org/both", "20240101", "200 OK", &both, &in_chunks(&gzip(b"<p>packed in chunks"))),
        Capture {
            url: "https://example.org/notes.txt".to_owned(),
            at: "20240101".parse().unwrap(),
            content: Content::Resource { content_type: "text/plain".to_owned(), body: b"a file".to_vec() },
            metadata: Vec::new(),
        },
    ]
}

fn http(url: &str, at: &str, status: &str, headers: &str, body: &[u8]) -> Capture {
    let host = url.split('/').nth(2).unwrap();
    let exchange = Exchange {
        request: Some(format!("GET {url} HTTP/1.1\r\nHost: {host}\r\n\r\n").into_bytes()),
        head: format!("HTTP/1.1 {status}\r\n{headers}Server: test\r\n\r\n").into_bytes(),
        body: body.to_vec(),
        ip: Some([192, 0, 2, 1].into()),
        protocols: vec!["http/1.1".to_owned(), "tls/1.3".to_owned()],
        cipher: None,
        credentials: Credentials::None,
    };
    let metadata = vec![("fetchTimeMs".to_owned(), "12".to_owned())];
    Capture { url: url.to_owned(), at: at.parse().unwrap(), content: Content::Http(exchange), metadata }
}

fn in_chunks(body: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", body.len()).as_bytes(), body, b"\r\n0\r\n\r\n"].concat()
}
