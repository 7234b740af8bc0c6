//! What `driftline redesign` makes of input that is cut, odd, empty or of another kind.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

/// The exit code, stdout and stderr of a run.
fn run_in(folder: &Path, arguments: &[&str], stdin: &[u8]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    let output = command.arg("redesign").args(arguments).current_dir(folder).write_stdin(stdin).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// How many documents were read, skipped and cut.
fn counts((_, out, err): &(i32, String, String)) -> [u64; 3] {
    let json: Value = serde_json::from_str(out).unwrap_or_else(|error| panic!("{error}: {err}"));
    ["documents", "skipped", "cut"].map(|name| json[name].as_u64().unwrap())
}

/// A record of a WARC file with this response in it.
fn record(http: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: {}\r\n\r\n",
        http.len()
    );
    [head.as_bytes(), http, b"\r\n\r\n"].concat()
}

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page</p>";

#[test]
fn stdin_that_is_no_json_lines_is_one_error_with_a_cure() {
    for stdin in ["<!doctype html>\n<p>\n", "\n  WARC/1.0\r\n", "a.html\nb.html\n", "[1]"] {
        let (code, out, err) = run_in(Path::new("."), &["--json", "-"], stdin.as_bytes());
        assert_eq!((code, out.as_str()), (2, ""), "{stdin}");
        assert!(err.contains("stdin does not hold JSON lines"), "{err}");
        assert!(err.lines().count() == 2 && err.contains("\nhint: pipe in one"), "{err}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let line = "\u{feff}{\"html\": \"<p>\"}\n{\"html\": \"<p>\"}\n";
    fs::write(folder.path().join("lines.jsonl"), line).unwrap();
    fs::write(folder.path().join("a.html"), "<p>").unwrap();
    fs::write(folder.path().join("list.txt"), "\u{feff}a.html\r\na.html\r\n").unwrap();
    for input in ["lines.jsonl", "list.txt", "-"] {
        assert_eq!(counts(&run_in(folder.path(), &["--json", input], line.as_bytes())), [2, 0, 0], "{input}");
    }
    for rows in ["\u{feff}[[], [0.5]]", "\u{feff}{\"sims\": [[], [0.5]]}", "\u{feff}\n0.5\n"] {
        let ran = run_in(folder.path(), &["--json", "--input", "similarities", "-"], rows.as_bytes());
        assert_eq!(counts(&ran), [2, 0, 0], "{rows}");
    }
}

#[test]
fn documents_that_are_cut_are_counted_and_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (long, short) = ("<p>long</p>".repeat(20), "<p>short</p>");
    fs::create_dir(at("pages")).unwrap();
    for (name, page) in [("a", long.as_str()), ("b", short), ("c", &long)] {
        fs::write(at(&format!("pages/{name}.html")), page).unwrap();
    }
    let lines = [&long, short, &long].map(|page| json!({"html": page}).to_string()).join("\n");
    let response = |page: &str| record(format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}").as_bytes());
    fs::write(at("x.warc"), [response(&long), response(short), response(&long)].concat()).unwrap();
    for input in ["pages", "-", "x.warc"] {
        let ran = run_in(folder.path(), &["--json", "--max-bytes", "100", input], lines.as_bytes());
        assert_eq!(counts(&ran), [3, 0, 2], "{input}");
        assert!(ran.2.contains("warning: 2 documents are longer than `--max-bytes`"), "{}", ran.2);
        assert_eq!(ran.2.lines().count(), 1);
        let ran = run_in(folder.path(), &["--json", input], lines.as_bytes());
        assert_eq!((counts(&ran), ran.2.as_str()), ([3, 0, 0], ""), "{input}");
    }
}

#[test]
fn lines_may_have_html_or_body_and_the_first_text_is_the_page() {
    let lines = [
        r#"{"html": null, "body": "<p>"}"#,
        r#"{"html": "<p>", "body": "<b>"}"#,
        r#"{"body": "<p>", "html": "<b>", "name": 7, "url": null}"#,
        r#"{"html": 5, "body": null}"#,
        "5",
        "{nonsense",
    ];
    let ran = run_in(Path::new("."), &["--json", "-"], lines.join("\n").as_bytes());
    assert_eq!(counts(&ran), [3, 3, 0], "{}", ran.2);
    assert!(!ran.2.contains("struct") && !ran.2.contains("line 1 column"), "{}", ran.2);
    assert!(ran.2.contains("`line 4` is skipped: it has no page"), "{}", ran.2);
    // A page of the largest size, of which every byte is escaped.
    let line = format!("{{\"html\": \"{}\"}}", "\\u003c".repeat(1 << 20));
    let ran = run_in(Path::new("."), &["--json", "--max-bytes", "1048576", "-"], line.as_bytes());
    assert_eq!(counts(&ran), [1, 0, 0], "{}", ran.2);
}

#[test]
fn similarities_of_nothing_are_an_error() {
    for rows in ["", "{\"cases\": []}", "{\"sims\": []}", "\u{feff}"] {
        let (code, _, err) = run_in(Path::new("."), &["--input", "similarities", "-"], rows.as_bytes());
        assert!(code == 2 && err.contains("there are no similarities in `-`"), "{rows}: {err}");
    }
    let cases = "{\"id\": 1, \"sims\": [[]]}\n{\"id\": 2, \"sims\": [[], [0.5]]}\n";
    let (_, out, err) = run_in(Path::new("."), &["--json", "--input", "similarities", "-"], cases.as_bytes());
    assert_eq!(out.lines().count(), 2, "{err}");
}

#[test]
fn a_response_with_thousands_of_header_lines_is_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let many = PAGE.replace("\r\n\r\n", &format!("\r\n{}\r\n", "X-Filler: something\r\n".repeat(9_000)));
    fs::write(folder.path().join("x.warc"), [record(many.as_bytes()), record(PAGE.as_bytes())].concat()).unwrap();
    assert_eq!(counts(&run_in(folder.path(), &["--json", "x.warc"], b"")), [2, 0, 0]);
}

#[test]
fn a_body_without_a_type_is_a_document_if_it_looks_like_one() {
    let folder = tempfile::tempdir().unwrap();
    let of = |body: &[u8]| record(&[b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", body].concat());
    let records = [
        of(b"\n <!doctype html><p>"),
        of(b"<div>x</div>"),
        of(b"\x89PNG\r\n\x1a\n<html"),
        of(b"{\"a\": \"<b>\"}"),
        of(b""),
    ];
    fs::write(folder.path().join("x.warc"), records.concat()).unwrap();
    assert_eq!(counts(&run_in(folder.path(), &["--json", "x.warc"], b"")), [2, 0, 0]);
}

#[test]
fn pages_of_arc_files_are_documents_too() {
    let folder = tempfile::tempdir().unwrap();
    let head = "1 0 X\nURL IP-address Archive-date Content-type Archive-length\n";
    let of = |date: &str| format!("http://a.org/ 1.2.3.4 {date} text/html {}\n{PAGE}\n", PAGE.len());
    let file = format!("filedesc://x.arc 0.0.0.0 20010101000000 text/plain {}\n{head}\n", head.len());
    fs::write(folder.path().join("x.arc"), file + &of("20020101000000") + &of("20010101000000")).unwrap();
    let ran = run_in(folder.path(), &["--json", "x.arc"], b"");
    assert_eq!(counts(&ran), [2, 0, 0], "{}", ran.2);
}

#[test]
fn a_coding_that_nobody_knows_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let of = |coding: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\n\r\n");
        record(&[head.as_bytes(), body].concat())
    };
    // Some servers take it for the charset.
    let records = [of("utf-8", b"<p>page</p>"), of("lzma", b"\x5d\x00\x00\x80")];
    fs::write(folder.path().join("x.warc"), records.concat()).unwrap();
    let ran = run_in(folder.path(), &["--json", "x.warc"], b"");
    assert_eq!(counts(&ran), [1, 1, 0]);
    assert!(ran.2.contains("its content coding `lzma` cannot be undone"), "{}", ran.2);
}

#[test]
fn the_fragment_at_the_end_of_a_file_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let whole = [record(PAGE.as_bytes()), record(PAGE.as_bytes())].concat();
    fs::write(folder.path().join("x.warc"), &whole[..whole.len() - 8]).unwrap();
    let ran = run_in(folder.path(), &["--json", "x.warc"], b"");
    assert_eq!(counts(&ran), [1, 1, 0], "{}", ran.2);
}

#[test]
fn hints_fit_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("empty")).unwrap();
    fs::write(at("list.txt"), "\n").unwrap();
    fs::write(at("lines.jsonl"), "\n").unwrap();
    fs::write(at("x.warc"), record(b"HTTP/1.1 404 Not Found\r\n\r\n<p>")).unwrap();
    for (input, hint) in [
        ("empty", "hint: in a folder"),
        ("list.txt", "hint: the list is empty"),
        ("lines.jsonl", "hint: a document is a line"),
        ("x.warc", "hint: of a WARC file"),
        ("-", "hint: stdin is empty"),
    ] {
        let (code, _, err) = run_in(folder.path(), &[input], b"");
        assert!(code == 2 && err.contains("there are no documents") && err.contains(hint), "{input}: {err}");
    }
    fs::write(at("list.txt"), "empty\nx.warc\n").unwrap();
    let (_, _, err) = run_in(folder.path(), &["list.txt"], b"");
    assert!(err.contains("name the folder itself") && err.contains("name the WARC file itself"), "{err}");
    assert!(!err.contains("driftline measure") && !err.contains("take the pages out"), "{err}");
}
