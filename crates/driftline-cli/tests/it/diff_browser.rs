//! Are the versions of a page that a browser fetched compared as the browser made them?

use std::path::Path;
use std::process::Command;

use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_archive::{Archive, Time};

const PAGE: &str = "http://example.org/";

fn run(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("driftline"));
    command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG");
    let output = command.args(arguments).arg("--data").arg(data).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// The captures of a check: the page as it came, and what the browser made of it.
fn captures(number: usize, says: &str, made: Option<&str>) -> Vec<Capture> {
    let at: Time = format!("2024-01-{:02}T12:00:00Z", number + 1).parse().unwrap();
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec();
    let body = format!("<html><body><p>{says}</p></body></html>").into_bytes();
    let page = Content::Http(Exchange { head, body, ..Exchange::default() });
    let made = made.map(|made| {
        let body = format!("<html><body><p>{made}</p></body></html>").into_bytes();
        (format!("urn:dom:{PAGE}"), Content::Resource { content_type: "text/html".to_owned(), body })
    });
    let captures = [Some((PAGE.to_owned(), page)), made].into_iter().flatten();
    captures.map(|(url, content)| Capture { url, at, content, metadata: Vec::new() }).collect()
}

#[test]
fn issue_16_the_versions_of_a_browser_watch_are_compared_as_the_browser_made_them() {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    for (number, made) in ["the price is 5", "the price is 7"].into_iter().enumerate() {
        archive.append_all(&captures(number, "loading", Some(made))).unwrap();
    }
    archive.append_all(&captures(2, "no scripts any more", None)).unwrap();
    archive.close().unwrap();
    let [first, second, latest] = ["first", "=20240102120000", "latest"].map(|when| format!("{PAGE}@{when}"));
    let (out, _, code) = run(data.path(), &["diff", &first, &second]);
    assert!(code == 1 && out.contains('5') && out.contains('7'), "{out}");
    let (out, _, code) = run(data.path(), &["diff", &first, &second, "--received"]);
    assert_eq!(code, 0, "{out}");
    let (out, err, code) = run(data.path(), &["diff", &first, &latest]);
    assert!(code == 1 && out.contains("loading"), "{out}");
    assert!(err.contains("warning: only one of the versions was kept as a browser made it"), "{err}");
}
