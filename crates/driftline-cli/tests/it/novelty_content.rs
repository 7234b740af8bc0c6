//! Does `driftline novelty --with content` tell an old page at a new address from a new one? From WARC files.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// Runs a command that goes well: stdout and stderr.
fn done(data: &Path, arguments: &[&str]) -> (String, String) {
    let output = Command::new(cargo_bin("driftline")).args(arguments).env("DRIFTLINE_DATA", data).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
    (out, err)
}

/// An article in the template of all articles; no two seeds share a word of it.
fn article(seed: usize) -> String {
    let words: Vec<_> = (0..120).map(|place| format!("word{seed}x{place}")).collect();
    let text = words.join(" ");
    format!(
        "<html><head><title>Article</title></head><body><div><ul><li><a href='/'>Home</a></ul></div>\
         <main><article><h1>Article</h1><p>{text}</p></article></main></body></html>"
    )
}

/// A WARC file of pages and redirects: an address, and what was answered.
fn warc(answers: &[(&str, Answer)]) -> String {
    let mut warc = String::new();
    for (number, (url, answer)) in answers.iter().enumerate() {
        let block = match answer {
            Answer::Article(seed) => format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", article(*seed)),
            Answer::MovedTo(target) => format!("HTTP/1.1 301 Moved Permanently\r\nLocation: {target}\r\n\r\n"),
        };
        let _ = write!(
            warc,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
             WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
    }
    warc
}

enum Answer {
    Article(usize),
    MovedTo(&'static str),
}

#[test]
fn moved_and_mirrored_pages_are_not_called_new() {
    use Answer::{Article, MovedTo};
    let data = tempfile::tempdir().unwrap();
    let crawls = [
        (
            "2020-01",
            warc(&[
                ("https://a.org/", Article(0)),
                ("https://a.org/old-place", Article(1)),
                ("https://a.org/docs/1", Article(2)),
                ("https://a.org/docs/2", Article(3)),
                ("https://a.org/docs/3", Article(4)),
            ]),
        ),
        (
            "2020-07",
            warc(&[
                ("https://a.org/", Article(0)),
                ("https://a.org/old-place", MovedTo("/new-place")),
                ("https://a.org/new-place", Article(1)),
                ("https://a.org/docs/1", Article(2)),
                ("https://a.org/docs/2", Article(3)),
                ("https://a.org/docs/3", Article(4)),
                ("https://mirror.net/a/docs/1", Article(2)),
                ("https://mirror.net/a/docs/2", Article(3)),
                ("https://mirror.net/a/docs/3", Article(4)),
                ("https://a.org/same-template", Article(5)),
            ]),
        ),
    ];
    for (at, warc) in &crawls {
        let path = data.path().join(format!("{at}.warc"));
        std::fs::write(&path, warc).unwrap();
        done(data.path(), &["snapshot", "add", "made", "--at", at, path.to_str().unwrap()]);
    }
    let (out, err) = done(data.path(), &["novelty", "made", "--with", "probability,content", "--json"]);
    let pages: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |url: &str| pages.iter().find(|page| page["url"] == url).unwrap_or_else(|| panic!("no {url}: {out}"));
    let copied = |url: &str| (of(url)["relation"].clone(), of(url)["copy_of"].clone(), of(url)["probability"].clone());

    let moved = ("move".into(), "https://a.org/old-place".into(), 0.0.into());
    assert_eq!(copied("https://a.org/new-place"), moved);
    for number in 1..=3 {
        let original = format!("https://a.org/docs/{number}");
        let mirrored = ("mirror".into(), original.clone().into(), 0.0.into());
        assert_eq!(copied(&format!("https://mirror.net/a/docs/{number}")), mirrored);
        assert_eq!(of(&original)["class"], "L2");
    }
    let template = of("https://a.org/same-template");
    assert_eq!((&template["class"], &template["relation"]), (&"U".into(), &Value::Null), "same tags, other words");
    assert!(template["probability"].as_f64().unwrap() > 0.0);
    assert!(err.contains("content: 4 of 5 pages say what an older one said"), "{err}");
}
