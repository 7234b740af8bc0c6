//! `driftline evaluate redesign`, as it is run.

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin_cmd;
use driftline_evaluation::redesign::synthesis::{MadeStream, Scenario};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{json_of, stderr, stdout};

fn redesign(folder: &Path, arguments: &[&str]) -> Assert {
    cargo_bin_cmd!("driftline").current_dir(folder).args(["evaluate", "redesign"]).args(arguments).assert()
}

/// Writes a stream as people keep them, with a table beside the documents.
fn write(folder: &Path, name: &str, documents: &[String]) {
    let folder = folder.join(name);
    fs::create_dir_all(&folder).unwrap();
    for (number, html) in documents.iter().enumerate() {
        fs::write(folder.join(format!("{number:04}.html")), html).unwrap();
    }
    fs::write(folder.join("documents.csv"), "index\n").unwrap();
}

/// Two made streams, one with a redesign.
fn streams() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut entries = Vec::new();
    for scenario in [Scenario::Homogeneous, Scenario::Redesign] {
        let made = MadeStream::new(scenario, 0, 1);
        write(&folder.path().join("streams"), &made.name, &made.documents);
        entries.push(json!({
            "name": made.name, "count": made.documents.len(), "redesign": made.redesigns, "minor_changes": [],
            "kind": "homogeneous", "artificial": scenario == Scenario::Redesign, "evidence": "it was made so",
        }));
    }
    fs::write(folder.path().join("streams/streams.json"), Value::from(entries).to_string()).unwrap();
    folder
}

/// Thirty documents of one template and thirty of another, all of a template the same.
fn plain() -> TempDir {
    let folder = TempDir::new().unwrap();
    let tags = |first: &str, second: &str| format!("<{first}><{second}>word</{second}></{first}>").repeat(8);
    let old = tags("div", "p");
    let new = tags("section", "h2");
    let documents: Vec<String> = (0..60).map(|number| if number < 30 { old.clone() } else { new.clone() }).collect();
    write(&folder.path().join("streams"), "posts", &documents);
    let entries = json!([{"name": "posts", "count": 60, "redesign": [30]}]);
    fs::write(folder.path().join("streams/streams.json"), entries.to_string()).unwrap();
    folder
}

#[test]
fn a_plain_redesign_is_counted_for_every_detector() {
    let json = json_of(&redesign(plain().path(), &["--json", "--history", "20", "streams"]).success());
    let rows = json["table_2"].as_array().unwrap();
    let line = |row: &Value| {
        let name = row["detector"].as_str().unwrap();
        format!("{name}: {} {} {} {}, delay {}", row["tp"], row["tn"], row["fp"], row["fn"], row["delay"]["median"])
    };
    insta::assert_snapshot!(rows[..4].iter().map(line).collect::<Vec<_>>().join("\n"), @"
    new-avg-drop: 0 59 0 1, delay null
    max-avg-diff: 1 59 0 0, delay 19.0
    statistics: 1 44 15 0, delay 19.0
    cluster: 1 59 0 0, delay 3.0
    ");
    assert!(line(&rows[4]).starts_with("driftline: 1 59 0 0"), "{}", rows[4]);
    let said = &json["streams"][0]["trials"][0]["detectors"]["cluster"];
    let reports = json!([{"alarm": "true", "at": 33, "document": 30}]);
    assert_eq!(*said, json!({"missed": [], "reports": reports}));
}

#[test]
fn streams_in_a_folder_are_evaluated_by_kind() {
    let folder = streams();
    let run = redesign(folder.path(), &["--output", "report", "streams"]).success();
    let text = stdout(&run);
    assert!(text.starts_with("Folder `streams`: 2 streams, "), "{text}");
    assert!(text.contains("\nhomogeneous ") && text.contains("\nartificial "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert_eq!(stderr(&run), "wrote `report/report.html` and 8 other files\n");
    let page = fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(page.contains("driftline evaluate redesign --history 5,10,20 --output report streams"));
    let reports = fs::read_to_string(folder.path().join("report/reports.csv")).unwrap();
    assert!(reports.starts_with("stream,detector,history,document,at,delay,alarm,"), "{reports}");
}

#[test]
fn without_a_folder_streams_are_made() {
    let folder = TempDir::new().unwrap();
    let typed = ["--streams", "1", "--history", "10", "--json", "--seed", "3"];
    let (once, again) = (redesign(folder.path(), &typed).success(), redesign(folder.path(), &typed).success());
    assert_eq!(stdout(&once), stdout(&again));
    let json = json_of(&once);
    assert_eq!(json["streams"].as_array().unwrap().len(), Scenario::ALL.len());
    assert_eq!(json["kinds"][0]["kind"], "homogeneous");
    assert_eq!(json["source"]["seed"], 3);
}

#[test]
fn a_stream_that_is_not_as_described_is_left_out_and_named() {
    let folder = plain();
    let entries = json!([
        {"name": "posts", "count": 60, "redesign": [30]},
        {"name": "posts", "count": 61},
        {"name": "posts", "count": 60, "redesign": [60]},
        {"name": "gone", "count": 3},
        {"name": "../streams", "count": 3},
    ]);
    fs::write(folder.path().join("streams/streams.json"), entries.to_string()).unwrap();
    let run = redesign(folder.path(), &["--quiet", "streams"]).success();
    let warnings = stderr(&run);
    for warning in [
        "the stream `posts` is left out: it should have 61 documents, and there are 60",
        "the stream `posts` is left out: it has 60 documents, and none is number 60",
        "the stream `gone` is left out: cannot read the folder `streams/gone`",
        "the stream `../streams` is left out: its name is not that of a folder beside `streams.json`",
    ] {
        assert!(warnings.contains(&format!("warning: {warning}")), "{warnings}");
    }
    assert!(stdout(&run).contains("1 stream, 60 documents, 1 redesign (4 left out"), "{}", stdout(&run));
}

#[test]
fn streams_and_redesigns_that_are_named_twice_count_once() {
    let folder = plain();
    let entry = json!({"name": "posts", "count": 60, "redesign": [30, 30], "minor_changes": [5, 5]});
    fs::write(folder.path().join("streams/streams.json"), json!([entry, entry]).to_string()).unwrap();
    // The shortest history that there is.
    let run = redesign(folder.path(), &["--quiet", "--json", "--history", "2,20", "streams"]).success();
    assert!(stderr(&run).contains("warning: the stream `posts` is named twice; it is taken once"), "{}", stderr(&run));
    let json = json_of(&run);
    assert_eq!((&json["format"], &json["redesigns"], &json["documents"]), (&json!(1), &json!(1), &json!(60)));
}

#[test]
fn what_is_no_folder_of_streams_is_refused_with_a_hint() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let refused = stderr(&redesign(folder.path(), &["empty"]).code(2));
    assert!(refused.contains("cannot read `empty/streams.json`") && refused.contains("hint: "), "{refused}");
    for (broken, why) in [
        ("{", "is no list of streams"),
        ("{\"name\": 1}", "is no list of streams"),
        ("[{\"name\": \"posts\"}]", "missing field `count`"),
        ("[]", "there is no stream below `empty`"),
        ("[{\"name\": \"posts\", \"count\": 0}]", "there is no stream below `empty`"),
    ] {
        fs::write(folder.path().join("empty/streams.json"), broken).unwrap();
        let refused = stderr(&redesign(folder.path(), &["empty"]).code(2));
        assert!(refused.contains(why) && refused.contains("hint: "), "{broken}: {refused}");
    }
}

#[test]
fn what_cannot_be_is_refused_before_anything_is_read() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let refused = stderr(&redesign(folder.path(), &["--output", "file", "streams"]).code(2));
    assert!(refused.contains("cannot write to the folder `file`"), "{refused}");
    let refused = stderr(&redesign(folder.path(), &["--history", "1", "streams"]).code(2));
    assert!(refused.contains("the history must be from 2 to 1000 documents, not 1"), "{refused}");
    let refused = stderr(&redesign(folder.path(), &["--streams", "2", "streams"]).code(2));
    assert!(refused.contains("cannot be used with"), "{refused}");
    redesign(folder.path(), &["--history", "2000", "streams"]).code(2);
}

/// Gottron's table 2 on the project's own streams; the numbers of his four are known from another implementation.
#[test]
#[ignore = "needs the shared data"]
fn gottrons_four_are_as_known_on_the_streams_of_real_documents_on_the_shared_data() {
    let folder = driftline_testkit::data::shared().join("streams");
    let json = json_of(&redesign(&folder, &["--json", "--quiet", "--history", "20", "."]).success());
    let cells = |row: &Value| ["tp", "fp", "fn"].map(|cell| row[cell].as_u64().unwrap());
    let rows = json["table_2"].as_array().unwrap();
    let found: Vec<_> = rows.iter().map(|row| (row["detector"].as_str().unwrap(), cells(row))).collect();
    let known = [
        ("new-avg-drop", [7, 11, 4]),
        ("max-avg-diff", [6, 2, 5]),
        ("statistics", [8, 310, 3]),
        ("cluster", [5, 0, 6]),
    ];
    assert_eq!(found[..4], known);
    let f1 = |row: &Value| row["f1"].as_f64().unwrap();
    assert!(rows[..4].iter().all(|row| f1(row) < f1(&rows[4])), "{rows:?}");
}
