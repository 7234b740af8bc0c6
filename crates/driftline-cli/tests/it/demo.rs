//! `driftline demo`: the whole story of the site, with what is found at each step.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use driftline_demo::story::STEPS;

/// As fast as it goes, with a folder of its own for what is temporary.
fn demo(temporary: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("driftline").expect("the binary is built with its tests");
    command.env("TMPDIR", temporary).args(["demo", "--speed", "0"]).args(arguments);
    command
}

#[test]
fn every_finding_is_told_at_its_step_and_nothing_is_left_behind() {
    let temporary = tempfile::tempdir().unwrap();
    let output = demo(temporary.path(), &[]).assert().success();
    let shown = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let mut rest = shown.as_str();
    for (number, step) in STEPS.iter().enumerate() {
        let (_, after) = rest.split_once(&format!("  {}\n", step.happens)).unwrap_or_else(|| panic!("{}", step.name));
        let next = STEPS.get(number + 1).map_or("\n\n", |next| next.happens);
        let found = after.split(next).next().unwrap_or_default();
        let mut kinds: Vec<&str> = found.lines().filter_map(kind).collect();
        let mut finds: Vec<&str> = step.finds.iter().map(|found| found.kind).collect();
        kinds.sort_unstable();
        finds.sort_unstable();
        assert_eq!(kinds, finds, "{}: {shown}", step.name);
        rest = after;
    }
    for told in ["changed /prices: ", "[-24-] {+26+}", "63 words moved", "explains ", "page-gone /people: "] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}

/// On a stdout that takes nothing, the demo ends with its first line.
#[cfg(target_os = "linux")]
#[test]
fn the_first_line_comes_before_the_first_check() {
    let folder = tempfile::tempdir().unwrap();
    let island = folder.path().join("island");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(cargo_bin!("driftline"));
    command.args(["demo", "--speed", "0", "--keep"]).arg(&island).stdout(full);
    let ended = command.output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    assert!(!island.exists(), "it was watched before the first line");
}

/// The kind of a finding, if the line begins one.
fn kind(line: &str) -> Option<&str> {
    let told = line.strip_prefix("           ")?;
    (!told.starts_with(' ')).then(|| told.split(' ').next()).flatten()
}

#[test]
fn what_was_found_can_be_kept_and_nothing_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let island = folder.path().join("island");
    let island = island.to_str().unwrap();
    demo(folder.path(), &["--keep", island]).assert().success();
    let mut events = Command::cargo_bin("driftline").unwrap();
    let listed = events.args(["events", "--data", island]).assert().code(1);
    let listed = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    assert!(listed.contains("redesigned") && listed.contains("page-gone"), "{listed}");
    let again = demo(folder.path(), &["--keep", island]).assert().code(2);
    let complaint = String::from_utf8(again.get_output().stderr.clone()).unwrap();
    assert!(complaint.contains("is not empty\nhint: "), "{complaint}");
}

/// The lines of `archive list` for a page of the demo.
fn list(data: &str, url: &str) -> String {
    let mut list = Command::cargo_bin("driftline").unwrap();
    let listed = list.args(["archive", "list", url, "--data", data]).assert().success();
    String::from_utf8(listed.get_output().stdout.clone()).unwrap()
}

#[test]
fn rebuilding_the_archive_of_the_demo_leaves_every_degree_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let island = folder.path().join("island");
    let island = island.to_str().unwrap();
    demo(folder.path(), &["--keep", island]).assert().success();
    let addresses =
        Command::cargo_bin("driftline").unwrap().args(["archive", "list", "--data", island]).output().unwrap();
    let addresses = String::from_utf8(addresses.stdout).unwrap();
    let urls: Vec<&str> = addresses.lines().filter_map(|line| line.split_whitespace().last()).collect();
    let before: Vec<String> = urls.iter().map(|url| list(island, url)).collect();
    assert!(before.concat().contains("  503  "), "an outage is part of the story: {before:?}");
    Command::cargo_bin("driftline").unwrap().args(["archive", "rebuild", "--data", island]).assert().success();
    let words = |listed: &str| -> Vec<[String; 4]> {
        let lines = listed.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>());
        lines.map(|words| [0, 1, 4, 5].map(|place: usize| words[place].clone())).collect()
    };
    for (url, before) in urls.iter().zip(before) {
        for (before, after) in words(&before).into_iter().zip(words(&list(island, url))) {
            let [_, status, mark, degree] = &after;
            assert!(before[3] == "-" || before == after, "{url}: {before:?}, after the rebuild {after:?}");
            assert!(status != "503" || (mark == "failed" && degree == "-"), "{url}: {after:?}");
        }
    }
}
