//! The change that `diff`, `measure` and the library tell is one.

use assert_cmd::Command;
use driftline::change::Change;
use driftline::compare::Comparer;
use driftline::page::{Page, ReadOptions};
use driftline_testkit::data::subset;
use driftline_testkit::pages::{RealPair, real_pairs};
use serde_json::Value;

fn json(arguments: &[&str], folder: &std::path::Path) -> Value {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Without the members that name the versions, the sentence, and the texts.
fn bare(mut value: Value) -> Value {
    let object = value.as_object_mut().unwrap();
    for name in ["id", "old", "new", "summary", "texts"] {
        object.remove(name);
    }
    value
}

#[test]
fn diff_measure_and_the_library_tell_the_same_change_of_real_pages() {
    let mut comparer = Comparer::default();
    for RealPair { name, older, newer } in real_pairs(&subset()) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("page")).unwrap();
        std::fs::write(folder.path().join("page/1.html"), &older).unwrap();
        std::fs::write(folder.path().join("page/2.html"), &newer).unwrap();
        let read_options = ReadOptions::default();
        let [older, newer] = [&older, &newer].map(|bytes| Page::read(bytes.as_slice(), &read_options));
        let change = comparer.compare(&older, &newer);
        let expected = serde_json::to_value(&change).unwrap();
        let told = json(&["diff", "--json", "page/1.html", "page/2.html"], folder.path());
        assert_eq!(serde_json::from_value::<Change>(told.clone()).unwrap(), change, "{name}");
        let measured = json(&["measure", "--quiet", "--with", "regions", "page"], folder.path());
        assert_eq!((bare(told), bare(measured)), (expected.clone(), expected), "{name}");
    }
}
