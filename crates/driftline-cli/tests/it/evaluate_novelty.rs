//! `driftline evaluate novelty`, as it is run: on synthetic crawls and on real ones.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin_cmd;
use driftline_testkit::data::{shared, subset};
use driftline_testkit::toyoda::crawls::{self, Expected};
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{json_of, stderr, stdout};

fn driftline(folder: &Path, arguments: &[&str]) -> Assert {
    let mut command = cargo_bin_cmd!("driftline");
    command.current_dir(folder).env("DRIFTLINE_DATA", folder.join("data")).args(arguments).assert()
}

fn evaluate(folder: &Path, arguments: &[&str]) -> Assert {
    driftline(folder, &[&["evaluate", "novelty"], arguments].concat())
}

/// The series `town` of the demo, with as many of its crawls.
fn town(crawls: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    driftline(folder.path(), &["demo", "--save-crawls", "crawls"]).success();
    for at in ["2024-01-01", "2024-04-01", "2024-07-01"].iter().take(crawls) {
        driftline(folder.path(), &["snapshot", "add", "town", "--at", at, &format!("crawls/{at}"), "--quiet"])
            .success();
    }
    folder
}

#[test]
fn the_town_is_as_worked_out_by_hand() {
    let folder = town(3);
    let json = json_of(&evaluate(folder.path(), &["town", "--json", "--truth", "crawls/truth.tsv"]).success());
    assert_eq!(json["snapshots"].as_array().unwrap().len(), 2);
    let july = &json["snapshots"][1];
    assert_eq!((&july["at"], &july["previous"]), (&"2024-07-01T00:00:00Z".into(), &"2024-04-01T00:00:00Z".into()));
    let sizes = json!({
        "crawled": 41, "seen_twice": 18, "old": 9, "unidentified": 14, "old_only_by_last_modified": 1,
        "old_only_by_link": 1, "old_by_both": 0, "unidentified_without_in_links": 0,
    });
    assert_eq!(july["sizes"], sizes);
    // Eight stories and months of the paper and one of the blog name a month since April, two of the blog an older one.
    assert_eq!(july["dated"], json!({"old": 2, "new": 9, "future": 0}));
    // Not new: two stories of the blog, and the tent.
    assert_eq!(july["truth"], json!({"known": 14, "novel": 11, "wrongly_old": 0, "dates_agree": 1.0}));
    let truth = &july["judges"][1];
    assert_eq!((&truth["judge"], &truth["known"], &truth["novel"]), (&"truth".into(), &14.into(), &11.into()));
    // Without a score: the blog's three, the tent, the hammock. The month of April has 0.45 / (1 - 0.405).
    let above = &truth["curves"][1]["points"][1];
    assert_eq!((&above["threshold"], &above["judged_novel"]), (&">0".into(), &9.into()));
    assert_eq!((&above["precision"], above["recall"].as_f64().unwrap()), (&1.0.into(), 9.0 / 11.0));
    let at_0_75 = truth["curves"][1]["points"].as_array().unwrap().iter().find(|point| point["threshold"] == "0.75");
    assert_eq!(at_0_75.unwrap()["judged_novel"], 7);
    // Without Last-Modified, the winter story of the blog has a score: the paper links to the blog, the blog to it.
    let miss = &july["miss_rate"];
    assert_eq!(miss["unidentified_without_rules"], 16);
    assert_eq!((&miss["last_modified"]["old"], &miss["last_modified"]["positive"]), (&1.into(), &1.into()));
    assert!(july["miss_rate"]["last_modified"]["share_at_least_0_1"].as_f64().unwrap() > 0.0);
    assert_eq!(july["copies"], Value::Null);
    assert!(july["missed"].is_object());
}

#[test]
fn a_report_is_written_and_says_how_to_do_it_again() {
    let folder = town(3);
    let run =
        evaluate(folder.path(), &["town", "--at", "2024-07-01", "--delta", "0.3", "--output", "report"]).success();
    let text = stdout(&run);
    assert!(text.starts_with("Series `town`: 1 snapshot that has an earlier one, 20 rounds\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert!(stderr(&run).starts_with("wrote `report/report.html` and "), "{}", stderr(&run));
    let page = fs::read_to_string(folder.path().join("report/report.html")).unwrap();
    assert!(page.contains("--at 2024-07-01T00:00:00Z --delta 0.3 --miss-delta 0.1 --iterations 20"));
    let curves = fs::read_to_string(folder.path().join("report/curves.csv")).unwrap();
    assert!(curves.contains("\n2024-07-01T00:00:00Z,dates,0.3,0.00,11,"), "{curves}");
}

#[test]
fn a_delta_that_is_asked_for_twice_is_taken_once() {
    let folder = town(2);
    let json = json_of(&evaluate(folder.path(), &["town", "--json", "--delta", "0.2,0,0.2,0.1,0"]).success());
    let scores = json["snapshots"][0]["scores"].as_array().unwrap();
    assert_eq!(scores.iter().map(|score| score["delta"].as_f64().unwrap()).collect::<Vec<_>>(), [0.2, 0.0, 0.1]);
}

#[test]
fn the_first_snapshot_has_nothing_to_be_compared_with() {
    let told = |crawls: usize, arguments: &[&str]| {
        let folder = town(crawls);
        stderr(&evaluate(folder.path(), arguments).code(2))
    };
    let one = told(1, &["town"]);
    assert!(one.contains("has one snapshot") && one.contains("\nhint: "), "{one}");
    let first = told(2, &["town", "--at", "2024-01-01"]);
    assert!(first.contains("is the first snapshot of the series") && first.contains("\nhint: "), "{first}");
    let none = told(2, &["village"]);
    assert!(none.contains("village") && none.contains("\nhint: "), "{none}");
}

#[test]
fn births_that_are_of_no_use_are_told() {
    let folder = town(2);
    fs::write(folder.path().join("births.tsv"), "url\tbirth\nhttps://nowhere.example/\t2020\n").unwrap();
    let told = stderr(&evaluate(folder.path(), &["town", "--truth", "births.tsv"]).code(2));
    assert!(told.contains("says of no page of the series when it appeared"), "{told}");
    fs::write(folder.path().join("births.tsv"), "https://news.example/\t2019\nhttps://news.example/about/\tlong ago\n")
        .unwrap();
    let told = stderr(&evaluate(folder.path(), &["town", "--truth", "births.tsv", "--quiet"]).success());
    assert_eq!(told, "warning: 1 line of `births.tsv` without an address and a time left out\n");
}

/// A real series, and the tables that are expected of it.
struct Dev {
    folder: PathBuf,
    expected: Expected,
}

impl Dev {
    /// The series in the repository, with what the slow measure makes of its tables.
    fn subset(tables: &str) -> Self {
        let folder = subset().join("snapshots/dev");
        Self { expected: crawls::expected(&folder, tables), folder }
    }

    /// The shared series, with what was computed elsewhere.
    fn shared(suffix: &str) -> Self {
        let folder = shared().join("snapshots/dev");
        let read = |name: &str| fs::read_to_string(folder.join(format!("{name}{suffix}.tsv"))).unwrap();
        let novelty = |number: u32| unpacked(&folder.join(format!("t{number}/expected_novelty{suffix}.tsv.gz")));
        let expected = Expected {
            novelty: (2..=5).map(novelty).collect(),
            summary: read("expected_summary"),
            curves: read("expected_curves"),
        };
        Self { folder, expected }
    }
}

#[test]
fn every_number_of_the_development_series_is_as_expected() {
    evaluate_tables(&Dev::subset(""));
}

#[test]
#[ignore = "needs the shared data"]
fn every_number_of_the_development_series_is_as_expected_on_the_shared_data() {
    evaluate_tables(&Dev::shared(""));
}

fn evaluate_tables(dev: &Dev) {
    development(dev, |snapshot| {
        vec![snapshot.join("pages.tsv.gz"), snapshot.join("links.tsv.gz"), snapshot.join("redirects.tsv.gz")]
    });
}

#[test]
fn every_number_of_its_warc_subset_is_as_expected() {
    evaluate_archives(&Dev::subset("warc"));
}

#[test]
#[ignore = "needs the shared data"]
fn every_number_of_its_warc_subset_is_as_expected_on_the_shared_data() {
    evaluate_archives(&Dev::shared("_warc"));
}

fn evaluate_archives(dev: &Dev) {
    development(dev, |snapshot| {
        let files = fs::read_dir(snapshot.join("warc")).unwrap().map(|file| file.unwrap().path());
        files.filter(|file| file.to_str().unwrap().ends_with(".warc.gz")).collect()
    });
}

/// Adds the crawls, evaluates them, and compares every line of the expected tables.
fn development(Dev { folder: dev, expected }: &Dev, files: impl Fn(&Path) -> Vec<PathBuf>) {
    let folder = TempDir::new().unwrap();
    let meta: Value = serde_json::from_slice(&fs::read(dev.join("meta.json")).unwrap()).unwrap();
    let times: Vec<&str> = meta["times"].as_array().unwrap().iter().map(|time| time.as_str().unwrap()).collect();
    for (number, at) in (1..).zip(&times) {
        let files = files(&dev.join(format!("t{number}")));
        let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
        driftline(folder.path(), &[&["snapshot", "add", "dev", "--quiet", "--at", at], &files[..]].concat()).success();
    }
    let truth = dev.join("truth.tsv.gz");
    let json = json_of(&evaluate(folder.path(), &["dev", "--json", "--truth", truth.to_str().unwrap()]).success());
    let snapshot = |name: &str| {
        let at = times[name[1..].parse::<usize>().unwrap() - 1];
        json["snapshots"].as_array().unwrap().iter().find(|snapshot| snapshot["at"] == at).unwrap()
    };
    for line in expected.summary.lines().skip(1) {
        let [name, metric, value] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        same_summary(snapshot(name), metric, value, line);
    }
    let scores: Vec<_> = expected.novelty.iter().map(|text| expected_scores(text)).collect();
    for line in expected.curves.lines().skip(1) {
        let cells: [&str; 7] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        same_point(snapshot(cells[0]), &cells, &scores[cells[0][1..].parse::<usize>().unwrap() - 2], line);
    }
    assert!(expected.summary.lines().count() > 80 && expected.curves.lines().count() == 529);
}

/// One line of `expected_summary.tsv`.
fn same_summary(snapshot: &Value, metric: &str, value: &str, line: &str) {
    let judge = |place: usize| &snapshot["judges"][place];
    let miss = &snapshot["miss_rate"];
    let found = match metric {
        "W" => &snapshot["sizes"]["crawled"],
        "L2" => &snapshot["sizes"]["seen_twice"],
        "O_minus_L2" => &snapshot["sizes"]["old"],
        "U" => &snapshot["sizes"]["unidentified"],
        "old_only_by_rule2" => &snapshot["sizes"]["old_only_by_last_modified"],
        "old_only_by_rule3" => &snapshot["sizes"]["old_only_by_link"],
        "old_by_both_2_3" => &snapshot["sizes"]["old_by_both"],
        "U_without_in_links" => &snapshot["sizes"]["unidentified_without_in_links"],
        "U_true_novel" => &snapshot["truth"]["novel"],
        "O_true_novel(wrongly_old)" => &snapshot["truth"]["wrongly_old"],
        "urltime_agrees_with_truth" => &snapshot["truth"]["dates_agree"],
        "baseline_precision_truth" => &judge(1)["baseline"],
        "baseline_precision_urltime" => &judge(0)["baseline"],
        "urltime_old" => &snapshot["dated"]["old"],
        "urltime_new" => &snapshot["dated"]["new"],
        "urltime_future" => &snapshot["dated"]["future"],
        "truth_missrate_old_unidentified" => &miss["truth"]["old"],
        "truth_missrate_positive" => &miss["truth"]["share_positive"],
        "truth_missrate_positive_count" => &miss["truth"]["positive"],
        "missrate_old_unidentified" => &miss["last_modified"]["old"],
        "missrate_positive" => &miss["last_modified"]["share_positive"],
        "missrate_ge_0.1" => &miss["last_modified"]["share_at_least_0_1"],
        "missrate_ge_0.5" => &miss["last_modified"]["share_at_least_0_5"],
        "missrate_U_without_LM_rules" => &miss["unidentified_without_rules"],
        rounds => {
            let delta = rounds.strip_prefix("convergence_").unwrap_or_else(|| panic!("{line}"));
            return same_changes(&of_delta(&snapshot["scores"], delta)["changes"], value, line);
        }
    };
    // Shares are printed with four decimals.
    let (found, expected) =
        (found.as_f64().unwrap_or_else(|| panic!("{line}: {found}")), value.parse::<f64>().unwrap());
    assert!((found - expected).abs() <= if value.contains('.') { 5.1e-5 } else { 0.0 }, "{line}: {found}");
}

/// Changes are printed with four digits.
fn same_changes(found: &Value, expected: &str, line: &str) {
    let found: Vec<f64> = found.as_array().unwrap().iter().map(|change| change.as_f64().unwrap()).collect();
    let expected: Vec<f64> = expected.split(',').map(|change| change.parse().unwrap()).collect();
    assert_eq!(found.len(), expected.len(), "{line}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 5.1e-4 * expected + 1e-12, "{line}: {found}");
    }
}

fn of_delta<'a>(scores: &'a Value, delta: &str) -> &'a Value {
    let delta: f64 = delta.parse().unwrap();
    let has = |score: &&Value| score["delta"] == delta || score["by"]["delta"] == delta;
    scores.as_array().unwrap().iter().find(has).unwrap()
}

/// One line of `expected_curves.tsv`. Whoever made it compared scores as rounding had left them, so that some that are
/// equal to a threshold (0.9 = 0.9 × 7/7) came out below it; with us they reach it.
fn same_point(snapshot: &Value, cells: &[&str; 7], scores: &[[f64; 3]], line: &str) {
    let [_, judge, delta, threshold, judged, precision, recall] = cells;
    let judge = &snapshot["judges"][usize::from(*judge == "truth")];
    let points = of_delta(&judge["curves"], delta)["points"].as_array().unwrap();
    let point = points.iter().find(|point| point["threshold"] == **threshold).unwrap();
    let place = ["0.0", "0.1", "0.2"].iter().position(|known| known == delta).unwrap();
    let (found, expected) = (point["judged_novel"].as_u64().unwrap(), judged.parse::<u64>().unwrap());
    if found == expected {
        for (name, share) in [("precision", precision), ("recall", recall)] {
            match share.parse::<f64>().ok().filter(|share| share.is_finite()) {
                Some(share) => assert!((point[name].as_f64().unwrap() - share).abs() < 1e-6, "{line}: {point}"),
                None => assert!(point[name].is_null(), "{line}: {point}"),
            }
        }
        return;
    }
    let at: f64 = threshold.parse().unwrap();
    let equal = scores.iter().filter(|score| (score[place] - at).abs() < 2e-9).count() as u64;
    assert!(expected < found && found <= expected + equal, "{line}: {found}, of which {equal} are equal to it");
}

fn unpacked(file: &Path) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// The expected scores of unidentified pages for each δ.
fn expected_scores(text: &str) -> Vec<[f64; 3]> {
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row[1] == "U").map(|row| [3, 4, 5].map(|place| row[place].parse().unwrap())).collect()
}
