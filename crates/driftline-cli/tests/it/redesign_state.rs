//! `driftline redesign --state`: a run that fails changes nothing, and nobody else comes in between.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};

/// The exit code, stdout and stderr of a run.
fn run_in(folder: &Path, arguments: &[&str], stdin: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    let output = command.arg("redesign").args(arguments).current_dir(folder).write_stdin(stdin).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Documents as JSON lines, of one design before `change` and of another from there on.
fn lines(from: usize, to: usize, change: usize) -> String {
    let document = |number: usize| {
        let words = "<p>text <b>bold</b> <i>more</i></p>".repeat(1 + number % 3);
        if number < change {
            format!("<body><table><tr><td><h1>News</h1></td></tr></table><ul><li>a</li></ul>{words}</body>")
        } else {
            format!(
                "<body><header><nav><a>x</a></nav></header><main><article><div>{words}</div></article></main><footer><dl><dt>z</dt></dl></footer></body>"
            )
        }
    };
    (from..to).map(|number| json!({"html": document(number), "id": number}).to_string() + "\n").collect()
}

const SHORT: [&str; 5] = ["--json", "--history", "4", "--state", "s"];

#[test]
fn a_run_that_cannot_draw_leaves_the_state_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let state = || fs::read(folder.path().join("s")).unwrap();
    let (code, ..) = run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), &lines(0, 12, 12));
    assert_eq!(code, 0);
    let before = state();
    let drawn = [&SHORT[..], &["--plot", "missing/x.svg", "-"]].concat();
    let (code, out, err) = run_in(folder.path(), &drawn, &lines(12, 24, 12));
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("missing/x.svg"), "{err}");
    assert_eq!(state(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    // The alarm is not lost.
    let (code, ..) = run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), &lines(12, 24, 12));
    assert_eq!(code, 1);
    assert_ne!(state(), before);
}

#[test]
fn a_redesign_that_was_taken_back_is_no_reason_for_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    let there = lines(0, 12, 12) + &lines(12, 24, 12);
    // A layout for a few documents, then the old one again.
    let and_back = lines(0, 30, 30) + &lines(12, 15, 0) + &lines(30, 60, 60);
    let (code, out, _) = run_in(folder.path(), &["--json", "--detector", "driftline", "-"], &and_back);
    let found: Value = serde_json::from_str(&out).unwrap();
    let reports = found["detectors"]["driftline"].as_array().unwrap();
    assert!(reports.iter().any(|report| report["verdict"] == "temporary"), "{out}");
    assert_eq!(code, 0, "{out}");
    let (code, ..) = run_in(folder.path(), &["--json", "--history", "4", "--detector", "driftline", "-"], &there);
    assert_eq!(code, 1);
}

#[test]
fn a_state_that_another_run_uses_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let partial = fs::File::create(folder.path().join("s.partial")).unwrap();
    partial.lock().unwrap();
    let (code, _, err) = run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), &lines(0, 3, 9));
    assert!(code == 2 && err.contains("another run is using the state"), "{err}");
    drop(partial);
    let (code, _, err) = run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), &lines(0, 3, 9));
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn a_state_with_something_else_in_it_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), &lines(0, 6, 9));
    let saved = fs::read_to_string(folder.path().join("s")).unwrap();
    fs::write(folder.path().join("s"), saved.replacen('{', "{\"more\":1,", 1)).unwrap();
    let (code, _, err) = run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), "");
    let told = "it is damaged: line 1: unknown key `more`; known keys: `format`, `asked`, `stream`, `course`, `cut`\n";
    assert!(code == 2 && err.contains(told) && err.contains("\nhint: name another file"), "{err}");
    fs::write(folder.path().join("s"), &saved[..saved.len() / 2]).unwrap();
    let (code, _, err) = run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), "");
    assert!(code == 2 && err.contains(": line 1: it ends too early\nhint: name another file"), "{err}");
    let (code, _, err) = run_in(folder.path(), &["--state", ".", "-"], "");
    assert!(code == 2 && err.contains("it is no regular file"), "{err}");
}

#[test]
fn parameters_of_a_case_have_to_be_those_of_the_state() {
    let folder = tempfile::tempdir().unwrap();
    let case = |h: usize| json!({"h": h, "sims": [[], [0.5], [0.5, 0.5]]}).to_string();
    let similarities = ["--input", "similarities", "--json", "--state", "s", "-"];
    assert_eq!(run_in(folder.path(), &similarities, &case(3)).0, 0);
    let (code, _, err) = run_in(folder.path(), &similarities, &case(5));
    assert!(code == 2 && err.contains("`history` was 3 and is 5"), "{err}");
    let (code, out, err) = run_in(folder.path(), &similarities, &case(3));
    assert_ne!(code, 2, "{err}");
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["documents"], 6);
}

/// `UPDATE_STATE=1` writes the state of the newest format, for a new format only: states that people have must be read.
#[test]
fn a_state_of_any_format_is_still_read() {
    if std::env::var_os("UPDATE_STATE").is_some() {
        let folder = tempfile::tempdir().unwrap();
        run_in(folder.path(), &[&SHORT[..], &["-"]].concat(), &lines(0, 13, 10));
        fs::copy(folder.path().join("s"), fixture("format-2.state")).unwrap();
    }
    assert_goes_on("format-1.state");
    assert_goes_on("format-2.state");
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A state after 13 documents goes on as a run over all of them does.
fn assert_goes_on(state: &str) {
    let folder = tempfile::tempdir().unwrap();
    let whole = lines(0, 20, 10);
    fs::copy(fixture(state), folder.path().join("s")).unwrap();
    let (_, out, err) = run_in(folder.path(), &["--json", "--state", "s", "-"], &lines(13, 20, 10));
    let resumed: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {err}"));
    let (_, out, _) = run_in(folder.path(), &["--json", "--history", "4", "-"], &whole);
    let at_once: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(resumed["resumed"], 13, "{state}");
    for part in ["documents", "detectors", "suspected", "parameters"] {
        assert_eq!(resumed[part], at_once[part], "{part} of {state}");
    }
}

#[test]
fn the_shortest_histories_need_no_horizon() {
    let folder = tempfile::tempdir().unwrap();
    for history in ["2", "3", "4"] {
        let (code, out, err) = run_in(folder.path(), &["--json", "--history", history, "-"], &lines(0, 6, 9));
        assert_eq!(code, 0, "{err}");
        let parameters = &serde_json::from_str::<Value>(&out).unwrap()["parameters"];
        assert_eq!(parameters["horizon"].as_u64().unwrap() + 1, history.parse::<u64>().unwrap());
    }
    let case = json!({"h": 3, "sims": [[], [0.5]]}).to_string();
    let (code, out, err) = run_in(folder.path(), &["--json", "--input", "similarities", "-"], &case);
    assert_eq!(code, 0, "{err}");
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["parameters"]["horizon"], 2);
}
