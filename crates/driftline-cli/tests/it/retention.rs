//! What stays of the pages of watches: set, shown, and applied by hand.

use std::path::Path;
use std::process::Command;

use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_archive::{Archive, Time};
use driftline_catalog::{Record, Watch, WatchState};
use serde_json::{Value, json};

const PAGE: &str = "http://example.org/";

fn run(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("driftline"));
    command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG");
    let output = command.args(arguments).arg("--data").arg(data).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn day(number: usize) -> Time {
    format!("2024-01-{:02}T12:00:00Z", number + 1).parse().unwrap()
}

fn capture(url: &str, number: usize, says: &str) -> Capture {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec();
    let body = format!("<html><body><p>{says}</p></body></html>").into_bytes();
    let content = Content::Http(Exchange { head, body, ..Exchange::default() });
    Capture { url: url.to_owned(), at: day(number), content, metadata: Vec::new() }
}

/// A watch that keeps two captures of its page, and compared the last of four.
fn filled() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let add = ["watch", "add", PAGE, "--id", "a", "--no-fetch", "--retention", "keep=2"];
    assert_eq!(run(data.path(), &add).2, 0);
    let archive = Archive::open_at(data.path()).unwrap();
    let mut last = 0;
    for (number, says) in ["one", "two", "three", "four"].into_iter().enumerate() {
        archive.append(&capture("http://example.org/other", number, says)).unwrap();
        last = archive.append(&capture(PAGE, number, says)).unwrap().id;
    }
    let seen = json!({ "capture": last, "url": PAGE, "at": day(3).to_string(), "digest": "" });
    let state = WatchState {
        next: None,
        checked: Some(day(3)),
        body: json!({ "format": 1, "seen": seen }),
        ..WatchState::default()
    };
    let (uuid, url, title) = ("a".to_owned(), PAGE.to_owned(), String::new());
    let watch = Watch { uuid, url, title, tags: Vec::new(), settings: json!({}), created: day(0), ..Watch::default() };
    let record = Record { watch, state, change: None, events: Vec::new(), stream: None, members: None };
    archive.catalog().record(&[record]).unwrap();
    archive.close().unwrap();
    data
}

#[test]
fn retention_of_a_watch_is_set_shown_and_applied_after_a_dry_run() {
    let data = filled();
    let written = std::fs::read_to_string(data.path().join("watches/watches.toml")).unwrap();
    assert!(written.contains("retention = { keep = 2 }"), "{written}");
    let (shown, _, _) = run(data.path(), &["watch", "show", "a"]);
    assert!(shown.contains("at most 2 captures") && shown.contains("would go now: 2 captures, "), "{shown}");
    let (dry, err, code) = run(data.path(), &["archive", "compact", "--dry-run"]);
    assert!(code == 0 && dry.contains("watch `a`: 2 captures, ") && dry.contains("(2 too many)"), "{dry}{err}");
    assert!(dry.contains("2 captures would go, 6 kept"), "{dry}");
    let (json, _, _) = run(data.path(), &["watch", "show", "a", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["would_go"], json!(2));
    let (real, err, code) = run(data.path(), &["archive", "compact", "--quiet"]);
    assert!(code == 0 && real.contains("2 captures gone, 6 kept"), "{real}{err}");
    let archive = Archive::open_at(data.path()).unwrap();
    let times: Vec<Time> = archive.captures_of(PAGE).unwrap().iter().map(|stored| stored.capture.at).collect();
    assert_eq!(times, [day(2), day(3)]);
    let (shown, _, _) = run(data.path(), &["watch", "show", "a"]);
    assert!(shown.contains("would go now: nothing"), "{shown}");
}

#[test]
fn retention_all_keeps_everything_and_wrong_rules_are_refused() {
    let data = filled();
    assert_eq!(run(data.path(), &["watch", "edit", "a", "--retention", "all"]).2, 0);
    let (dry, _, _) = run(data.path(), &["archive", "compact", "--dry-run"]);
    assert!(dry.starts_with("0 captures would go, 8 kept"), "{dry}");
    let (_, err, code) = run(data.path(), &["watch", "edit", "a", "--retention", "keep=0"]);
    assert!(code == 2 && err.contains("at least 1 capture of a page is kept, not 0"), "{err}");
    let (_, err, code) = run(data.path(), &["watch", "edit", "a", "--retention", "thin"]);
    assert!(code == 2 && err.contains("add `keep` or `most-bytes`"), "{err}");
    let path = data.path().join("watches/watches.toml");
    std::fs::write(&path, format!("[[watch]]\nurl = '{PAGE}'\nretention = {{ older-than = 'soon' }}\n")).unwrap();
    let (_, err, code) = run(data.path(), &["watch", "list"]);
    assert!(code == 2 && err.contains(", line 3: ") && err.contains("`soon` is no span of time"), "{err}");
    let (_, err, code) = run(data.path(), &["archive", "compact", "--keep", "1"]);
    assert!(code == 2 && err.contains("`soon`"), "as long as the rules of watches are not known nothing goes: {err}");
}
