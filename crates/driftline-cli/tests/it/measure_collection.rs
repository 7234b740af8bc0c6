//! `driftline measure` over web archives: every consecutive pair of captures of every URL.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use driftline_archive::archive::Options;
use driftline_archive::capture::{Content, Exchange};
use driftline_archive::{Archive, Capture};
use serde_json::Value;

/// Exit code, records and stderr of a run in a folder.
fn measure(folder: &Path, arguments: &[&str]) -> (i32, Vec<Value>, String) {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    let output = command.arg("measure").args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    let records = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code().unwrap(), records, err)
}

fn ids(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["id"].as_str().unwrap()).collect()
}

/// A record of a WARC file.
fn record(kind: &str, url: &str, date: &str, more: &str, block: &str) -> String {
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{date}>\r\nWARC-Date: {date}\r\n\
         WARC-Target-URI: {url}\r\n{more}Content-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// A capture of something with this status line and type.
fn capture(url: &str, day: u8, status: &str, content_type: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n\r\n{body}");
    record("response", url, &format!("2024-01-{day:02}T00:00:00Z"), "", &block)
}

fn page(url: &str, day: u8, body: &str) -> String {
    capture(url, day, "200 OK", "text/html", body)
}

const A: &str = "http://example.org/a";
const B: &str = "http://example.org/b";

/// Two files of which neither is in order, with captures that are no versions of a page.
fn collection(folder: &Path) {
    let first = [
        page(B, 3, "<p>one two three four"),
        page(A, 1, "<p>one two three"),
        capture(A, 2, "302 Found", "text/html", "<p>elsewhere"),
        capture(A, 3, "503 Busy", "text/html", "<p>later"),
        capture("http://example.org/logo", 1, "200 OK", "image/png", "\u{1}\u{2}"),
        capture("http://example.org/logo", 2, "200 OK", "image/png", "\u{3}\u{4}"),
    ];
    let second = [page(A, 5, "<p>one two four"), page(B, 1, "<p>one two three"), page(A, 4, "<p>one two three")];
    fs::write(folder.join("first.warc"), first.concat()).unwrap();
    fs::write(folder.join("second.warc"), second.concat()).unwrap();
}

#[test]
fn every_consecutive_pair_of_captures_is_measured_across_files() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let (code, records, err) = measure(folder.path(), &["first.warc", "second.warc"]);
    assert_eq!(code, 0, "{err}");
    let expected = [
        "http://example.org/a@20240101000000..20240104000000",
        "http://example.org/a@20240104000000..20240105000000",
        "http://example.org/b@20240101000000..20240103000000",
    ];
    assert_eq!(ids(&records), expected);
    assert_eq!((&records[0]["degree"]["ied"], &records[0]["words"]["new"]), (&0.into(), &3.into()));
    assert_eq!(records[1]["operations"]["replace"], 1, "{}", records[1]);
    assert_eq!(records[2]["operations"]["add"], 1, "{}", records[2]);
    let left_out = "4 of 9 captures are no version of a page and left out: 1 redirect, 1 with another status, \
                    2 of another type";
    assert!(err.contains(left_out), "{err}");
}

#[test]
fn the_same_file_named_twice_gives_no_pairs_of_degree_0() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let (code, once, err) = measure(folder.path(), &["first.warc", "second.warc"]);
    assert!(code == 0 && !err.contains("duplicates"), "{err}");
    fs::copy(folder.path().join("first.warc"), folder.path().join("copy.warc")).unwrap();
    let (code, twice, err) = measure(folder.path(), &["first.warc", "second.warc", "copy.warc", "second.warc"]);
    assert_eq!((code, ids(&twice)), (0, ids(&once)), "{err}");
    let told = "9 captures are left out as duplicates: another one has the same URL, second, status and digest";
    assert!(err.contains(told) && err.contains("4 of 9 captures are no version of a page"), "{err}");
}

#[test]
fn the_same_captures_as_arc_and_as_warc_are_measured_once() {
    let folder = tempfile::tempdir().unwrap();
    let (mut arc, mut warc) = (String::new(), String::new());
    for (day, body) in [(1, "<p>one two"), (2, "<p>one three")] {
        warc += &page(A, day, body);
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        arc += &format!("{A} 192.0.2.1 2024010{day}000000 text/html {}\n{block}\n", block.len());
    }
    fs::write(folder.path().join("crawl.arc"), arc).unwrap();
    fs::write(folder.path().join("converted.warc"), warc).unwrap();
    let (code, records, err) = measure(folder.path(), &["crawl.arc", "converted.warc"]);
    assert_eq!((code, ids(&records)), (0, vec!["http://example.org/a@20240101000000..20240102000000"]), "{err}");
    assert!(err.contains("2 captures are left out as duplicates"), "{err}");
}

#[test]
fn a_folder_of_archives_is_one_collection_and_a_folder_of_versions_still_is_none() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("crawl/archive")).unwrap();
    collection(&folder.path().join("crawl/archive"));
    fs::create_dir_all(folder.path().join("versions/page")).unwrap();
    for (name, text) in [("1.html", "<p>a b"), ("2.html", "<p>a c")] {
        fs::write(folder.path().join("versions/page").join(name), text).unwrap();
    }
    let (code, records, err) = measure(folder.path(), &["crawl", "versions"]);
    assert_eq!((code, records.len()), (0, 4), "{err}");
    assert_eq!(records[3]["id"], "page/1..2");
}

#[test]
fn captures_can_be_compared_with_the_first() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let (_, records, _) = measure(folder.path(), &["--against", "first", "first.warc", "second.warc"]);
    assert_eq!(ids(&records)[1], "http://example.org/a@20240101000000..20240105000000");
}

#[test]
fn a_revisit_is_an_unchanged_pair_and_one_without_its_original_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let digest = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let whole = format!("{head}<p>one two three");
    let unknown = "WARC-Payload-Digest: sha1:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB\r\n";
    let records = [
        record("response", A, "2024-01-01T00:00:00Z", digest, &whole),
        record("revisit", A, "2024-01-02T00:00:00Z", digest, head),
        record("revisit", A, "2024-01-03T00:00:00Z", unknown, head),
    ];
    fs::write(folder.path().join("a.warc"), records.concat()).unwrap();
    let (code, records, err) = measure(folder.path(), &["a.warc"]);
    assert_eq!((code, records.len()), (0, 2), "{err}");
    assert_eq!((&records[0]["degree"]["bw"], &records[0]["words"]["old"]), (&0.into(), &3.into()), "{}", records[0]);
    assert!(records[1]["error"].as_str().unwrap().contains("nothing had changed"), "{}", records[1]);
    assert!(err.contains("1 of 2 pairs failed"), "{err}");
}

#[test]
fn feeds_are_compared_item_by_item() {
    let folder = tempfile::tempdir().unwrap();
    let feed = |items: &[&str]| {
        let items: Vec<_> = items.iter().map(|title| format!("<item><title>{title}</title></item>")).collect();
        format!("<rss version=\"2.0\"><channel><title>News</title>{}</channel></rss>", items.concat())
    };
    let captures = [
        capture(A, 1, "200 OK", "application/rss+xml", &feed(&["Rain"])),
        capture(A, 2, "200 OK", "text/xml", &feed(&["Sun", "Rain"])),
    ];
    fs::write(folder.path().join("a.warc"), captures.concat()).unwrap();
    let (_, records, err) = measure(folder.path(), &["a.warc"]);
    assert_eq!(records[0]["feed"]["counts"]["added"], 1, "{err}");
}

#[test]
fn what_cannot_be_read_is_told_with_its_file_and_place() {
    let folder = tempfile::tempdir().unwrap();
    let captures = [page(A, 1, "<p>one"), "garbage\r\n\r\n".to_owned(), page(A, 2, "<p>two")];
    fs::write(folder.path().join("a.warc"), captures.concat()).unwrap();
    let (code, records, err) = measure(folder.path(), &["a.warc"]);
    assert_eq!((code, records.len()), (0, 1), "{err}");
    let offset = captures[0].len();
    assert!(err.contains("a.warc") && err.contains(&format!("byte {offset}")), "{err}");
}

#[test]
fn the_own_archive_is_measured_too() {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open(&Options::at(data.path())).unwrap();
    for (day, body) in [(1, "<p>one two"), (2, "<p>one two"), (3, "<p>one three")] {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec();
        let exchange = Exchange { head, body: body.into(), ..Exchange::default() };
        let at = format!("2024010{day}").parse().unwrap();
        let capture = Capture { url: A.to_owned(), at, content: Content::Http(exchange), metadata: Vec::new() };
        archive.append(&capture).unwrap();
    }
    archive.close().unwrap();
    let (code, records, err) = measure(data.path(), &["--data", "."]);
    assert_eq!((code, records.len()), (0, 2), "{err}");
    let degrees: Vec<_> = records.iter().map(|record| record["degree"]["bw"].as_f64().unwrap()).collect();
    assert_eq!(degrees, [0.0, 1.0]);
    let (code, _, err) = measure(data.path(), &["--data", "nowhere"]);
    assert!(code == 2 && err.contains("there is no archive"), "{err}");
}

#[test]
fn what_does_not_say_its_type_is_told_by_its_beginning() {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open(&Options::at(data.path())).unwrap();
    let mut file = String::new();
    for (day, text) in [(1, "one"), (2, "two")] {
        let binary = format!("\u{89}PNG\r\n\0\0{text}");
        for (url, body) in [(A, format!("<p>{text}")), (B, binary)] {
            let head = "HTTP/1.1 200 OK\r\n\r\n";
            file += &record("response", url, &format!("2024-01-0{day}T00:00:00Z"), "", &format!("{head}{body}"));
            let exchange = Exchange { head: head.into(), body: body.into(), ..Exchange::default() };
            let at = format!("2024010{day}").parse().unwrap();
            let content = Content::Http(exchange);
            archive.append(&Capture { url: url.to_owned(), at, content, metadata: Vec::new() }).unwrap();
        }
    }
    archive.close().unwrap();
    fs::write(data.path().join("crawl.warc"), file).unwrap();
    for arguments in [["--data", "."].as_slice(), &["crawl.warc"]] {
        let (code, records, err) = measure(data.path(), arguments);
        assert_eq!((code, ids(&records)), (0, vec!["http://example.org/a@20240101000000..20240102000000"]), "{err}");
        assert!(err.contains("2 of 4 captures") && err.contains("2 of another type"), "{err}");
    }
}

#[test]
fn words_of_a_collection_make_a_corpus() {
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path());
    let (code, _, err) = measure(folder.path(), &["--corpus", "words", "first.warc", "second.warc"]);
    assert!(code == 0 && err.contains("5 documents"), "{err}");
}
