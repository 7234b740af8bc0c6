//! `driftline evaluate regions`, as it is run.

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

use crate::support::{json_of, stderr, stdout};

/// Small pages and few of them: in a debug build the defaults would take minutes.
const SMALL: [&str; 6] = ["--nodes", "64,128", "--runs", "1", "--pairs", "24"];

fn regions(folder: &Path, arguments: &[&str]) -> Assert {
    cargo_bin_cmd!("driftline").current_dir(folder).args(["evaluate", "regions"]).args(arguments).assert()
}

/// Five versions of a page of ten parts, a new part in each; and a page of which only the order of
/// words changes.
fn versions() -> TempDir {
    let folder = TempDir::new().unwrap();
    let part = |number: usize| format!("<div><p>w{number} x{number} y{number}</p></div>");
    let news =
        |version: usize| -> String { (0..10).map(|at| part(if at < version { 100 + at } else { at })).collect() };
    let mut files: Vec<(String, String)> =
        (0..5).map(|version| (format!("news/{version}.html"), news(version))).collect();
    files.push(("order/1.html".to_owned(), "<p>home 3 away 1".to_owned()));
    files.push(("order/2.html".to_owned(), "<p>home 1 away 3".to_owned()));
    for (name, html) in files {
        let path = folder.path().join("versions").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, html).unwrap();
    }
    folder
}

#[test]
fn artail_figures_6_and_8_come_out_on_made_pages() {
    let folder = TempDir::new().unwrap();
    let json = json_of(&regions(folder.path(), &[&SMALL[..], &["--json", "--quiet"]].concat()).success());
    let overall =
        |approach: &str, at: usize| json["figure_8"][0]["detected"][approach]["overall"][at].as_f64().unwrap();
    for approach in ["artail-product", "artail-sum"] {
        assert!((overall(approach, 0) - 2.0 / 3.0).abs() < 0.05, "{approach}");
        assert_eq!(overall(approach, 2), 1.0, "{approach}");
        assert!((overall(approach, 5) - 1.0 / 3.0).abs() < 0.05, "{approach}");
    }
    for group in json["figure_8"].as_array().unwrap() {
        for kind in ["overall", "content", "attributes", "structure", "inside"] {
            assert_eq!(group["detected"]["driftline"][kind], serde_json::json!([1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
        }
    }
    for group in json["figure_6"].as_array().unwrap() {
        assert!(group["saved_by_enhanced"].as_f64().unwrap() > 0.3);
        assert!(group["driftline"].as_u64() < group["enhanced"].as_u64());
    }
}

#[test]
fn tables_and_findings_are_printed() {
    let folder = TempDir::new().unwrap();
    let run = regions(folder.path(), &SMALL).success();
    let text = stdout(&run);
    let headings = text.lines().filter(|line| line.contains("(figure ")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(headings, @"
    Similarities of elements computed, mean of a pair (figure 6)
    Detection time, mean of up to 1 run (figure 7)
    Detected among actual changes, as a weight goes from 0 to 1 (figure 8)
    ");
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert_eq!(stderr(&run), "hint: `--output DIR` writes figures, CSV files and report.html\n");
}

#[test]
fn a_folder_of_versions_takes_the_place_of_made_pages() {
    let folder = versions();
    let json = json_of(&regions(folder.path(), &["--json", "--quiet", "--runs", "1", "versions"]).success());
    assert_eq!(json["collection"], serde_json::json!({ "pages": 2, "pairs": 5, "failed": 0 }));
    let detected = &json["figure_8"][0]["detected"];
    assert_eq!(detected["artail-product"]["overall"][2], 0.8, "the order of words is not seen");
    assert_eq!(detected["driftline"]["overall"][2], 1.0);
    assert_eq!(json["figure_5"]["steps"].as_array().unwrap().len(), 4);
    assert_eq!(json["figure_5"]["steps"][0]["pages"], 2);
    assert_eq!(json["figure_7"][0]["seconds"].as_array().unwrap().len(), 5);
}

#[test]
fn a_report_is_written_and_the_same_seed_makes_the_same_numbers() {
    let folder = versions();
    for report in ["one", "other"] {
        let run = regions(folder.path(), &["--output", report, "--runs", "1", "versions"]).success();
        assert_eq!(stderr(&run), format!("wrote `{report}/report.html` and 12 other files\n"));
    }
    for name in ["figure-5.csv", "figure-6.csv", "figure-8.csv", "figure-8.png"] {
        let read = |report| fs::read(folder.path().join(report).join(name)).unwrap();
        assert!(read("one") == read("other"), "{name}");
    }
    let page = fs::read_to_string(folder.path().join("one/report.html")).unwrap();
    assert_eq!(page.matches("</svg>").count(), 4);
    assert!(page.contains("driftline evaluate regions --runs 1 --output report versions"));
}

#[test]
fn sizes_and_folders_that_make_no_sense_are_refused() {
    let folder = TempDir::new().unwrap();
    let told = stderr(&regions(folder.path(), &["--nodes", "3"]).code(2));
    assert!(told.contains("3 is not in 20..=100000"), "{told}");
    let told = stderr(&regions(folder.path(), &["none"]).code(2));
    assert!(told.starts_with("error: `none` is not a folder of versions\nhint: "), "{told}");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_told_once_and_its_pairs_left_out() {
    let folder = versions();
    std::os::unix::fs::symlink("nowhere", folder.path().join("versions/news/5.html")).unwrap();
    let run = regions(folder.path(), &["--quiet", "--runs", "1", "versions"]).success();
    let told = stderr(&run);
    assert_eq!(told.matches("warning: cannot open `versions/news/5.html`").count(), 1, "{told}");
    assert!(stdout(&run).starts_with("Folder `versions`: 5 pairs of versions of 2 pages (1 left out: not readable)\n"));
}
