//! Does everything come in that others captured, once and only once, whatever happens on the way?

mod again;
mod care;
mod sources;

use std::path::{Path, PathBuf};

use driftline_archive::Archive;
use driftline_archive::import::{Error, Options, Plan, Summary};
use driftline_archive::warc::{Kind, Reader};
use driftline_catalog::CaptureKind;

/// An archive in a folder that goes away with it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn archive(&self) -> Archive {
        Archive::open_at(&self.folder.path().join("data")).unwrap()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

fn import(archive: &Archive, input: &Path) -> Summary {
    import_as(archive, input, &Options::default()).unwrap()
}

fn import_as(archive: &Archive, input: &Path, options: &Options) -> Result<Summary, Error> {
    Plan::new(&[input.to_owned()], options)?.run(Some(archive), &|_| {})
}

/// Address, time, kind, digest and id of a capture.
type Seen = (String, String, CaptureKind, Option<String>, Option<String>);

/// Every capture, as others see it.
fn captures(archive: &Archive) -> Vec<Seen> {
    let all = archive.catalog().all(0, 1_000_000).unwrap();
    let mut all: Vec<_> = all
        .into_iter()
        .map(|stored| stored.capture)
        .map(|capture| (capture.url, capture.at.to_string(), capture.kind, capture.digest, capture.record_id))
        .collect();
    all.sort_by_key(|capture| format!("{capture:?}"));
    all
}

fn record(kind: &str, number: usize, body: &str) -> Vec<u8> {
    let id = format!("<urn:uuid:00000000-0000-0000-{:04x}-{number:012x}>", kind.len());
    let response = format!("<urn:uuid:00000000-0000-0000-{:04x}-{number:012x}>", "response".len());
    let (content_type, block, more) = match kind {
        "response" => (
            "application/http; msgtype=response",
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}"),
            String::new(),
        ),
        "request" => (
            "application/http; msgtype=request",
            "GET / HTTP/1.1\r\n\r\n".to_owned(),
            format!("WARC-Concurrent-To: {response}\r\n"),
        ),
        _ => ("application/warc-fields", "software: test\r\n".to_owned(), String::new()),
    };
    let target =
        if kind == "warcinfo" { String::new() } else { format!("WARC-Target-URI: http://example.org/{number}\r\n") };
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {id}\r\nWARC-Date: 2024-01-01T00:00:{:02}Z\r\n{target}{more}\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        number % 60,
        block.len()
    )
    .into_bytes()
}

/// A crawl of so many pages: a warcinfo record, and a response and a request for each.
fn crawl(pages: usize) -> Vec<Vec<u8>> {
    let pages = (0..pages).flat_map(|page| {
        [
            record("response", page, &format!("<p>page {page} {}", "text ".repeat(page % 50))),
            record("request", page, ""),
        ]
    });
    std::iter::once(record("warcinfo", 0, "")).chain(pages).collect()
}

/// All records in the segments of an archive, without the description of each segment.
fn kept(place: &Place) -> Vec<(Kind, Option<String>, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(place.folder.path().join("data/warc")).unwrap() {
        let file = std::fs::File::open(entry.unwrap().path()).unwrap();
        let mut reader = Reader::new(std::io::BufReader::new(file));
        while let Some(record) = reader.next() {
            let record = record.unwrap();
            let body = reader.body(1 << 30).unwrap().bytes;
            if record.headers.get("WARC-Filename").is_none() {
                all.push((record.kind, record.target_uri, body));
            }
        }
    }
    all
}
