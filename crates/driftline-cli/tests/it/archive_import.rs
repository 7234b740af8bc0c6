//! Does `driftline archive import` do what its help says? Also when it is killed on the way.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use driftline_archive::Archive;
use driftline_archive::archive::Options;
use driftline_testkit::kills::Kills;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::gzip;

fn monitors(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../driftline-archive/tests/fixtures/monitors").join(name)
}

fn import(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("driftline"));
    command.args(["archive", "import", "--data"]).arg(data).args(arguments).env_remove("DRIFTLINE_CATALOG");
    command
}

/// Exit code, stdout and stderr.
fn run(data: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = import(data, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn record(page: usize, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{page} {body}");
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{page:012x}>\r\n\
         WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/{page}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    gzip(record.as_bytes())
}

fn folder_with(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn a_backup_comes_in_with_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let backup = monitors("changedetection-0.60.10.zip");
    let data = folder.path().join("data");
    let (code, out, err) = run(&data, &[backup.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    let count = |name: &str| {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {out}"));
        line.split_whitespace().last().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(["files", "captures", "watches", "skipped"].map(count), [1, 11, 4, 0]);
    assert!(err.contains("MB/s"), "{err}");
}

#[test]
fn a_dry_run_begins_no_archive() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let database = monitors("urlwatch-2.29.db");
    let (code, out, err) = run(&data, &["--dry-run", "--json", database.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&summary["captures"], &summary["dry_run"]), (&Value::from(9), &Value::from(true)));
    assert!(!data.exists());
}

#[test]
fn what_is_passed_over_is_told_and_is_a_failure_only_if_asked() {
    let mut bytes = record(1, "whole");
    let place = bytes.len();
    bytes.extend(&record(2, "torn")[..100]);
    let (folder, file) = folder_with("a.warc.gz", &bytes);
    let file = file.to_str().unwrap();
    let (code, out, err) = run(&folder.path().join("data"), &[file]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains(&format!("a.warc.gz, byte {place}: ")), "{err}");
    assert!(out.lines().any(|line| line.split_whitespace().eq(["skipped", "1"])), "{out}");
    let (code, out, err) = run(&folder.path().join("strict"), &["--strict", "--json", file]);
    assert_eq!(code, 2, "{err}");
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&summary["captures"], &summary["skips"][0]["offset"]), (&Value::from(1), &Value::from(place)));
    assert!(err.contains("hint:"), "{err}");
}

#[test]
fn a_digest_that_is_wrong_in_the_source_is_told_at_the_import_and_is_no_damage() {
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>text";
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
         WARC-Target-URI: http://example.org/\r\nWARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    let (folder, file) = folder_with("wrong.warc", record.as_bytes());
    let data = folder.path().join("data");
    let (code, _, err) = run(&data, &[file.to_str().unwrap()]);
    assert!(code == 0 && err.contains("a digest which their bytes do not have: 1;"), "{err}");
    let output =
        Command::new(cargo_bin("driftline")).args(["archive", "verify", "--data"]).arg(&data).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("as imported: 1 ") && out.contains("all is well"), "{out}");
}

#[test]
fn what_is_unknown_is_told_with_what_is_known() {
    let (folder, file) = folder_with("notes.txt", b"Dear all");
    let data = folder.path().join("data");
    let (code, _, err) = run(&data, &[file.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(err.contains("notes.txt") && err.contains("`changedetection`") && err.contains("--format"), "{err}");
    let (code, _, err) = run(&data, &["none.warc.gz"]);
    assert_eq!(code, 2);
    assert!(err.contains("cannot read `none.warc.gz`"), "{err}");
    assert!(!data.exists(), "an archive is begun only for what can be read");
}

#[test]
fn an_address_has_a_scheme_and_nothing_read_has_no_speed() {
    let (folder, file) = folder_with("a.warc.gz", &record(1, "text"));
    let (data, file) = (folder.path().join("data"), file.to_str().unwrap());
    let (code, _, err) = run(&data, &["--url", "example.org/a", file]);
    assert!(code == 2 && err.contains("https://example.org/a"), "{err}");
    assert_eq!(run(&data, &["--url", "https://example.org/a", file]).0, 0);
    let (code, _, err) = run(&data, &[file]);
    assert!(code == 0 && !err.contains("MB/s"), "{err}");
    let (code, out, err) = run(&data, &["--again", file]);
    assert!(code == 0 && err.contains("MB/s") && out.contains("duplicates"), "{out}{err}");
}

#[test]
fn a_second_import_at_once_fails_with_what_to_do() {
    let (folder, file) = folder_with("a.warc.gz", &record(1, "text"));
    let data = folder.path().join("data");
    std::fs::create_dir_all(data.join("warc")).unwrap();
    let lock = std::fs::File::create(data.join("warc/import.lock")).unwrap();
    lock.lock().unwrap();
    let (code, _, err) = run(&data, &[file.to_str().unwrap()]);
    assert!(code == 2 && err.contains("another import") && err.contains("hint: wait"), "{err}");
}

#[cfg(unix)]
#[test]
fn an_archive_that_may_not_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, file) = folder_with("a.warc.gz", &record(1, "text"));
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(data.join("probe"), "").is_ok() {
        println!("skipped: this user may write everywhere");
        return;
    }
    let (code, _, err) = run(&data, &[file.to_str().unwrap()]);
    assert_eq!(code, 2);
    assert!(err.contains("data"), "{err}");
}

/// All captures of an archive, and how many records its segments hold.
fn contents(data: &Path) -> Vec<String> {
    let archive = Archive::open_to_read(&Options::at(data)).unwrap();
    let all = archive.catalog().all(0, 1_000_000).unwrap();
    let mut all: Vec<String> = all
        .iter()
        .map(|stored| {
            let body = archive.read(stored, 1 << 20).unwrap().body().to_vec();
            format!("{} {:?} {} bytes", stored.capture.url, stored.capture.digest, body.len())
        })
        .collect();
    all.sort();
    all
}

/// The bytes in segments by now.
fn written(data: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(data.join("warc")) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// Waits until the segments have more than this many bytes, and kills a child. Says whether it was still running.
fn kill_on_the_way(mut child: Child, data: &Path, bytes: u64) -> bool {
    for _ in 0..60_000 {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if written(data) > bytes {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

#[test]
fn an_import_that_was_killed_goes_on_and_ends_as_any_other() {
    let bytes: Vec<u8> = (0..6_000).flat_map(|page| record(page, &"word ".repeat(page % 100))).collect();
    let (folder, file) = folder_with("crawl.warc.gz", &bytes);
    let file = file.to_str().unwrap();
    let (killed, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    let planned = Kills::planned("import", 2, 6);
    let mut random = fastrand::Rng::with_seed(planned.seed.into());
    let mut kills = 0;
    for _ in 0..planned.count {
        // More than the description of a segment.
        let bytes = written(&killed) + random.u64(10_000..100_000);
        let child = import(&killed, &[file]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kills += u32::from(kill_on_the_way(child, &killed, bytes));
    }
    let is_killed = planned.count > 0;
    assert_eq!(kills > 0, is_killed, "it was never killed on its way");
    let (code, out, err) = run(&killed, &["--json", file]);
    assert_eq!(code, 0, "{err}");
    let last: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(last["captures"].as_u64().unwrap() < 6_000, is_killed, "it did not go on: {last}");
    let (code, _, err) = run(&whole, &[file]);
    assert_eq!(code, 0, "{err}");
    let expected = contents(&whole);
    assert_eq!(expected.len(), 6_000);
    assert!(contents(&killed) == expected, "what was killed holds something else");
}
