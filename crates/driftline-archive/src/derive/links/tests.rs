//! Crawls as tools leave them, and the links that are known to be in real ones.

mod hostile;
mod real;

use std::fs;
use std::path::Path;

use driftline::novelty::crawl::SkipReason;

use super::{Extracted, LinkedPage, LinksError, begins_as_crawl, extract, is_crawl, skip_reason};

/// All that a file says.
fn all(path: &Path) -> Vec<Extracted> {
    let mut found = Vec::new();
    let take = &mut |own| {
        found.push(own);
        Ok::<_, LinksError>(())
    };
    extract(path, &|_| {}, take).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    found
}

/// All that a file with these records says.
fn of(records: &[Vec<u8>]) -> Vec<Extracted> {
    of_bytes(&records.concat())
}

fn of_bytes(bytes: &[u8]) -> Vec<Extracted> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crawl.warc");
    fs::write(&path, bytes).unwrap();
    all(&path)
}

/// A record of WARC, with lines of its head beside the usual ones.
fn record(kind: &str, url: &str, lines: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-31T12:00:00Z\r\n");
    format!("{head}{lines}Content-Length: {length}\r\n\r\n{body}\r\n\r\n").into_bytes()
}

fn answer(url: &str, head: &str, body: &str) -> Vec<u8> {
    record("response", url, "Content-Type: application/http\r\n", &format!("HTTP/1.1 {head}\r\n\r\n{body}"))
}

fn pages<'a>(found: &'a [Extracted]) -> Vec<&'a LinkedPage> {
    let page = |found: &'a Extracted| if let Extracted::Page(page) = found { Some(page.as_ref()) } else { None };
    found.iter().filter_map(page).collect()
}

#[test]
fn a_page_has_its_times_its_links_and_a_sketch() {
    let body = "<base href='/b/'><a href=c>1</a><area href='//x.org/'><iframe src=d></iframe><frame src=e>\
        <link rel=canonical href=f><link rel=stylesheet href=g><img src=h><a href='mailto:i@j'>2</a><a href=''>3</a>";
    let head = "200 OK\r\nContent-Type: text/html\r\nLast-Modified: Tue, 30 Jan 2024 00:00:00 GMT";
    let found = of(&[answer("http://a.org/index.html", head, body)]);
    let [page] = pages(&found)[..] else { panic!("{found:?}") };
    assert_eq!(page.url, "http://a.org/index.html");
    assert_eq!(page.fetched, "20240131120000".parse().ok());
    assert_eq!(page.last_modified, "20240130".parse().ok());
    assert_eq!(page.links, ["http://a.org/b/c", "http://x.org/", "http://a.org/b/d", "http://a.org/b/f"]);
    assert!(page.sketch.is_some_and(|sketch| sketch.length == 3) && page.lacks.is_none());
}

#[test]
fn what_is_no_page_is_counted_by_reason_or_passed_over() {
    let found = of(&[
        answer("http://a.org/1.png", "200 OK\r\nContent-Type: image/png", "x"),
        answer("http://a.org/2.svg", "200 OK\r\nContent-Type: image/svg+xml", "<svg/>"),
        answer("http://a.org/3", "404 Not Extracted\r\nContent-Type: text/html", "<a href=/x>"),
        answer("http://a.org/4", "503 No\r\nContent-Type: text/html", ""),
        answer("http://a.org/5", "302 Extracted\r\nLocation: ../6?x#y", ""),
        answer("http://a.org/6", "301 Moved", ""),
        answer("http://a.org/robots.txt", "200 OK\r\nContent-Type: text/plain", "User-agent: *"),
        answer("http://a.org/7", "200 OK\r\nContent-Type: application/json", "{}"),
        answer("http://a.org/8", "200 OK", "\0\u{1}\u{2}"),
        record("response", "http://a.org/9", "", "no head"),
        record("response", "dns:a.org", "Content-Type: text/dns\r\n", "20240131120000\na.org. 1 IN A 127.0.0.1\n"),
        record("request", "http://a.org/", "", "GET / HTTP/1.1\r\n\r\n"),
        record("metadata", "http://a.org/", "Content-Type: application/warc-fields\r\n", "via: http://b.org/\r\n"),
        record("conversion", "http://a.org/", "Content-Type: text/plain\r\n", "text"),
        record("resource", "urn:view:http://a.org/", "Content-Type: text/html\r\n", "<p>"),
    ]);
    let data = Extracted::Skipped(SkipReason::NOT_A_PAGE);
    let error = Extracted::Skipped(SkipReason::ERROR);
    let redirect = Extracted::Redirect { from: "http://a.org/5".to_owned(), to: "http://a.org/6?x#y".to_owned() };
    let expected = [
        data.clone(),
        data.clone(),
        error.clone(),
        error,
        redirect,
        Extracted::Skipped(SkipReason::NOWHERE),
        data.clone(),
        data.clone(),
        data,
        Extracted::Skipped(skip_reason::NOT_HTTP),
        Extracted::Skipped(skip_reason::CONVERTED),
    ];
    assert_eq!(found, expected);
}

#[test]
fn text_feeds_files_and_what_does_not_say_are_pages() {
    let found = of(&[
        answer("http://a.org/1.txt", "200 OK\r\nContent-Type: text/plain", "<a href=/no>words</a>"),
        answer("http://a.org/2.rss", "200 OK\r\nContent-Type: application/rss+xml", "<rss><channel/></rss>"),
        answer("http://a.org/3", "200 OK", "<!doctype html><a href=/x>x</a>"),
        answer("http://a.org/4", "200 OK\r\nContent-Type: application/xhtml+xml", "<html><a href='/y'>y</a></html>"),
        record("resource", "http://a.org/5", "Content-Type: text/html\r\n", "<a href=/z>z</a>"),
    ]);
    let links: Vec<_> = pages(&found).iter().map(|page| page.links.join(" ")).collect();
    assert_eq!(links, ["", "", "http://a.org/x", "http://a.org/y", "http://a.org/z"]);
}

#[test]
fn a_revisit_has_the_links_of_what_it_refers_to_in_its_file() {
    let digest = |name: &str| format!("WARC-Payload-Digest: sha1:{name}\r\n");
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLast-Modified: Tue, 30 Jan 2024 00:00:00 GMT\r\n\r\n<a href=c>c</a>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let found = of(&[
        record("response", "http://a.org/1/", &digest("ABC"), page),
        record("revisit", "http://a.org/2/", &digest("abc"), ""),
        record("revisit", "http://a.org/3/", &digest("abc"), head),
        record("revisit", "http://a.org/4/", &digest("def"), head),
        record("revisit", "http://a.org/5.png", &digest("def"), "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"),
        record("revisit", "http://a.org/6", &digest("def"), "HTTP/1.1 302 Extracted\r\nLocation: /7\r\n\r\n"),
        answer("http://a.org/8", "304 Not Modified", ""),
    ]);
    let captured = pages(&found);
    let links: Vec<_> = captured.iter().map(|page| page.links.join(" ")).collect();
    assert_eq!(links, ["http://a.org/1/c", "http://a.org/2/c", "http://a.org/3/c", "", ""]);
    assert_eq!(captured[0].sketch, captured[1].sketch);
    assert_eq!(captured[1].last_modified, "20240130".parse().ok());
    assert!(captured[3].lacks.is_some() && captured[3].sketch.is_none());
    assert!(matches!(&found[4..6], [Extracted::Skipped(_), Extracted::Redirect { .. }]), "{found:?}");
}

#[test]
fn metadata_of_wat_files_say_what_their_records_said() {
    let wat = |kind: &str, status: &str, more: &str| {
        let envelope = format!(
            r#"{{"Envelope":{{"WARC-Header-Metadata":{{"WARC-Type":"{kind}","WARC-Target-URI":"http://a.org/x/","WARC-Date":"2023-01-01T00:00:00Z"}},
            "Payload-Metadata":{{"HTTP-Response-Metadata":{{"Response-Message":{{"Status":"{status}"}},{more}}}}}}}}}"#
        );
        record("metadata", "http://a.org/x/", "Content-Type: application/json\r\n", &envelope)
    };
    let html = r#""Headers":{"content-type":"text/html","Last-Modified":["Sun, 01 Jan 2023 00:00:00 GMT"]},
        "HTML-Metadata":{"Head":{"Base":"/y/","Link":[{"path":"LINK@/href","rel":"canonical","url":"z"},{"path":"LINK@/href","rel":"icon","url":"i"}]},
        "Links":[{"path":"A@/href","url":"c?d&amp;e&#038;f&g;"},{"path":"IMG@/src","url":"i"},{"path":"IFRAME@/src","url":"//b.org"},{"path":"A@/href","url":"mailto:a@b"}]}"#;
    let found = of(&[
        wat("response", "200", html),
        wat("response", "301", r#""Headers":{"Location":"/new"}"#),
        wat("response", "404", r#""Headers":{"Content-Type":"text/html"}"#),
        wat("response", "200", r#""Headers":{"Content-Type":"image/png"}"#),
        wat("revisit", "200", r#""Headers":{}"#),
        wat("request", "200", r#""Headers":{}"#),
        record("metadata", "http://a.org/", "Content-Type: application/json\r\n", "{\"Envelope\":"),
    ]);
    let captured = pages(&found);
    assert_eq!(captured[0].links, ["http://a.org/y/c?d&e&f&g;", "http://b.org/", "http://a.org/y/z"]);
    assert_eq!((captured[0].fetched, captured[0].last_modified), ("2023".parse().ok(), "2023".parse().ok()));
    let redirect = Extracted::Redirect { from: "http://a.org/x/".to_owned(), to: "http://a.org/new".to_owned() };
    assert_eq!(found[1], redirect);
    assert!(matches!(&found[2..4], [Extracted::Skipped(_), Extracted::Skipped(_)]) && captured[1].lacks.is_some());
    assert_eq!(found.last(), Some(&Extracted::Skipped(skip_reason::BAD_METADATA)));
    assert_eq!(found.len(), 6);
}

#[test]
fn an_odd_link_in_metadata_costs_no_other() {
    let wat = |html: &str| {
        let envelope = format!(
            r#"{{"Envelope":{{"WARC-Header-Metadata":{{"WARC-Type":"response","WARC-Target-URI":"http://a.org/x"}},"ARC-Header-Metadata":null,
            "Payload-Metadata":{{"HTTP-Response-Metadata":{{"Response-Message":{{"Status":"200"}},"Headers":null,"HTML-Metadata":{html}}}}}}}}}"#
        );
        record("metadata", "http://a.org/x", "Content-Type: application/json\r\n", &envelope)
    };
    let odd = r#"{"Head":{"Base":7,"Link":null},"Links":[{"path":"A@/href","url":"b","rel":null},{"path":"A@/href","url":3},
        {"path":null,"url":"c"},null,[],"d",{"path":"A@/href","url":"e","rel":[1]}]}"#;
    let found = of(&[wat(odd), wat("null"), wat(r#"{"Head":[],"Links":"f"}"#)]);
    let links: Vec<_> = pages(&found).iter().map(|page| page.links.join(" ")).collect();
    assert_eq!(links, ["http://a.org/b http://a.org/e", "", ""], "{found:?}");
}

#[test]
fn every_success_is_a_page_and_an_old_last_modification_counts() {
    let head = "203 Other\r\nContent-Type: text/html\r\nLast-Modified: Thu, 01 Jan 1970 00:00:00 GMT";
    let found = of(&[answer("http://a.org/", head, "<a href=/x>x</a>")]);
    let [page] = pages(&found)[..] else { panic!("{found:?}") };
    assert_eq!((page.links.len(), page.last_modified), (1, "1970".parse().ok()));
}

#[test]
fn files_of_crawls_are_known_by_their_names() {
    for name in ["a.warc", "A.WARC.GZ", "a.warc.zst", "a.arc.gz", "a.warc.wat.gz", "a.wacz", "a.b.wat"] {
        assert!(is_crawl(Path::new(name)), "{name}");
    }
    for name in ["a.tsv.gz", "a.warc.wet.gz", "warc", "a.cdxj", "a.warc.txt", "a.gz", ""] {
        assert!(!is_crawl(Path::new(name)), "{name}");
    }
}

#[test]
fn files_of_crawls_without_their_names_are_known_by_their_beginnings() {
    let folder = tempfile::tempdir().unwrap();
    let begins = |bytes: &[u8]| {
        let path = folder.path().join("file");
        fs::write(&path, bytes).unwrap();
        begins_as_crawl(&path).unwrap()
    };
    let warc = answer("http://a.org/", "200 OK", "<p>words");
    assert!([&warc[..], &hostile::gzip(&warc), b"PK\x03\x04"].into_iter().all(begins));
    assert!(
        [&b"url\tcrawled\n"[..], b"", &hostile::gzip(b"url\n"), &[0x1f, 0x8b, 8]]
            .into_iter()
            .all(|bytes| !begins(bytes))
    );
    assert!(begins_as_crawl(&folder.path().join("missing")).is_err());
}
