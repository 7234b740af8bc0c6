//! `driftline diff` and `driftline demo` as people use them.

use std::fs;

use assert_cmd::Command;
use driftline_testkit::zoo;

fn driftline() -> Command {
    Command::cargo_bin("driftline").expect("the binary is built with its tests")
}

struct Pages {
    folder: tempfile::TempDir,
}

impl Pages {
    fn new(older: impl AsRef<[u8]>, newer: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("old.html"), older).unwrap();
        fs::write(folder.path().join("new.html"), newer).unwrap();
        Self { folder }
    }

    fn diff(&self, arguments: &[&str]) -> Command {
        let mut command = driftline();
        command.current_dir(self.folder.path()).arg("diff").args(arguments).args(["old.html", "new.html"]);
        command
    }

    fn stdout(&self, arguments: &[&str]) -> String {
        let output = self.diff(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// What is said about arguments that cannot be used.
    fn complaint(&self, arguments: &[&str]) -> String {
        let output = self.diff(arguments).assert().code(2);
        String::from_utf8(output.get_output().stderr.clone()).unwrap()
    }
}

const OLDER: &str = "<h1>Opening hours</h1><p>Open from nine to five.</p>\
    <ul><li>Monday<li>Tuesday</ul><p>Call us any time.";
const NEWER: &str = "<h1>Opening hours</h1><p>Open from nine to six, also on Sundays.</p>\
    <ul><li>Tuesday<li>Monday</ul><p>Call us any time.";

#[test]
fn the_change_is_told_in_words_and_marked_in_the_text() {
    insta::assert_snapshot!(Pages::new(OLDER, NEWER).stdout(&["--width", "80"]));
}

#[test]
fn two_columns_stand_beside_each_other() {
    insta::assert_snapshot!(Pages::new(OLDER, NEWER).stdout(&["--side-by-side", "--width", "80"]));
}

#[test]
fn the_exit_code_is_that_of_diff() {
    Pages::new(OLDER, OLDER).diff(&[]).assert().code(0);
    Pages::new(OLDER, NEWER).diff(&[]).assert().code(1);
    driftline().args(["diff", "no-such-file", "other"]).assert().code(2);
}

#[test]
fn one_of_the_versions_can_come_from_stdin() {
    let pages = Pages::new(OLDER, NEWER);
    driftline().current_dir(pages.folder.path()).args(["diff", "old.html", "-"]).write_stdin(OLDER).assert().code(0);
    driftline().args(["diff", "-", "-"]).assert().code(2);
}

#[test]
fn every_metric_is_shown_on_demand() {
    let shown = Pages::new(OLDER, NEWER).stdout(&["--metrics"]);
    for name in ["bw", "cos", "wd", "ed", "shingle", "ied", "ied_refined", "ied_gap"] {
        assert!(shown.lines().any(|line| line.starts_with(name)), "{name} is not in\n{shown}");
    }
}

#[test]
fn json_is_one_value_with_a_format_version() {
    let value: serde_json::Value = serde_json::from_str(&Pages::new(OLDER, NEWER).stdout(&["--json"])).unwrap();
    assert_eq!((&value["format"], &value["operations"]["move"]), (&1.into(), &1.into()));
    assert_eq!(value["edits"].as_array().unwrap().len(), 3);
}

#[test]
fn the_unified_view_is_a_patch() {
    let shown = Pages::new(OLDER, NEWER).stdout(&["--format", "unified"]);
    assert!(shown.starts_with("--- old.html\n+++ new.html\n@@ "), "{shown}");
    assert!(shown.contains("-Open from nine to five.\n"));
    assert!(shown.contains("+Open from nine to six, also on Sundays.\n"));
}

#[test]
fn the_page_view_is_one_file_that_loads_nothing() {
    let shown = Pages::new("<p>a", "<p>&lt;script&gt;alert(1)&lt;/script&gt; b").stdout(&["--format", "html"]);
    assert!(shown.starts_with("<!DOCTYPE html>"));
    assert!(shown.contains("Content-Security-Policy") && shown.contains("prefers-color-scheme"));
    for outside in ["src=\"http", "href=\"http", "@import", "url(http", "<script>alert(1)"] {
        assert!(!shown.contains(outside), "{outside}");
    }
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let pages = Pages::new(OLDER, NEWER);
    assert!(!pages.stdout(&[]).contains('\u{1b}'));
    assert!(pages.stdout(&["--color", "always"]).contains('\u{1b}'));
    assert!(!pages.stdout(&["--color", "never"]).contains('\u{1b}'));
}

#[test]
fn a_page_cannot_send_escapes_to_the_terminal() {
    let shown = Pages::new("<p>a", "<p>\u{1b}[31mred\u{7} \u{9b}0m").stdout(&[]);
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{9b}']));
}

#[test]
fn zones_and_noise_are_left_out() {
    let pages = Pages::new("<main>Same</main><footer>12:30</footer>", "<main>Same</main><footer>12:31</footer>");
    pages.diff(&["--zone", "main"]).assert().code(0);
    pages.diff(&["--ignore", "footer"]).assert().code(0);
    pages.diff(&["--normalise", "dates"]).assert().code(0);
    pages.diff(&[]).assert().code(1);
}

#[test]
fn a_zone_that_is_lost_is_never_silence() {
    let pages = Pages::new("<main>Same</main>", "<div>Same</div>");
    let warned = pages.diff(&["--zone", "main"]).assert().code(1);
    assert!(String::from_utf8_lossy(&warned.get_output().stderr).contains("the zone matches nothing in `new.html`"));
    assert!(pages.complaint(&["--zone", "#nothing"]).contains("the zone matches nothing in either version"));
    assert!(pages.complaint(&["--zone", "p", "--type", "text"]).contains("matches nothing"));
}

#[test]
fn a_wrong_selector_or_normaliser_is_explained() {
    let pages = Pages::new("", "");
    assert!(pages.complaint(&["--zone", "a:hover"]).contains("`:not`"));
    assert!(pages.complaint(&["--normalise", "nosuch"]).contains("white-space"));
}

#[test]
fn the_zoo_is_shown_in_every_format() {
    for (name, body) in zoo::bodies().into_iter().filter(|(_, body)| body.len() < 300_000) {
        let pages = Pages::new(OLDER, &body);
        for format in ["text", "json", "html", "unified"] {
            let output = pages.diff(&["--format", format]).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            let ended = matches!(output.status.code(), Some(0 | 1)) || stderr.contains("this is a picture, not a page");
            assert!(ended, "{name} as {format}: {stderr}");
        }
    }
}

#[test]
fn a_200_megabyte_page_is_read_as_far_as_the_limit() {
    let pages = Pages::new(OLDER, "<p>some words here</p>\n".repeat(200_000_000 / 23));
    let output = pages.diff(&["--max-bytes", "1000000", "--json"]).assert().code(1);
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("longer than the byte limit"));
}

#[test]
fn a_stale_declaration_is_overruled() {
    let page = |text: &str| [b"<meta charset=iso-8859-1><p>".as_slice(), text.as_bytes()].concat();
    let pages = Pages::new(page("웹 문서"), page("웹 문서가"));
    assert!(!pages.stdout(&[]).contains("문서가"));
    assert!(pages.stdout(&["--charset", "utf-8"]).contains("문서가"));
    assert!(pages.complaint(&["--charset", "klingon"]).contains("no charset of the web is called `klingon`"));
}

#[test]
fn signs_currencies_and_the_values_of_json_count() {
    Pages::new("<p>Status: ✅ -5 $3", "<p>Status: ❌ -5 $3").diff(&[]).assert().code(1);
    Pages::new("<p>Status: ✅ -5 $3", "<p>Status: ✅ 5 $3").diff(&[]).assert().code(1);
    Pages::new("<p>Status: ✅ -5 $3", "<p>Status: ✅ -5 €3").diff(&[]).assert().code(1);
    Pages::new("{\"a\": \"x.\"}", "{\"a\": \"x!\"}").diff(&["--type", "json"]).assert().code(1);
}

#[test]
fn what_only_holds_pages_is_refused_with_a_cure() {
    let complaint = Pages::new(b"\x1f\x8b\x08\0", "").complaint(&[]);
    assert!(
        complaint.contains("cannot read `old.html`: this is gzip data, not a page\nhint: `gunzip` it first"),
        "{complaint}"
    );
}

#[test]
fn a_folder_in_place_of_a_page_is_an_error_that_names_it() {
    let pages = Pages::new("", "");
    fs::remove_file(pages.folder.path().join("new.html")).unwrap();
    fs::create_dir(pages.folder.path().join("new.html")).unwrap();
    let complaint = pages.complaint(&[]);
    assert!(complaint.contains("`new.html` is a folder, not a page\nhint: "), "{complaint}");
}

#[test]
fn the_demo_shows_all_six_kinds_of_change() {
    let output = driftline().arg("demo").assert().success();
    let shown = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    for kind in ["added", "dropped", "copied", "shrunk", "replaced", "moved"] {
        assert!(shown.contains(kind), "{kind}");
    }
}
