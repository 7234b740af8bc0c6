//! Do `archive list` and `archive get` show what is in the archive?

use std::path::Path;

use assert_cmd::Command;
use driftline_archive::Archive;
use driftline_archive::capture::{Capture, Content, Exchange};
use driftline_catalog::Change;

fn driftline(data: &Path, arguments: &[&str]) -> (String, String, i32) {
    let mut command = Command::cargo_bin("driftline").unwrap();
    command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG");
    let output = command.arg("archive").args(arguments).arg("--data").arg(data).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn capture(url: &str, at: &str, body: &str) -> Capture {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n", body.len());
    let exchange = Exchange { head: head.into_bytes(), body: body.into(), ..Exchange::default() };
    Capture { url: url.to_owned(), at: at.parse().unwrap(), content: Content::Http(exchange), metadata: Vec::new() }
}

/// Three captures of a page, the last one unchanged, and one of a page below; the change is measured.
fn filled() -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let archive = Archive::open_at(data.path()).unwrap();
    let page = "http://example.org/";
    let captures =
        [(page, "2019", "one"), (page, "2020", "two"), (page, "2021", "two"), ("http://example.org/a", "2020", "a")];
    let kept: Vec<_> =
        captures.iter().map(|(url, at, body)| archive.append(&capture(url, at, body)).unwrap()).collect();
    let change = Change {
        older: kept[0].id,
        newer: kept[1].id,
        recipe: 1,
        degree: 0.25,
        importance: None,
        body: serde_json::json!({}),
        ..Change::default()
    };
    archive.catalog().put_changes(&[change]).unwrap();
    archive.close().unwrap();
    data
}

/// The words of each line, the length of the record left out.
fn words(text: &str) -> Vec<Vec<&str>> {
    text.lines()
        .map(|line| line.split_whitespace().enumerate().filter(|(n, _)| *n != 3).map(|(_, word)| word).collect())
        .collect()
}

#[test]
fn captures_are_listed_in_the_order_of_time() {
    let data = filled();
    let (out, _, code) = driftline(data.path(), &["list", "https://www.example.org/"]);
    let line = |year: &str, mark: &'static str, degree: &'static str| {
        vec![
            format!("{year}-01-01T00:00:00Z"),
            "200".into(),
            "text/html".into(),
            mark.into(),
            degree.into(),
            "http://example.org/".to_string(),
        ]
    };
    assert_eq!(
        words(&out),
        [line("2019", "version", "-"), line("2020", "version", "0.2500"), line("2021", "same", "-")]
    );
    assert_eq!(code, 0);
}

#[test]
fn a_list_can_be_narrowed() {
    let data = filled();
    let count = |arguments: &[&str]| {
        let all: Vec<&str> = ["list", "http://example.org/"].iter().chain(arguments).copied().collect();
        driftline(data.path(), &all).0.lines().count()
    };
    assert_eq!(count(&["--versions"]), 2);
    assert_eq!(count(&["--from", "2020"]), 2);
    assert_eq!(count(&["--to", "2020"]), 1);
    assert_eq!(count(&["--limit", "1"]), 1);
    assert_eq!(count(&["--prefix"]), 4);
    assert_eq!(count(&["--prefix", "--versions", "--from", "2020"]), 2);
}

#[test]
fn json_says_where_a_capture_lies() {
    let data = filled();
    let (out, _, _) = driftline(data.path(), &["list", "http://example.org/", "--json"]);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[1]["version"], &lines[1]["degree"]), (&true.into(), &0.25.into()));
    assert_eq!((&lines[2]["kind"], &lines[2]["version"]), (&"revisit".into(), &false.into()));
    assert!(lines[0]["segment"].as_str().unwrap().ends_with(".warc.gz"), "{}", lines[0]);
}

#[test]
fn addresses_are_listed_with_their_counts() {
    let data = filled();
    let (out, _, _) = driftline(data.path(), &["list"]);
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    let (first, latest) = ("2019-01-01T00:00:00Z", "2021-01-01T00:00:00Z");
    assert_eq!(lines[0], ["3", first, latest, "http://example.org/"]);
    assert_eq!((lines.len(), lines[1][3]), (2, "http://example.org/a"));
}

#[test]
fn a_body_comes_back() {
    let data = filled();
    let get = |arguments: &[&str]| driftline(data.path(), &[&["get"], arguments].concat()).0;
    assert_eq!(get(&["http://example.org/@2019"]), "one");
    assert_eq!(get(&["http://example.org/@=20200101000000"]), "two");
    assert_eq!(get(&["https://example.org/@latest"]), "two", "an unchanged one has the body of its original");
    let answer = get(&["--headers", "http://example.org/@first"]);
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n") && answer.ends_with("\r\n\r\none"),
        "{answer:?}"
    );
}

#[test]
fn a_record_is_a_warc_file_of_its_own() {
    let data = filled();
    let file = data.path().join("one.warc.gz");
    let (_, errors, code) =
        driftline(data.path(), &["get", "--record", "http://example.org/@first", "-o", file.to_str().unwrap()]);
    assert_eq!((errors.as_str(), code), ("", 0));
    let mut reader = driftline_archive::warc::Reader::new(std::io::BufReader::new(std::fs::File::open(file).unwrap()));
    let record = reader.next().unwrap().unwrap();
    assert_eq!(record.target_uri.as_deref(), Some("http://example.org/"));
}

#[test]
fn a_file_stays_as_it_is_if_there_is_nothing_to_write() {
    let data = filled();
    let file = data.path().join("page.html");
    std::fs::write(&file, "mine").unwrap();
    // The record is gone with its segment.
    std::fs::remove_dir_all(data.path().join("warc")).unwrap();
    for record in [&[][..], &["--record"]] {
        let arguments = [&["get", "http://example.org/@first", "-o", file.to_str().unwrap()][..], record].concat();
        let (_, errors, code) = driftline(data.path(), &arguments);
        assert_eq!(code, 2, "{errors}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
    assert_eq!(std::fs::read_dir(data.path()).unwrap().filter(is_partial).count(), 0);
}

fn is_partial(entry: &std::io::Result<std::fs::DirEntry>) -> bool {
    entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".partial")
}

#[test]
fn what_is_not_there_is_told() {
    let data = filled();
    let (out, errors, code) = driftline(data.path(), &["get", "http://example.org/@=2018"]);
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(errors.contains("there is no capture `http://example.org/@=2018") && errors.contains("hint:"), "{errors}");
    assert!(errors.contains("`driftline archive list http://example.org/` names"), "{errors}");
    let (_, errors, _) = driftline(data.path(), &["get", "http://example.net/@latest"]);
    assert!(errors.contains("`driftline archive list` names"), "{errors}");
    let (out, errors, code) = driftline(data.path(), &["list", "http://example.net/"]);
    assert_eq!((out.as_str(), code), ("", 0));
    assert!(errors.contains("there is no such capture of `http://example.net/`"), "{errors}");
    let (_, errors, code) = driftline(data.path(), &["get", "http://example.org/"]);
    assert!(code == 2 && errors.contains("does not say when"), "{errors}");
}

#[test]
fn reading_begins_no_archive() {
    let data = tempfile::tempdir().unwrap();
    let (_, errors, code) = driftline(data.path(), &["list"]);
    assert!(code == 2 && errors.contains("there is no archive") && errors.contains("hint: "), "{errors}");
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0);
}

#[test]
fn settings_are_obeyed_and_odd_ones_refused() {
    let data = filled();
    std::fs::rename(data.path().join("catalog.db"), data.path().join("other.db")).unwrap();
    std::fs::write(data.path().join("driftline.toml"), "catalog = \"other.db\"\n").unwrap();
    assert_eq!(driftline(data.path(), &["list"]).0.lines().count(), 2);
    std::fs::write(data.path().join("driftline.toml"), "catalogue = \"other.db\"\n").unwrap();
    let (_, errors, code) = driftline(data.path(), &["list"]);
    assert!(code == 2 && errors.contains("unknown key `catalogue`; known keys: `catalog`"), "{errors}");
}

#[test]
fn a_lost_catalog_or_folder_is_told_with_what_helps() {
    let data = filled();
    let (catalog, warc) = (data.path().join("catalog.db"), data.path().join("warc"));
    std::fs::rename(&warc, data.path().join("away")).unwrap();
    let (_, errors, code) = driftline(data.path(), &["get", "http://example.org/@latest"]);
    assert!(code == 2 && errors.contains("is not there") && errors.contains("mounted"), "{errors}");
    assert!(!errors.contains("s3") && errors.matches("hint:").count() == 1, "{errors}");
    let (out, errors, code) = driftline(data.path(), &["verify"]);
    assert!(code == 1 && out.contains("the file is not there"), "{out}{errors}");
    let (_, errors, code) = driftline(data.path(), &["rebuild"]);
    assert!(code == 2 && errors.contains("mounted") && !warc.exists(), "{errors}");
    std::fs::rename(data.path().join("away"), &warc).unwrap();
    std::fs::write(&catalog, "no database, but something else\n").unwrap();
    let (_, errors, code) = driftline(data.path(), &["list"]);
    assert!(code == 2 && errors.contains("driftline archive rebuild"), "{errors}");
    std::fs::remove_file(&catalog).unwrap();
    let (_, errors, code) = driftline(data.path(), &["list"]);
    assert!(code == 2 && errors.contains("driftline archive rebuild"), "{errors}");
    assert_eq!(driftline(data.path(), &["rebuild"]).2, 0);
    assert_eq!(driftline(data.path(), &["get", "http://example.org/@latest"]).0, "two");
}

#[test]
fn a_password_is_never_printed() {
    let data = filled();
    for toml in ["catalog = \"postgres://dl:s3cr3tPW@h/x\n", "[s3]\nsecret-acess-key = \"s3cr3tPW\"\n"] {
        std::fs::write(data.path().join("driftline.toml"), toml).unwrap();
        let (_, errors, code) = driftline(data.path(), &["list"]);
        assert!(code == 2 && errors.contains("line ") && !errors.contains("s3cr3tPW"), "{errors}");
    }
    std::fs::remove_file(data.path().join("driftline.toml")).unwrap();
    for catalog in ["postgres:/dl:s3cr3tPW@h/x", "host=127.0.0.1 password=s3cr3tPW"] {
        let mut command = Command::cargo_bin("driftline").unwrap();
        let command = command.args(["archive", "list", "--data"]).arg(data.path()).env("DRIFTLINE_CATALOG", catalog);
        let output = command.output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains("is no place for a catalog") && !errors.contains("s3cr3tPW"), "{errors}");
    }
}
