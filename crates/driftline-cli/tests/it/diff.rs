//! `driftline diff` as people use it.

use std::fs;

use assert_cmd::Command;
use driftline_testkit::zoo;

use crate::support::driftline;

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

    /// Another file beside them.
    fn write(&self, name: &str, content: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
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
    insta::assert_snapshot!(Pages::new(OLDER, NEWER).stdout(&["--side-by-side", "--regions", "0", "--width", "80"]));
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
    assert_eq!((&value["format"], &value["operations"]["move"]), (&4.into(), &1.into()));
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
fn a_patch_does_not_turn_the_direction_of_writing_or_command_the_terminal() {
    let newer = "<p>pay \u{202e}elpoep\u{2066} now\u{202c} \u{9b}2J<p>Unlike \u{200f}before";
    let pages = Pages::new("<p>pay nobody now<p>Unlike before", newer);
    for colour in ["never", "always"] {
        let shown = pages.stdout(&["--format", "unified", "--color", colour]);
        assert!(shown.contains("pay \u{fffd}elpoep\u{fffd} now\u{fffd}"), "{shown:?}");
        let turning =
            |char: char| matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{80}'..='\u{9f}');
        assert!(!shown.contains(turning), "{shown:?}");
    }
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
        for format in ["text", "json", "html", "html-text", "unified"] {
            let output = pages.diff(&["--format", format]).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            let ended = matches!(output.status.code(), Some(0 | 1)) || stderr.contains("this is a picture, not a page");
            assert!(ended, "{name} as {format}: {stderr}");
        }
    }
}

#[test]
fn a_200_megabyte_page_is_read_as_far_as_the_limit() {
    let pages = Pages::new(OLDER, "<p>some words here</p>\n".repeat(2_000_000 / 23));
    // The rest is a hole in the file: nothing of it is read.
    let file = fs::File::options().write(true).open(pages.folder.path().join("new.html")).unwrap();
    file.set_len(200_000_000).unwrap();
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
fn a_zone_that_moved_is_found_again_and_said_so() {
    let news = "<ul><li>Bridge closed until Friday<li>New library opens in Garden Street</ul>";
    let older = format!("<nav>Home Contact</nav><div id=news>{news}</div>");
    let newer = format!("<main><h1>Our town</h1><div class=latest>{news}</div></main><footer>Imprint</footer>");
    let pages = Pages::new(older, newer);
    // Its id became a class: that is all.
    let found = pages.diff(&["--zone", "#news"]).assert().code(1);
    pages.diff(&["--zone", "#news", "--min-importance", "0.2"]).assert().code(0);
    let warning = String::from_utf8_lossy(&found.get_output().stderr).into_owned();
    assert!(
        warning.starts_with("warning: the zone `#news` moved in `new.html`: found again as `.latest` (certainty 0.")
    );
    let answer: serde_json::Value = serde_json::from_str(&pages.stdout(&["--zone", "#news", "--json"])).unwrap();
    assert_eq!(answer["zones"][0]["fate"], "moved");
    assert_eq!(answer["zones"][0]["to"], ".latest");
    let some = pages.diff(&["--zone", "#news", "--zone", "nav"]).assert().code(1);
    let warning = String::from_utf8_lossy(&some.get_output().stderr).into_owned();
    assert!(warning.contains("the zone `nav` matches nothing in `new.html`"), "{warning}");
}

#[test]
fn a_block_that_other_pages_share_matters_less() {
    let page = |title: &str, price: &str| {
        format!("<div><h1>{title}</h1></div><div><p>Parcels to the islands take longer and cost {price}</p></div>")
    };
    let pages = Pages::new(page("Boots", "nine"), page("Boots", "twelve"));
    for name in ["hats", "gloves"] {
        pages.write(&format!("site/{name}.html"), &page(name, "nine"));
    }
    let answer = |options: &[&str]| -> serde_json::Value {
        serde_json::from_str(&pages.stdout(&[options, &["--json"]].concat())).unwrap()
    };
    let (alone, shared) = (answer(&[]), answer(&["--site", "site"]));
    assert!(shared["importance"].as_f64() < alone["importance"].as_f64(), "{shared:#}");
    assert!(shared["regions"][0]["why"].to_string().contains("shared by 2 pages"), "{shared:#}");
}
