//! `driftline evaluate metrics`, as it is run.

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

use crate::support::{stderr, stdout};

fn metrics(folder: &Path, arguments: &[&str]) -> Assert {
    cargo_bin_cmd!("driftline").current_dir(folder).args(["evaluate", "metrics"]).args(arguments).assert()
}

/// Three versions of a page of 200 words: ten words are added, then the second half comes first.
/// And a page that does not change.
fn versions() -> TempDir {
    let folder = TempDir::new().unwrap();
    let words = |range: std::ops::Range<usize>| range.map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    let versions = [
        ("news/1.html", words(0..200)),
        ("news/2.html", words(0..210)),
        ("news/3.html", format!("{} {}", words(110..210), words(0..110))),
        ("about/1.html", words(0..50)),
        ("about/2.html", words(0..50)),
    ];
    for (name, text) in versions {
        let path = folder.path().join("versions").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("<p>{text}</p>")).unwrap();
    }
    folder
}

#[test]
fn kwon_table_1_is_printed() {
    let folder = TempDir::new().unwrap();
    let run = metrics(folder.path(), &[]).success();
    insta::assert_snapshot!(stdout(&run));
    assert_eq!(stderr(&run), "hint: `--output DIR` writes figures, CSV files and report.html\n");
}

#[test]
fn a_collection_is_measured_and_advised() {
    let folder = versions();
    insta::assert_snapshot!(stdout(&metrics(folder.path(), &["versions"]).success()));
}

#[test]
fn programs_get_json() {
    let folder = versions();
    let run = metrics(folder.path(), &["--json", "--quiet", "--alpha", "1", "versions"]).success();
    let json: serde_json::Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(json["parameters"]["alpha"], 1.0);
    assert_eq!((&json["collection"]["pairs"], &json["collection"]["changed"]), (&3.into(), &2.into()));
    assert_eq!(json["figure_7"][2]["metrics"]["shingle"]["sensitivity"], "effective");
    assert_eq!(stderr(&run), "");
}

#[test]
fn a_report_is_written() {
    let folder = versions();
    let run = metrics(folder.path(), &["--output", "new/report", "versions"]).success();
    assert_eq!(stderr(&run), "wrote `new/report/report.html` and 12 other files\n");
    let report = folder.path().join("new/report");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(&report).unwrap().map(name).collect();
    names.sort();
    let figures = ["5.png", "5.svg", "6.png", "6.svg", "7.csv", "7.png", "7.svg", "8.csv", "8.png", "8.svg"];
    let figures = figures.map(|figure| format!("figure-{figure}")).join(" ");
    assert_eq!(names.join(" "), format!("deviations.csv {figures} pairs.csv report.html"));
    assert!(fs::read(report.join("figure-7.png")).unwrap().starts_with(b"\x89PNG"));
    let page = fs::read_to_string(report.join("report.html")).unwrap();
    assert_eq!(page.matches("</svg>").count(), 4);
    assert!(page.contains("driftline evaluate metrics --alpha 0.75 --beta 0.75 --shingle 10 --seed 1"));
}

#[test]
fn the_same_seed_makes_the_same_report() {
    let folder = versions();
    for report in ["one", "other"] {
        metrics(folder.path(), &["--output", report, "versions"]).success();
    }
    for name in ["report.html", "figure-7.csv", "figure-6.png", "pairs.csv"] {
        let read = |report| fs::read(folder.path().join(report).join(name)).unwrap();
        assert!(read("one") == read("other"), "{name}");
    }
}

#[test]
fn a_weight_outside_0_to_1_is_refused() {
    let folder = TempDir::new().unwrap();
    for (option, value) in [("--alpha", "1.5"), ("--beta", "-0.1"), ("--alpha", "NaN")] {
        let run = metrics(folder.path(), &[&format!("{option}={value}")]).code(2);
        assert_eq!(stderr(&run), format!("error: `{option}` must be from 0 to 1, not {value}\n"));
    }
}

#[test]
fn a_folder_without_versions_is_refused_with_a_hint() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let refused = [("empty", "no page below `empty` has two versions"), ("none", "`none` is not a folder of versions")];
    for (name, message) in refused {
        let told = stderr(&metrics(folder.path(), &[name]).code(2));
        assert!(told.starts_with(&format!("error: {message}\nhint: every page is a folder")), "{told}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_measuring() {
    let folder = versions();
    fs::write(folder.path().join("file"), "").unwrap();
    let told = stderr(&metrics(folder.path(), &["--output", "file/report", "versions"]).code(2));
    assert!(told.starts_with("error: cannot write to the folder `file/report`: "), "{told}");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_told_once_and_its_pairs_left_out() {
    let folder = versions();
    let missing = folder.path().join("versions/news/4.html");
    std::os::unix::fs::symlink("nowhere", &missing).unwrap();
    fs::copy(folder.path().join("versions/news/3.html"), folder.path().join("versions/news/5.html")).unwrap();
    let run = metrics(folder.path(), &["--quiet", "versions"]).success();
    let told = stderr(&run);
    assert_eq!(told.matches("warning: cannot open `versions/news/4.html`").count(), 1, "{told}");
    assert!(stdout(&run).contains("3 pairs of versions (2 left out: not readable)"), "{}", stdout(&run));
}
