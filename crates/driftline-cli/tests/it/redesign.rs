//! `driftline redesign` as people and programs use it: the same documents in every form, and garbage in every place.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::support::gzip;

fn driftline() -> Command {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    command.arg("redesign");
    command
}

/// What a run printed, and how it ended.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }
}

fn run_in(folder: &Path, arguments: &[&str], stdin: &str) -> Ran {
    let output = driftline().args(arguments).current_dir(folder).write_stdin(stdin).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// A document of one of two designs.
fn document(number: usize) -> String {
    let words = format!("<p>text {number} <b>bold</b> <i>more</i></p>").repeat(1 + number % 3);
    if number < 12 {
        format!("<html><body><table><tr><td><h1>News</h1></td></tr></table><ul><li>a</li></ul>{words}</body></html>")
    } else {
        format!(
            "<html><body><header><nav><a>x</a></nav></header><main><article><div><section>{words}</section></div></article></main><footer><dl><dt>z</dt></dl></footer></body></html>"
        )
    }
}

const DOCUMENTS: usize = 24;
/// All detectors see the redesign with so short a history.
const SHORT: [&str; 5] = ["--json", "--history", "4", "--horizon", "2"];

fn url(number: usize) -> String {
    format!("http://example.org/{number:02}.html")
}

/// A record of a WARC file, dated so that documents are in order.
fn record(number: usize) -> Vec<u8> {
    let body = document(number);
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let (url, length) = (url(number), http.len());
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-01-{:02}T00:00:00Z",
        number + 1
    );
    format!(
        "{head}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{http}\r\n\r\n"
    )
    .into_bytes()
}

/// What is in a crawl beside pages.
fn other_records() -> Vec<Vec<u8>> {
    let of = |kind: &str, http: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let page = "\r\nContent-Type: text/html\r\n\r\n<p>";
    [
        of("warcinfo", "software: x"),
        of("request", "GET / HTTP/1.1\r\n\r\n"),
        of("response", &format!("HTTP/1.1 404 Not Found{page}")),
        of("response", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\u{1}"),
        of("revisit", &format!("HTTP/1.1 200 OK{page}")),
    ]
    .map(String::into_bytes)
    .to_vec()
}

/// The same documents in every form.
fn forms() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("pages/.hidden")).unwrap();
    for number in 0..DOCUMENTS {
        fs::write(at(&format!("pages/{number:02}.html")), document(number)).unwrap();
    }
    for beside in ["documents.csv", "style.css", "picture.png", ".hidden.html", "data.json"] {
        fs::write(at("pages").join(beside), "beside the pages").unwrap();
    }
    let line = |number: usize| json!({"url": url(number), "html": document(number), "time": number}).to_string();
    fs::write(at("pages.jsonl"), (0..DOCUMENTS).map(line).collect::<Vec<_>>().join("\n\n")).unwrap();
    let list: Vec<_> = (0..DOCUMENTS).map(|number| format!("pages/{number:02}.html")).collect();
    fs::write(at("list.txt"), list.join("\r\n")).unwrap();
    let records: Vec<_> = other_records().into_iter().chain((0..DOCUMENTS).map(record)).collect();
    fs::write(at("plain.warc"), records.concat()).unwrap();
    let packed = |records: &[Vec<u8>]| records.iter().flat_map(|record| gzip(record)).collect::<Vec<_>>();
    fs::write(at("packed.warc.gz"), packed(&records)).unwrap();
    fs::write(at("together.warc.gz"), gzip(&records.concat())).unwrap();
    let backwards: Vec<_> = records.iter().rev().cloned().collect();
    fs::write(at("backwards.warc.gz"), packed(&backwards)).unwrap();
    fs::write(at("backwards-together.warc.gz"), gzip(&backwards.concat())).unwrap();
    fs::write(at("nameless"), packed(&backwards)).unwrap();
    for (name, rest) in [("even.warc.gz", 0), ("odd.warc.gz", 1)] {
        let half: Vec<_> = (0..DOCUMENTS).filter(|number| number % 2 == rest).map(record).collect();
        fs::write(at(name), packed(&half)).unwrap();
    }
    folder
}

/// What was found, without the names, which depend on the form.
fn findings(json: &Value) -> Value {
    let mut json = json.clone();
    let lists = |json: &mut Value| {
        let detectors = json["detectors"].as_object_mut().unwrap().values_mut();
        detectors.flat_map(|list| list.as_array_mut().unwrap()).for_each(|found| {
            found.as_object_mut().unwrap().remove("name");
        });
    };
    lists(&mut json);
    json!([json["documents"], json["detectors"]])
}

#[test]
fn every_form_of_input_gives_the_same_findings() {
    let folder = forms();
    let expected = run_in(folder.path(), &[&SHORT[..], &["pages"]].concat(), "");
    assert_eq!(expected.code, 1, "{}", expected.err);
    let json = expected.json();
    assert_eq!((&json["documents"], &json["skipped"]), (&json!(DOCUMENTS), &json!(0)));
    assert_eq!(json["detectors"]["cluster"][0]["document"], 12);
    assert_eq!(json["detectors"]["cluster"][0]["name"], "pages/12.html");
    let files: Vec<_> = (0..DOCUMENTS).map(|number| format!("pages/{number:02}.html")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (first, second) = files.split_at(5);
    for input in [
        &["pages.jsonl"][..],
        &["list.txt"],
        &["plain.warc"],
        &["packed.warc.gz"],
        &["together.warc.gz"],
        &["backwards.warc.gz"],
        &["nameless"],
        &["odd.warc.gz", "even.warc.gz"],
        &[first, second].concat(),
    ] {
        let ran = run_in(folder.path(), &[&SHORT[..], input].concat(), "");
        assert_eq!((findings(&ran.json()), ran.code), (findings(&json), 1), "{input:?} {}", ran.err);
        assert_eq!(ran.err, "", "{input:?}");
    }
    let lines = fs::read_to_string(folder.path().join("pages.jsonl")).unwrap();
    let ran = run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), &lines);
    assert_eq!(findings(&ran.json()), findings(&json));
    let ran = run_in(folder.path(), &[&SHORT[..], &["backwards.warc.gz"]].concat(), &lines);
    assert_eq!(ran.json()["detectors"]["cluster"][0]["name"], url(12));
}

#[test]
fn records_that_cannot_be_sought_have_to_be_in_order() {
    let folder = forms();
    let ran = run_in(folder.path(), &["backwards-together.warc.gz"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("not in the order of their dates") && ran.err.contains("hint: "), "{}", ran.err);
}

#[test]
fn golden_detectors_come_out_of_the_command() {
    let golden = include_str!("../../../driftline/tests/golden/detectors.json");
    let cases: Value = serde_json::from_str(golden).unwrap();
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 60);
    let ran = run_in(Path::new("."), &["--input", "similarities", "--json", "-"], golden);
    let found: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), cases.len());
    for (found, case) in found.iter().zip(cases) {
        assert_eq!(found["id"], case["id"]);
        assert_eq!(found["documents"], case["sims"].as_array().unwrap().len());
        for (name, expected) in case["expect"]["reports"].as_object().unwrap() {
            let reports = found["detectors"][name.to_lowercase()].as_array().unwrap();
            let reports: Vec<_> = reports.iter().map(|report| json!([report["document"], report["at"]])).collect();
            assert_eq!(json!(reports), *expected, "{} {name}", case["id"]);
        }
    }
}

#[test]
fn what_is_typed_goes_before_what_a_case_says() {
    let case = json!({"cases": [{"id": "x", "h": 3, "h2": 2, "theta": 0.25, "sims": [[], [0.5]]}]}).to_string();
    let ran = run_in(Path::new("."), &["--input", "similarities", "--json", "--history", "7", "-"], &case);
    let parameters = &ran.json()["parameters"];
    assert_eq!(
        (&parameters["history"], &parameters["horizon"], &parameters["drop"]),
        (&json!(7), &json!(2), &json!(0.25))
    );
    assert_eq!(ran.code, 0);
}

#[test]
fn only_the_detectors_that_were_asked_for_have_a_key() {
    let folder = forms();
    let ran = run_in(folder.path(), &[&SHORT[..], &["--detector", "cluster,new-avg-drop", "pages"]].concat(), "");
    let json = ran.json();
    let names: Vec<_> = json["detectors"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["cluster", "new-avg-drop"]);
    assert_eq!(ran.code, 1);
    let ran = run_in(folder.path(), &["--detector", "foo", "pages"], "");
    assert!(ran.code == 2 && ran.err.contains("there is no detector `foo`; there are `new-avg-drop`"), "{}", ran.err);
}

#[test]
fn garbage_is_told_and_skipped() {
    let folder = forms();
    let at = |name: &str| folder.path().join(name);
    let packed = fs::read(at("packed.warc.gz")).unwrap();
    fs::write(at("short.warc.gz"), &packed[..packed.len() - 60]).unwrap();
    fs::write(at("garbage.warc.gz"), [&packed[..], &[0xff; 500]].concat()).unwrap();
    fs::write(
        at("long.warc"),
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1073741824\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>",
    )
    .unwrap();
    fs::write(at("gaps.txt"), "missing.html\npages/00.html\n\npages\npages/01.html\n").unwrap();
    fs::write(
        at("broken.jsonl"),
        "{\"html\": \"<p>\"}\nnonsense\n{\"html\": 5}\n{}\n\u{0}\n{\"body\": \"<p>\", \"id\": 7}\n",
    )
    .unwrap();
    fs::write(at("page.html"), gzip(b"<p>")).unwrap();
    for (input, documents, skipped) in
        [("short.warc.gz", 23, 1), ("garbage.warc.gz", 24, 1), ("gaps.txt", 2, 2), ("broken.jsonl", 2, 4)]
    {
        let ran = run_in(folder.path(), &["--json", input], "");
        let json = ran.json();
        assert_eq!((&json["documents"], &json["skipped"]), (&json!(documents), &json!(skipped)), "{input} {}", ran.err);
        assert!(ran.err.contains("is skipped: ") && ran.err.contains("could not be read"), "{input}: {}", ran.err);
    }
    for input in ["missing.html", "page.html", "missing/", "missing.warc", "missing.txt", "missing.jsonl"] {
        let ran = run_in(folder.path(), &["--json", input], "");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{input}");
        let name = input.trim_end_matches('/');
        assert!(ran.err.starts_with("error: cannot") && ran.err.contains(name), "{input}: {}", ran.err);
        assert_eq!(ran.err.lines().filter(|line| !line.starts_with("hint: ")).count(), 1, "{}", ran.err);
    }
    fs::create_dir(at("empty")).unwrap();
    let ran = run_in(folder.path(), &["empty"], "");
    assert!(ran.code == 2 && ran.err.contains("there are no documents") && ran.err.contains("hint: "), "{}", ran.err);
    let ran = run_in(folder.path(), &["--json", "long.warc"], "");
    assert!(ran.code == 2 && ran.err.contains("the file ends within the record at byte 0"), "{}", ran.err);
}

#[test]
fn rows_that_are_no_similarities_are_an_error_with_a_place() {
    for (rows, place) in [
        ("[[], [NaN]]", "line 1"),
        ("\n0.5\nnan 0.5", "document 2, value 1"),
        ("[]\n[0.5]\n[0.5, 1e400]", "line 3"),
        ("[[], [1.5]]", "document 1, value 1"),
        ("{\"cases\": [{\"id\": \"a\", \"sims\": [[], [-1]]}]}", "document 1 of case \"a\", value 1"),
        ("{\"cases\": 5}", "line 1"),
        ("0.5 zero", "`zero` is no number"),
    ] {
        let ran = run_in(Path::new("."), &["--input", "similarities", "-"], rows);
        assert!(ran.code == 2 && ran.err.contains(place), "{rows}: {}", ran.err);
    }
    let ran = run_in(Path::new("."), &["--input", "similarities", "--history", "1", "-"], "0.5");
    assert!(ran.code == 2 && ran.err.contains("from 2 to 1000"), "{}", ran.err);
}

#[test]
fn a_stream_may_be_split_anywhere() {
    let folder = forms();
    let whole = run_in(folder.path(), &[&SHORT[..], &["pages.jsonl"]].concat(), "").json();
    let lines = fs::read_to_string(folder.path().join("pages.jsonl")).unwrap();
    let lines: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
    for split in [1, 5, 12, 13, 14, 17, 23] {
        let state = format!("{split}.state");
        let first = [&SHORT[..], &["--state", &state, "-"]].concat();
        assert_eq!(run_in(folder.path(), &first, &lines[..split].join("\n")).json()["documents"], split);
        // What is not typed again is as it was.
        let second = run_in(folder.path(), &["--json", "--state", &state, "-"], &lines[split..].join("\n"));
        let json = second.json();
        assert_eq!(json["resumed"], split);
        assert_eq!((&json["detectors"], &json["suspected"]), (&whole["detectors"], &whole["suspected"]), "{split}");
        assert!(!folder.path().join(format!("{state}.partial")).exists());
        // Nothing new: nothing found.
        let third = run_in(folder.path(), &["--json", "--state", &state, "-"], "");
        assert_eq!((third.code, &third.json()["documents"]), (0, &json!(DOCUMENTS)), "{}", third.err);
    }
}

#[test]
fn a_state_that_does_not_fit_is_refused_and_kept() {
    let folder = forms();
    let at = |name: &str| folder.path().join(name);
    let begin = [&SHORT[..], &["--state", "s", "pages"]].concat();
    assert_eq!(run_in(folder.path(), &begin, "").code, 1);
    let saved = fs::read_to_string(at("s")).unwrap();
    let newer = saved.replacen("\"format\":2", "\"format\":3", 1);
    let half = &saved[..saved.len() / 2];
    let other = saved.replacen("\"history\":4", "\"history\":5", 1);
    for (text, arguments, message) in [
        (saved.as_str(), &["--history", "5"][..], "`history` was 4 and is 5"),
        (&saved, &["--detector", "cluster"], "`detectors` was"),
        (&saved, &["--input", "similarities"], "`input` was \"documents\" and is \"similarities\""),
        (&newer, &[], "it has the format 3, and this driftline knows 1 to 2"),
        (half, &[], "it is not a state"),
        (&other, &[], "it is damaged"),
        ("{}", &[], "it is not a state"),
        ("{\"format\":1}", &[], "it is damaged"),
        ("", &[], "it is not a state"),
    ] {
        fs::write(at("s"), text).unwrap();
        let input = if arguments.contains(&"similarities") { "list.txt" } else { "pages" };
        fs::write(at("list.txt"), "0.5").unwrap();
        let ran = run_in(folder.path(), &[arguments, &["--state", "s", input]].concat(), "");
        assert_eq!(ran.code, 2, "{message}");
        assert!(ran.err.contains(message), "{message}: {}", ran.err);
        assert_eq!(fs::read_to_string(at("s")).unwrap(), text);
    }
}

#[test]
fn the_course_can_be_drawn() {
    let folder = forms();
    for (name, start) in [("course.svg", b"<svg".as_slice()), ("course.PNG", b"\x89PNG")] {
        let ran = run_in(folder.path(), &["--history", "4", "--horizon", "2", "--plot", name, "pages"], "");
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(fs::read(folder.path().join(name)).unwrap().starts_with(start), "{name}");
    }
    let ran = run_in(folder.path(), &["--plot", "course.gif", "pages"], "");
    assert!(ran.code == 2 && ran.err.contains("`.svg` and `.png`"), "{}", ran.err);
}

#[test]
fn people_get_a_report() {
    let folder = forms();
    let ran = run_in(folder.path(), &["--history", "4", "--horizon", "2", "pages"], "");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("24 documents") && ran.out.contains("pages/12.html"), "{}", ran.out);
}
