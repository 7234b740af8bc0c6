//! The change that `diff`, `measure`, the archive and the library find is one object.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;
use driftline::change::{Change, Sides};
use driftline::compare::Comparer;
use driftline::page::ReadOptions;
use driftline_archive::{Archive, derive};
use driftline_testkit::data::{shared, subset};
use serde_json::Value;

use crate::real_archive::{RealArchive, url};

fn run(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    command.env_remove("DRIFTLINE_DATA").env_remove("DRIFTLINE_CATALOG");
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.code() < Some(2), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Without the members that name the versions, the sentence, and the texts.
fn bare(mut value: Value) -> Value {
    let object = value.as_object_mut().unwrap();
    for name in ["id", "old", "new", "summary", "texts"] {
        object.remove(name);
    }
    value
}

/// What `measure` says of all pairs of the segments of an archive, by their addresses.
fn measured(data: &Path) -> BTreeMap<String, Value> {
    let segments = std::fs::read_dir(data.join("warc")).unwrap().map(|entry| entry.unwrap().path());
    let segments = segments.filter(|path| path.extension().is_some_and(|extension| extension == "gz"));
    let segments: Vec<String> = segments.map(|path| path.to_str().unwrap().to_owned()).collect();
    let arguments = ["measure", "--quiet", "--with", "regions"].into_iter().chain(segments.iter().map(String::as_str));
    let lines = run(&arguments.collect::<Vec<_>>());
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.map(|record| (record["id"].as_str().unwrap().split('@').next().unwrap().to_owned(), record)).collect()
}

fn assert_one_change(data: &Path) {
    let archive = RealArchive::of(data);
    let folder = archive.path().to_str().unwrap();
    run(&["archive", "rebuild", "--kind", "change", "--quiet", "--data", folder]);
    let measured = measured(archive.path());
    let opened = Archive::open_at(archive.path()).unwrap();
    for (number, pair) in archive.pairs.iter().enumerate() {
        let (name, url) = (&pair.name, url(number));
        let Sides { older, newer } = archive.pages(number, &ReadOptions::default());
        let change = Comparer::default().compare(&older, &newer);
        let object = serde_json::to_value(&change).unwrap();
        let [first, latest] = ["first", "latest"].map(|when| format!("{url}@{when}"));
        let shown: Value = serde_json::from_str(&run(&["diff", "--json", &first, &latest, "--data", folder])).unwrap();
        assert_eq!(serde_json::from_value::<Change>(shown.clone()).unwrap(), change, "{name}");
        assert_eq!(bare(shown), object, "diff: {name}");
        let rows = opened.catalog().changes_of(&url).unwrap();
        // Two versions with the same bytes are one.
        assert_eq!(rows.len(), usize::from(pair.older != pair.newer), "{name}");
        for row in rows {
            assert_eq!(derive::change(&row).unwrap().as_ref(), Some(&change), "{name}");
            assert_eq!(row.body, object, "the archive: {name}");
        }
        assert_eq!(bare(measured[&url].clone()), object, "measure: {name}");
    }
}

#[test]
fn diff_measure_the_archive_and_the_library_have_the_same_change_of_real_pages() {
    assert_one_change(&subset());
}

#[test]
#[ignore = "needs the shared data"]
fn diff_measure_the_archive_and_the_library_have_the_same_change_of_all_real_pages() {
    assert_one_change(&shared());
}
